import { headingAbove, headingOfTile, isWholePage } from '../../findings/dead-ends/nearby.ts'
import {
  absolute,
  addressKey,
  decodedPart,
  pathOf,
  shown,
  shownInQuotes,
  writtenFileOf,
} from '../../site/addresses.ts'
import { attributeOf, elementsWithin, hasAttribute, isStyledAsButton } from '../../site/html/elements.ts'
import { saysSomething } from '../../site/html/pictures/alternatives.ts'
import { baseOf } from '../../site/html/references.ts'
import { around, type Element, isElement, linesWithin } from '../../site/html/visible-text.ts'
import type { Link, Page } from '../../site/site.ts'

/** How an owner finds a link on a page: by its words, by its picture, and by what stands around it. */
export interface Place {
  readonly page: string
  /** Of the first such link on the page; others may lead there by other words. */
  readonly text: string
  readonly otherTexts: readonly string[]
  readonly kind: 'menu' | 'button' | 'link'
  /** The file of its picture, where it has no text. */
  readonly picture: string | undefined
  /** `at “Whitening”`, `below “Our team”`, where its text does not tell it from other links. */
  readonly where: string | undefined
  /** Its address begins with a slash. */
  readonly isSlashed: boolean
  /** Other pages with such a link, each with its text where that is another one. */
  readonly others: readonly { readonly page: string; readonly text: string }[]
}

export function isMain(place: Pick<Place, 'kind'> | undefined): boolean {
  return place !== undefined && place.kind !== 'link'
}

export interface PageLinks {
  readonly page: Page
  /** By the key of what they lead to. */
  readonly links: ReadonlyMap<string, readonly Link[]>
  /** By the same keys, in document order. */
  readonly nodes: ReadonlyMap<string, readonly Element[]>
}

/** `/index.htm` may be missing where `/index.html` is there. */
function linkKey(url: string): string {
  return `${addressKey(url)} ${/\/(index\.\w{2,5})$/.exec(pathOf(url))?.[1] ?? ''}`
}

export function linksOn(page: Page): PageLinks {
  const base = baseOf(page.$, page.url)
  const nodes = new Map<string, Element[]>()
  for (const { name, node } of page.elements) {
    const url =
      name === 'a' && hasAttribute(node, 'href') ? absolute(attributeOf(node, 'href'), base) : undefined
    if (url === undefined) continue
    const key = linkKey(url)
    const known = nodes.get(key)
    if (known === undefined) nodes.set(key, [node])
    else known.push(node)
  }
  return { page, links: Map.groupBy(page.links, ({ url }) => linkKey(url)), nodes }
}

/** The alternative texts of pictures in links that say no more than "image". No visitor sees them. */
function emptyWords(links: readonly Element[]): ReadonlySet<string> {
  const pictures = links
    .flatMap(({ children }) => children.filter(isElement))
    .filter(({ name }) => name === 'img')
  return new Set(pictures.filter((one) => !saysSomething(one)).map((one) => attributeOf(one, 'alt')))
}

/** The most prominent link to an address: its text and its page, so that its owner finds it. */
export function placeOf(pages: readonly PageLinks[], target: string): Place | undefined {
  const key = linkKey(target)
  const places = pages.flatMap((one) => {
    const { page, links } = one
    const [link, ...others] = links.get(key) ?? []
    if (link === undefined) return []
    const nodes = one.nodes.get(key) ?? []
    const empty = emptyWords(nodes)
    const textOf = (one: Link) => (empty.has(one.text.trim()) ? '' : shownInQuotes(one.text, 40))
    const text = textOf(link)
    const otherTexts = [...new Set(others.slice(0, 50).map(textOf))].filter(
      (one) => one !== '' && one !== text,
    )
    const kind = nodes.some(isStyledAsButton) ? 'button' : link.isNavigation ? 'menu' : 'link'
    const [node] = nodes
    const isNamed = text !== '' || otherTexts.length > 0
    // What stands in a menu is found by it.
    const isShared = text !== '' && kind !== 'menu' && page.links.some((other) => sharesText(other, link))
    const found: Omit<Place, 'others'> = {
      page: shown(page.url, 100),
      text,
      otherTexts,
      kind,
      picture: isNamed || node === undefined ? undefined : pictureOf(node),
      where: node !== undefined && (isShared || !isNamed) ? whereIn(page, node, text) : undefined,
      isSlashed: node !== undefined && /^\s{0,9}\/(?!\/)/.test(attributeOf(node, 'href')),
    }
    return [found]
  })
  const first = places.find(isMain) ?? places[0]
  return (
    first && {
      ...first,
      others: places
        .filter((one) => one !== first)
        .map(({ page, text }) => ({ page, text: text === first.text ? '' : text })),
    }
  )
}

function sharesText(one: Link, other: Link): boolean {
  return one.text === other.text && linkKey(one.url) !== linkKey(other.url)
}

function pictureOf(link: Element): string | undefined {
  const picture = elementsWithin(link, 'img[src]')[0]
  const src = picture === undefined ? '' : attributeOf(picture, 'src')
  if (src === '' || src.startsWith('data:')) return undefined
  return shownInQuotes(decodedPart(writtenFileOf(src)), 60) || undefined
}

/** "Read More" stands in several boxes: the heading of its own box tells which one is meant, else the heading above it. */
function whereIn(page: Page, link: Element, text: string): string | undefined {
  const own = [headingOfTile(link), ...wordsBeside(link)].find(
    (one) => one !== undefined && one !== '' && one !== text,
  )
  if (own !== undefined) return `at “${own}”`
  const above = headingAbove(page, link)
  return above === undefined ? undefined : `below “${above}”`
}

/** Of a box without a heading. */
function wordsBeside(link: Element): readonly string[] {
  const box = ownBox(link)
  if (box === undefined) return []
  const picture = elementsWithin(box, 'img[alt]')[0]
  return [
    ...linesWithin([box]).slice(0, 1),
    ...(picture !== undefined && saysSomething(picture) ? [attributeOf(picture, 'alt')] : []),
  ].map(nameIn)
}

/** The largest box around a link with no other link in it. */
function ownBox(link: Element): Element | undefined {
  const target = attributeOf(link, 'href')
  let own: Element | undefined
  for (const box of around(link).slice(0, maxBoxes)) {
    const links = elementsWithin(box, 'a[href]')
    if (isWholePage(box) || links.some((one) => attributeOf(one, 'href') !== target)) break
    own = box
  }
  return own
}

const maxBoxes = 5

/** A short text that names something; empty for any other. */
function nameIn(text: string): string {
  const line = shownInQuotes(text.replace(/[\s.:…]{1,20}$/u, ''), 200)
  return line.length <= maxName && /\p{L}{2}/u.test(line) ? line : ''
}

const maxName = 60
