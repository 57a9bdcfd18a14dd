import { parse } from 'tldts'

/**
 * Writes the hosts of other sites with their dots in brackets, as mail about malware does. Mail programs
 * make a link of everything that looks like an address, and a report quotes the scanned site: without this,
 * the author of a site could have us mail any link to anyone who scans it.
 * @param domain of the scanned site; its own addresses stay as they are
 */
export function disarm(text: string, domain: string): string {
  const ownSite = parse(domain, withPrivate).domain ?? domain
  return text.replace(hostLike, (name, place: number) => {
    // A single slash before the name makes it a file: /about.md
    const isFile = text[place - 1] === '/' && text[place - 2] !== '/'
    const { domain: site, isIcann, isPrivate } = parse(name, withPrivate)
    if (isFile || site === null || !(isIcann || isPrivate) || site === ownSite || ownNames.has(site))
      return name
    return name.replaceAll('.', '[.]')
  })
}

const withPrivate = { allowPrivateDomains: true }
const hostLike = /[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu

/** Names that our own texts contain. */
const ownNames = new Set(['schema.org'])
