/**
 * Whether every server reads the priced parameters of a query in the same way as the gateway. The gateway
 * prices a query that an upstream reads again: servers disagree on which of two parameters with one name
 * counts, many accept `N`, `n[]`, `[n]`, `n[0]` or `n.0` for `n`, PHP reads `page.size` as `page_size`, some split at
 * `;`, and some drop blanks. A caller could use each of these to pay the price of one request and get another.
 * @param target of the request, as received.
 * @param names of the parameters that the price depends on.
 */
export function isPlainQuery(target: string, names: ReadonlySet<string> | 'all'): boolean {
  const start = target.indexOf('?')
  if (start === -1) return true
  const query = target.slice(start + 1)
  if (partsOf(query) > maxParts || rareBytesIn(query) > maxRareBytes) return false
  const pairs = query.split('&')
  if (names === 'all') return areAllPlain(pairs)
  const folded = new Set([...names].flatMap(meanings))
  const seen = new Set<string>()
  for (const pair of pairs) {
    const [first = '', ...others] = pair.split(';')
    // Servers that split at `;` read each of the others as a parameter.
    if (others.some((other) => mayMean(nameOf(other), folded))) return false
    const raw = nameOf(first)
    if (!mayMean(raw, folded)) continue
    const name = plainName(pair, raw)
    if (name === undefined || !names.has(name) || seen.has(name)) return false
    seen.add(name)
  }
  return true
}

/** Whether each name is in lower case and one that all servers read alike, and none occurs twice, also in another spelling. */
function areAllPlain(pairs: readonly string[]): boolean {
  const seen = new Set<string>()
  for (const pair of pairs) {
    if (pair === '') continue
    const name = plainName(pair, nameOf(pair))
    if (name === undefined || pair.includes(';') || !/^[a-z\d_-]+$/.test(name) || mutates(name)) return false
    const meant = meanings(name)
    if (meant.some((meaning) => seen.has(meaning))) return false
    for (const meaning of meant) seen.add(meaning)
  }
  return true
}

/** The name of a parameter; undefined when servers may read the name or the value in different ways. */
function plainName(pair: string, raw: string): string | undefined {
  const name = decoded(raw)
  const value = decoded(pair.slice(raw.length + 1))
  const isOdd = name === undefined || value === undefined || spelledOddly.test(raw) || blankAround.test(value)
  return isOdd ? undefined : name
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

/** A name that cannot be decoded may mean anything, and one that sets members of all objects may set any. */
function mayMean(raw: string, folded: ReadonlySet<string>): boolean {
  const name = decoded(raw)
  return name === undefined || mutates(name) || meanings(name).some((meaning) => folded.has(meaning))
}

/** Parsers that build objects from names have let these set what every object then has. */
function mutates(name: string): boolean {
  return /__proto__|constructor|prototype/i.test(name)
}

/** What servers may take a name for: without its brackets or members, or with the marks written as `_`. */
function meanings(name: string): string[] {
  const bare = fold(name).replace(marksBefore, '').trim()
  const [base = ''] = bare.split(/[[\].\0]/)
  return [base.trim(), bare.replaceAll(/[\s.[-]/g, '_')]
}

/** Some parsers read `[n]`, `]n` or `.n` as `n`, and some drop a second question mark or control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: see there.
const marksBefore = /^[\s?[\].\0-\x1f]+/

/**
 * A name as servers that are lenient may compare it. Through upper case, because some letters outside ASCII have an ASCII
 * letter as their capital.
 */
export function fold(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase()
}
