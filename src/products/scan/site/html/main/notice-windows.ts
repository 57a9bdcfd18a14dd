import type { CheerioAPI } from 'cheerio'
import { isPathPartOfKind, isTextOfKind } from '../../kinds/kind-phrases.ts'
import { noticeKinds } from '../../kinds/page-kinds.ts'
import { attributeOf } from '../elements.ts'
import { around, type Element, isElement, labelOf } from '../visible-text.ts'
import { splitCamelCase } from '../words.ts'

/**
 * The windows of a page that hold its privacy notice, its terms or its imprint, such as `#privacyModal`. A click opens
 * them. Their words are those of a notice on a page of its own: "1. Who are we?" is no question that a customer asks, and
 * a thousand words about data are no text about the business.
 */
export function noticeWindows($: CheerioAPI): ReadonlySet<Element> {
  const windows = $(
    'dialog, [role="dialog"], [id], [class*="modal" i], [class*="popup" i], [class*="dialog" i]',
  )
    .toArray()
    .slice(0, maxElements)
    .filter((element) => isWindow(element) && !around(element).some(({ name }) => name === 'form'))
  return new Set(windows.slice(0, maxWindows).filter(isNotice))
}

/** The windows with all that stands in them. */
export function withinNoticeWindows($: CheerioAPI): ReadonlySet<Element> {
  const within = new Set<Element>()
  const left = [...noticeWindows($)]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (within.has(next)) continue
    within.add(next)
    for (const child of next.children) if (isElement(child)) left.push(child)
  }
  return within
}

const maxElements = 5_000
const maxWindows = 100

function isWindow(element: Element): boolean {
  if (/^(?:html|body|main|article|form|a|button|input|label|script|style)$/.test(element.name)) return false
  if (element.name === 'dialog' || attributeOf(element, 'role') === 'dialog') return true
  return windowName.test(
    splitCamelCase(
      `${attributeOf(element, 'id').slice(0, 60)} ${attributeOf(element, 'class').slice(0, 200)}`,
      '-',
    ),
  )
}

const windowName = /(?:^|[\s_-])(?:modal|dialog|popup|pop-up|lightbox)(?:$|[\s_-])/i

function isNotice(element: Element): boolean {
  const id = splitCamelCase(attributeOf(element, 'id').slice(0, 60), '-')
    .replaceAll('_', '-')
    .toLowerCase()
    .replace(/(?:^|-)(?:modal|dialog|popup|pop-up|lightbox|overlay)(?=-|$)/g, '')
    .replace(/^-|-$/g, '')
  const title = firstHeading(element)
  return (
    (id !== '' && (ofNotice.test(id) || noticeKinds.some((kind) => isPathPartOfKind(id, kind)))) ||
    (title !== '' && noticeKinds.some((kind) => isTextOfKind(title, kind)))
  )
}

const ofNotice = /^(?:legal|cookies?|gdpr|rgpd|kvkk|dsgvo)(?:-(?:info|information|notice|policy|text))?$/

/** Its title stands at its beginning. */
function firstHeading(element: Element): string {
  const left: Element[] = [element]
  for (let count = 0; count < 30; count += 1) {
    const next = left.shift()
    if (next === undefined) return ''
    if (/^h[1-6]$/.test(next.name)) return labelOf(next).slice(0, 80)
    left.unshift(...next.children.filter(isElement).slice(0, 10))
  }
  return ''
}
