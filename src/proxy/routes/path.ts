import { GatewayError } from '../../core/errors.ts'

/**
 * The path of a request, as long as it can be read in one way only. What is matched and priced here is the very text
 * that is sent on. A path that an upstream might read otherwise (a segment that climbs, an escape that is a slash to
 * one server and a letter to another) could be priced as one operation and carried out as another, so it is refused.
 */

/** A request target, taken apart and otherwise untouched. */
interface Target {
  /** Begins with a slash. */
  readonly path: string
  /** With its question mark; empty when there is none. */
  readonly query: string
}

/**
 * @param target as it stands in the request line. Only the origin form (RFC 9112 3.2.1) is taken.
 * @throws GatewayError PATH_AMBIGUOUS, whose details.problem says why.
 */
export function canonicalTarget(target: string): Target {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : target.slice(mark)
  const problem = problemOf(target, path, query)
  if (problem !== undefined) throw new GatewayError('PATH_AMBIGUOUS', { problem })
  return { path, query }
}

/** Most paths hold nothing but these, and no segment that begins with a dot. */
const plainPath = /^(?:\/[A-Za-z0-9_~!$&'()*+,=:@-][A-Za-z0-9._~!$&'()*+,=:@-]*)*\/?$/
/** What Node takes for a request target and RFC 3986 does not is left to stand: clients write it. */
const plainQuery = /^[\x21\x22\x24-\x7e]*$/
const maxCharacters = 8_192

function problemOf(target: string, path: string, query: string): string | undefined {
  if (target.length > maxCharacters) return `it is longer than ${maxCharacters} characters`
  if (!plainQuery.test(query)) return 'its query holds a character that must be escaped'
  if (!path.startsWith('/')) return 'it does not begin with a slash'
  if (plainPath.test(path)) return undefined
  for (const { pattern, problem } of ambiguities) if (pattern.test(path)) return problem
  try {
    decodeURIComponent(path)
  } catch {
    return 'it holds an escape that is not UTF-8'
  }
  return undefined
}

/** In the order in which they are looked for. */
const ambiguities: readonly { readonly pattern: RegExp; readonly problem: string }[] = [
  { pattern: /\\|%5c/i, problem: 'it holds a backslash' },
  { pattern: /;/, problem: 'it holds a semicolon' },
  { pattern: /[^A-Za-z0-9._~!$&'()*+,=:@%/-]/, problem: 'it holds a character that must be escaped' },
  { pattern: /%(?![0-9A-Fa-f]{2})/, problem: 'it holds an escape that is none' },
  { pattern: /%2f/i, problem: 'it holds an escaped slash' },
  { pattern: /%(?:[01][0-9a-f]|7f)/i, problem: 'it holds an escaped control character' },
  // Before the next one: %2e is an escaped dot wherever it stands.
  { pattern: /\/(?:\.|%2e){1,2}(?:\/|$)/i, problem: 'it holds . or .. as a segment' },
  {
    pattern: /%(?:2d|2e|3[0-9]|4[1-9a-f]|5[0-9a]|5f|6[1-9a-f]|7[0-9a]|7e)/i,
    problem: 'it holds an escape that is not needed',
  },
  { pattern: /%25[0-9a-f]{2}/i, problem: 'it holds an escaped escape' },
  { pattern: /\/\//, problem: 'it holds an empty segment' },
]
