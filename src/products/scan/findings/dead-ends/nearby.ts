import { shownInQuotes } from '../../site/addresses.ts'
import { attributeOf, elementsWithin, spokenText } from '../../site/html/elements.ts'
import { saysSomething } from '../../site/html/pictures/alternatives.ts'
import { around, type Element, isElement, linesWithin } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'

/** How an owner finds a picture or a link on a page: by the words that stand around it. */

/** `at “Whitening”`, `described as “Our waiting room”`, `picture 2 of 3 below “Our team”`. */
export function placeOfPicture(page: Page, picture: Element): string {
  // What visitors see comes first: a description may have been copied from another picture.
  const own = headingOfTile(picture)
  if (own !== undefined) return `at “${own}”`
  if (saysSomething(picture)) return `described as “${shownInQuotes(attributeOf(picture, 'alt'), maxName)}”`
  const above = headingAbove(page, picture) ?? lineAbove(picture)
  const place = above === undefined ? 'at the top' : `below “${above}”`
  const row = around(picture)
    .slice(0, maxBoxes)
    .filter((box) => !isWholePage(box))
    .map((box) => tileOf(box).pictures)
    .find(({ length }) => length > 1)
  return row === undefined ? place : `picture ${row.indexOf(picture) + 1} of ${row.length} ${place}`
}

/**
 * The one heading in the box around a picture or a link, which often stands below it. In the box is no other picture, or no
 * link to another place but that of the heading, which may lead elsewhere by mistake.
 */
export function headingOfTile(node: Element): string | undefined {
  const target = attributeOf(node, 'href')
  for (const box of around(node).slice(0, maxBoxes)) {
    if (isWholePage(box)) return undefined
    const { headings, pictures, targets } = tileOf(box)
    const [heading, other] = headings
    if (heading === undefined) continue
    // The box of the main heading is no tile.
    if (other !== undefined || heading.name === 'h1') return undefined
    const isAlone =
      node.name === 'img'
        ? pictures.length === 1
        : targets.size === 0 || (targets.size === 1 && targets.has(target))
    return isAlone ? nameOf(heading) : undefined
  }
  return undefined
}

const maxBoxes = 4

export function isWholePage({ name }: Element): boolean {
  return name === 'body' || name === 'main'
}

/** What stands in a box. A gallery of a thousand links has one, which is read once. */
function tileOf(box: Element): Tile {
  const known = tiles.get(box)
  if (known !== undefined) return known
  const tile = {
    headings: elementsWithin(box, headingNames),
    pictures: elementsWithin(box, 'img'),
    targets: new Set(
      elementsWithin(box, 'a[href]')
        .filter((link) => !around(link).some(({ name }) => isHeading(name)))
        .map((link) => attributeOf(link, 'href')),
    ),
  }
  tiles.set(box, tile)
  return tile
}

interface Tile {
  readonly headings: readonly Element[]
  readonly pictures: readonly Element[]
  /** Of the links outside its headings. */
  readonly targets: ReadonlySet<string>
}

const tiles = new WeakMap<Element, Tile>()
const headingNames = 'h1, h2, h3, h4, h5, h6'

function isHeading(name: string): boolean {
  return /^h[1-6]$/.test(name)
}

/** The last one before it, wherever that stands. */
export function headingAbove(page: Page, node: Element): string | undefined {
  const heading = headingsAbove(page).get(node)
  return heading === undefined ? undefined : nameOf(heading)
}

/** Of the links and pictures of a page, read once. */
function headingsAbove(page: Page): ReadonlyMap<Element, Element> {
  const known = above.get(page)
  if (known !== undefined) return known
  const found = new Map<Element, Element>()
  let last: Element | undefined
  for (const { name, node, isHidden } of page.elements) {
    if (isHeading(name) && !isHidden) last = node
    else if (last !== undefined && (name === 'a' || name === 'img')) found.set(node, last)
  }
  above.set(page, found)
  return found
}

const above = new WeakMap<Page, ReadonlyMap<Element, Element>>()

/** The last line of text before it. */
function lineAbove(node: Element): string | undefined {
  for (const one of [node, ...around(node)]) {
    if (one.name === 'body') return undefined
    for (let before = one.previousSibling; before !== null; before = before.previousSibling) {
      const line = isElement(before) ? linesWithin([before]).findLast(isWord) : undefined
      if (line !== undefined) return shownInQuotes(line, maxName)
    }
  }
  return undefined
}

function nameOf(heading: Element): string | undefined {
  const text = spokenText(heading, 60).replace(/[\s.:…]{1,20}$/u, '')
  return isWord(text) ? shownInQuotes(text, maxName) : undefined
}

function isWord(text: string): boolean {
  return /\p{L}{2}/u.test(text)
}

const maxName = 60
