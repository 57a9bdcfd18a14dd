import { attributeOf } from '../html/elements.ts'
import { around, type Element, textWithin } from '../html/visible-text.ts'
import { isPathOfKind } from '../page-kinds.ts'
import type { Page } from '../site.ts'

/**
 * The text of the parts in which a business writes how it can be reached: header, footer, address, a box with
 * such a name, and all of a contact page or imprint. There a row of digits is a telephone number; in running
 * text it may be anything. ` | ` separates the parts, so that the digits of two parts never join to a number.
 */
export function readContactText(page: Pick<Page, 'url' | 'text' | 'elements'>): string {
  if (isPathOfKind(page.url, 'contact') || isPathOfKind(page.url, 'imprint'))
    return page.text.slice(0, maxCharacters)
  const parts = new Set<Element>()
  for (const { node, name, isHidden } of page.elements) {
    if (parts.size >= maxParts) break
    if (isHidden || !isContactPart(name, node) || around(node).some((outer) => parts.has(outer))) continue
    parts.add(node)
  }
  return [...parts]
    .map((part) => textWithin([part]))
    .join(' | ')
    .slice(0, maxCharacters)
}

const maxParts = 50
const maxCharacters = 100_000

/** Whether an element stands in such a part. */
export function isBesideContacts(element: Element): boolean {
  return around(element).some(
    (outer) =>
      isContactPart(outer.name, outer) ||
      /(?:^|[\s_-])(?:socials?|follow)/i.test(attributeOf(outer, 'class').slice(0, 300)),
  )
}

function isContactPart(name: string, node: Element): boolean {
  if (name === 'footer' || name === 'address' || name === 'header') return true
  if (/^(?:html|body|main|article|form|a|button)$/.test(name)) return false
  if (/^(?:contentinfo|banner)$/i.test(attributeOf(node, 'role'))) return true
  if (placeName.test(attributeOf(node, 'id').slice(0, 100))) return true
  return contactName.test(
    `${attributeOf(node, 'id').slice(0, 100)} ${attributeOf(node, 'class').slice(0, 300)}`,
  )
}

/** A section of a page of one page: "Where to find us". */
const placeName =
  /^(?:our[_-]|the[_-]|nos[_-])?(?:locations?|find[_-]?us|visit(?:[_-]us)?|where(?:[_-]we[_-]are)?|directions|anfahrt|standorte?|adres|adresimiz|konum|iletisim|ubicaci[oó]n|d[oó]nde(?:[_-]estamos)?|localiza[cç][aã]o|onde(?:[_-]estamos)?|dove(?:[_-]siamo)?|acc[eè]s|nous[_-]trouver|plan[_-]acces|bereikbaarheid|access)(?:[_-]section)?$/i

const contactName =
  /(?:^|[\s_-])(?:footer|contact|kontakt|contacto|contatti|address|adresse|imprint|impressum)(?:$|[\s_-])/i
