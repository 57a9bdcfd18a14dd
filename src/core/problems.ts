import type { z } from 'zod'

/**
 * Says what is wrong with a value in words that a caller can act on: what is expected, never how our schemas
 * name it. zod calls it for every fault that the schema itself does not describe.
 */
export function problemOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      // A name that comes more than once in a query has a list of values.
      if (issue.expected === 'string' && Array.isArray(issue.input)) return 'must be one text, not a list'
      if (issue.input === undefined) return `is missing: send ${typeWords[issue.expected] ?? 'a value'}`
      return `must be ${typeWords[issue.expected] ?? 'of another type'}`
    case 'too_small':
      return `must ${sizeOf(issue.origin, 'at least', Number(issue.minimum), issue.inclusive === false)}`
    case 'too_big':
      return `must ${sizeOf(issue.origin, 'at most', Number(issue.maximum), issue.inclusive === false)}`
    case 'invalid_format':
      return formatProblems[issue.format] ?? 'is not written as this field asks'
    case 'invalid_value':
      return `must be ${listed(issue.values.map(String))}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return 'is not a field of this operation'
    case 'invalid_key':
      return 'has a name that this field does not take'
    case 'invalid_element':
    case 'invalid_union':
    case 'custom':
      return 'does not fit this field'
  }
}

/**
 * What a field takes, read from what is wrong with it: `must be light or basic` becomes `light or basic`.
 * @returns undefined when the problem does not say it.
 */
export function expectedOf(problem: string): string | undefined {
  const [, be, have, send] = /^must be (.+)$|^must have (.+)$|: (?:send|use) (.+)$/s.exec(problem) ?? []
  return be ?? have ?? send ?? (problem.startsWith('must ') ? problem : undefined)
}

/** Types as the service's documents name them. */
const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
  null: 'null',
  date: 'a date',
}

const formatProblems: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address, like ada@example.com',
  url: 'must be an http(s) address, like https://example.com/page',
  uuid: 'must be a UUID',
  datetime: 'must be a time, like 2026-05-01T12:00:00Z',
  date: 'must be a date, like 2026-05-01',
  ipv4: 'must be an IP address',
  ipv6: 'must be an IP address',
}

/** `be at least 1`, `have at most 200 characters`. */
function sizeOf(origin: string, bound: 'at least' | 'at most', limit: number, isOpen: boolean): string {
  if (origin === 'string') return `have ${bound} ${counted(limit, 'character')}`
  if (origin === 'array' || origin === 'set') return `have ${bound} ${counted(limit, 'element')}`
  if (origin === 'object' || origin === 'map') return `have ${bound} ${counted(limit, 'field')}`
  if (isOpen) return `be ${bound === 'at least' ? 'more' : 'less'} than ${limit}`
  return `be ${bound} ${limit}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** `light`, `light or basic`, `light, basic or full`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
