/**
 * Whether every server reads the priced parameters of a query in the same way as the gateway. The gateway
 * prices a query that an upstream reads again: servers disagree on which of two parameters with one name
 * counts, many accept `N`, `n[]`, `n[0]` or `n.0` for `n`, PHP reads `page.size` as `page_size`, some split at
 * `;`, and some drop blanks. A caller could use each of these to pay the price of one request and get another.
 * @param target of the request, as received.
 * @param names of the parameters that the price depends on.
 */
export function isPlainQuery(target: string, names: ReadonlySet<string>): boolean {
  const start = target.indexOf('?')
  if (start === -1) return true
  const query = target.slice(start + 1)
  if (partsOf(query) > maxParts || rareBytesIn(query) > maxRareBytes) return false
  const pairs = query.split('&')
  const folded = new Set([...names].flatMap(meanings))
  const seen = new Set<string>()
  for (const pair of pairs) {
    const [first = '', ...others] = pair.split(';')
    // Servers that split at `;` read each of the others as a parameter.
    if (others.some((other) => mayMean(nameOf(other), folded))) return false
    const raw = nameOf(first)
    if (!mayMean(raw, folded)) continue
    const name = decoded(raw)
    const value = decoded(pair.slice(raw.length + 1))
    if (name === undefined || value === undefined) return false
    if (!names.has(name) || seen.has(name) || spelledOddly.test(raw) || blankAround.test(value)) return false
    seen.add(name)
  }
  return true
}

/**
 * Each part takes about a microsecond. Callers choose the query before they pay, so a query of thousands of parts would
 * hold up all others.
 */
const maxParts = 200
/**
 * Of all names together: sixty letters of three bytes. Some letters stand for up to eighteen others, and `fold` writes
 * them out: 8 kB of nothing else take about 0.1 ms.
 */
const maxRareBytes = 200

/** The escaped bytes of letters outside ASCII, in names. */
function rareBytesIn(query: string): number {
  if (!query.includes('%')) return 0
  return query.replaceAll(/=[^&;]*/g, '').match(/%[89a-f]/gi)?.length ?? 0
}

function partsOf(query: string): number {
  let parts = 1
  for (const char of query) if (char === '&' || char === ';') parts += 1
  return parts
}

/** An escape of a letter, digit, hyphen, dot, underscore or tilde, which needs none; and a plus for a blank. */
const spelledOddly = /\+|%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: servers drop control characters, too.
const blankAround = /^[\s\0-\x1f]|[\s\0-\x1f]$|\0/

function nameOf(pair: string): string {
  return pair.split('=', 1).join()
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** A name that cannot be decoded may mean anything. */
function mayMean(raw: string, folded: ReadonlySet<string>): boolean {
  const name = decoded(raw)
  return name === undefined || meanings(name).some((meaning) => folded.has(meaning))
}

/** What servers may take a name for: without its brackets or members, or with the marks written as `_`. */
function meanings(name: string): string[] {
  const bare = fold(name).trim()
  const [base = ''] = bare.split(/[[.\0]/)
  return [base.trim(), bare.replaceAll(/[\s.[-]/g, '_')]
}

/**
 * A name as servers that are lenient may compare it. Through upper case, because some letters outside ASCII have an ASCII
 * letter as their capital.
 */
export function fold(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase()
}
