import { type FormUse, formsOf } from '../forms.ts'
import type { Page } from '../site.ts'

/**
 * The first way on a page to get in touch: a telephone or e-mail link, a form that can be sent, or a link to a
 * page for contact, booking, quotes or demos. Undefined when there is none. A form that searches or logs in is
 * no such way: nobody reads what is typed there.
 */
export function findContactPath(page: Page): string | undefined {
  return findDirectLink(page) ?? findForm(page) ?? findContactLink(page)
}

function findDirectLink({ $ }: Page): string | undefined {
  return $('a[href]')
    .toArray()
    .map((anchor) => $(anchor).attr('href')?.trim() ?? '')
    .find((href) => /^(?:tel|mailto):\s*[^\s?]/i.test(href))
}

function findForm(page: Page): string | undefined {
  return formsOf(page).find(({ use, node }) => taking.has(use) && page.$(node).find(submit).length > 0)?.label
}

const taking: ReadonlySet<FormUse> = new Set(['lead', 'booking', 'cart', 'application'])
const submit = 'button:not([type]), button[type=submit i], input[type=submit i], input[type=image i]'

/** By its text, or by a part of its path; a long one is a headline that happens to have the word. */
function findContactLink({ links }: Page): string | undefined {
  const link = links.find(({ url, text }) => isContact(text) || partsOf(url).some(isContact))
  return link === undefined ? undefined : `link "${link.text}" to ${link.url}`
}

function partsOf(url: string): string[] {
  return (URL.parse(url)?.pathname ?? '').split('/').map((part) => part.replaceAll(/[-_.]/g, ' '))
}

/** Contact also as the neighbours of English write it. */
function isContact(text: string): boolean {
  return text.length <= 30 && contactWord.test(text)
}

const contactWord =
  /(?<![\p{L}\p{N}])(?:contact|kontakt|contacto|contato|contatti|contactez|book|bookings?|appointments?|quotes?|demos?|termin|reservations?|reserve)(?![\p{L}\p{N}])/iu
