import { absolute } from '../../site/addresses.ts'
import { attributeOf, spokenText } from '../../site/html/elements.ts'
import type { Form } from '../../site/html/forms.ts'
import { isTextOfKind } from '../../site/kinds/kind-phrases.ts'
import { isPathOfKind } from '../../site/kinds/page-kinds.ts'

/** Whether the form itself has a box to tick and, beside its fields, a link to a notice on privacy. */
export function asksConsent({ node, page }: Form): boolean {
  const own = page.elements.filter((element) => element.form === node)
  const hasBox = own.some(
    ({ name, node: field }) => name === 'input' && /^checkbox$/i.test(attributeOf(field, 'type')),
  )
  return (
    hasBox &&
    own.some(({ name, node: link }) => {
      const url = name === 'a' ? absolute(attributeOf(link, 'href'), page.url) : undefined
      return (
        url !== undefined && (isPathOfKind(url, 'privacy') || isTextOfKind(spokenText(link, 200), 'privacy'))
      )
    })
  )
}
