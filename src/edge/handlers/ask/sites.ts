/** The parts of the service that are searched, and the names that callers have for them. */

const parts = ['documentation', 'directory', 'scans'] as const
export type Part = (typeof parts)[number]

/**
 * Finds out where to look. Clients of NLWeb name a site by its domain, send `all` or an empty text for every site, and
 * those written in JavaScript `undefined` where the user has chosen none.
 * @param names as the caller sent them.
 * @param own the names of this service, in lower case.
 * @returns no part when all of the names are those of other sites.
 */
export function partsOf(names: readonly string[], own: readonly string[]): readonly Part[] {
  const wanted = names.flatMap((name) => name.split(',')).map(bare)
  const everything = new Set(['', 'all', 'undefined', 'null', ...own])
  if (wanted.length === 0 || wanted.some((name) => everything.has(name))) return parts
  return parts.filter((part) => wanted.includes(part))
}

/** A name without what an address has around it. */
function bare(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
}

/** The names by which callers know this service: the hosts of its addresses, with and without port, and its own. */
export function namesOf(addresses: readonly string[], name: string): readonly string[] {
  const hosts = addresses.flatMap((address) => {
    const { host, hostname } = new URL(address)
    return [host, hostname]
  })
  return [...new Set([...hosts, name.trim().toLowerCase()])]
}
