import { addressKey, depthOf, isFeedAddress, isSameSite, pathOf, shown } from '../site/addresses.ts'
import { isPlaceOnly } from '../site/contact/contact-links.ts'
import { scriptedTargets } from '../site/html/scripted/scripted-targets.ts'
import { isTextOfKind } from '../site/kinds/kind-phrases.ts'
import { isLinkOfKind, isPathOfKind, type PageKind, pageKinds } from '../site/kinds/page-kinds.ts'
import { isSettled, pagesOfKind, unreadOfKind } from '../site/linked-pages.ts'
import type { Page, Site } from '../site/site.ts'
import { pagesNamedByScripts } from './scripted/scripted-parts.ts'

/** A page of the site that the scan did not read and that may be of the kind. */
export interface UnreadPlace {
  readonly url: string
  /** After "It is not known …: ". */
  readonly reason: string
}

/**
 * The first page that may be of a kind and was not read. A check that calls something missing has to have seen every place
 * where it could stand: a link with its words, a button that opens a page by a script, a menu that a script draws, an entry
 * of the sitemap, and the end of a long page. Where one page of the kind was read, the others are not needed.
 */
export function unreadPlace(site: Site, kind: PageKind): UnreadPlace | undefined {
  const link = unreadOfKind(site, kind)
  if (link) return { url: link.url, reason: `${shown(link.url)} is linked and was not read` }
  const read = pagesOfKind(site, kind)
  if (read.some(({ url }) => kind !== 'contact' || !isPlaceOnly({ url, text: '' }))) return undefined
  const button = unreadButton(site, kind)
  if (button)
    return {
      url: button,
      reason: `a script of the page opens ${shown(button)}, which no link leads to and which was not read`,
    }
  const scripted = pagesNamedByScripts(site).find(
    ({ url }) => isPathOfKind(url, kind) && !isSettled(site, url),
  )
  if (scripted)
    return {
      url: scripted.url,
      reason: `${scripted.name} names ${shown(scripted.url)}, which no link leads to and which was not read`,
    }
  const entry = site.sitemap.urls
    .slice(0, maxEntries)
    .find(({ loc }) => isOwnPage(loc, site) && isPathOfKind(loc, kind) && !isSettled(site, loc))
  return entry === undefined
    ? cutPage(site)
    : { url: entry.loc, reason: `the sitemap lists ${shown(entry.loc)}, which was not read` }
}

/** A page of several megabytes is not read to its end, where its footer stands. */
export function cutPage({ pages }: Site): UnreadPlace | undefined {
  const page = pages.find(({ reply }) => reply.isCut)
  return page && { url: page.url, reason: `${shown(page.url)} is longer than what was read of it` }
}

const maxEntries = 2_000

function isOwnPage(url: string, { origin }: Site): boolean {
  return URL.canParse(url) && isSameSite(url, origin) && depthOf(url) > 0 && depthOf(url) <= 2
}

/** What such a button opens may be of any kind, unless its words or its address name another one. */
function unreadButton(site: Site, kind: PageKind): string | undefined {
  // What a link leads to is judged by the words of the link.
  const linked = new Set(site.pages.flatMap(({ links }) => links.map(({ url }) => addressKey(url))))
  const targets = site.pages
    .flatMap((page) => scriptedTargets(page))
    .filter(({ url }) => depthOf(url) > 0 && !isSettled(site, url) && !linked.has(addressKey(url)))
  const isOfKind = (one: PageKind, { url, text }: { url: string; text: string }) =>
    isPathOfKind(url, one) || isTextOfKind(text, one)
  const named = targets.find((target) => isOfKind(kind, target))
  return (named ?? targets.find((target) => !pageKinds.some((one) => isOfKind(one, target))))?.url
}

/**
 * An entry of the home page's menu that was not read and whose words name no kind of page that is known here. "Nordlicht"
 * may be the name of a product or of the firm.
 */
export function unreadEntry(home: Page, site: Site): UnreadPlace | undefined {
  const entry = home.links.find(
    (link) =>
      link.isNavigation &&
      link.isInternal &&
      depthOf(link.url) === 1 &&
      !isForMembers.test(pathOf(link.url)) &&
      isSameSite(link.url, site.origin) &&
      !isFeedAddress(link.url) &&
      !isOnCookies.test(`${link.text} ${pathOf(link.url)}`) &&
      !isSettled(site, link.url) &&
      !pageKinds.some((kind) => isLinkOfKind(link, kind)),
  )
  return (
    entry && {
      url: entry.url,
      reason: `"${shown(entry.text, 40)}" in the menu, ${shown(entry.url)}, was not read`,
    }
  )
}

const isOnCookies = /(?<!\p{L})cookies?(?!\p{L})/iu

/** What only members, buyers or a search open. */
const isForMembers =
  /^\/(?:log-?(?:in|out)|sign-?(?:in|up|out)|register|registration|account|my-account|dashboard|app|cart|basket|checkout|search|login\.\w{2,5})\/?$/i
