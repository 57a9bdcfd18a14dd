import { absolute, addressKey } from '../addresses.ts'
import { isPathPartOfKind, isTextOfKind } from '../kinds/kind-phrases.ts'
import type { Page } from '../site.ts'
import { attributeOf } from './elements.ts'
import { around, type Element, isElement, textWithin } from './visible-text.ts'

/** A part of a page that does what a page of its own would do: "About us" on a site of one page. */
export interface PageSection {
  readonly element: Element
  /** The text of the link that leads to it, or its id. */
  readonly label: string
}

/**
 * The sections of a kind on a page: those that a link of the page names so, and those whose id is such a name. Small
 * sites have one page, and a check that looked for pages alone would call everything on it missing.
 */
export function sectionsOfKind(page: Page, kind: string): readonly PageSection[] {
  const labels = new Map<string, string>()
  for (const { name, node } of page.elements) {
    const target = name === 'a' ? partLinked(attributeOf(node, 'href'), page.url) : undefined
    if (target === undefined || labels.has(target)) continue
    const text = textWithin([node]).slice(0, 100)
    if (isTextOfKind(text, kind)) labels.set(target, text)
  }
  return page.elements
    .flatMap(({ node, isHidden }) => {
      // Older pages mark a place by an empty link with a name, which says nothing where no link leads there.
      const anchor = node.name === 'a' ? attributeOf(node, 'name') : ''
      const id = attributeOf(node, 'id') || anchor
      if (isHidden || id.length > 60) return []
      const said = node.name === 'section' ? attributeOf(node, 'aria-label').slice(0, 100) : ''
      if (said !== '' && isTextOfKind(said, kind)) return [{ element: node, label: said, isWhole: true }]
      if (id === '') return []
      const label = labels.get(id) ?? (id !== anchor && isPathPartOfKind(nameIn(id), kind) ? id : undefined)
      return label === undefined ? [] : [{ element: node, label, isWhole: false }]
    })
    .slice(0, maxSections)
    .map(({ element, label, isWhole }) => ({ element: isWhole ? element : sectionOf(element), label }))
}

/** "story" of "#story" and, on the home page, of "./#story" and "index.html#story". */
function partLinked(href: string, page: string): string | undefined {
  const at = href.indexOf('#')
  if (at < 0 || at === href.length - 1) return undefined
  const part = href.slice(at + 1)
  if (at === 0) return part
  const url = absolute(href.slice(0, at), page)
  return url !== undefined && addressKey(url) === addressKey(page) ? part : undefined
}

const maxSections = 5

/** What a heading with the id stands above, as `aria-labelledby` says it, and any other element itself. */
function sectionOf(named: Element): Element {
  if (named.name === 'a') return afterAnchor(named)
  if (!/^h[1-6]$/.test(named.name)) return named
  const heading = textWithin([named])
  return (
    around(named)
      .filter(({ name }) => /^(?:section|article|div|aside)$/.test(name))
      .find((outer) => textWithin([outer]) !== heading) ?? named
  )
}

/** What follows an empty link that marks a place, or what the heading that holds it stands above. */
function afterAnchor(anchor: Element): Element {
  const [outer] = around(anchor)
  if (outer !== undefined && /^h[1-6]$/.test(outer.name)) return sectionOf(outer)
  let next = anchor.next
  while (next !== null && !isElement(next)) next = next.next
  return next !== null && textWithin([anchor]) === '' && /^(?:section|article|div|table)$/.test(next.name)
    ? next
    : anchor
}

/** "sobre" of "page-sobre": what a script shows as a page is often called so. */
function nameIn(id: string): string {
  return id
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^(?:page|section|sec|tab|view|screen|panel)-|-(?:page|section|tab|view|panel)$/g, '')
}
