import { isBeyondShape } from '../../core/text/json-shape.ts'
import { fold } from './plain-query.ts'

/**
 * Parses JSON that every server reads in the same way. The gateway prices a body that an upstream executes,
 * and the upstream may read the same bytes differently: parsers disagree on which of two members with one
 * name counts, many accept `N` for `n`, and a body that is not JSON to us may be compressed, in another
 * encoding, or a form. A caller could use each of these to pay the price of one request and get another.
 * @param headers of the request, by lower-case name.
 * @param names of the members that the price depends on.
 * @returns undefined for a body that could be read in more than one way, or that has too many values.
 */
export function plainJson(
  bytes: Uint8Array,
  headers: Readonly<Record<string, readonly string[] | undefined>>,
  names: ReadonlySet<string>,
): { readonly value: unknown } | undefined {
  if (!isPlain(headers)) return undefined
  try {
    if (isBeyondShape(bytes, readableShape)) return undefined
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    const members = plainMembers(value, names)
    return members === membersIn(text) ? { value } : undefined
  } catch {
    // Not JSON: the upstream answers with its own error.
    return undefined
  }
}

/** A megabyte of empty lists takes a hundred times its length of memory, before its call is paid. */
const readableShape = { depth: 1_000, values: 200_000 }

/**
 * Whether no header says that the body is something else than JSON. x402 v1 clients send it as text/plain.
 */
function isPlain(headers: Parameters<typeof plainJson>[1]): boolean {
  const types = headers['content-type'] ?? []
  const encodings = headers['content-encoding'] ?? []
  return (
    types.length < 2 &&
    types.every((type) => plainType.test(type)) &&
    encodings.every((encoding) => /^\s*(?:identity\s*)?$/i.test(encoding))
  )
}

const plainType =
  /^(?:application\/(?:[\w.+-]+\+)?json|text\/plain)\s*(?:;\s*(?:charset\s*=\s*"?(?:utf-?8|us-ascii)"?\s*)?)?$/i

/**
 * Counts the members in the text: each has one colon outside of strings. `jsonc-parser`'s scanner takes 3.3
 * times as long (median of nine bodies of 10 MB, at worst 17 times), and `@streamparser/json`'s tokenizer 3.6
 * times, because they build the text of every string. Callers choose the body before they pay.
 */
function membersIn(text: string): number {
  let members = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char === quote) isInString = !isInString
    else if (char === backslash) at += 1
    else if (char === colon && !isInString) members += 1
  }
  return members
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

/**
 * Counts the members of a value; undefined if one has another spelling of a name that the price depends on.
 */
function plainMembers(value: unknown, names: ReadonlySet<string>): number | undefined {
  const folded = new Set([...names].map(meaningOf))
  const left = [value]
  let members = 0
  while (left.length > 0) {
    const part = left.pop()
    if (typeof part !== 'object' || part === null) continue
    if (Array.isArray(part)) {
      for (const one of part) left.push(one)
      continue
    }
    for (const [name, member] of Object.entries(part)) {
      // Copied into another object by JavaScript, this one's members become that object's own.
      if (name === '__proto__') return undefined
      if (!names.has(name) && folded.has(meaningOf(name))) return undefined
      members += 1
      left.push(member)
    }
  }
  return members
}

/** What servers may take a name for: some end it at a NUL, and some drop blanks around it. */
function meaningOf(name: string): string {
  const [before = ''] = fold(name).split('\0')
  return before.trim()
}
