import type { Evidence } from '../findings/check.ts'
import { isUnseen } from '../findings/scripted/shell.ts'
import { counted } from '../findings/share.ts'
import { addressKey, depthOf, isFeedAddress, shown } from '../site/addresses.ts'
import { articlesOf } from '../site/articles.ts'
import { repliesFor } from '../site/capture.ts'
import { isArchive } from '../site/contact/contact-pages.ts'
import { dayOf, daysSince, readDate } from '../site/dates.ts'
import { attributeOf } from '../site/html/elements.ts'
import { formsOf } from '../site/html/forms.ts'
import { isPathOfKind } from '../site/kinds/page-kinds.ts'
import { linksToKind } from '../site/linked-pages.ts'
import type { Page, Site } from '../site/site.ts'
import {
  type FaqSignal,
  type ReviewSignal,
  readFaq,
  readReviews,
  readSupport,
  type SupportSignal,
} from './answer-signals.ts'
import { knownName } from './company-name.ts'
import { type BookingSignal, readBooking } from './contact/booking-signal.ts'
import { type LeadSignal, readHiring, readLeads, readPricing } from './contact/contact-signals.ts'
import { findContactPath } from './contact-path.ts'
import { type ApiSignal, readApi, readShop, type ShopSignal } from './offer-signals.ts'
import { siteLanguage } from './page-language.ts'
import { firstService, readServices, type Service } from './services.ts'
import { firstOf, nothing, type Signal } from './signal.ts'
import { findProjectContact } from './site-kind/project-repository.ts'

/**
 * What a site shows about how its business works: how it takes enquiries, bookings and orders, and with
 * which services. The checks of workflow automation and the list of opportunities read the same signals, so
 * a report cannot praise a form in one place and miss it in another.
 */
export interface Signals {
  /** Of the site's text, else as it declares; undefined when neither tells. */
  readonly language: string | undefined
  /** The name that the site gives itself; undefined when it says none. */
  readonly name: string | undefined
  /** The first way to get in touch or to order, on the home page or else on another page that was read. */
  readonly contactPath: Evidence | undefined
  readonly leads: LeadSignal
  readonly booking: BookingSignal
  /** `few`: there are amounts, but no price list. */
  readonly pricing: Signal<'amounts' | 'on-request' | 'few' | 'none' | 'absent'>
  readonly support: SupportSignal
  readonly faq: FaqSignal
  readonly newsletter: Signal<'form' | 'service' | 'none'>
  /** `absent`: the site publishes no articles. */
  readonly blog: Signal<'fresh' | 'stale' | 'undated' | 'absent'>
  readonly hiring: Signal<'form' | 'service' | 'mailto' | 'none' | 'absent'>
  readonly shop: ShopSignal
  readonly reviews: ReviewSignal
  readonly api: ApiSignal
  readonly services: readonly Service[]
  /** The number of addresses in the sitemap files that were read. */
  readonly sitemapUrls: number
}

/** Reads all signals of a site. A scan does this once and hands them to the checks and the rules. */
export function readSignals(site: Site): Signals {
  const services = readServices(site.pages, repliesFor(site.capture, 'script'))
  const faq = readFaq(site)
  return {
    language: siteLanguage(site),
    name: knownName(site),
    contactPath:
      firstOf(
        site.pages.filter((page) => page === site.home || !isArchive(page.url, site.now)),
        (page) => findContactPath(page, site),
      ) ?? findProjectContact(site),
    leads: readLeads(site, services),
    booking: readBooking(site, services),
    pricing: readPricing(site),
    support: readSupport(site, services, faq),
    faq,
    newsletter: readNewsletter(site, services),
    blog: readBlog(site),
    hiring: readHiring(site, services),
    shop: readShop(site, services),
    reviews: readReviews(site, services),
    api: readApi(site, services),
    services,
    sitemapUrls: site.sitemap.urls.length,
  }
}

/** Days; an older newest article is called stale. The freshness check passes up to the same age. */
const freshDays = 90

function readNewsletter(site: Site, services: readonly Service[]): Signals['newsletter'] {
  const form = site.pages.flatMap(formsOf).find(({ use }) => use === 'newsletter')
  if (form) return { how: 'form', evidence: [{ url: form.page.url, value: form.label }] }
  const service = firstService(services, 'mailing')
  if (
    service &&
    (pagesHave(site, service.url) || !/\/subscribe/.test(service.value) || site.pages.some(hasMailField))
  )
    return { how: 'service', evidence: [service] }
  const consent = firstOf(site.pages, findConsent)
  if (consent) return { how: 'form', evidence: [consent] }
  const link = site.pages
    .flatMap(({ links }) => links)
    .find(({ url, text, isInternal }) => isInternal && !isFeedAddress(url) && subscribes.test(text.trim()))
  if (link && !site.pages.some(({ url }) => addressKey(url) === addressKey(link.url)))
    return {
      how: 'unknown',
      evidence: [{ url: link.url, value: `${shown(link.url)} is linked and was not read` }],
    }
  return nothing(site)
}

/** Seen in a page. A script file of a theme holds the address of its maker's list, too, whether a form stands there or not. */
function pagesHave({ pages }: Site, url: string): boolean {
  return pages.some((page) => page.url === url)
}

function hasMailField({ elements }: Page): boolean {
  return elements.some(
    ({ name, node }) => name === 'input' && /^email$/i.test(attributeOf(node, 'type').trim()),
  )
}

/** The text of a link to a page with the form. */
const subscribes =
  /^(?:subscribe|(?:by )?(?:e-?mail )?newsletter|newsletter (?:sign-?up|abonnieren)|abonnieren|s[’']abonner|suscr[ií]b(?:irse|ete|ase)|iscriviti alla newsletter|assine|inscreva-se|abonneren|подписаться|購読|구독|订阅|訂閱)$/iu

/** A box to tick in a form for something else: "Send me the newsletter, too". */
function findConsent(page: Page): Evidence | undefined {
  const box = page.elements.find(
    ({ name, node }) =>
      name === 'input' &&
      attributeOf(node, 'type').toLowerCase() === 'checkbox' &&
      /newsletter|subscri|mailing/i.test(`${attributeOf(node, 'name')} ${attributeOf(node, 'id')}`),
  )
  return box && { url: page.url, value: `<input type="checkbox" name="${attributeOf(box.node, 'name')}">` }
}

/**
 * Reads the dates of the articles in the capture. The sitemap can show that an article which was not read is
 * newer. An old lastmod proves nothing: it is not the date of an article.
 */
function readBlog(site: Site): Signals['blog'] {
  const newest = latest(
    site,
    articlesOf(site).map(({ page, published, modified }) => ({
      url: page.url,
      date: Math.max(published ?? 0, modified ?? 0),
    })),
  )
  const listed = latest(site, postsInSitemap(site))
  if (listed && daysSince(listed.date, site.now) <= freshDays && listed.date > (newest?.date ?? 0)) {
    return {
      how: 'fresh',
      evidence: [{ url: listed.url, value: `lastmod ${dayOf(listed.date)} in the sitemap` }],
    }
  }
  if (newest === undefined) {
    const [article] = articlesOf(site)
    if (article)
      return { how: 'undated', evidence: [{ url: article.page.url, value: 'an article without a date' }] }
    const [blog] = linksToKind(site, 'blog')
    if (site.pages.length === 0 || isUnseen(site)) return { how: 'unknown', evidence: [] }
    return blog === undefined
      ? { how: 'absent', evidence: [] }
      : { how: 'unknown', evidence: [{ url: blog.url, value: 'linked; none of its articles was read' }] }
  }
  const age = daysSince(newest.date, site.now)
  const value = `newest article that was read: ${dayOf(newest.date)}, ${counted(age, 'day')} ago`
  return { how: age <= freshDays ? 'fresh' : 'stale', evidence: [{ url: newest.url, value }] }
}

interface Dated {
  readonly url: string
  readonly date: number
}

function latest(site: Site, dated: readonly Dated[]): Dated | undefined {
  return dated
    .filter(({ date }) => date > 0 && date <= site.now)
    .reduce<Dated | undefined>(
      (best, one) => (best === undefined || one.date > best.date ? one : best),
      undefined,
    )
}

function postsInSitemap(site: Site): Dated[] {
  return site.sitemap.urls.slice(0, 10_000).flatMap(({ loc, lastmod }) => {
    const date = lastmod === undefined ? undefined : readDate(lastmod)
    if (date === undefined || depthOf(loc) < 2 || !isPathOfKind(loc, 'blog')) return []
    return [{ url: loc, date }]
  })
}
