import { parse } from 'tldts'

/**
 * Mail programs make a link of everything that looks like an address. What a scanned site says of itself is
 * quoted in a report, so its author could have us send a stranger any link: addresses of other sites are
 * written with dots in brackets, as mail about malware has them.
 * @param domain of the scanned site; its own addresses stay as they are.
 */
export function disarm(text: string, domain: string): string {
  const ownSite = parse(domain, withPrivate).domain ?? domain
  return text.replace(hostLike, (name, place: number) => {
    // A single slash before it makes it a file: /about.md
    const isFile = text[place - 1] === '/' && text[place - 2] !== '/'
    const { domain: site, isIcann, isPrivate } = parse(name, withPrivate)
    if (isFile || site === null || !(isIcann || isPrivate) || site === ownSite || ownNames.has(site))
      return name
    return name.replaceAll('.', '[.]')
  })
}

const withPrivate = { allowPrivateDomains: true }
const hostLike = /[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu

/** Named by our own texts. */
const ownNames = new Set(['schema.org'])
