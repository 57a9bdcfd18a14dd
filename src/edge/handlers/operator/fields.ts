import { z } from 'zod'
import type { OperatorOperation } from '../../../core/endpoint.ts'
import { isVisibleLine } from '../visible-line.ts'

/** What the rows of the operator's endpoints have in common: their access, times and words. */

export function operatorOperation(description: string, deadlineSeconds = 30): OperatorOperation {
  return { access: 'operator', description, deadlineSeconds }
}

/** Of the year 9999. */
const lastSecond = 253_402_300_799

const notInstant = 'must be Unix seconds, a date like 2026-05-01 or a time like 2026-05-01T12:00:00Z'

/** A moment: ISO 8601 with its offset, a date (its first moment in UTC), or Unix seconds. */
export const instant = z.union([z.string(), z.int()], { error: notInstant }).transform((given, context) => {
  const text = String(given)
  const time = /^\d{1,12}$/.test(text)
    ? new Date(Number(text) * 1000)
    : new Date(isIso(text) ? text : Number.NaN)
  if (time.getTime() >= 0 && time.getTime() <= lastSecond * 1000) return time
  context.addIssue({ code: 'custom', message: notInstant })
  return z.NEVER
})

const iso = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

function isIso(text: string): boolean {
  return iso.safeParse(text).success
}

/** Of a query: from `since` on, and before `until`. */
export const period = { since: instant.optional(), until: instant.optional() }

/** A word that the store may hold: its texts hold no NUL, and ours no other control character. */
export const word = z
  .string()
  .regex(/^[\x20-\x7e]{1,100}$/, 'must be 1 to 100 letters, digits, spaces or ASCII signs')

export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be a 0x address of 40 hex digits')
  .transform((text) => text.toLowerCase())

export const hash32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase()}`)

/** The operator's reason for what is done with money: one line, which lists and the journal show. */
export const reason = z
  .string()
  .refine(isVisibleLine, 'must be one line of 1 to 200 characters, without hidden ones')
  .trim()
