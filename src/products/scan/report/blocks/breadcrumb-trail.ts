import { isGenericLinkText } from '../../agents/content-answerability/generic-link-texts.ts'
import { ownNameOf } from '../../signals/page-name.ts'
import { addressKey, pathOf, shown } from '../../site/addresses.ts'
import { streetsIn } from '../../site/contact/street-address.ts'
import type { Step } from '../../site/shown-trail.ts'
import type { Page, Site } from '../../site/site.ts'

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
  return parts.find((part) => !others.some((known) => known.has(part))) ?? ownPart(page, pages)
}

/** "Root canals" of "Root canals | Lind Dental", where another page has the same title. */
function ownPart(page: Page, pages: readonly Page[]): string {
  const name = ownNameOf(page, pages)
  return name === page.title ? (partsOf(name)[0] ?? name) : name
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
