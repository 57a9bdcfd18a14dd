import { isGenericLinkText } from '../../agents/content-answerability/generic-link-texts.ts'
import { absolute, addressKey, pathOf, shown } from '../../site/addresses.ts'
import { streetsIn } from '../../site/contact/street-address.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { around, type Element, textWithin } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'

/** A page on the way from the home page to another, as the site calls and links it. */
export interface Step {
  readonly name: string
  readonly item: string
}

/**
 * The way that a page itself shows above its text: "Home / Shop / Wild Fig". Its last step is the page. Undefined where
 * it shows none, or one that does not begin with a link.
 */
export function shownTrail(page: Page): readonly Step[] | undefined {
  const trail = page.elements.find(({ node, isHidden }) => !isHidden && isTrail(node))?.node
  if (trail === undefined) return undefined
  const links = page.$(trail).find('a[href]').toArray().slice(0, maxSteps)
  const steps = links.flatMap((link) => {
    const item = absolute(attributeOf(link, 'href'), page.url)
    const name = shown(textWithin([link]).trim(), 120)
    return item === undefined || name === '' ? [] : [{ name, item }]
  })
  if (steps.length === 0) return undefined
  const above = steps.filter(({ item }) => addressKey(item) !== addressKey(page.url))
  const own = textBehind(trail, links.at(-1)) || steps.find((step) => !above.includes(step))?.name
  return own === undefined || above.length === 0 ? undefined : [...above, { name: own, item: page.url }]
}

const maxSteps = 8

function isTrail(node: Element): boolean {
  const name = ['class', 'id', 'aria-label'].map((one) => attributeOf(node, one).slice(0, 200)).join(' ')
  return /(?:^|[\s_-])breadcrumbs?(?:$|[\s_-])/i.test(name) && /^(?:nav|ol|ul|div|p|section)$/.test(node.name)
}

/** The words behind the last link, without the sign between the steps. */
function textBehind(trail: Element, last: Element | undefined): string {
  if (last === undefined) return ''
  const whole = textWithin([trail])
  const label = textWithin([last]).trim()
  const rest = whole.slice(whole.lastIndexOf(label) + label.length)
  const name = rest.replace(/^[^\p{L}\p{N}]+/u, '').trim()
  return around(last).includes(trail) ? shown(name, 120) : ''
}

/**
 * How the site calls its pages and where it links them, by `addressKey`. The words of the menu come first, because
 * a main heading is often a slogan. A link that leads nowhere names no page, and neither does a link of a page to itself,
 * an address or "click here". Where the words of a link have nothing of the page's own title, the page is right.
 */
export function stepsOf({ pages, repliesByAddress }: Site): ReadonlyMap<string, Step> {
  const steps = new Map<string, Step>()
  const read = new Map(pages.map((page) => [addressKey(page.url), page]))
  const add = (url: string, name: string) => {
    const key = addressKey(url)
    if (name !== '' && !steps.has(key)) steps.set(key, { name: shown(name, 120), item: url })
  }
  const links = pages
    .flatMap((page) =>
      page.links.filter(
        ({ url, text }) => addressKey(url) !== addressKey(page.url) && !isNoName(text, page.language),
      ),
    )
    .filter(({ url, isInternal }) => isInternal && repliesByAddress.get(addressKey(url))?.status === 200)
    .filter(({ url, text }) => {
      const page = read.get(addressKey(url))
      return page === undefined || isSaidBy(page, text)
    })
  for (const { url, text } of links.filter(
    ({ isNavigation, text: label }) => isNavigation && label.length <= 60,
  ))
    add(url, text)
  for (const page of pages) add(page.url, nameOfPage(page, pages))
  for (const { url, text } of links) add(url, text)
  return steps
}

/** The main heading, unless other pages have the same: that is the name of the site. Then the title without that name. */
export function nameOfPage(page: Page, pages: readonly Page[]): string {
  const heading = headingOf(page)
  const isShared = pages.some((other) => other !== page && headingOf(other) === heading)
  if (heading !== '' && !isShared) return heading
  const parts = partsOf(page.title)
  const others = pages.filter((other) => other !== page).map((other) => new Set(partsOf(other.title)))
  return parts.find((part) => !others.some((known) => known.has(part))) ?? parts[0] ?? ''
}

function headingOf({ headings }: Page): string {
  return headings.find(({ level }) => level === 1)?.text.trim() ?? ''
}

function partsOf(title: string): string[] {
  return title
    .slice(0, 300)
    .split(/\s[-–—|·•»]\s|\s?::?\s|[|｜]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** A street, a number, or words that say nothing of the page. */
function isNoName(text: string, language: string | undefined): boolean {
  return (
    !/\p{L}{2}/u.test(text) ||
    isGenericLinkText(text, language) ||
    streetsIn(text).length > 0 ||
    /#\s?\d|\d{3}[\s.-]?\d{4}|@/.test(text)
  )
}

/** Whether the heading or title has a word of the link. Words of two letters or more count, and signs of unspaced scripts. */
function isSaidBy(page: Page, text: string): boolean {
  const own = `${headingOf(page)} ${page.title} ${pathOf(page.url)}`.toLowerCase()
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []
  return words.some((word) => own.includes(word.length > 5 ? word.slice(0, 5) : word))
}
