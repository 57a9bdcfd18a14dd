/** The parts of the service that are searched, and the names that callers have for them. */

const parts = ['documentation', 'directory', 'scans'] as const
export type Part = (typeof parts)[number]

/** Whether a text is empty, or what a program makes of a value that it does not have. */
export function isNothing(text: string): boolean {
  return /^\s*(?:null|undefined|none)?\s*$/i.test(text)
}

/**
 * Finds out where to look. Clients of NLWeb name a site by its domain, send `all` or an empty text for every site, and
 * those written in JavaScript `undefined` where the user has chosen none. A page on a developer's machine may send the
 * name of that machine, which is no other site either.
 * @param names as the caller sent them.
 * @param own the names of this service, in lower case.
 * @returns no part when all of the names are those of other sites.
 */
export function partsOf(names: readonly string[], own: readonly string[]): readonly Part[] {
  const wanted = names.flatMap((name) => name.split(',')).map(bare)
  const everything = new Set(['all', ...own])
  const isEverything = (name: string) => everything.has(name) || isNothing(name) || thisMachine.test(name)
  if (wanted.length === 0 || wanted.some(isEverything)) return parts
  return parts.filter((part) => wanted.includes(part))
}

const thisMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

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
