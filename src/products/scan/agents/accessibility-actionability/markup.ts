import { shown } from '../../site/addresses.ts'
import { attributeOf, type PageElement } from '../../site/html/elements.ts'

/** `<input type="email" name="from">`: enough to find it. */

export function markupOf({ node }: PageElement): string {
  const told = ['id', 'name', 'type', 'href', 'src', 'class'].flatMap((name) => {
    const value = attributeOf(node, name)
    return value === '' ? [] : [` ${name}="${value.slice(0, 60)}"`]
  })
  return shown(`<${node.name}${told.slice(0, 3).join('')}>`, 160)
}
