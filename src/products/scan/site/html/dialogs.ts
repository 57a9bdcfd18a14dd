import type { Page } from '../site.ts'
import { attributeOf } from './elements.ts'
import { around, type Element, isElement, textWithin } from './visible-text.ts'

/**
 * The text of the dialogs that a control of the page opens. They are closed in the HTML, so they count as hidden, and yet a
 * visitor reads there what a room costs. What has no control that opens it stays hidden.
 */
export function dialogTexts(page: Page): readonly string[] {
  const opened = new Set(
    page.elements.filter(({ isHidden }) => !isHidden).flatMap(({ node }) => targetsOf(node)),
  )
  if (opened.size === 0) return []
  const dialogs = new Set<Element>()
  for (const { node, isHidden } of page.elements) {
    if (dialogs.size >= maxDialogs) break
    if (isHidden && opened.has(attributeOf(node, 'id')) && !around(node).some((outer) => dialogs.has(outer)))
      dialogs.add(node)
  }
  return [...dialogs].map(({ children }) => textWithin(children.filter(isElement)).slice(0, maxCharacters))
}

const maxDialogs = 50
const maxCharacters = 20_000

/** The ids that a control names as what it opens. */
function targetsOf(node: Element): string[] {
  if (node.name !== 'a' && node.name !== 'button' && attributeOf(node, 'role') !== 'button') return []
  return ['data-bs-target', 'data-target', 'aria-controls', 'popovertarget', 'commandfor', 'href']
    .map((name) => ({ name, value: attributeOf(node, name).slice(0, 200) }))
    .filter(({ name, value }) => value !== '' && (name !== 'href' || value.startsWith('#')))
    .map(({ value }) => value.replace(/^#/, ''))
    .filter((id) => id !== '')
}
