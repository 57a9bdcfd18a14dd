import { asking, fail, notApplicable, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { isRefusal } from '../../findings/document.ts'
import { needsHome, needsPages } from '../../findings/needs.ts'
import { counted, maxPlaces } from '../../findings/share.ts'
import { unlessSoft404 } from '../../findings/soft-404.ts'
import { isArchived } from '../../signals/site-kind/archived.ts'
import { shown } from '../../site/addresses.ts'
import { articlesOf } from '../../site/articles.ts'
import { homeAddress } from '../../site/below-home.ts'
import { repliesFor } from '../../site/capture.ts'
import {
  type DatedItem,
  datedItems,
  isMonthOnly,
  newestOf,
  uniformLastmods,
  writtenDates,
} from '../../site/dated-items.ts'
import { dayOf, daysSince } from '../../site/dates.ts'
import { headerOf } from '../../site/files/headers.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { oneLine, textWithin } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import type { Agent } from '../agent.ts'
import { judgeLinks } from './internal-links.ts'
import { judgeDates, judgeFeed } from './publication-dates.ts'
import { judgePictures } from './shown-pictures.ts'
import { judgeCoverage, judgeLastmod } from './sitemap-freshness.ts'

/**
 * Whether engines can see what is new without fetching every page again. The site carries the time of the
 * scan, which is "today" for every check.
 */
export const freshnessIndex: Agent = {
  id: 'freshness-index',
  name: 'Freshness and index',
  checks: [
    { id: 'newest', title: 'Something is new', weight: 4, run: needsPages(judgeNewest) },
    { id: 'lastmod', title: 'The sitemap tells what has changed', weight: 3, run: judgeLastmod },
    {
      id: 'internal-links',
      title: 'Internal links lead somewhere',
      weight: 3,
      run: unlessSoft404(judgeLinks),
    },
    { id: 'pictures', title: 'Pictures are there', weight: 2, run: needsPages(judgePictures) },
    { id: 'date-match', title: 'Visible and declared dates agree', weight: 2, run: needsPages(judgeDates) },
    { id: 'feed', title: 'A feed tells what is new', weight: 2, run: needsPages(judgeFeed) },
    {
      id: 'conditional',
      title: 'Unchanged pages are not sent again',
      weight: 2,
      run: needsHome(judgeConditional),
    },
    { id: 'coverage', title: 'The sitemap holds the main pages', weight: 2, run: needsHome(judgeCoverage) },
    { id: 'footer-year', title: 'The copyright year is current', weight: 1, run: needsHome(judgeYear) },
  ],
}

function judgeNewest(pages: readonly Page[], site: Site): Outcome {
  if (isArchived(site))
    return notApplicable('The pages say that the site is an archive, which nothing is added to.')
  const dated = newestOf(datedItems(site))
  const newest =
    dated ??
    (site.profile.content ? (newestOf(writtenDates(site)) ?? newestOf(uniformLastmods(site))) : undefined)
  if (newest === undefined) {
    if (!site.profile.content)
      return notApplicable(
        'No date that tells one page from another was found in the markup, in a sitemap or in a feed, and no articles were recognised.',
      )
    const articles = articlesOf(site)
    const found = fail(
      `No date that says when an article or a page was published was found on ${counted(pages.length, 'page')}, in the sitemap or in a feed. Engines prefer recent sources and cannot tell how old this one is.`,
      'Put a <time datetime> and datePublished on every article, also on those that the scan did not read.',
      ...(articles.length > 0
        ? articles
            .slice(0, maxPlaces)
            .map(({ page }) => ({ url: page.url, value: 'an article without a date' }))
        : [{ url: homeAddress(site), value: `no date on ${counted(pages.length, 'page')}` }]),
    )
    return asking(found, { kind: 'mark-dates' })
  }
  return judgeAge(newerInText(newest, site), site)
}

/** Where the markup has only old dates, a younger one that readers see on a page shows that the site is kept up. */
function newerInText(marked: DatedItem, site: Site): DatedItem {
  if (daysSince(marked.date, site.now) <= 90) return marked
  return newestOf([marked, ...writtenDates(site)]) ?? marked
}

function placeOf({ source, url }: DatedItem): string {
  if (source.startsWith('lastmod of all')) return 'in the sitemap'
  if (source.startsWith('lastmod')) return `in the sitemap, at ${shown(url)}`
  return `${source === 'entry in the feed' ? 'in the feed' : 'on'} ${shown(url)}`
}

function judgeAge(newest: DatedItem, site: Site): Outcome {
  const age = Math.max(0, daysSince(newest.date, site.now))
  const inDays = age <= 365 && !isMonthOnly(newest)
  const evidence = {
    url: newest.url,
    value: `${newest.source}: ${isMonthOnly(newest) ? monthOf(newest.date) : dayOf(newest.date)}${inDays ? `, ${counted(age, 'day')} ago` : ''}`,
  }
  const statement = `The newest dated item that was read (${newest.source}) ${inDays ? `is ${counted(age, 'day')} old` : `is from ${monthOf(newest.date)}`}`
  if (age <= 90) return pass(`${statement}.`, evidence)
  return (age <= 365 ? warn : fail)(
    `${statement}; engines prefer sources that changed within 90 days.`,
    `Publish or revise something, and let its date and its lastmod in the sitemap say so. The newest date now stands ${placeOf(newest)}.`,
    evidence,
  )
}

/** "April 2017", which an owner understands better than 3,500 days. */
function monthOf(date: number): string {
  return new Date(date).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}

function judgeConditional(home: Page, { capture }: Site): Outcome {
  const validators = ['etag', 'last-modified'].filter((name) => headerOf(home.reply, name) !== '')
  if (validators.length === 0) {
    return fail(
      'The page carries neither ETag nor Last-Modified, so every visit of a crawler fetches all of it again.',
      `Send an ETag or Last-Modified header with ${shown(home.url)}, and answer 304 when it is sent back.`,
      { url: home.url, value: 'no ETag, no Last-Modified' },
    )
  }
  const [reply] = repliesFor(capture, 'home-conditional').filter(({ status }) => !isRefusal(status))
  if (reply === undefined)
    return unmeasured('The page was not asked a second time with its validator, or gave no answer.')
  const evidence = { url: reply.url, value: `status ${reply.status} to a request with the page's validator` }
  if (reply.status === 304)
    return pass('An unchanged page is answered with 304 and not sent again.', evidence)
  return fail(
    `The page names ${validators.length === 2 ? 'validators' : 'a validator'} and answers ${reply.status} in place of 304, so crawlers fetch all of it again.`,
    `Let ${shown(home.url)} answer 304 to If-None-Match and If-Modified-Since when nothing has changed; a value that changes with each answer never matches. ${whatIgnores(home)}`,
    evidence,
  )
}

/** The server compares the values by default, so something on the way does not hand them on, or changes them. */
function whatIgnores({ reply }: Page): string {
  const server = headerOf(reply, 'server')
  const between = 'Look for what lies between: a program that writes the page, a cache, or a filter.'
  if (/nginx|openresty/i.test(server))
    return `${between} In nginx, if_modified_since off, ssi and sub_filter have this effect.`
  return /apache/i.test(server)
    ? `${between} In Apache, compression changes the ETag; DeflateAlterETag NoChange keeps it.`
    : between
}

/** Arabic, Persian, Hindi and Bengali pages write years with digits of their own. */
function withPlainDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[\u0966-\u096f\u09e6-\u09ef]/g, (digit) => String((digit.charCodeAt(0) & 0xf) - 6))
}

function judgeYear(home: Page, site: Site): Outcome {
  const footers = home.elements.filter(
    ({ name, region, isHidden }) => region === 'footer' && name === 'footer' && !isHidden,
  )
  const text = withPlainDigits(
    oneLine(`${footers.map(({ node }) => textWithin([node])).join(' ')} ${home.text.slice(-2_000)}`),
  )
  const years = Array.from(
    text.matchAll(
      /(?:©|\(c\)|copyright)[^\d]{0,30}(\d{4})(?:\s?[-–—]\s?(\d{4}|\d{2}(?!\d)|\p{L}{3,15}))?|(?<![\d-])((?:19|20)\d{2})\s?(?:©|\(c\))|(?:reserv\p{L}{1,12}|vorbehalten|saklıdır|защищены|محفوظة)[^\d\p{L}]{0,6}(\d{4})(?!\d)/giu,
    ),
    ([, first, last, before, reserved]) => yearOf(first ?? before ?? reserved, last, site.now),
  ).filter((year) => year >= 1990 && year <= 2200)
  if (years.length === 0)
    return notApplicable('No copyright line with a year was found at the end of the page.')
  const year = Math.max(...years)
  const current = new Date(site.now).getUTCFullYear()
  const evidence = { url: home.url, value: `© ${year}` }
  if (year < current - 1 && (hasScriptedYear(home) || hasLinkedYear(site)))
    return notApplicable('A script of the page writes the year in the copyright line.')
  if (year === current || year === current - 1)
    return pass(`The copyright line names the year ${year}.`, evidence)
  return fail(
    `The copyright line names the year ${year}, and it is ${current}. Readers and engines take that for ${year > current ? 'a mistake' : 'a sign of an old page'}.`,
    `Take the year out of the copyright line of ${shown(home.url)}, or let a program write the current one.`,
    evidence,
  )
}

/** "© 2014-" before an empty element: a script writes the current year there. */
function hasScriptedYear({ elements }: Page): boolean {
  return (
    elements.some(
      ({ name, node }) =>
        /^(?:span|time|b|strong|i|em|small)$/.test(name) &&
        namedYear.test(`${attributeOf(node, 'id')} ${attributeOf(node, 'class').slice(0, 200)}`) &&
        textWithin([node]) === '',
    ) || elements.some(({ name, node }) => name === 'script' && writesYear.test(scriptText(node)))
  )
}

const namedYear = /year|jahr|jaar|tahun|(?:^|[\s_-])(?:anno|ann[ée]e|a[ñn]o|ano|rok|god)(?:$|[\s_-])/i

const writesYear =
  /(?:document\.write|innerHTML|textContent|innerText|\.text\(|\.html\()[^;]{0,80}getFullYear/

function hasLinkedYear({ capture }: Site): boolean {
  return repliesFor(capture, 'script').some(({ body }) => {
    const code = body.slice(0, maxScript)
    return writesYear.test(code) || yearBesideSign.test(code)
  })
}

/** As a build writes the footer of a component: `r=(new Date).getFullYear();…"© ",t," 2020 - ",r`. */
const yearBesideSign =
  /new Date\(?\)?\)?\.getFullYear\(\)[^©]{0,3000}?(?:©|\\xa9|\\u00a9)|(?:©|\\xa9|\\u00a9|copyright)[^©]{0,200}?new Date\(?\)?\)?\.getFullYear\(\)/i

const maxScript = 1_000_000

function scriptText({ children: [text] }: Page['elements'][number]['node']): string {
  return text?.type === 'text' ? text.data.slice(0, 20_000) : ''
}

/** The last year of "2019", "2019-2026", "2019–26" and "2019-present". */
function yearOf(first: string | undefined, last: string | undefined, now: number): number {
  if (last === undefined) return Number(first)
  if (/^\d{4}$/.test(last)) return Number(last)
  if (/^\d{2}$/.test(last)) return Number(`${(first ?? '').slice(0, 2)}${last}`)
  const isOpen =
    /^(?:present|today|now|current|heute|aujourd|présent|hoy|presente|actualidad|oggi|hoje|atual|heden|nu|günümüz|н\.?в|настоящее|сегодня|現在|现在|至今|현재)/i
  return isOpen.test(last) ? new Date(now).getUTCFullYear() : Number(first)
}
