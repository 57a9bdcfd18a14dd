import type { CheerioAPI } from 'cheerio'
import { spokenText } from './elements.ts'
import { asideRule, isSiteHeader, isTeaser } from './main/main-part.ts'
import { isCard, isNoise, isNotices, sendsElsewhere } from './opening-noise.ts'
import { type TextBlock, textBlocks } from './text-blocks.ts'
import { around, type Element, isElement } from './visible-text.ts'
import { countWords } from './words.ts'

/**
 * How a page begins for its readers: its first running text. Names, mottos, offers, cards and copyright lines stand
 * above it on most pages, and each of them, taken for the opening, makes a false verdict.
 */
export type Opening =
  | {
      readonly kind: 'prose'
      /** The first paragraph, and those that follow it under the same heading. */
      readonly paragraphs: readonly TextBlock[]
      /** Where no main heading and no main element shows where the page begins: the paragraphs further down. */
      readonly later: readonly TextBlock[]
      readonly hasTop: boolean
      /** Above it stands a text that may be the opening, too. */
      readonly isDoubtful: boolean
    }
  /** The page has no paragraph, only lines such as a name or a place. */
  | { readonly kind: 'lines'; readonly first: TextBlock; readonly hasTop: boolean }
  /** There is text, of which no part is surely a paragraph. */
  | { readonly kind: 'unclear' }
  | { readonly kind: 'none'; readonly hasTop: boolean }

export function findOpening({ $ }: { readonly $: CheerioAPI }): Opening {
  const all = textBlocks($('body').toArray(), asideRule($))
  const holders = new Set($('h1, main, [role="main"]').toArray().slice(0, maxHolders).flatMap(around))
  const tops = new Set($('h1').toArray().filter(hasName))
  const first = all.findIndex(({ element, level }) => level === 1 && tops.has(element))
  const hasTop = tops.size > 0
  if (first !== -1) return read(all.slice(first + 1), { isSure: true, hasTop, holders })
  // A main heading that is a picture has no text of its own.
  const [top] = hasTop ? [...tops] : $('main, [role="main"], article').toArray()
  const start = top === undefined ? -1 : all.findIndex((block) => isWithin(block.element, top))
  const isSure = start !== -1 && top?.name !== 'article'
  return read(start === -1 ? all : all.slice(start), { isSure, hasTop, holders })
}

/** The paragraphs above the main heading, where a design has the text before its heading. */
export function proseAbove({ $ }: { readonly $: CheerioAPI }): readonly TextBlock[] {
  const all = textBlocks($('body').toArray(), asideRule($))
  const holders = new Set($('h1, main, [role="main"]').toArray().slice(0, maxHolders).flatMap(around))
  const top = all.findIndex(({ element, level }) => level === 1 && hasName(element))
  return all
    .slice(0, Math.max(0, Math.min(top, maxBlocks)))
    .filter((block) => block.level === undefined && roleOf(block, holders) === 'prose')
}

/** The second heading, where it stands right below the main one: many a design has its first sentence there. */
export function lineBelowTop({ $ }: { readonly $: CheerioAPI }): readonly TextBlock[] {
  const all = textBlocks($('body').toArray(), asideRule($))
  const top = all.findIndex(({ element, level }) => level === 1 && hasName(element))
  const next = top === -1 ? undefined : all[top + 1]
  return next?.level !== undefined && next.level > 1 ? [next] : []
}

const maxHolders = 20

function hasName(heading: Element): boolean {
  return spokenText(heading, 100) !== ''
}

function isWithin(element: Element, outer: Element): boolean {
  return element === outer || around(element).includes(outer)
}

interface Start {
  readonly isSure: boolean
  readonly hasTop: boolean
  /** What holds the main heading or the main element is no part beside the text. */
  readonly holders: ReadonlySet<Element>
}

function read(blocks: readonly TextBlock[], { isSure, hasTop, holders }: Start): Opening {
  const paragraphs: TextBlock[] = []
  const later: TextBlock[] = []
  let notice: TextBlock | undefined
  let line: TextBlock | undefined
  let isAmongNotices = false
  let isUnclear = false
  let isOver = false
  for (const block of blocks.slice(0, maxBlocks)) {
    if (block.level !== undefined) {
      isOver ||= paragraphs.length > 0 && block.level > 1
      if (isOver && isSure) break
      isAmongNotices = isNotices(block.text)
      continue
    }
    const role = roleOf(block, holders)
    if (role === 'prose' && isAmongNotices) notice ??= block
    else if (role === 'prose') (isOver ? later : paragraphs).push(block)
    if (role === 'elsewhere') notice ??= block
    if (role === 'line') line ??= block
    if (role === 'unclear' && paragraphs.length === 0) isUnclear = true
    isOver ||= paragraphs.length === 3
    if (isOver && (isSure || later.length === 10)) break
  }
  if (paragraphs.length > 0) return { kind: 'prose', paragraphs, later, hasTop, isDoubtful: isUnclear }
  if (isUnclear) return { kind: 'unclear' }
  if (notice !== undefined) return { kind: 'prose', paragraphs: [notice], later, hasTop, isDoubtful: false }
  return line === undefined ? { kind: 'none', hasTop } : { kind: 'lines', first: line, hasTop }
}

type Role = 'prose' | 'elsewhere' | 'line' | 'unclear' | 'noise'

function roleOf(block: TextBlock, holders: ReadonlySet<Element>): Role {
  const place = placeOf(block.element, holders)
  const words = countWords(block.text)
  if (words === 0 || isNoise(block.text) || block.linkWords * 2 > words || place.isTeaser) return 'noise'
  if (place.isAside || (words < 12 && place.isHeader)) return words >= 20 ? 'unclear' : 'noise'
  if (place.isCard || place.isListed) return words >= 12 ? 'unclear' : 'line'
  if (!isProse(block, words)) return words >= 20 && block.element.name !== 'p' ? 'unclear' : 'line'
  return words < 40 && sendsElsewhere(block.text) ? 'elsewhere' : 'prose'
}

/** What opens a page stands near its beginning. */
const maxBlocks = 200

/** A paragraph, or another box with a whole sentence. A cell with a price, a name or a date is none. */
function isProse({ element, text }: TextBlock, words: number): boolean {
  const ends = /[.!?…。！？।]["'”’»)\]]{0,3}$/u.test(text)
  // Thai and its neighbours write no full stops.
  const hasSentence = ends || /[.!?。！？।](?:\s|$)|[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]{30}/u.test(text)
  // "Ven–Dom · Via Roma 12 · Asti": facts in a row.
  const isRow = (text.match(/\s[·•|–]\s/gu)?.length ?? 0) >= 2 && !ends
  if (element.name === 'p')
    return !isRow && ((hasSentence && words >= 4) || words >= (verb.test(text) ? 10 : 19))
  return !isRow && hasSentence && words >= (ends ? 6 : 12)
}

/** A line with one of them says something, whether or not a full stop ends it. */
const verb =
  /(?<![\p{L}\p{N}])(?:is|are|was|were|has|have|will|offers?|provides?|takes place|ist|sind|war|hat|haben|wird|werden|findet|bietet|bieten|est|sont|aura|auront|sera|seront|propose|proposons|es|son|tiene|será|ofrece|ofrecemos|è|sono|sarà|offre|offriamo|é|são|tem|oferece|oferecemos|heeft|zijn|biedt|bieden|wordt|является|предлагает)(?![\p{L}\p{N}])/iu

interface Place {
  /** In a notice about cookies, an offer above the page, or another part that is not its text. */
  readonly isAside: boolean
  readonly isHeader: boolean
  readonly isListed: boolean
  /** One of several boxes of a kind, each with a heading or a link: a card that announces something else. */
  readonly isCard: boolean
  /** In the list entry of another page. */
  readonly isTeaser: boolean
}

function placeOf(element: Element, holders: ReadonlySet<Element>): Place {
  const outer = [element, ...around(element)]
  const isBeside = (one: Element) =>
    one.name !== 'body' && !holders.has(one) && (asideNames.has(one.name) || isNamedBeside(one))
  return {
    isAside: outer.some(isBeside),
    isHeader: outer.some(isSiteHeader),
    isListed: outer.some(({ name }) => listNames.has(name)),
    isCard: outer.slice(0, 6).some(isCard),
    isTeaser: isBelowTeaser(outer),
  }
}

function isNamedBeside({ attribs }: Element): boolean {
  return `${attribs.id ?? ''} ${attribs.class ?? ''}`
    .slice(0, 300)
    .split(/\s+/)
    .some((name) => besideText.test(name))
}

const asideNames: ReadonlySet<string> = new Set(
  'button figcaption figure blockquote address label select option textarea summary legend caption'.split(
    ' ',
  ),
)
const listNames: ReadonlySet<string> = new Set(['li', 'dt', 'dd', 'th', 'details', 'menu'])

/** Names that authors give to parts which stand beside the text of a page. */
const besideText =
  /^(?!(?:has|with|no)[-_])(?:[a-z]{1,12}[-_]){0,2}(?:cookies?|consent|gdpr|announcements?|promo[-_]?(?:bar|banner)|offer[-_]?(?:bar|banner)|(?:sale|info|notice|alert|top)[-_]?bar|ticker|marquee|breadcrumbs?|skip[-_]?(?:link|to\w*)|copyright|newsletter|footer|sidebar|navbar|navigation)(?:[-_](?:bar|banner|notice|text|wrapper|container|inner|content|box))?$/i

/** An article among others with a date or a link as its heading announces another page. */
function isBelowTeaser(outer: readonly Element[]): boolean {
  const article = outer.find(({ name }) => name === 'article')
  return article !== undefined && isAmongArticles(article) && announces(article)
}

function isAmongArticles({ next, prev }: Element): boolean {
  const isArticle = (node: unknown) => isElement(node) && node.name === 'article'
  // Beside an article there may be a line break in the source.
  return [next, next?.next, prev, prev?.prev].some(isArticle)
}

function announces(element: Element): boolean {
  return element.children.some(
    (child) =>
      isElement(child) &&
      (child.name === 'time' ||
        (element.name === 'article' && child.name === 'a') ||
        (/^h[1-6]$/.test(child.name) && isTeaser(child)) ||
        announces(child)),
  )
}
