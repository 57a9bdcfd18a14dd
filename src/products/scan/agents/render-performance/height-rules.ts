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
  const files = new Map(replies.map(({ url, body }) => [url, once(() => matchersIn(body))]))
  // What is not there keeps no space.
  const gone = new Set(repliesFor(capture, 'style').flatMap((reply) => (isGone(reply) ? [reply.url] : [])))
  return (page) => {
    const linked = linkedStyles(page)
    const read = linked.flatMap((url) => files.get(url) ?? [])
    const matchers = [matchersIn(page.$('style').text()), ...read.map((one) => one())]
      .flat()
      .slice(0, maxRules)
    return {
      unread: linked.filter((url) => !files.has(url) && !gone.has(url)).length,
      reserve: (image) =>
        [image, ...around(image).slice(0, 4)].some(
          (element) =>
            utility.test(element.attribs.class ?? '') || matchers.some((matches) => matches(element)),
        ),
    }
  }
}

/**
 * Classes of Tailwind, whose rules a script or a build writes: `h-48`, `md:h-[20rem]`, `aspect-video`, `absolute`. Bootstrap
 * has `h-25`, `h-50`, `h-75` and `h-100`, which are parts of the box around.
 */
const utility =
  /(?:^|\s)(?:[a-z-]{1,20}:){0,3}(?:h-(?!(?:25|50|75|100)(?!\S))(?:\d|px|screen|\[)|size-(?:\d|\[)|aspect-(?:\[|square|video|\d)|(?:absolute|fixed)(?!\S))/

type Matcher = (element: Element) => boolean

/** A hostile site has any number of rules and images, and each image is tried with each rule. */
const maxRules = 300

/** Icons and fonts give no picture a height. */
function linkedStyles({ $, url }: Page): readonly string[] {
  return stylesheetsOf($, url).filter((one) => !/fonts?\b|font-?awesome|icons?\b/i.test(one))
}

function matchersIn(css: string): readonly Matcher[] {
  const matchers: Matcher[] = []
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
      if (this.atrule?.name === 'keyframes' || !rule.block.children.some((one) => keepsSpace(one, isEmpty)))
        return
      if (rule.prelude.type !== 'SelectorList' || matchers.length >= maxRules) return
      for (const selector of rule.prelude.children.toArray()) matchers.push(...matcherOf(generate(selector)))
    },
  })
  return matchers
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
  if (/:/.test(selector.replace(/:(?:first|last|only)-child|:nth-child\([^)]*\)|:not\([^:)]*\)/g, '')))
    return []
  try {
    return [compile<Node, Element>(selector)]
  } catch {
    // The library refuses a selector of a newer standard with an exception. Its rule keeps no space then.
    return []
  }
}
