import { attributeOf, type PageElement } from '../elements.ts'
import { around, type Element } from '../visible-text.ts'

/**
 * Groups of fields that stand outside any form element and have a button of their own: a form that only a script sends.
 * People fill it in like any other, so a report that read form elements alone would tell an owner that there is none.
 * @returns the fields by the nearest element that holds them and the button.
 */
export function looseFields(
  elements: readonly PageElement[],
  isField: (element: PageElement) => boolean,
): ReadonlyMap<Element, readonly PageElement[]> {
  const loose = elements.filter(({ form }) => form === undefined)
  const holders = new Set(
    loose
      .filter(isButton)
      .slice(0, maxButtons)
      .flatMap(({ node }) => near(node)),
  )
  const groups = new Map<Element, PageElement[]>()
  for (const field of loose.filter(isField).slice(0, maxFields)) {
    const holder = near(field.node).find((outer) => holders.has(outer))
    if (holder !== undefined) groups.set(holder, [...(groups.get(holder) ?? []), field])
  }
  return new Map([...groups].filter(([, fields]) => isSent(fields)))
}

const maxButtons = 200
const maxFields = 200

/** A field for a message and one for the sender, or one for an e-mail address. A box to try a tool has neither. */
function isSent(fields: readonly PageElement[]): boolean {
  if (fields.some(({ node }) => attributeOf(node, 'type').toLowerCase() === 'email')) return true
  return fields.some(({ name }) => name === 'textarea') && fields.some(({ node }) => isSender(node))
}

function isSender(node: Element): boolean {
  const named = `${attributeOf(node, 'id')} ${attributeOf(node, 'name')} ${attributeOf(node, 'placeholder')}`
  return (
    attributeOf(node, 'type').toLowerCase() === 'tel' ||
    /e-?mail|phone|telefon|\btel\b|mobile|whatsapp|contact|kontakt|contato|name|nome|nom\b|nombre|naam|\bad\b|имя|почт|телефон|الاسم|البريد|名前|氏名|メール|이름|이메일|姓名|邮箱|ชื่อ|อีเมล/iu.test(
      named.slice(0, 300),
    )
  )
}

/** The elements around one, up to where a form usually begins. */
function near(node: Element): Element[] {
  return around(node)
    .slice(0, 5)
    .filter(({ name }) => !/^(?:html|body|main|header|footer|nav)$/.test(name))
}

function isButton({ name, node }: PageElement): boolean {
  return (
    name === 'button' || (name === 'input' && /^(?:submit|button|image)$/i.test(attributeOf(node, 'type')))
  )
}
