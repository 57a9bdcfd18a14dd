import { shown } from '../addresses.ts'
import { answered } from '../capture.ts'
import { fail, notApplicable, type Outcome, pass, unmeasured } from '../check.ts'
import { dayMs, dayOf, readDate } from '../dates.ts'
import { addressKey } from '../page-kinds.ts'
import type { Page, Site } from '../site.ts'
import { parseSitemap } from '../sitemap.ts'
import { counted } from './share.ts'

/**
 * What the sitemap says of time and of the main pages. A site without one is not judged here: that is the
 * core snapshot's part, and counting it again would punish one fault three times.
 */

/** On 80 % of the URLs, not all equal, none in the future. */
export function judgeLastmod(site: Site): Outcome {
  const { files, urls } = site.sitemap
  const [file] = files
  if (urls.length === 0) {
    if (file?.state === 'absent') return notApplicable('The site has no sitemap.')
    return unmeasured(
      file === undefined ? 'No sitemap was read.' : `No address could be read from ${shown(file.url)}.`,
    )
  }
  const dates = urls.flatMap(({ lastmod }) => {
    const date = lastmod === undefined ? undefined : readDate(lastmod)
    return date === undefined ? [] : [date]
  })
  const url = file?.url ?? site.origin
  const found = `${dates.length} of ${counted(urls.length, 'URL')}`
  const ahead = dates.filter((date) => date > site.now + dayMs)
  const [first] = dates
  if (dates.length * 100 < urls.length * 80 || first === undefined) {
    return fail(
      `${found} in the sitemap ${dates.length === 1 ? 'has' : 'have'} a valid lastmod; at least 80 % should. Without it crawlers fetch all pages again, or none.`,
      `Write the day of the last real change of each page as <lastmod> into ${shown(url)}.`,
      { url, value: `lastmod on ${found}` },
    )
  }
  if (ahead.length > 0) {
    const latest = dayOf(Math.max(...ahead.slice(0, 1_000)))
    return fail(
      `${counted(ahead.length, 'lastmod date')} in the sitemap ${ahead.length === 1 ? 'lies' : 'lie'} in the future, so crawlers stop trusting all of them.`,
      `Let ${shown(url)} give the day of the last change, and nothing later than today.`,
      { url, value: `lastmod ${latest}` },
    )
  }
  if (dates.length > 1 && dates.every((date) => date === first)) {
    return fail(
      `All ${dates.length} lastmod dates in the sitemap are the same. That is when the file was made, and tells crawlers nothing about the pages.`,
      `Write the day of the last real change of each page into ${shown(url)}.`,
      { url, value: `lastmod ${dayOf(first)} on all ${dates.length}` },
    )
  }
  return pass(`${found} in the sitemap have a lastmod, with different dates and none in the future.`, {
    url,
    value: `lastmod on ${found}`,
  })
}

/** 70 % of the pages in the home page's navigation. */
export function judgeCoverage(home: Page, site: Site): Outcome {
  const { urls, files } = site.sitemap
  if (urls.length === 0) {
    return files.some(({ state }) => state === 'absent')
      ? notApplicable('The site has no sitemap.')
      : unmeasured('No sitemap could be read.')
  }
  const pages = new Map(
    home.links
      .filter(
        ({ url, isInternal, isNavigation }) =>
          isInternal && isNavigation && !isFile(url) && new URL(url).host === new URL(home.url).host,
      )
      .map(({ url }) => [addressKey(url.split('?', 1)[0] ?? url), url]),
  )
  pages.delete(addressKey(home.url))
  if (pages.size === 0) return notApplicable('The home page has no navigation that leads to other pages.')
  const listed = new Set(urls.map(({ loc }) => addressKey(loc)))
  const missing = [...pages].filter(([key]) => !listed.has(key))
  const good = pages.size - missing.length
  const found = `${good} of ${counted(pages.size, 'page')} in the navigation ${good === 1 ? 'is' : 'are'} in the sitemap`
  const [first] = missing
  if (good * 100 >= pages.size * 70 || first === undefined)
    return pass(`${found}.`, { url: home.url, value: found })
  if (!isWhole(site)) return unmeasured(`${found}, as far as it was read: not all of its files were.`)
  return fail(
    `${found}; at least 70 % should be. Crawlers that go by the sitemap miss the others.`,
    `Add ${shown(first[1])}${missing.length > 1 ? ` and ${missing.length - 1} more` : ''} to the sitemap.`,
    ...missing.slice(0, 5).map(([, url]) => ({ url, value: 'in the navigation, not in the sitemap' })),
  )
}

function isFile(url: string): boolean {
  return /\.(?:pdf|jpe?g|png|gif|webp|svg|zip|docx?|xlsx?|mp4|mp3|ics|vcf)$/i.test(new URL(url).pathname)
}

/** Every file that an index names was read, and to its end. */
function isWhole({ capture, sitemap }: Site): boolean {
  const asked = capture.exchanges.filter(({ purpose }) => purpose === 'sitemap')
  if (sitemap.isOverLimit || asked.some((exchange) => exchange.outcome !== 'answered' || exchange.isCut))
    return false
  const read = new Set(asked.map(({ url }) => url))
  return answered(capture, 'sitemap').every((answer) => {
    const parsed = parseSitemap(answer.body)
    return parsed?.kind !== 'sitemapindex' || parsed.urls.every(({ loc }) => read.has(loc))
  })
}
