import { z } from 'zod'

/**
 * The header EXTENSION-RESPONSES, by which a facilitator says what became of a payment's extensions: the Bazaar tells
 * there whether it has listed the resource (x402, specs/extensions/bazaar.md, "Verify and Settlement Response
 * Header"). It is base64 of a JSON object with one entry for each extension.
 */
export type ExtensionResponses = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The fields that facilitators send. Others could hold anything, and this is kept and shown. */
const fields = ['status', 'rejectedReason', 'reason', 'code'] as const
const maxHeader = 8_192
const maxExtensions = 10

const word = z
  .union([z.string(), z.number()])
  .transform((value) =>
    String(value)
      .replace(/[^\x20-\x7e]/g, '')
      .slice(0, 200),
  )
  .optional()
  .catch(undefined)
const answer = z.object({ status: word, rejectedReason: word, reason: word, code: word })
const answers = z.record(z.string().regex(/^[\w.-]{1,64}$/), answer.catch({}))

/** @returns undefined for a reply without the header; an unreadable one is reported as such. */
export function readExtensionResponses(header: string | null): ExtensionResponses | undefined {
  if (header === null) return undefined
  const read = answers.safeParse(decoded(header))
  if (!read.success) return unreadable
  const kept = Object.entries(read.data).slice(0, maxExtensions)
  return Object.fromEntries(
    kept.map(([name, told]) => [
      name,
      Object.fromEntries(
        fields.flatMap((field) => (told[field] === undefined ? [] : [[field, told[field]]])),
      ),
    ]),
  )
}

const unreadable: ExtensionResponses = { 'extension-responses': { status: 'unreadable' } }

function decoded(header: string): unknown {
  if (header.length > maxHeader) return undefined
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString())
  } catch {
    // Not JSON: the caller reports it as unreadable.
    return undefined
  }
}
