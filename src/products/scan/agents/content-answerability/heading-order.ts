import { languageOf } from '../../signals/page-language.ts'
import { shownInQuotes } from '../../site/addresses.ts'
import { spokenText } from '../../site/html/elements.ts'
import { isLogoHeading } from '../../site/html/main/logo-headings.ts'
import { asideRule } from '../../site/html/main/main-part.ts'
import {
  around,
  type Element,
  isElement,
  labelOf,
  type Node,
  seenWithin,
  textWithin,
} from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import type { Page } from '../../site/site.ts'

/**
 * What is wrong with the headings of a page, in document order: each heading that skips a level, with the level that it
 * should have, or the passage that is too long without one. All of them are listed, because a heading that gets another
 * level changes what is right for the headings below it.
 */
export function headingFaults(page: Page): readonly string[] {
  return [...skippedLevels(outlineOf(page)), ...longPassages(page)]
}

interface Heading {
  readonly level: number
  readonly text: string
  /** Why it heads nothing, and is a paragraph in truth. */
  readonly misuse: string | undefined
}

function skippedLevels(written: readonly Heading[]): string[] {
  if (orderedLevels(written).every((level, place) => level === written[place]?.level)) return []
  // Another check asks for one h1. The others become h2, and what stands below them keeps below them.
  // One without text, such as a logo, is no heading that the message could name, so it keeps its level.
  const start = written.findIndex(
    ({ level, text, misuse }) => level === 1 && text !== '' && misuse === undefined,
  )
  const outline = written.map((heading, place) =>
    heading.level === 1 && heading.text !== '' && place !== start ? { ...heading, level: 2 } : heading,
  )
  const headings = outline.filter(({ misuse }) => misuse === undefined)
  // A text at a wrong level becomes a paragraph, and is no level for what stands below it.
  const levels = orderedLevels(headings)
  const texts = new Set(headings.filter(({ level, text }, place) => isText(text) && levels[place] !== level))
  const kept = headings.filter((one) => !texts.has(one))
  const wanted = new Map(orderedLevels(kept).map((level, place) => [kept[place], level]))
  const changed = written.flatMap(({ level, text, misuse }, place) => {
    const one = outline[place]
    const right = wanted.get(one) ?? level
    const isTextNow = one !== undefined && texts.has(one)
    if ((right === level && misuse === undefined && !isTextNow) || text === '') return []
    const skip = skipOf(level, written[place - 1]?.level)
    return [`h${level} "${shownInQuotes(text, 80)}"${skip} becomes ${changeOf(isTextNow, right, misuse)}`]
  })
  const all = [...Map.groupBy(changed, (one) => one)].map(([one, { length }]) =>
    length === 1 ? one : `${one} (${length} times)`,
  )
  return all.length <= maxListed
    ? all
    : [
        ...all.slice(0, maxListed),
        `${all.length - maxListed} more headings below these change, each to the next level that is free`,
      ]
}

function changeOf(isTextNow: boolean, level: number, misuse: string | undefined): string {
  if (misuse !== undefined) return `a paragraph, because ${misuse}`
  return isTextNow ? 'a paragraph, because it is a text' : `h${level}`
}

/** A heading is shorter. */
function isText(text: string): boolean {
  return countWords(text) >= 15
}

/** Whether a fault is a heading that gets another level, and no passage that is too long. */
export function isLevelChange(fault: string): boolean {
  return / becomes (?:h\d(?: \(\d+ times\))?$|a paragraph)/.test(fault)
}

/** Why a heading changes; empty where only one above it does. */
function skipOf(level: number, above: number | undefined): string {
  if (above === undefined) return ' is the first heading, and'
  return level > above + 1 ? ` follows an h${above}, and` : ''
}

const maxListed = 40

/**
 * The levels that keep the order of the page and skip none. A page without an h1 is reported elsewhere, so its first
 * heading keeps its level unless all are small. One without text yet is not judged.
 */
function orderedLevels(outline: readonly Heading[]): number[] {
  const hasLarge = outline.some(({ level }) => level < 4)
  const above: { readonly level: number; readonly right: number }[] = []
  return outline.map(({ level, text }) => {
    while ((above.at(-1)?.level ?? 0) >= level) above.pop()
    const parent = above.at(-1)
    const isKept = text === '' || (parent === undefined && hasLarge)
    const right = isKept ? level : Math.min(level, (parent?.right ?? 1) + 1)
    above.push({ level, right })
    return right
  })
}

/** Chinese and Japanese words have about two characters, each of which is counted. */
function isUnspaced(page: Page): boolean {
  return ['zh', 'ja'].includes(languageOf(page).code ?? '')
}

/** More words than this make a passage too long to quote. */
export const maxWordsBetweenHeadings = 400

/** The list of sources at the end of an article, which nobody reads as one text: "References", "مراجع …". */
const sources =
  /^(?:references|bibliography|literatur(?:verzeichnis)?|quellen(?:verzeichnis)?|références|bibliographie|referencias|bibliografía|riferimenti|bibliografia|referências|referenties|literatuur|kaynaklar|kaynakça|список литературы|литература|(?:ال)?مراجع|(?:ال)?مصادر|参考文献|참고 ?문헌)(?!\p{L})/iu

/** Each by what stands before it, so that a writer finds all of them. */
function longPassages(page: Page): readonly string[] {
  const limit = maxWordsBetweenHeadings * (isUnspaced(page) ? 2 : 1)
  const openings = new Set<string>()
  let words = 0
  let opening = 'the top of the page'
  let isOfSources = false
  for (const section of page.mainPart.sections) {
    // A term or a question that unfolds its answer parts the text as a heading does.
    if (section.level > 0) {
      words = 0
      opening = `"${shownInQuotes(section.heading, 80)}"`
      isOfSources = sources.test(section.heading.trim().slice(0, 100))
    }
    if (isOfSources) continue
    words += section.words - section.codeWords
    if (words > limit) openings.add(opening)
  }
  return [...openings].slice(0, maxPassages).map((one) => `${longPassageBegins}${one}`)
}

const maxPassages = 10

/** What stands before the place of a long passage in the words of its fault. */
export const longPassageBegins = `more than ${maxWordsBetweenHeadings} words of text without a subheading after `

/**
 * All visible headings in document order, also those in a header or beside a main element. One that a script fills later
 * has no text yet, and still is a level.
 */
function outlineOf({ $, url }: Page): Heading[] {
  const seen = seenWithin($('body').toArray(), asideRule($))
  const elements = $('h1, h2, h3, h4, h5, h6')
    .toArray()
    .slice(0, 2_000)
    .filter((element) => seen.has(element) && !isLabelOfButton(element))
  const rows = rowsOfFigures(elements)
  const mains = elements.filter(({ name }) => name === 'h1')
  const inHomeLinks = mains.filter(isInHomeLink)
  // Where the page has a main heading of its own. On the home page the name may be the one that stays.
  const isHome = leadsHome.test(url)
  const banners = new Set(!isHome && inHomeLinks.length < mains.length ? inHomeLinks : [])
  const named = mains.filter(isLogoHeading)
  const logos = new Set(named.length < mains.length ? named : [])
  return elements
    .map((element) => ({
      level: Number(element.name.slice(1)),
      text: labelOf(element) || spokenText(element),
      misuse: banners.has(element) ? siteName : logos.has(element) ? siteLogo : misuseOf(element, rows),
    }))
    .filter(({ text }) => !text.startsWith('©') && !commentForm.test(text))
}

/** @param rows of figures, see `rowOf`. */
function misuseOf(heading: Element, rows: ReadonlySet<unknown>): string | undefined {
  if (isKicker(heading)) return 'a larger heading follows at once'
  if (rows.has(rowOf(heading))) return 'it stands in a row of figures'
  if (/^0+$/.test(spokenText(heading))) return 'it is a figure'
  return signature.test(spokenText(heading)) ? 'it signs a quotation' : undefined
}

/** The name of the site in a banner, within the link to the home page. */
function isInHomeLink(heading: Element): boolean {
  return [...around(heading).slice(0, 3), ...heading.children.filter(isElement)].some(
    ({ name, attribs }) => name === 'a' && leadsHome.test((attribs.href ?? '').trim().slice(0, 200)),
  )
}

const siteName = 'it is the name of the site, and leads to the home page'
const siteLogo = 'it is the name of the site in its header'
const leadsHome = /^(?:https?:\/\/[^/]+)?\/?(?:\.{0,2}\/)*(?:index\.\w{2,5})?$/i

/** Where two headings or more are figures, such as "10+" and "2000+" above what they count. */
function rowsOfFigures(headings: readonly Element[]): ReadonlySet<unknown> {
  const figures = headings.filter((heading) => isFigure.test(spokenText(heading)))
  const rows = Map.groupBy(figures, rowOf)
  return new Set([...rows].flatMap(([row, { length }]) => (length > 1 ? [row] : [])))
}

/** Each figure stands in a box of its own, and the boxes in one row. */
function rowOf({ parent }: Element): unknown {
  return parent?.parent
}

/** "- Ann, Totnes" below what she said. */
const signature = /^\s*[-–—~]\s?\p{Lu}/u

/** A year may head a part of a history. */
const isFigure = /^(?!(?:19|20)\d\d$|\d$)[+~>]?\d[\d.,]*\s?(?:[+%★/]\s?\d{0,3}|k|m)?\+?$/i

/**
 * Whether it is a short line above a larger heading, as designs have them: "OUR SERVICES" in an h5, and the h2 below. It
 * begins its part of the page, and the next thing there is the heading.
 */
function isKicker(heading: Element): boolean {
  if (besideIt(heading, 'previousSibling') !== null) return false
  const next = besideIt(heading, 'nextSibling')
  return isElement(next) && /^h[1-6]$/.test(next.name) && next.name < heading.name
}

/** The nearest sibling with text; null where there is none. Behind ten without text, such as icons, the eleventh is taken. */
function besideIt(element: Element, side: 'previousSibling' | 'nextSibling'): Node | null {
  let one: Node | null = element[side]
  for (let passed = 0; one !== null && passed < 10 && isBlank(one); passed += 1) one = one[side]
  return one
}

function isBlank(node: Node): boolean {
  if (isElement(node)) return textWithin([node]) === ''
  return node.type !== 'text' || node.data.trim() === ''
}

/** A button may hold no heading, and its label begins no part of the text, unless the button unfolds one. */
function isLabelOfButton(heading: Element): boolean {
  const button = around(heading).find(({ name }) => name === 'button')
  return button !== undefined && !unfolds.some((name) => button.attribs[name] !== undefined)
}

const unfolds = ['aria-expanded', 'aria-controls', 'data-toggle', 'data-bs-toggle']

/** A theme writes these headings above its form for comments. */
const commentForm =
  /^(?:leave a (?:reply|comment)|post a comment|schreibe? (?:einen )?kommentar|(?:kommentar|antwort) (?:verfassen|schreiben)|laisser un commentaire|deja (?:un comentario|una respuesta)|lascia un commento|geef een reactie)/i
