import { pathOf } from '../addresses.ts'
import { attributeOf } from '../html/elements.ts'
import { around, type Element, isElement, textWithin } from '../html/visible-text.ts'
import { isTextOfKind } from '../kinds/kind-phrases.ts'
import { isPathOfKind } from '../kinds/page-kinds.ts'
import type { Page } from '../site.ts'
import { streetsIn } from './street-address.ts'

/**
 * The text of the parts in which a business writes how it can be reached: header, footer, address, a box with
 * such a name, and all of a contact page or imprint. There a row of digits is a telephone number; in running
 * text it may be anything. ` | ` separates the parts, so that the digits of two parts never join to a number.
 */
export function readContactText(page: Pick<Page, 'url' | 'text' | 'elements' | 'lines'>): string {
  if (isPathOfKind(page.url, 'contact') || isPathOfKind(page.url, 'imprint'))
    return page.text.slice(0, maxCharacters)
  const parts = new Set<Element>()
  for (const { node, name, isHidden } of page.elements) {
    if (parts.size >= maxParts) break
    if (
      isHidden ||
      !(isContactPart(name, node) || isHeadedContact(name, node)) ||
      around(node).some((outer) => parts.has(outer))
    )
      continue
    parts.add(node)
  }
  const said = [...parts].map((part) => textWithin([part]))
  const address = isHomePath(page.url) ? loneAddress(page.lines) : undefined
  return [...(address === undefined || said.some((one) => one.includes(address)) ? [] : [address]), ...said]
    .join(' | ')
    .slice(0, maxCharacters)
}

/** `/`, `/fr/` or `/home.html`. */
function isHomePath(url: string): boolean {
  return /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?(?:(?:home|index|default|start)(?:\.\w{2,5})?\/?)?$/i.test(
    pathOf(url),
  )
}

/** "46 rue des Écoles, 75005 Paris": a line that is an address and nothing else, where no other line is one. */
function loneAddress(lines: readonly string[]): string | undefined {
  const found = new Set(
    lines
      .slice(0, maxLines)
      .filter((line) => line.length <= 80 && codeAndTown.test(line))
      .filter((line) => streetsIn(line)[0]?.index === 0),
  )
  return found.size === 1 ? [...found][0] : undefined
}

const maxLines = 500
const codeAndTown =
  /,? (?:[A-Z]{1,2}-)?\d{4,5} \p{Lu}[\p{L}’' -]{1,40}$|, \p{Lu}[\p{L} ]{1,30},? [A-Z]{2} \d{5}$/u

const maxParts = 50
const maxCharacters = 100_000

/** A small box that begins with the heading "Kontakt" or "Address", whatever its class is called. */
function isHeadedContact(name: string, node: Element): boolean {
  if (!/^(?:div|section|td|li|dl|aside|article)$/.test(name)) return false
  const first = node.children.find((child) => child.type !== 'text' || child.data.trim() !== '')
  if (first === undefined || !isElement(first) || !/^(?:h[2-6]|dt|strong|b)$/.test(first.name)) return false
  const label = textWithin([first])
  if (label.length > 40 || !(isTextOfKind(label, 'contact') || addressLabel.test(label.trim()))) return false
  return textWithin([node]).length <= maxBox
}

const maxBox = 1_500

const addressLabel =
  /^(?:(?:postal |street |our )?address|anschrift|adresse|dirección|indirizzo|endereço|adres(?:imiz)?|адрес|العنوان|住所|所在地|주소|地址)\s?[:：]?$/iu

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
