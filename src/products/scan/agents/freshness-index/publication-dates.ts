import {
  asking,
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
} from '../../findings/check.ts'
import { isRefusal } from '../../findings/document.ts'
import { counted, listed } from '../../findings/share.ts'
import { isArchived } from '../../signals/site-kind/archived.ts'
import {
  absolute,
  addressKey,
  isFeedAddress,
  isSameSite,
  shown,
  shownInQuotes,
} from '../../site/addresses.ts'
import { articlesOf } from '../../site/articles.ts'
import { homeAddress } from '../../site/below-home.ts'
import { repliesFor, type SiteReply } from '../../site/capture.ts'
import { datedItems, feedDates, isFeed, newestOf } from '../../site/dated-items.ts'
import { datesIn, dayMs, dayOf, daysSince, readDate } from '../../site/dates.ts'
import { headerOf } from '../../site/files/headers.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { textWithin } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * The checks of publication dates: as readers see them, as the markup declares them, and as a feed lists
 * them.
 */

export function judgeDates(_pages: readonly Page[], site: Site): Outcome {
  const undated = articlesOf(site).flatMap(({ page: { url }, noDate }) =>
    noDate === undefined ? [] : [{ url, value: `declared "${shown(noDate, 60)}"` }],
  )
  const [misdated] = undated
  if (misdated)
    return fail(
      `The markup of ${counted(undated.length, 'article')} gives a date that programs cannot read, so engines take ${undated.length === 1 ? 'it' : 'them'} for undated.`,
      `Write the dates in the markup of ${shown(misdated.url)} in the form ${dayOf(site.now)}.`,
      ...undated.slice(0, 5),
    )
  const compared = articlesOf(site).flatMap(({ page, published, modified }) => {
    const declared = [published, modified].filter((date) => date !== undefined)
    const top = visibleDates(page)
    if (declared.length === 0 || top.length === 0) return []
    // Cards of other articles may stand above; the declared date anywhere in the text is enough.
    const visible = [...top, ...datesIn(page.text, 200)]
    // The day depends on the reader's time zone, so one day of difference is allowed.
    const isSame = visible.some((day) =>
      declared.some((date) => Math.abs(day - Math.floor(date / dayMs) * dayMs) <= dayMs),
    )
    const value = `visible ${visible.slice(0, 2).map(dayOf).join(', ')}; declared ${declared.map(dayOf).join(', ')}`
    return [{ url: page.url, isSame, value }]
  })
  if (compared.length === 0)
    return notApplicable('No article that was read has both a visible and a declared date.')
  const different = compared.filter(({ isSame }) => !isSame)
  const quote = (list: typeof compared) => list.slice(0, 5).map(({ url, value }) => ({ url, value }))
  const [first] = different
  const statement = `On ${compared.length - different.length} of ${counted(compared.length, 'article')} the visible date is the declared one`
  if (first === undefined) return pass(`${statement}.`, ...quote(compared))
  return fail(
    `${statement}. Where dates contradict each other, engines trust neither.`,
    `Make both dates of ${shown(first.url)} from the same field: ${first.value}.`,
    ...quote(different),
  )
}

/** Reads the dates at the top of the main part. Further down are those of comments and of other articles. */
function visibleDates(page: Page): number[] {
  const times = page.elements
    .filter(
      ({ name, isHidden, region }) =>
        name === 'time' && !isHidden && region !== 'aside' && region !== 'footer',
    )
    .slice(0, 3)
    .flatMap(({ node }) => {
      const date = readDate(attributeOf(node, 'datetime'))
      return [
        ...(date === undefined ? [] : [Math.floor(date / dayMs) * dayMs]),
        ...datesIn(textWithin([node]), 1),
      ]
    })
  return [...times, ...bylineDates(page)]
}

/** A date that stands in a line of its own, beside an author at most. In a sentence it may be any day. */
function bylineDates(page: Page): number[] {
  const start = page.mainText.slice(0, 1_500)
  const lines = page.elements
    .filter(
      ({ name, isHidden, region }) =>
        lineNames.has(name) && !isHidden && region !== 'aside' && region !== 'footer',
    )
    .slice(0, 300)
    .map(({ node }) => textWithin([node]))
    .filter((line) => line !== '' && line.length <= 80 && start.includes(line))
  return lines.flatMap((line) => datesIn(line, 1)).slice(0, 3)
}

const lineNames: ReadonlySet<string> = new Set(['p', 'span', 'div', 'li', 'dd', 'small', 'em', 'i', 'td'])

/** What a site without articles takes out: one link, or all of them. */
function feedLinks(linked: readonly FeedLink[], { url: feed }: SiteReply): string {
  const [first] = linked
  const addresses = [...new Set(linked.flatMap(({ target }) => target ?? []))]
  return addresses.length < 2
    ? `the link to ${shown(addresses[0] ?? feed)} out of ${shown(first?.url ?? feed)}`
    : `the links to ${listed(addresses.slice(0, 5).map((one) => shown(one)))} out of ${shown(first?.url ?? feed)} and every other page`
}

/** A feed elsewhere, such as that of a podcast, stays. */
function ownAddress(href: string, page: string): string | undefined {
  const url = absolute(href, page)
  return url !== undefined && isSameSite(url, page) ? url : undefined
}

interface FeedLink extends Evidence {
  /** Undefined for what is no address of the site. */
  readonly target: string | undefined
}

export function judgeFeed(pages: readonly Page[], site: Site): Outcome {
  const declared = pages.flatMap((page) =>
    page.elements
      .filter(
        ({ name, node }) =>
          name === 'link' && isFeedLink(attributeOf(node, 'rel'), attributeOf(node, 'type')),
      )
      .map(
        ({ node }): FeedLink => ({
          url: page.url,
          value: `<link rel="alternate" href="${shownInQuotes(attributeOf(node, 'href'))}">`,
          target: ownAddress(attributeOf(node, 'href'), page.url),
        }),
      ),
  )
  // "Subscribe to the RSS feed" in a text leads there, too.
  const named = pages.flatMap((page) =>
    page.elements
      .filter(({ name, isHidden }) => name === 'a' && !isHidden)
      .flatMap(({ node }) => absolute(attributeOf(node, 'href'), page.url) ?? [])
      .filter((url) => isSameSite(url, page.url) && isFeedAddress(url))
      .map((url): FeedLink => ({ url: page.url, value: `<a href="${shown(url)}">`, target: url })),
  )
  const linked = [...declared, ...named]
  const exchanges = site.capture.exchanges.filter(({ purpose }) => purpose === 'feed')
  if (isArchived(site))
    return notApplicable('The pages say that the site is an archive, of which no feed can tell news.')
  if (linked.length === 0 && exchanges.length === 0) {
    if (!site.profile.content)
      return notApplicable(
        'No page that was read is marked or addressed as an article that a feed could tell of.',
      )
    if (articlesOf(site).length === 0)
      return unmeasured('A part of the site for articles is linked, and none of them was read.')
    return fail(
      'No page links a feed, so programs that readers use to follow a site do not see what is new here.',
      `Publish an RSS or Atom feed of the articles, unless there is one already, and link it with rel="alternate" from ${shown(homeAddress(site))}.`,
      { url: homeAddress(site), value: `no feed linked on ${counted(pages.length, 'page')}` },
    )
  }
  const answers = repliesFor(site.capture, 'feed').filter(({ status }) => !isRefusal(status))
  const [answer] = answers
  if (answer === undefined)
    return unmeasured(
      exchanges.length === 0
        ? 'A feed is linked and was not read.'
        : 'A feed is linked, and gave no answer that could be read.',
    )
  const feed = answers.find(isFeed)
  if (feed === undefined) {
    const found = fail(
      `The linked feed answers ${answer.status} with something that is no RSS, Atom or JSON feed, so nobody can follow what is new.`,
      site.profile.content
        ? `Let ${shown(answer.url)} answer 200 with a feed, or correct the link to it on ${shown(linked[0]?.url ?? homeAddress(site))}.`
        : `Take ${feedLinks(linked, answer)}, unless you publish articles that a feed could tell of.`,
      {
        url: linked[0]?.url ?? answer.url,
        value: `links ${shown(answer.url)}: status ${answer.status}, ${headerOf(answer, 'content-type') || 'no content type'}`,
      },
      ...linked.slice(1, 5),
    )
    return site.profile.content ? found : asking(found, { kind: 'take-out-feed' })
  }
  const dates = feedDates(feed).filter((date) => date <= site.now + dayMs)
  if (dates.length === 0) {
    const read = new Set(answers.flatMap(({ url, finalUrl }) => [url, finalUrl].map(addressKey)))
    const other = linked.find(
      ({ target, url }) =>
        target !== undefined && !read.has(addressKey(target)) && addressKey(target) !== addressKey(url),
    )
    if (other?.target !== undefined && site.profile.content)
      return unmeasured(
        `${shown(feed.url)} has no entry with a date, and the feed that ${shown(other.url)} links, ${shown(other.target)}, was not read.`,
      )
    if (!site.profile.content)
      return asking(
        fail(
          'The feed has no entry with a date, so it does not tell what is new.',
          `Take ${feedLinks(linked, feed)}, unless you publish articles that a feed could tell of.`,
          ...(linked.length === 0 ? [{ url: feed.url, value: 'no dated entry' }] : linked.slice(0, 5)),
        ),
        { kind: 'take-out-feed' },
      )
    return fail(
      'The feed has no entry with a date, so it does not tell what is new.',
      `Give each entry of ${shown(feed.url)} its date.`,
      {
        url: feed.url,
        value: 'no dated entry',
      },
    )
  }
  const newest = dates.reduce((a, b) => Math.max(a, b))
  const age = Math.max(0, daysSince(newest, site.now))
  const evidence = { url: feed.url, value: `newest entry ${dayOf(newest)}, ${counted(age, 'day')} ago` }
  if (age <= 365) return pass(`The feed's newest entry is ${counted(age, 'day')} old.`, evidence)
  const others = datedItems(site).filter(({ source }) => source !== 'entry in the feed')
  const last = newestOf(others)
  if (last !== undefined && last.date <= newest + dayMs)
    return notApplicable(
      `The newest entry of the feed is ${counted(age, 'day')} old, and nothing newer was seen on the site that it could tell of.`,
    )
  return fail(
    `The feed's newest entry is ${counted(age, 'day')} old, so whoever follows it takes the site for finished.`,
    `Let ${shown(feed.url)} list what is published, or remove the link to it.`,
    evidence,
  )
}

function isFeedLink(rel: string, type: string): boolean {
  return (
    rel.toLowerCase().split(/\s+/).includes('alternate') &&
    /^application\/(?:rss\+xml|atom\+xml|feed\+json)/i.test(type)
  )
}
