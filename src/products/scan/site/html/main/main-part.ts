import type { CheerioAPI } from 'cheerio'
import { isStyledAsButton, spokenText } from '../elements.ts'
import {
  around,
  type Element,
  isElement,
  isHidden,
  type LeftOut,
  labelOf,
  seenWithin,
  textWithin,
} from '../visible-text.ts'
import { countWords } from '../words.ts'
import { boxesBeside, linkedWords } from './boxes-beside.ts'
import { noticeWindows } from './notice-windows.ts'

/**
 * The structure of the main part of a page. Plain text does not show what follows which heading, and that
 * decides whether an answer can be cut out of the page.
 */
export interface MainPart {
  /** In order. The first one has level 0, for what stands before the first heading. */
  readonly sections: readonly Section[]
  readonly paragraphs: readonly string[]
  /** How many lists and tables there are, not counting those inside others. */
  readonly lists: number
  /** The text of the main part without samples of code: what was written for readers. */
  readonly prose: string
  /** Words in samples of code, and in links. */
  readonly codeWords: number
  readonly linkWords: number
  readonly links: number
}

export interface Section {
  /** The heading; undefined for what stands before the first one. */
  readonly node: Element | undefined
  /** 1 to 6 for a heading, 7 for a term or summary. */
  readonly level: number
  readonly heading: string
  /** Words between this heading and the next one, with samples of code. */
  readonly words: number
  readonly codeWords: number
  /** The heading is a link to another page, which has the text. */
  readonly isTeaser: boolean
}

/** The elements of the main part of a page, and which elements within them do not belong to it. */
export interface Main {
  readonly elements: readonly Element[]
  readonly isLeftOut: (element: Element) => boolean
}

/**
 * `main`, else the articles, else the body; but only where they hold most of the words, because some pages
 * mark only a few cards so. A header inside `main` or an article belongs to the main part, because it holds
 * the heading; a header of the body belongs to the site and is left out.
 */
export function findMain($: CheerioAPI): Main {
  const isAside = asideRule($)
  const body = findBody($, isAside)
  const bodyWords = countWords(textWithin(body.elements, body.isLeftOut))
  for (const selector of ['main, [role="main"]', 'article']) {
    const found = $(selector).toArray().filter(isElement)
    const all = new Set(found)
    const elements = found.filter((one) => !around(one).some((outer) => all.has(outer)) && !isHidden(one))
    const words = countWords(textWithin(elements, isAside))
    // The members of a team may be articles, and stand between other parts of the text.
    const share = selector === 'article' && elements.length > 1 ? 0.75 : 0.5
    if (words > 0 && words >= bodyWords * share && !(words < bodyWords * 0.75 && goesOn($, elements, body)))
      return { elements, isLeftOut: isAside }
  }
  return body
}

/** Whether the text goes on behind the element that is called its main part: two sections or more have an h2 there. */
function goesOn($: CheerioAPI, elements: readonly Element[], body: Main): boolean {
  const all = new Set(elements)
  const seen = seenWithin(body.elements, body.isLeftOut)
  const headings = $('h2')
    .toArray()
    .slice(0, 200)
    .filter((one) => seen.has(one) && !around(one).some((outer) => all.has(outer)))
  return headings.length >= 2
}

function findBody($: CheerioAPI, isAside: LeftOut): Main {
  const elements = $('body').toArray()
  // A header that is never closed holds the whole page, with its main heading.
  const holders = new Set(
    $('h1')
      .toArray()
      .slice(0, maxHolders)
      .flatMap((heading) => around(heading).filter(isSiteHeader)),
  )
  const isHolder = holdsMost(elements, [...holders])
  return {
    elements,
    isLeftOut: (element) =>
      isAside(element) ||
      (isSiteHeader(element) && !isHolder(element) && !(holders.has(element) && tells(element))),
  }
}

/** With the main heading and paragraphs, a header is the opening of its page. One with the menu may have a line of its own. */
function tells(header: Element): boolean {
  return countWords(textWithin(paragraphsIn(header))) >= (holdsMenu(header) ? 30 : 8)
}

function paragraphsIn(outer: Element): Element[] {
  return outer.children.flatMap((child) => {
    if (!isElement(child) || child.name === 'nav') return []
    return child.name === 'p' ? [child] : paragraphsIn(child)
  })
}

function holdsMost(bodies: readonly Element[], headers: readonly Element[]): LeftOut {
  const all = headers.length === 0 ? 0 : countWords(textWithin(bodies))
  const large = new Set(headers.filter((header) => countWords(textWithin([header])) * 2 > all))
  return (element) => large.has(element)
}

const maxHolders = 5

/** Recognizes what stands beside the content. A form around the whole page, as ASP.NET writes it, does not. */
export function asideRule($: CheerioAPI): (element: Element) => boolean {
  const wrapping = new Set<Element>()
  for (const element of $('h1, main, article').toArray()) {
    for (const outer of around(element)) if (outer.name === 'form') wrapping.add(outer)
  }
  const content = contentAsides($)
  const boxes = boxesBeside($)
  const notices = noticeWindows($)
  return (element) =>
    !content.has(element) &&
    (boxes.has(element) ||
      notices.has(element) ||
      asides.has(element.name) ||
      asideRoles.has(element.attribs.role ?? '') ||
      (element.name === 'form' && !wrapping.has(element)))
}

/**
 * An aside within the main element that holds most of its words: the description of a product beside its pictures. Left
 * out, the page would have no text of its own.
 */
function contentAsides($: CheerioAPI): ReadonlySet<Element> {
  const inMain = $('main aside, [role="main"] aside').toArray().filter(isElement).slice(0, maxHolders)
  if (inMain.length === 0) return new Set()
  const all = countWords(textWithin($('main, [role="main"]').toArray().slice(0, 1)))
  return new Set(inMain.filter((aside) => countWords(textWithin([aside])) * 2 > all && isProse(aside)))
}

/** Not a list of links. */
function isProse(aside: Element): boolean {
  return linkedWords(aside) * 2 < countWords(textWithin([aside]))
}

const asides: ReadonlySet<string> = new Set(['nav', 'footer', 'aside'])
const asideRoles: ReadonlySet<string> = new Set(['navigation', 'contentinfo', 'complementary', 'search'])

/** The header of a section holds its heading, and often its text. One with a menu is that of the site, wherever it stands. */
export function isSiteHeader(element: Element): boolean {
  if (element.attribs.role === 'banner') return true
  if (element.name !== 'header') return false
  return !around(element).some(({ name }) => name === 'section') || holdsMenu(element)
}

function holdsMenu(element: Element): boolean {
  return element.children.some((child) => isElement(child) && (child.name === 'nav' || holdsMenu(child)))
}

export function readMainPart(main: Main): MainPart {
  const seen = seenWithin(main.elements, main.isLeftOut)
  const sections: (Omit<Section, 'words' | 'codeWords'> & { words: number; codeWords: number })[] = [
    { node: undefined, level: 0, heading: '', words: 0, codeWords: 0, isTeaser: false },
  ]
  const paragraphs: string[] = []
  let lists = 0
  let codeWords = 0
  let linkWords = 0
  let links = 0
  // The tree is at most 512 deep (parse-html.ts), so recursion ends.
  const visit = (element: Element, isInList: boolean) => {
    const level = levelOf(element)
    if (level !== undefined) {
      sections.push({
        node: element,
        level,
        heading: textWithin([element]),
        words: 0,
        codeWords: 0,
        isTeaser: isTeaser(element),
      })
      return
    }
    if (isCode(element)) {
      const words = countWords(textWithin([element]))
      const section = sections.at(-1)
      if (section !== undefined) {
        section.words += words
        section.codeWords += words
      }
      codeWords += words
      return
    }
    if (element.name === 'a') links += 1
    if (element.name === 'a') linkWords += countWords(textWithin([element]))
    const isList = listNames.has(element.name)
      ? !isLayout(element) && !isOutline(element) && !isMenu(element) && hasItems(element)
      : listRoles.has(element.attribs.role ?? '')
    if (isList && !isInList) lists += 1
    if (element.name === 'p') paragraphs.push(textWithin([element], main.isLeftOut))
    for (const child of element.children) {
      const section = sections.at(-1)
      if (child.type === 'text' && section !== undefined && !isButton(element))
        section.words += countWords(child.data)
      if (isElement(child) && seen.has(child)) visit(child, isInList || isList)
    }
  }
  for (const element of seen)
    if (!isElement(element.parent) || !seen.has(element.parent)) visit(element, false)
  const prose = textWithin(main.elements, (element) => main.isLeftOut(element) || isCode(element))
  return { sections, paragraphs, lists, prose, codeWords, linkWords, links }
}

/** Whether a section is no title of the page. Of several main headings each stands above a part of its own. */
export function isBelowTitle(section: Section, all: readonly Section[]): boolean {
  return section.level > 1 || (section.level === 1 && all.some((one) => one !== section && one.level === 1))
}

/** "Book now" below an answer is no part of it. */
function isButton(element: Element): boolean {
  return element.name === 'button' || (element.name === 'a' && isStyledAsButton(element))
}

function isCode({ name }: Element): boolean {
  return name === 'pre'
}

/** The heading of a list of articles: it stands in a link to one, or holds nothing else. */
export function isTeaser(heading: Element): boolean {
  const inner = heading.children.filter((child) => isElement(child) || textOf(child) !== '')
  const [only] = inner
  const link = around(heading)
    .slice(0, 4)
    .concat(inner.length === 1 && only !== undefined && isElement(only) ? [only] : [])
    .find(({ name }) => name === 'a')
  const target = link?.attribs.href?.trim() ?? ''
  return target !== '' && !/^(?:#|javascript:)/i.test(target)
}

function textOf(node: Element['children'][number]): string {
  return node.type === 'text' ? node.data.trim() : ''
}

const listNames: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'table'])
const listRoles: ReadonlySet<string> = new Set(['list', 'table', 'grid'])

/**
 * One item in a list of its own is a mark of the design: what is listed has two or more. Items without a word are pictures,
 * and those that a script will fill in hold nothing yet.
 */
function hasItems(list: Element): boolean {
  if (list.name === 'table') return !unfilled.test(labelOf(list))
  return list.children.filter((child) => isElement(child) && labelOf(child) !== '').length >= 2
}

const unfilled = /^\s*$|\{\{[^{}]{1,100}\}\}/

/** A table that lays out the page, as was done until 2005: it holds headings, lists or other tables. */
function isLayout(element: Element): boolean {
  if (element.name !== 'table') return false
  let left = maxLayoutNodes
  const holds = (outer: Element): boolean =>
    outer.children.some((child) => {
      left -= 1
      if (left < 0 || !isElement(child)) return false
      return layoutNames.has(child.name) || holds(child)
    })
  if (element.attribs.role === 'presentation') return true
  // A small one orders facts below headings, as a list of prices does.
  return holds(element) && countWords(textWithin([element])) > 150
}

/** A list around a whole document, whose items hold the lists that a reader sees: "1. Install", with its steps. */
function isOutline(element: Element): boolean {
  if (!/^[uo]l$/.test(element.name)) return false
  let left = maxLayoutNodes
  const listsIn = (outer: Element): number =>
    outer.children.reduce((sum, child) => {
      left -= 1
      if (left < 0 || !isElement(child)) return sum
      return sum + (/^[uo]l$/.test(child.name) ? 1 : listsIn(child))
    }, 0)
  return listsIn(element) > 0 && countWords(spokenText(element, maxListNodes)) > maxListWords
}

/** Three entries or more, each of which is a link and nothing else: they lead to other pages, and order nothing on this one. */
function isMenu(element: Element): boolean {
  if (!/^[uo]l$/.test(element.name)) return false
  const items = element.children.filter(isElement).slice(0, maxItems)
  return items.length >= 3 && items.every(isLinkAlone)
}

function isLinkAlone({ children }: Element): boolean {
  const inner = children.filter((child) => isElement(child) || textOf(child) !== '')
  const [link] = inner
  return inner.length === 1 && link !== undefined && isElement(link) && link.name === 'a'
}

const maxItems = 200

/** More words than this make a document of a list. */
const maxListWords = 1_000
const maxListNodes = 2_000

const maxLayoutNodes = 300
const layoutNames: ReadonlySet<string> = new Set([
  'table',
  'ul',
  'ol',
  'dl',
  'h1',
  'h2',
  'h3',
  'form',
  'article',
])

function levelOf(element: Element): number | undefined {
  const { name, attribs } = element
  if (/^h[1-6]$/.test(name)) return Number(name.slice(1))
  if (name === 'dt' || name === 'summary') return 7
  // A button that unfolds an answer.
  const isButton = name === 'button' || attribs.role === 'button'
  return isButton && /[?？؟]\P{L}{0,3}$/u.test(textWithin([element])) ? 7 : undefined
}
