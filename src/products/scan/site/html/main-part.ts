import type { CheerioAPI } from 'cheerio'
import { around, type Element, isElement, isHidden, seenWithin, textWithin } from './visible-text.ts'
import { countWords } from './words.ts'

/**
 * How the main part of a page is built: its sections with their lengths, its paragraphs, its lists and tables.
 * The plain text of a page no longer shows what follows which heading, and that is what decides whether an
 * answer can be cut out of it.
 */
export interface MainPart {
  /** In order; one of level 0 first, for what stands before the first heading. */
  readonly sections: readonly Section[]
  readonly paragraphs: readonly string[]
  /** Lists and tables; one inside another is not counted again. */
  readonly lists: number
}

interface Section {
  /** 1 to 6 of a heading, 7 of a term or summary that opens its own text. */
  readonly level: number
  readonly heading: string
  /** Words from there to the next heading, without its own. */
  readonly words: number
}

/** The first paragraph with words after the first main heading, or of the page when it has no such heading. */
export function firstParagraph({ $ }: { readonly $: CheerioAPI }): string | undefined {
  const elements = [...seenWithin($('body').toArray(), asideRule($))]
  const top = elements.findIndex((element) => element.name === 'h1' && textWithin([element]) !== '')
  for (const element of elements.slice(top + 1)) {
    const text = element.name === 'p' ? textWithin([element]) : ''
    if (countWords(text) > 0) return text
  }
  return undefined
}

/** Where the main part of a page stands, and what within it is none of it. */
export interface Main {
  readonly elements: readonly Element[]
  readonly isLeftOut: (element: Element) => boolean
}

/**
 * `main`, else the articles, else the body. A header inside main or an article holds its heading and stays;
 * one outside is the site's and goes.
 */
export function findMain($: CheerioAPI): Main {
  const isAside = asideRule($)
  for (const selector of ['main, [role="main"]', 'article']) {
    const found = $(selector).toArray().filter(isElement)
    const all = new Set(found)
    const elements = found.filter((one) => !around(one).some((outer) => all.has(outer)) && !isHidden(one))
    if (textWithin(elements, isAside) !== '') return { elements, isLeftOut: isAside }
  }
  return {
    elements: $('body').toArray(),
    isLeftOut: (element) => isAside(element) || isSiteHeader(element),
  }
}

/** What stands beside the content. A form around the whole page (ASP.NET writes one) is not beside it. */
export function asideRule($: CheerioAPI): (element: Element) => boolean {
  const wrapping = new Set<Element>()
  for (const element of $('h1, main, article').toArray()) {
    for (const outer of around(element)) if (outer.name === 'form') wrapping.add(outer)
  }
  return (element) =>
    asides.has(element.name) ||
    asideRoles.has(element.attribs.role ?? '') ||
    (element.name === 'form' && !wrapping.has(element))
}

const asides: ReadonlySet<string> = new Set(['nav', 'footer', 'aside'])
const asideRoles: ReadonlySet<string> = new Set(['navigation', 'contentinfo', 'complementary', 'search'])

function isSiteHeader({ name, attribs }: Element): boolean {
  return name === 'header' || attribs.role === 'banner'
}

export function readMainPart(main: Main): MainPart {
  const seen = seenWithin(main.elements, main.isLeftOut)
  const sections: { level: number; heading: string; words: number }[] = [{ level: 0, heading: '', words: 0 }]
  const paragraphs: string[] = []
  let lists = 0
  // The tree is at most 512 deep (parse-html.ts), so recursion ends.
  const visit = (element: Element, isInList: boolean) => {
    const level = levelOf(element)
    if (level !== undefined) {
      sections.push({ level, heading: textWithin([element]), words: 0 })
      return
    }
    const isList = listNames.has(element.name)
    if (isList && !isInList) lists += 1
    if (element.name === 'p') paragraphs.push(textWithin([element], main.isLeftOut))
    for (const child of element.children) {
      const section = sections.at(-1)
      if (child.type === 'text' && section !== undefined) section.words += countWords(child.data)
      if (isElement(child) && seen.has(child)) visit(child, isInList || isList)
    }
  }
  for (const element of seen)
    if (!isElement(element.parent) || !seen.has(element.parent)) visit(element, false)
  return { sections, paragraphs, lists }
}

const listNames: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'table'])

function levelOf({ name }: Element): number | undefined {
  if (/^h[1-6]$/.test(name)) return Number(name.slice(1))
  return name === 'dt' || name === 'summary' ? 7 : undefined
}
