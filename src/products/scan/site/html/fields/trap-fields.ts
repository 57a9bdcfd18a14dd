import { attributeOf, type PageElement } from '../elements.ts'

/**
 * Whether a field is a trap for programs that fill in every field they find: no visitor sees it, and it is right that it
 * has no label. Asking for one would make visitors fill it in, and their messages would be thrown away.
 */
export function isTrap({ node }: PageElement): boolean {
  const named = `${attributeOf(node, 'name')} ${attributeOf(node, 'id')}`.slice(0, 200)
  if (trapName.test(named) || trapSent.test(attributeOf(node, 'name'))) return true
  if (attributeOf(node, 'tabindex').trim() !== '-1') return false
  return (
    attributeOf(node, 'autocomplete').trim().toLowerCase() === 'off' ||
    hiddenClass.test(attributeOf(node, 'class'))
  )
}

/** Names that form services and plugins give to such a field. */
const trapName = /(?:^|[\s_-])(?:bot-?(?:check|field)|honey-?pot|gotcha|honey)(?:$|[\s_-])/i

/** A field of the home page may have the id "hp_mail", and sends another name. */
const trapSent = /^hp[_-]/i

const hiddenClass =
  /(?:^|\s)(?:hidden|d-none|invisible|sr-only|visually-?hidden|screen-reader-text|hide|off-?screen)(?:\s|$)/i
