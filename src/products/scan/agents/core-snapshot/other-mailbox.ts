import { type Outcome, warn } from '../../findings/check.ts'
import { andTheRest } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import { mailTarget } from '../../site/contact/mail-addresses.ts'
import { attributeOf, spokenText } from '../../site/html/elements.ts'
import { isSampleMail } from '../../site/html/template-text.ts'
import type { Page } from '../../site/site.ts'

/**
 * Judges links that show one mail address and write to another, such as that of the template's maker. Who clicks there
 * writes to a stranger, and the owner never learns of it. Undefined where there is none.
 */
export function judgeOtherMailboxes(pages: readonly Page[]): Outcome | undefined {
  const links = pages.flatMap(otherMailboxes)
  const [first] = links
  if (first === undefined) return undefined
  return warn(
    `A link shows ${shown(first.text, 80)}, and opens a mail to ${shown(first.target, 80)}. Whoever writes by the link reaches another mailbox than the one that stands there.`,
    `Let the link on ${shown(first.url)} that shows ${shown(first.text, 80)} write to that address, and not to ${shown(first.target, 80)}. If the other one is right, correct the text in its place.${andTheRest(links.length - 1, 'such link')}`,
    ...links.slice(0, maxShown).map(({ url, text, target }) => ({
      url,
      value: `mailto:${shown(target, 80)}, shown as "${shown(text, 80)}"`,
    })),
  )
}

const maxShown = 20

function otherMailboxes({ url, elements }: Page) {
  return elements.flatMap(({ name, node, isHidden }) => {
    const target = name === 'a' && !isHidden ? mailTarget(attributeOf(node, 'href').slice(0, 500)) : undefined
    if (target === undefined) return []
    const text = spokenText(node, 100).trim()
    // Several mailboxes may take what is written to one name, and a text that is no address names none.
    const isOther =
      mailbox.test(target) &&
      mailbox.test(text) &&
      !isSampleMail(target) &&
      // A style turns an address round that was written backwards.
      ![text, Array.from(text).toReversed().join('')].some((one) => keyOf(one) === keyOf(target))
    return isOther ? [{ url, text, target }] : []
  })
}

/** Without what a mailbox does not tell apart: letter case, a tag behind a plus, and the dots of Gmail. */
function keyOf(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  const box = name.replace(/\+.*$/, '')
  return /^g(?:oogle)?mail\.com$/.test(domain) ? `${box.replaceAll('.', '')}@gmail.com` : `${box}@${domain}`
}

const mailbox = /^[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}$/i
