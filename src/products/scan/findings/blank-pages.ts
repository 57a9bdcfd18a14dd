import { isElement, type Node } from '../site/html/visible-text.ts'
import type { Page, Site } from '../site/site.ts'
import { isWrittenLater } from './scripted/written-later.ts'

/**
 * A page that was made and never written: nothing stands between its header and its footer, no word, picture, film or form. A
 * list for engines must not send a reader there, and nobody can mark "the content" of it.
 */
export function isBlankPage(page: Page, site: Site): boolean {
  if (page.mainText !== '' || isWrittenLater(page, site)) return false
  const { $ } = page
  // The opening of a page may stand in its header.
  if ($('header h1, header h2, [role="banner"] h1, [role="banner"] h2').length > 0) return false
  const hasScripts = page.elements.some(({ name }) => name === 'script')
  return $('body')
    .toArray()
    .every((body) => body.children.every((child) => isVoid(child, hasScripts)))
}

/** @param hasScripts a script may fill an empty box that has a name */
function isVoid(node: Node, hasScripts: boolean): boolean {
  if (!isElement(node)) return node.type !== 'text' || node.data.trim() === ''
  const { name, attribs, children } = node
  if (beside.has(name) || besideRoles.has(attribs.role ?? '')) return true
  if (shown.has(name)) return false
  if (children.length > 0) return children.every((child) => isVoid(child, hasScripts))
  return !(hasScripts && (attribs.id ?? attribs.class) !== undefined)
}

const beside: ReadonlySet<string> = new Set(
  'header nav footer script style link meta noscript br hr'.split(' '),
)
const besideRoles: ReadonlySet<string> = new Set(['banner', 'navigation', 'contentinfo'])
const shown: ReadonlySet<string> = new Set(
  'img picture svg video audio canvas iframe embed object form input select textarea button template'.split(
    ' ',
  ),
)
