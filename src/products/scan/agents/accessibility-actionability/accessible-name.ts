import {
  attributeOf,
  elementsOf,
  hasAttribute,
  type PageElement,
  spokenText,
} from '../../site/html/elements.ts'
import type { Element } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'

/**
 * What a control is called in the accessibility tree (https://www.w3.org/TR/accname-1.2/, the static part).
 * Agents that work a page read this name and not its looks; a button with an icon and no name is a blank to
 * them.
 */
export interface Names {
  /** Of a button or link: its content counts. */
  ofControl: (element: Element) => string
  /** Of a form field: its label counts. */
  ofField: (field: PageElement) => string
}

export function namesOn(page: Page): Names {
  const byId = new Map<string, Element>()
  const labels = new Map<string, Element>()
  for (const { node, name } of elementsOf(page)) {
    const id = attributeOf(node, 'id')
    if (id !== '' && !byId.has(id)) byId.set(id, node)
    const target = name === 'label' ? attributeOf(node, 'for') : ''
    if (target !== '' && !labels.has(target)) labels.set(target, node)
  }
  const given = (element: Element) =>
    referredText(attributeOf(element, 'aria-labelledby'), byId) || attributeOf(element, 'aria-label')
  return {
    ofControl: (element) => given(element) || ownName(element) || attributeOf(element, 'title'),
    ofField: ({ node, label }) => {
      const labelled = labels.get(attributeOf(node, 'id'))
      return (
        given(node) ||
        (labelled ? spokenText(labelled) : '') ||
        (label ? spokenText(label) : '') ||
        attributeOf(node, 'title')
      )
    },
  }
}

function referredText(ids: string, byId: ReadonlyMap<string, Element>): string {
  return ids
    .split(/\s+/)
    .slice(0, 10)
    .map((id) => {
      const element = byId.get(id)
      return element ? spokenText(element) || attributeOf(element, 'aria-label') : ''
    })
    .join(' ')
    .trim()
}

function ownName(element: Element): string {
  if (element.name !== 'input') return spokenText(element)
  const type = attributeOf(element, 'type').toLowerCase()
  if (type === 'image') return attributeOf(element, 'alt') || attributeOf(element, 'value')
  // Browsers write "Submit" and "Reset" on these themselves, unless the page empties them.
  if (!hasAttribute(element, 'value') && (type === 'submit' || type === 'reset')) return type
  return attributeOf(element, 'value')
}
