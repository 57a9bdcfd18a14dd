import { getDomain } from 'tldts'

/**
 * Addresses of a scanned site. A link is written by whoever wrote the page, so it is taken apart by the URL
 * parser only, and an address that cannot be fetched over HTTP is no address here.
 */

/** The address that a link on the page `base` leads to: http(s) only, without fragment. */
export function absolute(href: string, base: string): string | undefined {
  const text = href.trim()
  if (text.length > longestAddress) return undefined
  const url = URL.parse(text, base)
  if (url === null || !isHttp(url) || url.href.length > longestAddress) return undefined
  url.hash = ''
  return url.href
}

/** No server has to take more, and a page may hold megabytes of them. */
const longestAddress = 2_048

function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:'
}

/**
 * example.com of https://www.shop.example.com/a, by the public suffix list with its private part: two
 * shops on one hosting service are two sites. An IP address or a single label stands for itself; empty when
 * there is no host.
 */
export function registrableDomain(url: string): string {
  const host = hostOf(url)
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}

/**
 * What a host's site is called: example.com of www.example.com. www.com keeps its www., as com alone is
 * nobody's site.
 */
export function siteDomain(hostname: string): string {
  const bare = hostname.replace(/^www\./, '')
  return getDomain(bare, { allowPrivateDomains: true }) === null ? hostname : bare
}

/** Both have the same registrable domain. */
export function isSameSite(a: string, b: string): boolean {
  const domain = registrableDomain(a)
  return domain !== '' && domain === registrableDomain(b)
}

/**
 * One key for the spellings of an address that most sites answer alike: `https://www.site.example/a/` and
 * `http://site.example/a`.
 */
export function addressKey(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null) return url
  const path = parsed.pathname.replace(/\/(?:index\.(?:html?|php))?$/, '')
  return `${parsed.hostname.replace(/^www\./, '')}${path}${parsed.search}`
}

/** The path without its query; `/` when there is none. */
export function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? '/'
}

/** How many parts the path has: 0 for `/`, 2 for `/blog/post` and `/blog/post/`. */
export function depthOf(url: string): number {
  return pathOf(url)
    .split('/')
    .filter((part) => part !== '').length
}

/** Takes a URL or a bare host. */
function hostOf(url: string): string {
  const parsed = URL.parse(url) ?? URL.parse(`https://${url}`)
  return (parsed?.hostname ?? '').replace(/\.$/, '')
}

/**
 * Text of a site as evidence: white space collapsed, at most `most` characters, and every character that a
 * reader cannot see written out. Without that, a site could turn the direction of a report's text or hide
 * words for an assistant in it.
 */
export function shown(text: string, most = 120): string {
  let line = ''
  let hasGap = false
  for (const character of text) {
    if (/\s/u.test(character) && character !== '\ufeff') {
      hasGap = line !== ''
      continue
    }
    const piece = `${hasGap ? ' ' : ''}${unseen.test(character) ? written(character) : character}`
    if (line.length + piece.length > most) return cut(line, most)
    line += piece
    hasGap = false
  }
  return line
}

/**
 * Control and format characters (zero width, direction, tags), unassigned halves, private use, and those
 * that are letters or marks by class and blank on screen.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\u{e0100}-\u{e01ef}]/u

function written(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

function cut(line: string, most: number): string {
  if (line.length < most) return `${line}…`
  const characters = Array.from(line)
  while (characters.join('').length >= most) characters.pop()
  return `${characters.join('')}…`
}
