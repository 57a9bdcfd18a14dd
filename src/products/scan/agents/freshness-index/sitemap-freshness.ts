import { fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { counted } from '../../findings/share.ts'
import { straySitemap } from '../../findings/stray-sitemap.ts'
import { addressKey, isFeedAddress, shown } from '../../site/addresses.ts'
import { repliesFor } from '../../site/capture.ts'
import { dayMs, dayOf, readDate } from '../../site/dates.ts'
import { parseSitemap } from '../../site/files/sitemap.ts'
import { indexedPages } from '../../site/indexable.ts'
import { replyAt } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * The checks of dates and main pages in the sitemap. A site without a sitemap fails only in the core
 * snapshot; here the checks do not apply, so that one fault does not cost points three times.
 */

/** Judges whether 80 % of the addresses have a lastmod, with different dates and none in the future. */
export function judgeLastmod(site: Site): Outcome {
  const { files, urls } = site.sitemap
  const [file] = files
  if (urls.length === 0) {
    if (file?.state === 'absent') return notApplicable('The site has no sitemap.')
    return unmeasured(
      file === undefined ? 'No sitemap was read.' : `No address could be read from ${shown(file.url)}.`,
    )
  }
  const stray = straySitemap(site)
  if (stray !== undefined)
    return notApplicable(`The addresses in the sitemap are not of this site: ${stray.quote}.`)
  const dates = urls.flatMap(({ lastmod }) => {
    const date = lastmod === undefined ? undefined : readDate(lastmod)
    return date === undefined ? [] : [date]
  })
  const statement = `${dates.length} of ${counted(urls.length, 'URL')}`
  const has = dates.length === 1 || urls.length === 1 ? 'has' : 'have'
  const [first] = dates
  if (dates.length * 100 < urls.length * 80 || first === undefined) {
    const undated = urls.find(({ lastmod }) => lastmod === undefined || readDate(lastmod) === undefined)
    const url = fileHolding(site, undated?.loc)
    return fail(
      `${statement} in the sitemap ${has} a valid lastmod; at least 80 % should. Crawlers use it to choose what to fetch again.`,
      `Write the day of the last real change of each page as <lastmod> into ${shown(url)}.`,
      { url, value: `lastmod on ${statement}` },
    )
  }
  const ahead = urls.flatMap(({ loc, lastmod }) => {
    const date = lastmod === undefined ? undefined : readDate(lastmod)
    return date !== undefined && date > site.now + dayMs ? [{ loc, date }] : []
  })
  const latest = ahead.reduce<(typeof ahead)[number] | undefined>(
    (best, one) => (best === undefined || one.date > best.date ? one : best),
    undefined,
  )
  if (latest !== undefined) {
    const url = fileHolding(site, latest.loc)
    return fail(
      `${counted(ahead.length, 'lastmod date')} in the sitemap ${ahead.length === 1 ? 'lies' : 'lie'} in the future, which makes crawlers trust the others less.`,
      `Let ${shown(url)} give the day of the last change, and nothing later than today.`,
      { url, value: `lastmod ${dayOf(latest.date)} of ${shown(latest.loc)}` },
    )
  }
  const url = fileHolding(site, urls[0]?.loc)
  // A program that writes the time of its own run for each page may take some seconds.
  const isOneDay = dates.every((date) => dayOf(date) === dayOf(first))
  if (dates.length > 1 && dates.length < fewPages && isOneDay)
    return notApplicable(
      `All ${dates.length} lastmod dates in the sitemap are of one day. So few pages may all have changed on one day.`,
    )
  if (dates.length > 1 && isOneDay) {
    return fail(
      `All ${dates.length} lastmod dates in the sitemap are of one day, so crawlers cannot tell from them which pages have changed.`,
      `Write the day of the last real change of each page into ${shown(url)}.`,
      { url, value: `lastmod ${dayOf(first)} on all ${dates.length}` },
    )
  }
  return pass(
    `${statement} in the sitemap ${has} a lastmod${dates.length > 1 ? ', with different dates and none' : ', which does not lie'} in the future.`,
    {
      url,
      value: `lastmod on ${statement}`,
    },
  )
}

const fewPages = 8

/** Judges whether the sitemap holds 70 % of the pages in the navigation of the home page. */
export function judgeCoverage(home: Page, site: Site): Outcome {
  const { urls, files } = site.sitemap
  if (urls.length === 0) {
    return files.some(({ state }) => state === 'absent')
      ? notApplicable('The site has no sitemap.')
      : unmeasured('No sitemap could be read.')
  }
  const stray = straySitemap(site)
  if (stray !== undefined)
    return notApplicable(`The addresses in the sitemap are not of this site: ${stray.quote}.`)
  const pages = new Map(
    home.links
      .filter(
        ({ url, isInternal, isNavigation }) =>
          isInternal &&
          isNavigation &&
          !isFile(url) &&
          !isFeedAddress(url) &&
          new URL(url).host === new URL(home.url).host &&
          isForSitemap(url, site),
      )
      .map(({ url }) => [pageKey(url), url]),
  )
  pages.delete(pageKey(home.url))
  if (pages.size === 0)
    return notApplicable(
      'No link within a nav or header element of the home page leads to another page that a sitemap should hold.',
    )
  const listed = new Set(urls.map(({ loc }) => pageKey(loc)))
  const missing = [...pages].filter(([key]) => !listed.has(key))
  const good = pages.size - missing.length
  const statement = `${good} of ${counted(pages.size, 'page')} in the navigation ${good === 1 || pages.size === 1 ? 'is' : 'are'} in the sitemap`
  const [first] = missing
  if (good * 100 >= pages.size * 70 || first === undefined)
    return pass(`${statement}.`, { url: fileHolding(site, urls[0]?.loc), value: statement })
  const inNavigation = urls.find(({ loc }) => pages.has(pageKey(loc)))
  const file = fileHolding(site, inNavigation?.loc)
  if (!isWhole(site)) return unmeasured(`${statement}, as far as it was read: not all of its files were.`)
  return fail(
    `${statement}; at least 70 % should be. Crawlers that go by the sitemap alone do not learn of the others.`,
    `Add ${shown(first[1])}${missing.length > 1 ? ` and ${missing.length - 1} more` : ''} to ${shown(file)}.`,
    ...missing
      .slice(0, 5)
      .map(([, url]) => ({ url, value: `in the navigation, not in the sitemap (${shown(file)})` })),
  )
}

/** `/about.html` and `/about`, `/index.html` and `/` are one page to most hosts. */
function pageKey(url: string): string {
  return addressKey(url.replace(/[?#].*$/s, '').replace(/(?:\/index)?\.html?$|(?<=\/)index\/?$/i, ''))
}

/** Carts and logins are no search results, and a sitemap should not list what robots.txt or the page itself keeps out. */
function isForSitemap(url: string, site: Site): boolean {
  const { robots } = site
  const { pathname, searchParams } = new URL(url)
  if (unlisted.test(pathname) || /\/page\/\d{1,4}\/?$/.test(pathname) || searchParams.has('page'))
    return false
  const key = addressKey(url)
  const page = site.pages.find((one) => addressKey(one.url) === key)
  if (page !== undefined && !indexedPages(site).includes(page)) return false
  // An address that answers 404 is a broken link, which another check reports.
  if ((replyAt(site, url)?.status ?? 200) >= 400) return false
  return robots.state === 'unreachable' || robots.isAllowed('*', url)
}

const unlisted =
  /\/(?:cart|basket|bag|checkout|log-?in|log-?out|sign-?in|sign-?up|sign-?out|register|account|my-account|wishlist|search|warenkorb|kasse|anmelden|mein-konto|panier|connexion|carrito)(?:\.\w{2,5})?(?:\/|$)/i

/**
 * Finds the file that lists an address. For an index this is the part, because the owner must correct that.
 */
function fileHolding({ capture, sitemap, origin }: Site, loc: string | undefined): string {
  const lists = sitemap.files.filter(({ kind }) => kind === 'urlset').map(({ url }) => url)
  const [only = sitemap.files[0]?.url ?? origin] = lists
  if (lists.length < 2 || loc === undefined) return only
  const spellings = [loc, loc.replaceAll('&', '&amp;')]
  const files = repliesFor(capture, 'sitemap').filter(({ url }) => lists.includes(url))
  const ends = ['<', '\n', '\r', ' ', ']']
  const holder = files.find(({ body }) =>
    spellings.some((text) => ends.some((end) => body.includes(`${text}${end}`))),
  )
  return holder?.url ?? only
}

function isFile(url: string): boolean {
  return /\.(?:pdf|jpe?g|png|gif|webp|svg|zip|docx?|xlsx?|mp4|mp3|ics|vcf|xml|rss|atom|json|txt)$/i.test(
    new URL(url).pathname,
  )
}

/** Whether all files that an index names were read to their end. */
function isWhole({ capture, sitemap }: Site): boolean {
  const exchanges = capture.exchanges.filter(({ purpose }) => purpose === 'sitemap')
  if (sitemap.isOverLimit || exchanges.some((exchange) => exchange.outcome !== 'replied' || exchange.isCut))
    return false
  const read = new Set(exchanges.map(({ url }) => url))
  return repliesFor(capture, 'sitemap').every((answer) => {
    const parsed = parseSitemap(answer.body)
    return parsed?.kind !== 'sitemapindex' || parsed.urls.every(({ loc }) => read.has(loc))
  })
}
