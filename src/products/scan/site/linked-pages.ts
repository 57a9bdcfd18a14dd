import { addressKey } from './addresses.ts'
import type { Exchange, SiteReply } from './capture.ts'
import { isPlaceOnly, promisesForm } from './contact/contact-links.ts'
import { isMapAddress } from './contact/map-address.ts'
import { folded } from './kinds/kind-phrases.ts'
import { isLinkOfKind, isPathOfKind, noticeKinds, type PageKind, pageKinds } from './kinds/page-kinds.ts'
import { messengerOf } from './messenger-address.ts'
import type { Link, Page, Site } from './site.ts'

/**
 * The contact page, the price list and other pages of a kind that a site has, by how they are linked and
 * addressed. A check that looked only at the pages that were read would call a page missing although the scan
 * merely had no budget for it.
 */

/** Pages of the kind that were read, in the order of the site's pages, without the home page. */
export function pagesOfKind(site: Site, kind: PageKind): readonly Page[] {
  const links = linksToKind(site, kind)
  const linked = new Set(links.map(({ url }) => addressKey(url)))
  const bodies = new Set(links.flatMap(({ url }) => replyAt(site, url)?.body || []))
  return site.pages.filter(
    (page) =>
      page !== site.home &&
      !isUnderConstruction(page) &&
      (isPathOfKind(page.url, kind) ||
        linked.has(addressKey(page.url)) ||
        linked.has(addressKey(page.reply.url)) ||
        // The link leads to another address of the same page.
        bodies.has(page.reply.body)),
  )
}

/** A page that only promises to be one. */
export function isUnderConstruction({ mainText, elements, phones }: Page): boolean {
  if (mainText.length <= 300 && pageItself.test(mainText)) return true
  // "Booking online is coming soon" may be one line of several: beside a number or a form the page is there.
  return (
    mainText.length <= 120 &&
    promise.test(mainText) &&
    phones.length === 0 &&
    !elements.some(
      ({ name, isHidden, region }) =>
        !isHidden && region !== 'footer' && (name === 'form' || name === 'iframe'),
    )
  )
}

const pageItself =
  /(?<!\p{L})(?:(?:page|site|website) (?:is )?(?:currently )?under construction|(?:diese )?seite (?:ist |befindet sich )?(?:(?:noch|derzeit) )?im (?:aufbau|bau)|page en (?:cours de )?construction|página en construcción|pagina in (?:costruzione|allestimento)|página em construção|pagina in aanbouw|sayfa yapım aşamasında|страница в разработке)(?!\p{L})|ページは(?:工事中|準備中)/iu

const promise =
  /(?<!\p{L})(?:under construction|coming soon|im (?:aufbau|bau)|en (?:cours de )?construction|en construcción|próximamente|in (?:costruzione|allestimento)|em construção|em breve|in aanbouw|yapım aşamasında|yakında|в разработке|скоро открытие)(?!\p{L})|工事中|準備中|建设中|建設中|준비 ?중/iu

/** Pages that were read about privacy, terms, and who answers for the site. */
export function noticesOf(site: Site): ReadonlySet<Page> {
  return new Set(noticeKinds.flatMap((kind) => pagesOfKind(site, kind)))
}

/**
 * Links to pages of the kind, each address once. They may lead to other sites: a privacy notice may be
 * hosted.
 */
export function linksToKind(site: Site, kind: PageKind): readonly Link[] {
  return site.linksByKind.get(kind) ?? []
}

/**
 * A linked page of the kind whose text the scan does not have, so its absence from the capture proves nothing. A
 * link that was only tried for its status is unread, too.
 */
export function unreadOfKind(site: Site, kind: PageKind): Link | undefined {
  const all = linksToKind(site, kind)
  // Where the house stands is no answer to how one writes there.
  const ways = kind === 'contact' ? all.filter((link) => !isPlaceOnly(link)) : all
  const links = ways.length > 0 ? ways : all
  if (links.some(({ url }) => isSettled(site, url))) return undefined
  return links[0]
}

/** A linked page that promises a form and was not read, whatever other page for contact was. */
export function unreadForm(site: Site): Link | undefined {
  return (['contact', 'booking'] as const)
    .flatMap((kind) => linksToKind(site, kind))
    .find((link) => link.isInternal && promisesForm(link) && !isSettled(site, link.url))
}

/** Whether the scan knows what an address holds: a page that was read, or a reply that is no page. */
export function isSettled(site: Site, url: string): boolean {
  const reply = replyAt(site, url)
  if (reply === undefined) return false
  if (reply.status !== 200 || reply.body !== '') return true
  const keys = new Set([addressKey(url), addressKey(reply.finalUrl)])
  return site.pages.some((page) => keys.has(addressKey(page.url)) || page.reply.body === reply.body)
}

/** The reply that a visitor got at an address; undefined when the scan did not ask there or got no reply. */
export function replyAt(site: Site, url: string): SiteReply | undefined {
  return site.repliesByAddress.get(addressKey(url))
}

/** More links than this would cost more than a few thousand comparisons for each kind of page. */
const maxLinks = 3_000

/**
 * The links of all pages by the kind of page they lead to, without links to the home page. One to an account in a
 * messenger or to a map leads to no page, whatever its words are.
 */
export function indexLinks(pages: readonly Page[], home: Page | undefined): Site['linksByKind'] {
  const distinct = new Map<string, Link>()
  for (const page of pages) {
    const own = addressKey(page.url)
    for (const link of page.links) {
      if (distinct.size >= maxLinks) break
      // "Disclaimer" in the footer of each page leads to a part of that page.
      if (page !== home && addressKey(link.url) === own) continue
      const key = `${addressKey(link.url)} ${link.text}`
      if (!distinct.has(key)) distinct.set(key, link)
    }
  }
  const homeKey = home && addressKey(home.url)
  const links = [...distinct.values()].filter(
    ({ url }) =>
      addressKey(url) !== homeKey && messengerOf(new URL(url)) === undefined && !isMapAddress(new URL(url)),
  )
  return new Map(
    pageKinds.map((kind) => [
      kind,
      firstOfEach(
        links.filter((link) => isLinkOfKind(link, kind) || (kind === 'about' && isAboutOwner(link, home))),
      ),
    ]),
  )
}

/** "Über Noi" in the menu of "Noi's Royal Thai-Massage". */
function isAboutOwner({ text, isInternal }: Link, home: Page | undefined): boolean {
  const [, name = ''] =
    /^(?:about|über|à propos de|sobre|acerca de|over) (\p{Lu}[\p{L}\s&-]{1,40})$/u.exec(
      text.trim().replace(/^\p{Lu}/u, (first) => first.toLowerCase()),
    ) ?? []
  const title = ` ${folded(home?.title ?? '')} `
  return isInternal && name !== '' && title.includes(` ${folded(name)} `)
}

function firstOfEach(links: readonly Link[]): readonly Link[] {
  const first = new Map<string, Link>()
  for (const link of links) if (!first.has(addressKey(link.url))) first.set(addressKey(link.url), link)
  return [...first.values()]
}

/** The first reply at each address that was fetched as a visitor fetches it. */
export function indexReplies(exchanges: readonly Exchange[]): Site['repliesByAddress'] {
  const index = new Map<string, SiteReply>()
  for (const exchange of exchanges) {
    if (!isPlainVisit(exchange)) continue
    for (const key of [addressKey(exchange.url), addressKey(exchange.finalUrl)]) {
      if (!index.has(key)) index.set(key, exchange)
    }
  }
  return index
}

function isPlainVisit(exchange: Exchange): exchange is SiteReply {
  return exchange.outcome === 'replied' && plainPurposes.has(exchange.purpose)
}

const plainPurposes: ReadonlySet<Exchange['purpose']> = new Set([
  'home',
  'page',
  'link',
  'sitemap-url',
  'canonical',
  'picture',
])
