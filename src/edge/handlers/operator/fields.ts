import { z } from 'zod'
import type { OperatorOperation } from '../../../core/endpoint.ts'

/** What the operator's endpoints have in common: how times, pages and sums are written. */

export function operatorOperation(description: string, deadlineSeconds = 30): OperatorOperation {
  return { access: 'operator', description, deadlineSeconds: deadlineSeconds }
}

/** Of the year 9999. */
const lastSecond = 253_402_300_799

/** A moment: ISO 8601 with its offset, a date (its first moment in UTC), or Unix seconds. */
export const instant = z.union([z.string(), z.int()]).transform((given, context) => {
  const text = String(given)
  const time = /^\d{1,12}$/.test(text)
    ? new Date(Number(text) * 1000)
    : new Date(isIso(text) ? text : Number.NaN)
  if (time.getTime() >= 0 && time.getTime() <= lastSecond * 1000) return time
  const message = 'must be Unix seconds, a date like 2026-05-01 or a time like 2026-05-01T12:00:00Z'
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

const iso = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

function isIso(text: string): boolean {
  return iso.safeParse(text).success
}

export const limit = z.coerce.number().int().min(1).max(500).default(50)

/** A time as the store writes it, in microseconds. */
export const exactTime = z.iso.datetime({ precision: 6 }).refine((text) => text >= '1970')

/** A word as it may stand in the store: text there holds no NUL, and nothing of ours any other control character. */
export const word = z.string().regex(/^[\x20-\x7e]{1,100}$/)

/** Reads a cursor that `writeCursor` made of such a position; to callers it is a word without a meaning. */
export function cursorOf<Position extends z.ZodType>(position: Position) {
  return z
    .string()
    .max(1_000)
    .transform((text, context): z.output<Position> => {
      const parsed = position.safeParse(readJson(Buffer.from(text, 'base64url').toString()))
      if (parsed.success) return parsed.data
      context.addIssue({
        code: 'custom',
        message: 'is not a cursor of this list: take one from its last answer',
      })
      return z.NEVER
    })
    .optional()
}

export function writeCursor(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What it is instead does not matter: it is refused like any other word that is no cursor.
    return undefined
  }
}
