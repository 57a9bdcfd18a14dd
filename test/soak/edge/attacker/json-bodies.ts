import type { Random } from '../../random.ts'

/**
 * JSON that is cheap to send and costly to parse, each kind in its own way: many small objects, many names, deep
 * nesting, text with escapes. The seed decides what is in it.
 */
export const shapes = [
  'empty-arrays',
  'empty-objects',
  'nested-arrays',
  'nested-objects',
  'many-names',
  'long-string',
  'short-strings',
  'numbers',
  'escapes',
  'blanks',
] as const
export type Shape = (typeof shapes)[number]

/** Different pieces of one body. */
const pieces = 64
/**
 * So many bytes come before anything is repeated: more than a compressor looks back, or a reply of such JSON would be
 * smaller than any real one, and be refused for its ratio alone.
 */
const unrepeatedBytes = 5_000_000

/** @returns JSON of about this many bytes. */
export function jsonOf(shape: Shape, bytes: number, random: Random): string {
  switch (shape) {
    case 'empty-arrays':
      return listOf(() => random.pick(['[]', '[]', '[[]]', '[[],[]]']), bytes, random)
    case 'empty-objects':
      return listOf(() => random.pick(['{}', '{}', '[{}]', '{"a":{}}']), bytes, random)
    case 'nested-arrays':
      return '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)
    case 'nested-objects': {
      const name = random.pick(['a', 'n', 'stream', 'usage'])
      const depth = Math.floor(bytes / (name.length + 5))
      return `{"${name}":`.repeat(depth) + random.below(9) + '}'.repeat(depth)
    }
    case 'many-names':
      return namesOf(bytes, random)
    case 'long-string':
      return textOf(random.pick(['a', 'é', '€', '𝄞']), bytes)
    case 'short-strings':
      return listOf(() => `"${'x'.repeat(random.below(6))}"`, bytes, random)
    case 'numbers':
      return listOf(() => numberOf(random), bytes, random)
    case 'escapes':
      return textOf(random.pick(['\\u0041', '\\n', '\\ud834\\udd1e', '\\"']), bytes)
    case 'blanks':
      return `[1${random.pick([' ', '\n', '\t', '\r\n']).repeat(bytes / 2)}]`
  }
}

/** A request of a language model with such JSON in it, or the JSON alone. */
export function requestOf(shape: Shape, bytes: number, random: Random): string {
  const json = jsonOf(shape, bytes, random)
  switch (random.below(4)) {
    case 0:
      return json
    case 1:
      return `{"model":"m","stream":true,"messages":${json}}`
    case 2:
      return `{"messages":[],"tools":${json},"stream":true,"stream_options":{}}`
    default:
      return `{"n":${1 + random.below(9)},"prompt":${json}}`
  }
}

function numberOf(random: Random): string {
  return random.pick(['0', '1e308', '-1.7976931348623157e-308', `${random.below(1e9) / 1e4}`])
}

/** @param piece as it stands in JSON. */
function textOf(piece: string, bytes: number): string {
  return `"${piece.repeat(bytes / Buffer.byteLength(piece))}"`
}

function listOf(piece: () => string, bytes: number, random: Random): string {
  const chosen = Array.from({ length: pieces }, piece)
  // A generator of pseudorandom numbers (xorshift), because millions are drawn.
  let state = 1 + random.below(2 ** 31)
  const parts: string[] = []
  for (let length = 0; length < Math.min(bytes, unrepeatedBytes); ) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    const part = chosen[(state >>> 8) % pieces] ?? '0'
    parts.push(part)
    length += part.length + 1
  }
  const part = parts.join(',')
  const times = Math.max(1, Math.floor(bytes / (part.length + 1)))
  return `[${Array.from({ length: times }, () => part).join(',')}]`
}

function namesOf(bytes: number, random: Random): string {
  const prefix = random.pick(['k', 'name-', 'n', '__proto__'])
  const members: string[] = []
  for (let length = 0; length < bytes; ) {
    const member = `"${prefix}${members.length.toString(36)}":0`
    members.push(member)
    length += member.length + 1
  }
  return `{${members.join(',')}}`
}
