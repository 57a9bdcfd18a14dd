import { getDomain, parse } from 'tldts'

/**
 * Addresses of a scanned site. Its author writes them and may be hostile, so only the URL parser takes them
 * apart, and only http(s) addresses count.
 */

/**
 * A link target that a script fills in: `[url]`, `{{ link }}`, `${path}`. In the HTML as sent it leads nowhere. Brackets
 * in a query are an array of a form.
 */
export function isPlaceholder(href: string): boolean {
  const [path = ''] = href.slice(0, 2_048).split('?', 1)
  return /\[[^[\]/]{1,60}\]|\{\{|\$\{|<%|\{%|%7B%7B/i.test(path)
}

/**
 * The address that a link on the page `base` leads to, without its fragment; undefined unless it is http(s).
 */
export function absolute(href: string, base: string): string | undefined {
  const text = href.trim()
  if (text.length > maxCharacters) return undefined
  const url = URL.parse(text, base)
  if (url === null || !isHttp(url) || url.href.length > maxCharacters) return undefined
  url.hash = ''
  return url.href
}

/** Servers need not accept more, and a hostile page may hold addresses of megabytes. */
const maxCharacters = 2_048

function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:'
}

/**
 * `example.com` of `https://www.shop.example.com/a`. It uses the private part of the public suffix list, too,
 * so that two shops on one hosting service are two sites. An IP address or a single label is returned as it
 * is; empty when there is no host.
 */
export function registrableDomain(url: string): string {
  const host = hostOf(url)
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}

/** Whether a hosting service lends the domain: `alice.github.io`, `bakery.netlify.app`. */
export function isLentDomain(url: string): boolean {
  const { isPrivate, publicSuffix } = parse(hostOf(url), { allowPrivateDomains: true })
  return isPrivate === true && !ofTrades.has(publicSuffix ?? '')
}

/** In these a profession registers its members. The public suffix list has them beside the domains of hosts. */
const ofTrades: ReadonlySet<string> = new Set(
  (
    'avocat.fr avoues.fr chirurgiens-dentistes.fr chirurgiens-dentistes-en-france.fr experts-comptables.fr ' +
    'geometre-expert.fr huissier-justice.fr medecin.fr notaires.fr pharmacien.fr veterinaire.fr'
  ).split(' '),
)

/** The host without `www.`: `example.com` of `www.example.com`. `www.com` stays, because `com` is not a site. */
export function siteDomain(hostname: string): string {
  const bare = hostname.replace(/^www\./, '')
  return getDomain(bare, { allowPrivateDomains: true }) === null ? hostname : bare
}

/** Whether both have the same registrable domain. */
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

/** `/feed.xml`, `/blog/rss`: an address that feeds have by custom. */
export function isFeedAddress(url: string): boolean {
  return /\/(?:rss|atom|feed)(?:\.(?:xml|json|rss|atom)|\/index\.(?:xml|html?))?\/?$/i.test(pathOf(url))
}

/**
 * Whether opening an address does something: `/shop/?add-to-cart=126` fills a basket, `?action=logout` ends a visit. A
 * scan must not do it to a site that it only reads, and no list of pages should send an agent there.
 */
export function isAction(url: string): boolean {
  const parsed = URL.parse(url)
  if (parsed === null) return false
  if (actionPath.test(parsed.pathname)) return true
  return [...parsed.searchParams].some(
    ([name, value]) =>
      actionName.test(name) || (/^(?:do|action|act|task|cmd|op)$/i.test(name) && actionName.test(value)),
  )
}

const clearActions =
  'add[-_]to[-_](?:cart|basket|bag|wishlist|compare)|remove[-_](?:item|from[-_][a-z]{1,20}|coupon)|undo[-_]item|empty[-_]cart|apply[-_]coupon|wc-ajax|log[-_]?out|sign[-_]?out|unsubscribe'
const actionName = new RegExp(`^(?:${clearActions}|add[-_]?cart|delete|remove|(?:up)?vote)$`, 'i')
/** "/docs/delete" is a page about deleting, so a path needs a clearer word than a query does. */
const actionPath = new RegExp(`/(?:${clearActions})/?$`, 'i')

/** `/llms.txt`: a guide to the pages, and a copy of none. */
export function isGuideAddress(url: string): boolean {
  return /\/llms(?:-full)?\.txt$/i.test(pathOf(url))
}

/** The path without its query; `/` when there is none. */
export function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? '/'
}

/** The path, decoded: `/über-uns` of `/%C3%BCber-uns`. A path that is not UTF-8 stays as it is. */
export function decodedPathOf(url: string): string {
  return decodedPart(pathOf(url))
}

/** The last part of the path, decoded: `lind.jpg` of `/img/lind.jpg`; empty for a folder. */
export function fileNameOf(url: string): string {
  return decodedPathOf(url).split('/').at(-1) ?? ''
}

/**
 * The file that an attribute of a page names, as it is written there: `lind.jpg` of `../img/lind.jpg?v=2` and of
 * `C:\Lind\lind.jpg`.
 */
export function writtenFileOf(address: string): string {
  return address.split(/[?#]/, 1)[0]?.split(/[/\\]/).at(-1) ?? ''
}

/** `C:\Lind\logo.png`, `file:///C:/Lind/logo.png`: a file of the computer on which the page was written. */
export function isOnComputer(address: string): boolean {
  return /^\s*(?:file:|[a-z]:[/\\])/i.test(address)
}

/** An address as it may be quoted: the path to a file on a computer may hold the name of its owner, and is left out. */
export function withoutOwnPath(address: string): string {
  return isOnComputer(address) ? writtenFileOf(address) : address
}

/** A file that is written into a page in place of its address. */
export const embeddedFile = /data:([\w.+/-]{1,80});base64,[A-Za-z0-9+/=]+/g

/** A path or a fragment, decoded. One that is not UTF-8 stays as it is. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A stray percent sign, or another charset. The ASCII words can still be read.
    return part
  }
}

/** Decodes the ASCII escapes of a `tel:` or `mailto:` address and leaves everything else as it is. */
export function decodeEscapes(text: string): string {
  return text.replace(/%[0-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

/**
 * The number of path segments: 0 for `/`, 2 for `/blog/post` and `/blog/post/`. The file name of a folder's page does not
 * count, and a language in front of other segments does not: `/en/about` is as deep as `/about`.
 */
export function depthOf(url: string): number {
  const parts = pathOf(url)
    .split('/')
    .filter((part) => part !== '')
  const folders = /^index\.\w{2,5}$/i.test(parts.at(-1) ?? '') ? parts.slice(0, -1) : parts
  const [first = ''] = folders
  return folders.length - (folders.length > 1 && languagePart.test(first) ? 1 : 0)
}

/** `/en`, `/pt-br`. Codes that are English words as well, such as `is` and `id`, are left out. */
const languagePart =
  /^(?:en|de|fr|es|it|pt|nl|pl|sv|da|nb|fi|cs|sk|hu|ro|bg|hr|sl|sr|uk|ru|el|tr|ar|he|ja|ko|zh|ca|eu|gl|et|lv|lt|vi|th)(?:[-_][a-z]{2,4})?$/i

/** @param url a URL or a bare host. */
function hostOf(url: string): string {
  const parsed = URL.parse(url) ?? URL.parse(`https://${url}`)
  return (parsed?.hostname ?? '').replace(/\.$/, '')
}

/** Text of a site for a place between quotation marks, which its own would end. */
export function shownInQuotes(text: string, maxLength?: number): string {
  return shown(text, maxLength).replace(/["“”„«»]/g, '')
}

/**
 * Makes text of a site safe to quote: white space collapsed, at most `maxLength` characters, and each
 * character that a reader cannot see written as its code. Otherwise a site could reverse the direction of a
 * report's text, or hide words for an assistant in it.
 */
export function shown(text: string, maxLength = 120): string {
  let line = ''
  let hasGap = false
  for (const character of text.length > maxLength ? inOwnScript(text) : text) {
    if (/\s/u.test(character) && character !== '\ufeff') {
      hasGap = line !== ''
      continue
    }
    const piece = `${hasGap ? ' ' : ''}${unseen.test(character) ? written(character) : character}`
    if (line.length + piece.length > maxLength) return cut(line, maxLength)
    line += piece
    hasGap = false
  }
  return line
}

/**
 * `/مشاكل` for `/%D9%85%D8%B4…`: an address of another script is three or six times as long when it is coded. Other
 * characters stay coded. A blank or a full stop would end the address, and what follows would read as a sentence of ours.
 */
function inOwnScript(text: string): string {
  return /^https?:\/\/\S*%[89a-f][0-9a-f]/i.test(text)
    ? text
        .slice(0, 4_000)
        .replace(/(?:%[89a-f][0-9a-f])+/gi, (codes) =>
          decodedPart(codes).replace(/[^\p{L}\p{M}\p{N}%]/gu, encodeURIComponent),
        )
    : text
}

/**
 * Control and format characters (zero width, direction, tags), lone surrogates, private use, and letters and
 * marks that are blank on screen.
 */
export const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\u{e0100}-\u{e01ef}]/u

function written(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

function cut(line: string, maxLength: number): string {
  if (line.length < maxLength) return `${line}…`
  const characters = Array.from(line)
  while (characters.join('').length >= maxLength) characters.pop()
  return `${characters.join('')}…`
}
