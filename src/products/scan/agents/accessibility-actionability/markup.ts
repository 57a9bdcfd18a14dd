import { shown, withoutOwnPath } from '../../site/addresses.ts'
import { attributeOf, hasAttribute, type PageElement } from '../../site/html/elements.ts'
import type { Element } from '../../site/html/visible-text.ts'

/** Quotes an element by its start tag, with the first three attributes that help its owner to find it. */
export function markupOf({ node }: PageElement): string {
  // A script puts the address in place of a stand-in.
  const source =
    /^data:/i.test(attributeOf(node, 'src')) && hasAttribute(node, 'data-src') ? 'data-src' : 'src'
  const attributes = ['id', 'name', 'type', 'placeholder', 'href', source, 'alt', 'class']
  return shown(startTag(node, attributes, { maxLength: 60, maxAttributes: 3 }), 160)
}

/**
 * Writes the start tag of an element with those of the attributes that it has: `<input type="email">`.
 * @param limits `maxLength` holds for each value, in characters
 */
export function startTag(
  element: Element,
  attributes: readonly string[],
  limits: { readonly maxLength: number; readonly maxAttributes?: number },
): string {
  const written = attributes.flatMap((name) => {
    const value = withoutOwnPath(attributeOf(element, name))
    return value === '' ? [] : [` ${name}="${cutTo(value, limits.maxLength)}"`]
  })
  return `<${element.name}${written.slice(0, limits.maxAttributes).join('')}>`
}

/** A reader must not take a part of an address for the whole. */
function cutTo(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
