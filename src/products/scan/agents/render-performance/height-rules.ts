import { compile } from 'css-select'
import { type CssNode, generate, parse, walk } from 'css-tree'
import { isGone } from '../../findings/document.ts'
import { repliesFor } from '../../site/capture.ts'
import { stylesheetsOf } from '../../site/html/references.ts'
import { around, type Element, type Node } from '../../site/html/visible-text.ts'
import { once } from '../../site/once.ts'
import type { Page, Site } from '../../site/site.ts'

/** What the stylesheets of a page say of the height of its images. */
export interface HeightRules {
  /** Whether a rule gives the image, or a box close around it, a height of its own. */
  reserve(image: Element): boolean
  /** How many stylesheets the page links that were not read. */
  readonly unread: number
}

/**
 * Reads the rules by which stylesheets keep space for images: those in the pages, and the files that were fetched. The
 * conditions of media queries are passed over, because a picture that has a height on a large screen is no fault to name.
 */
export function readHeightRules({ capture }: Site): (page: Page) => HeightRules {
  const replies = repliesFor(capture, 'style').filter(({ status, isCut }) => status === 200 && !isCut)
  const files = new Map(replies.map(({ url, body }) => [url, once(() => rulesIn(body))]))
  // What is not there keeps no space.
  const gone = new Set(repliesFor(capture, 'style').flatMap((reply) => (isGone(reply) ? [reply.url] : [])))
  return (page) => {
    const linked = linkedStyles(page)
    const read = linked.flatMap((url) => files.get(url) ?? [])
    const sheets = [rulesIn(page.$('style').text()), ...read.map((one) => one())]
    const rulesOf = (kind: Kind) => sheets.flatMap((rules) => rules[kind]).slice(0, maxRules)
    const rules: Rules = { own: rulesOf('own'), full: rulesOf('full'), rows: rulesOf('rows') }
    const isGiven = (element: Element, kind: Kind) => rules[kind].some((matches) => matches(element))
    return {
      unread: linked.filter((url) => !files.has(url) && !gone.has(url)).length,
      reserve: (image) => {
        const boxes = around(image).slice(0, 4)
        return (
          [image, ...boxes].some(
            (element) => utility.test(element.attribs.class ?? '') || isGiven(element, 'own'),
          ) || fillsRow(image, boxes, isGiven)
        )
      },
    }
  }
}

/** An item of a grid is as high as its row. An image fills it if it takes the whole height, and so does each box between. */
function fillsRow(
  image: Element,
  boxes: readonly Element[],
  isGiven: (element: Element, kind: Kind) => boolean,
): boolean {
  const grid = boxes.findIndex((box) => isGiven(box, 'rows'))
  return grid !== -1 && [image, ...boxes.slice(0, Math.max(0, grid - 1))].every((box) => isGiven(box, 'full'))
}

/**
 * Classes of Tailwind, whose rules a script or a build writes: `h-48`, `md:h-[20rem]`, `aspect-video`, `absolute`. Bootstrap
 * has `h-25`, `h-50`, `h-75` and `h-100`, which are parts of the box around.
 */
const utility =
  /(?:^|\s)(?:[a-z-]{1,20}:){0,3}(?:h-(?!(?:25|50|75|100)(?!\S))(?:\d|px|screen|\[)|size-(?:\d|\[)|aspect-(?:\[|square|video|\d)|(?:absolute|fixed)(?!\S))/

/** A height of its own, the whole height of the box around it, or rows of a grid that are as high whatever they hold. */
type Kind = 'own' | 'full' | 'rows'

type Matcher = (element: Element) => boolean

type Rules = Readonly<Record<Kind, readonly Matcher[]>>

/** A hostile site has any number of rules and images, and each image is tried with each rule. */
const maxRules = 300

/** Icons and fonts give no picture a height. */
function linkedStyles({ $, url }: Page): readonly string[] {
  return stylesheetsOf($, url).filter((one) => !/fonts?\b|font-?awesome|icons?\b/i.test(one))
}

function rulesIn(css: string): Rules {
  const rules: Record<Kind, Matcher[]> = { own: [], full: [], rows: [] }
  const read = css.slice(0, 500_000)
  // Bootstrap has `--bs-card-height: ;`, for which a theme may write a height.
  const empty = new Set(
    Array.from(read.matchAll(/(--[\w-]{1,60})\s{0,9}:\s{0,9};/g), ([, name = '']) => name),
  )
  const isEmpty = (name: string) => empty.has(name)
  const tree = parse(read, { parseValue: false, parseAtrulePrelude: false })
  walk(tree, {
    visit: 'Rule',
    enter(rule) {
      if (this.atrule?.name === 'keyframes' || rule.prelude.type !== 'SelectorList') return
      const declared = rule.block.children.toArray()
      const given = kinds.filter(
        (kind) => rules[kind].length < maxRules && declared.some((node) => tests[kind](node, isEmpty)),
      )
      if (given.length === 0) return
      const matchers = rule.prelude.children.toArray().flatMap((selector) => matcherOf(generate(selector)))
      for (const kind of given) rules[kind].push(...matchers)
    },
  })
  return rules
}

const kinds: readonly Kind[] = ['own', 'full', 'rows']

const tests: Readonly<Record<Kind, (node: CssNode, isEmpty: (variable: string) => boolean) => boolean>> = {
  own: keepsSpace,
  full: (node) => declaredValue(node, /^height$/) === '100%',
  rows: (node) => hasFixedRows(declaredValue(node, /^grid-(?:auto|template)-rows$/)),
}

function declaredValue(node: CssNode, property: RegExp): string {
  return node.type === 'Declaration' && property.test(node.property.toLowerCase())
    ? generate(node.value).trim()
    : ''
}

/** `62px`, `repeat(3, 62px)`. A row of `auto`, `1fr` or `minmax(62px, auto)` grows with what has loaded. */
function hasFixedRows(value: string): boolean {
  const rows = (/^repeat\(\s*\d+\s*,([^()]+)\)$/.exec(value)?.[1] ?? value).trim()
  return rows.split(/\s+/).every((row) => /^\d*\.?\d+(?:px|r?em|v[hw])$/i.test(row) && !/^0+[a-z]/i.test(row))
}

/** Of its own: a percentage is one of the box around it. A box as high as a part of its width keeps space by its padding. */
function keepsSpace(node: CssNode, isEmpty: (variable: string) => boolean): boolean {
  if (node.type !== 'Declaration') return false
  const value = generate(node.value).trim()
  switch (node.property.toLowerCase()) {
    case 'height':
      return (
        /^(?:calc|clamp|min|max|var)\(|^\d*\.?\d+(?!%|\d|\.)[a-z]/i.test(value) &&
        !/^0+(?:\.0+)?[a-z]*$/.test(value) &&
        !isEmpty(/^var\(\s*(--[\w-]{1,60})\s*\)$/.exec(value)?.[1] ?? '')
      )
    case 'aspect-ratio':
      return /\d/.test(value)
    // What is taken out of the flow moves nothing when it has loaded.
    case 'position':
      return /^(?:absolute|fixed)$/i.test(value)
    case 'padding-bottom':
    case 'padding-top':
      return /^\d{2,3}(?:\.\d+)?%$/.test(value)
    default:
      return false
  }
}

/** None for a state or a part of an element, such as `:hover` and `::before`, and for a selector that is not known. */
function matcherOf(selector: string): readonly Matcher[] {
  const plain = selector
    .replace(/:(?:first|last|only)-(?:child|of-type)|:nth-(?:child|of-type)\([^)]*\)/g, '')
    .replace(/:not\([^:)]*\)/g, '')
  if (plain.includes(':')) return []
  try {
    return [compile<Node, Element>(selector)]
  } catch {
    // The library refuses a selector of a newer standard with an exception. Its rule keeps no space then.
    return []
  }
}
