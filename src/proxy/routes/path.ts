import { GatewayError } from '../../core/errors.ts'

/** The parts of a request target, unchanged. */
interface Target {
  /** Begins with a slash. */
  readonly path: string
  /** With its question mark; empty for none. */
  readonly query: string
}

/**
 * Splits a request target whose path can be read in one way only. The gateway matches and prices exactly the
 * text that it forwards. A path that an upstream may read otherwise (a `..` segment, an escaped slash) could
 * be priced as one operation and carried out as another, so it is refused.
 *
 * @param target as in the request line, in origin form (RFC 9112 3.2.1)
 * @throws GatewayError PATH_AMBIGUOUS, with the reason in details.problem
 */
export function splitTarget(target: string): Target {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : target.slice(mark)
  const problem = problemOf(target, path, query)
  if (problem !== undefined) throw new GatewayError('PATH_AMBIGUOUS', { problem })
  return { path, query }
}

/** Most paths contain only these characters, and no segment that begins or ends with a dot. */
const plainPath = /^(?:\/[A-Za-z0-9_~!$&'()*+,=@-]+(?:\.+[A-Za-z0-9_~!$&'()*+,=@-]+)*)*\/?$/
/** Also characters that Node accepts and RFC 3986 does not, because clients send them. */
const plainQuery = /^[\x21\x22\x24-\x7e]*$/
const maxCharacters = 8_192

function problemOf(target: string, path: string, query: string): string | undefined {
  if (target.length > maxCharacters) return `it is longer than ${maxCharacters} characters`
  if (!plainQuery.test(query)) return 'its query holds a character that must be escaped'
  if (!path.startsWith('/')) return 'it does not begin with a slash'
  if (plainPath.test(path)) return undefined
  for (const { pattern, problem } of ambiguities) if (pattern.test(path)) return problem
  const decoded = decode(path)
  if (decoded === undefined) return 'it holds an escape that is not UTF-8'
  for (const { pattern, problem } of decodedAmbiguities) if (pattern.test(decoded)) return problem
  return undefined
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Tested in this order. */
const ambiguities: readonly { readonly pattern: RegExp; readonly problem: string }[] = [
  { pattern: /\\|%5c/i, problem: 'it holds a backslash' },
  { pattern: /;/, problem: 'it holds a semicolon' },
  { pattern: /[^A-Za-z0-9._~!$&'()*+,=:@%/-]/, problem: 'it holds a character that must be escaped' },
  { pattern: /%(?![0-9A-Fa-f]{2})/, problem: 'it holds an invalid escape' },
  { pattern: /%2f/i, problem: 'it holds an escaped slash' },
  { pattern: /%(?:[01][0-9a-f]|7f)/i, problem: 'it holds an escaped control character' },
  // Before the next one, which matches %2e too.
  { pattern: /\/(?:\.|%2e){1,2}(?:\/|$)/i, problem: 'it holds . or .. as a segment' },
  {
    pattern: /%(?:2d|2e|3[0-9]|4[1-9a-f]|5[0-9a]|5f|6[1-9a-f]|7[0-9a]|7e)/i,
    problem: 'it holds an escape that is not needed',
  },
  { pattern: /%25[0-9a-f]{2}/i, problem: 'it holds an escaped escape' },
  { pattern: /\/\//, problem: 'it holds an empty segment' },
  // Some servers decode a path before they cut off its query, its fragment and its parameters: they would
  // take `/premium.html%3F` for `/premium.html`, and a route of `*` would take it for another name.
  { pattern: /%(?:3f|23|3b)/i, problem: 'it holds an escaped ?, # or ;' },
]

/**
 * Names that Windows, and servers that trim what they get, take for a shorter one: `/premium.html.`,
 * `/premium.html%20`, and `/premium.html::$DATA`, a stream of the same file.
 */
const decodedAmbiguities: readonly { readonly pattern: RegExp; readonly problem: string }[] = [
  { pattern: /\p{Cc}/u, problem: 'it holds an escaped control character' },
  { pattern: /\/\s|\s(?:\/|$)/, problem: 'it holds a segment that begins or ends with white space' },
  { pattern: /\.(?:\/|$)/, problem: 'it holds a segment that ends with a dot' },
  { pattern: /:\$/, problem: 'it names a stream of a file' },
]
