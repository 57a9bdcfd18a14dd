import type { CheerioAPI } from 'cheerio'

/**
 * The visible text of parts of a page. Hidden text and text for programs must not count as content, because a
 * site could otherwise show one thing to people and be measured by another. The tree is at most 512 deep
 * (`parse-html.ts`), so walking it by recursion is safe.
 */

export type Node = ReturnType<CheerioAPI['root']>[number]['children'][number]
export type Element = Extract<Node, { readonly attribs: unknown }>

export function isElement(node: unknown): node is Element {
  return typeof node === 'object' && node !== null && 'attribs' in node
}

/** The visible text of elements in their order, white space collapsed, with a space between blocks. */
export function textWithin(elements: readonly Element[], isLeftOut: LeftOut = () => false): string {
  const pieces: string[] = []
  for (const element of elements) walk(element, isLeftOut, (text) => pieces.push(text))
  return oneLine(withNumbersApart(pieces).join(''))
}

/**
 * Sets numbers apart that stand in two elements without a space, as in `<time>30 Jul 2026</time>6 min read`: style sheets
 * draw a gap there, and read as one they are a third number. Short ones are the digits of a counter.
 * A label and its value are such a pair, too: "Sessions" and "50 minutes".
 */
function withNumbersApart(pieces: readonly string[]): string[] {
  let last = ''
  return pieces.flatMap((piece) => {
    if (piece === '') return []
    const isStuck =
      (/\d$/.test(last) && /^\d/.test(piece) && last.trim().length + piece.trim().length > 4) ||
      (/\p{L}{3}$/u.test(last) && /^\d{1,4}\s\p{L}/u.test(piece))
    last = piece
    return isStuck ? [' ', piece] : [piece]
  })
}

/**
 * The same text by lines, as a reader sees them: blocks and line breaks end a line, the cells of a row share one. A
 * quote from the whole text would join the end of one block to the beginning of the next.
 */
export function linesWithin(elements: readonly Element[], isLeftOut: LeftOut = () => false): string[] {
  const pieces: string[] = []
  for (const element of elements) walk(element, isLeftOut, (text) => pieces.push(text))
  return pieces
    .join('')
    .split(lineEnd)
    .map(oneLine)
    .filter((line) => line !== '')
}

/**
 * The visible text of one of many elements, cut after 10,000 characters. A hostile page nests hundreds of
 * them around all of its text, and each would hold that text again.
 */
export function labelOf(element: Element): string {
  let text = ''
  walk(
    element,
    () => false,
    (piece) => {
      if (text.length < maxLabelCharacters) text += piece.slice(0, maxLabelCharacters - text.length)
    },
  )
  return oneLine(text)
}

const maxLabelCharacters = 10_000

/** Recognizes elements to leave out in addition to the invisible ones. */
export type LeftOut = (element: Element) => boolean

/** All elements whose text `textWithin` would return, including the given ones. */
export function seenWithin(elements: readonly Element[], isLeftOut: LeftOut = () => false): Set<Element> {
  const seen = new Set<Element>()
  for (const element of elements) {
    walk(
      element,
      isLeftOut,
      () => {},
      (one) => seen.add(one),
    )
  }
  return seen
}

function walk(
  node: Node,
  isLeftOut: LeftOut,
  onText: (text: string) => void,
  onElement: (element: Element) => void = () => {},
): void {
  if (node.type === 'text') onText(node.data.replaceAll(lineEnd, ' '))
  if (!isElement(node) || isUnseen(node) || isLeftOut(node) || isIconName(node)) return
  onElement(node)
  const gap = gapOf(node)
  onText(gap)
  for (const child of node.children) walk(child, isLeftOut, onText, onElement)
  onText(gap)
}

/** White space for `oneLine`, and in no text of a page. */
const lineEnd = '\u2029'

function gapOf({ name }: Element): string {
  if (inline.has(name)) return ''
  return name === 'td' || name === 'th' ? ' ' : lineEnd
}

/** Whether the element or one around it is invisible. */
export function isHidden(element: Element): boolean {
  return isUnseen(element) || around(element).some(isUnseen)
}

/** The element right before it, within the same one. */
export function elementBefore(element: Element): Element | undefined {
  for (let one = element.previousSibling; one !== null; one = one.previousSibling)
    if (isElement(one)) return one
  return undefined
}

/**
 * The elements around it, from the inside out. cheerio's `parents()` takes minutes on a page of many
 * elements.
 */
export function around(element: Element): Element[] {
  const outer: Element[] = []
  for (let one = element.parent; isElement(one); one = one.parent) outer.push(one)
  return outer
}

/** Those that stand in none of the others. With the inner ones, a text would be read once for each element around it. */
export function outermost(elements: readonly Element[]): readonly Element[] {
  const all = new Set(elements)
  return elements.filter((element) => !around(element).some((outer) => all.has(outer)))
}

/**
 * Whether an element is not shown or holds no text: by its kind, `hidden`, aria-hidden or its own style.
 * Style sheets are not read.
 */
export function isUnseen(element: Element): boolean {
  const { name, attribs } = element
  return (
    notText.has(name) ||
    'hidden' in attribs ||
    (attribs['aria-hidden']?.trim().toLowerCase() === 'true' && !isFigure(element)) ||
    (name === 'dialog' && !('open' in attribs)) ||
    isStyledAway(attribs.style) ||
    (isClassedAway(attribs.class) && !isPanel(element)) ||
    isWithoutScripts(element)
  )
}

/** Bootstrap's `d-none`, unless a class such as `d-md-block` shows the element on some screens. */
function isClassedAway(classes: string | undefined): boolean {
  if (classes === undefined || !classes.includes('d-none')) return false
  const names = classes.slice(0, 1_000).split(/\s+/)
  return names.includes('d-none') && !names.some((name) => /^d-(?:sm|md|lg|xl|xxl|print)-(?!none)/.test(name))
}

/**
 * One of several parts that a click shows in turn: others beside it have the class, too, and one has not. What tells how a
 * form was sent is hidden in the same way, and is no text of the page.
 */
function isPanel({ name, attribs, parent }: Element): boolean {
  if (!isElement(parent) || ofStatus.test((attribs.class ?? '').slice(0, 300))) return false
  const alike = parent.children
    .slice(0, maxPanels)
    .filter((one): one is Element => isElement(one) && one.name === name)
  const closed = alike.filter((one) => isClassedAway(one.attribs.class)).length
  return closed >= 2 && closed < alike.length
}

const maxPanels = 60
const ofStatus =
  /(?:^|[\s_-])(?:alert|message|msg|error|success|invalid|spinner|load(?:er|ing)?|modal|toast|popup|overlay)(?:$|[\s_-])/i

/** What a theme shows to browsers that run no scripts: it has a class for that, as the root has until a script takes it off. */
export function isWithoutScripts({ name, attribs }: Element): boolean {
  return (
    name !== 'html' &&
    name !== 'body' &&
    /(?:^|\s)(?:no-?js|no-?script)(?:\s|$)/i.test((attribs.class ?? '').slice(0, 1_000))
  )
}

/** "12,000+" or "100 %" alone: a counter is kept from screen readers while it runs, and readers see it. */
function isFigure({ children }: Element): boolean {
  const [only] = children
  return children.length === 1 && only?.type === 'text' && figure.test(only.data.slice(0, 40))
}

const figure = /^\s*[\p{Sc}+~≈]?\s?\d[\d.,\s]{0,9}(?:\s?[%+°]|\s?\p{Sc}|\/\d{1,2}|\s?[kK])\s*$/u

/**
 * Whether a style attribute takes an element away: it is not drawn, or it is transparent and no click reaches it. A fading
 * animation alone begins with opacity 0, too.
 */
export function isStyledAway(style: string | undefined): boolean {
  if (style === undefined) return false
  const start = style.slice(0, 1_000)
  return (
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(start) ||
    (/opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)/i.test(start) && /pointer-events\s*:\s*none/i.test(start))
  )
}

/**
 * "menu_book" in an icon font is drawn as a picture of a book. As text it would join the words beside it:
 * "menu_book Whitepaper" names no booking.
 */
export function isIconName({ attribs, children }: Element): boolean {
  const [only] = children
  if (attribs.class === undefined || children.length !== 1 || only?.type !== 'text') return false
  return (
    /(?:^|\s)(?:material-(?:icons|symbols)[\w-]*|mat-icon|ms|icon)(?:\s|$)/.test(attribs.class) &&
    /^\s*[a-z][a-z0-9]*(?:_[a-z0-9]+)*\s*$/.test(only.data)
  )
}

const notText: ReadonlySet<string> = new Set(
  'head title script style template noscript iframe svg canvas audio video object datalist'.split(' '),
)

const inline: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code data dfn em font i ins kbd mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
)

export function oneLine(text: string): string {
  return text.split(/\s+/u).join(' ').trim()
}
