import { addressKey, shown } from '../site/addresses.ts'
import { shownTrail } from '../site/shown-trail.ts'
import type { Page } from '../site/site.ts'
import { isLanguageSwitch, isSampleName } from './generic-titles.ts'

/**
 * What tells a page from the others: its title, or where several pages have the same one, a heading of its own or its words
 * in the menu. Two lines with equal words tell an assistant nothing of the difference. The home page keeps its title.
 * @param pages of the site, the home page first
 */
export function ownNameOf(page: Page, pages: readonly Page[]): string {
  const { headings: own } = page
  const title = titleOf(page)
  const others = pages.filter((other) => contentOf(other) !== contentOf(page))
  if (page === pages[0] || others.every((other) => titleOf(other) !== title)) return title
  const isOwn = (heading: string) =>
    heading !== '' &&
    !isSentence(heading) &&
    others.every(({ headings: theirs }) => theirs.every(({ text }) => text.trim() !== heading))
  const [main = ''] = own.flatMap(({ level, text }) => (level === 1 ? [text.trim().replace(ofLogo, '')] : []))
  if (isOwn(main)) return main
  const named =
    shownTrail(page)?.at(-1)?.name ??
    linkedAs(page, pages) ??
    calledInCards(page, pages, Math.max(3, pages.length / 2)) ??
    ownFirstHeading(page, others) ??
    calledInCards(page, pages) ??
    own.map(({ text }) => text.trim()).find(isOwn) ??
    title
  return named.replace(ofLogo, '')
}

/** "Crowns and bridges" above a page, which stands on the list of services as well, and there not above all. */
function ownFirstHeading({ headings: [first] }: Page, others: readonly Page[]): string | undefined {
  const name = first?.text.trim() ?? ''
  const isFirstElsewhere = others.some(({ headings: [theirs] }) => theirs?.text.trim() === name)
  return name === '' || isSentence(name) || isFirstElsewhere ? undefined : name
}

/** A text that is marked as a heading. A name is shorter. */
function isSentence(text: string): boolean {
  return text.length > 80 || /[.!。！][\p{Pf}"']?$/u.test(text) || text.split(/\s/).length > 10
}

/** "Lind Dental Practice logo": what a picture in a heading is, behind the name that it shows. */
const ofLogo = /[\s_-]*(?:logo(?:type)?|ロゴ(?:マーク)?|로고|标志|標誌|логотип)$/iu

/** The words of the menu that lead to the page. */
function linkedAs({ url }: Page, pages: readonly Page[]): string | undefined {
  const key = keyOf(url)
  return pages
    .flatMap(({ links }) => links)
    .find(
      (one) =>
        one.isNavigation &&
        keyOf(one.url) === key &&
        /\p{L}{2}/u.test(one.text) &&
        !isLanguageSwitch(one.text),
    )
    ?.text.slice(0, 60)
}

/** Static hosts answer `/about` and `/about.html` alike, and menus link either. */
function keyOf(url: string): string {
  return addressKey(url).replace(/\.html?$/, '')
}

/** Of one page. A page may have any number. */
const maxLinks = 1_000

/**
 * The words that most links to the page have, such as those of a card: "More" leads to several pages.
 * @param least how many links have to have them; a menu that is not marked as one has such on each page
 */
function calledInCards({ url }: Page, pages: readonly Page[], least = 1): string | undefined {
  const key = keyOf(url)
  const links = pages.flatMap((page) => (page.url === url ? [] : page.links.slice(0, maxLinks)))
  const counts = new Map<string, number>()
  for (const { url: to, text } of links)
    if (keyOf(to) === key && /\p{L}{3}/u.test(text) && !isSentence(text) && !isLanguageSwitch(text))
      counts.set(text, (counts.get(text) ?? 0) + 1)
  const leadElsewhere = (text: string) => links.some((link) => link.text === text && keyOf(link.url) !== key)
  return [...counts]
    .filter(([, count]) => count >= least)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 5)
    .find(([text]) => !leadElsewhere(text))?.[0]
    .slice(0, 60)
}

/** "Imprint" of "Imprint | ". A page without a title is named by its main heading, or else by its address. */
function titleOf({ $, title: first, headings, url }: Page): string {
  // An empty title may stand before the true one.
  const title = first || $('title').not('svg title').text().trim()
  const bare = isSampleName(title) ? '' : title.replace(/^[\s|–—·•:-]+|[\s|–—·•:-]+$/gu, '')
  const main = headings.find(({ level }) => level === 1) ?? headings[0]
  return bare || (main?.text.trim() ?? '') || shown(new URL(url).host)
}

/** By which one page at two addresses is known. Named twice it would be two equal lines. */
export function contentOf({ title, mainText }: Page): string {
  return `${title}\n${mainText}`
}
