import type { CheerioAPI } from 'cheerio'
import { selectAll } from 'css-select'
import {
  type Element,
  isElement,
  isIconName,
  isStyledAway,
  isWithoutScripts,
  type Node,
} from './visible-text.ts'

export interface PageElement {
  readonly node: Element
  /** Tag name, in lower case. */
  readonly name: string
  /** It or an element around it is not shown: hidden, aria-hidden, display:none or visibility:hidden. */
  readonly isHidden: boolean
  /** The innermost landmark that it is or stands in. */
  readonly region: Region | undefined
  /** The form it stands in. */
  readonly form: Element | undefined
  /** The label around it. */
  readonly label: Element | undefined
}

/**
 * The elements within another that a selector matches. `$(element).find(…)` first compares each child of the element with
 * all others, which takes a minute in a list of ten thousand.
 */
export function elementsWithin(element: Element, selector: string): readonly Element[] {
  return selectAll<Node, Element>(selector, element)
}

type Region = 'header' | 'nav' | 'main' | 'footer' | 'aside'

/**
 * The elements of a page as one flat list in document order, each with what it stands in, without the content
 * of `template` and `noscript`. If checks asked the tree for the form, label or landmark around each of
 * thousands of elements, they would walk up the page for every one.
 */
export function readElements($: CheerioAPI): PageElement[] {
  const outside: Around = { isHidden: false, region: undefined, form: undefined, label: undefined }
  const stack: { node: Node; around: Around }[] = [...($.root()[0]?.children ?? [])]
    .reverse()
    .map((node) => ({ node, around: outside }))
  const elements: PageElement[] = []
  while (elements.length < maxElements) {
    const next = stack.pop()
    if (next === undefined) break
    const { node, around } = next
    if (!isElement(node)) continue
    const element = {
      node,
      name: node.name,
      isHidden: around.isHidden || isHiddenItself(node),
      region: regionOf(node) ?? around.region,
      form: node.name === 'form' ? node : around.form,
      label: node.name === 'label' ? node : around.label,
    }
    elements.push(element)
    if (node.name === 'template' || node.name === 'noscript') continue
    for (const child of [...node.children].reverse()) stack.push({ node: child, around: element })
  }
  return elements
}

type Around = Omit<PageElement, 'node' | 'name'>

/** Pages written for people stay far below. */
const maxElements = 20_000

/** An attribute's value without white space around it; empty when it is missing. */
export function attributeOf(element: Element, name: string): string {
  return (element.attribs[name] ?? '').trim()
}

/** The menu, or the top of the page around it. */
export function isNavigation({ name, attribs }: Element): boolean {
  return name === 'nav' || name === 'header' || attribs.role === 'navigation' || attribs.role === 'banner'
}

/** By a word of its class: "btn", "btn-light", "hero_cta". */
export function isStyledAsButton(element: Element): boolean {
  return /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i.test(attributeOf(element, 'class').slice(0, 500))
}

export function hasAttribute(element: Element, name: string): boolean {
  return element.attribs[name] !== undefined
}

/** The content of the first meta element with this name or property; empty when there is none. */
export function metaOf({ elements }: { readonly elements: readonly PageElement[] }, name: string): string {
  for (const { node } of elements) {
    if (node.name !== 'meta') continue
    const written = (node.attribs.property ?? node.attribs.name ?? '').trim().toLowerCase()
    // The protocol has two names for the picture.
    const isAlias = name === 'og:image' && written === 'og:image:url'
    if ((written === name || isAlias) && node.attribs.content) return node.attribs.content.trim()
  }
  return ''
}

/** Whether the page has such a meta element, and its content says nothing. */
export function hasEmptyMeta(
  { elements }: { readonly elements: readonly PageElement[] },
  name: string,
): boolean {
  return elements.some(
    ({ node }) =>
      node.name === 'meta' &&
      (node.attribs.property ?? node.attribs.name ?? '').trim().toLowerCase() === name &&
      (node.attribs.content ?? '').trim() === '',
  )
}

/**
 * What a screen reader says for an element: its text, its labels and the alternative texts of its images,
 * white space collapsed, without hidden parts. It reads at most `maxNodes` nodes and 10,000 characters,
 * because nested elements would otherwise cost the square of their number.
 */
export function spokenText(element: Element, maxNodes = 500): string {
  const parts: string[] = []
  const stack: Node[] = element.children.slice(0, maxNodes).reverse()
  let left = maxCharacters
  for (let count = 0; count < maxNodes && left > 0; count++) {
    const node = stack.pop()
    if (node === undefined) break
    if (node.type === 'text') {
      parts.push(node.data.slice(0, left))
      left -= node.data.length
    }
    if (!isElement(node) || silent.has(node.name) || isHiddenItself(node) || isIconName(node)) continue
    const label = attributeOf(node, 'aria-label') || (node.name === 'img' ? attributeOf(node, 'alt') : '')
    parts.push(' ', label)
    if (label === '') stack.push(...node.children.slice(0, maxNodes).reverse())
  }
  return parts.join('').replace(/\s+/g, ' ').trim()
}

const maxCharacters = 10_000

const silent: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'select', 'textarea'])

function isHiddenItself(element: Element): boolean {
  return (
    hasAttribute(element, 'hidden') ||
    attributeOf(element, 'aria-hidden').toLowerCase() === 'true' ||
    isStyledAway(element.attribs.style) ||
    isWithoutScripts(element)
  )
}

function regionOf(element: Element): Region | undefined {
  return regionsByRole.get(attributeOf(element, 'role').toLowerCase()) ?? regionsByName.get(element.name)
}

const regionsByName = new Map<string, Region>([
  ['header', 'header'],
  ['nav', 'nav'],
  ['main', 'main'],
  ['footer', 'footer'],
  ['aside', 'aside'],
])

const regionsByRole = new Map<string, Region>([
  ['banner', 'header'],
  ['navigation', 'nav'],
  ['main', 'main'],
  ['contentinfo', 'footer'],
  ['complementary', 'aside'],
])
