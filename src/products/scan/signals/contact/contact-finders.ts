import type { Evidence } from '../../findings/check.ts'
import { silentFormsOf } from '../../findings/forms/silent-forms.ts'
import { unopenedFormsOf } from '../../findings/forms/unopened-forms.ts'
import { decodedPathOf, decodeEscapes, shown } from '../../site/addresses.ts'
import { articlesOf } from '../../site/articles.ts'
import { ownFacts } from '../../site/contact/contact-pages.ts'
import { mailAddressesOf, spelledMailOf } from '../../site/contact/mail-addresses.ts'
import { beginsWithDay } from '../../site/contact/opening-days.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { type Form, formsOf } from '../../site/html/forms.ts'
import { isPathOfKind } from '../../site/kinds/page-kinds.ts'
import { pagesOfKind } from '../../site/linked-pages.ts'
import { isSamplePhone, linkedPhonesOf } from '../../site/phone-numbers.ts'
import type { Link, Page, Site } from '../../site/site.ts'
import { firstOf } from '../signal.ts'

/** What the signals of contact, booking and prices look for, each with the place where it was found. */

/** A form for this use that visitors can open and that sends what is typed in, as far as the scan can tell. */
export function findForm(
  site: Site,
  use: Form['use'],
  pages: readonly Page[] = site.pages,
): Evidence | undefined {
  const silent = new Set([...silentFormsOf(site).map(({ node }) => node), ...unopenedFormsOf(site)])
  return firstOf(pages, (page) => {
    const form = formsOf(page).find((one) => one.use === use && !silent.has(one.node))
    return form && { url: page.url, value: form.label }
  })
}

export function findMail(page: Page): Evidence | undefined {
  const address = mailAddressesOf(page)[0] ?? spelledMailOf(page)
  return address === undefined ? undefined : { url: page.url, value: address }
}

export function findOwnMail(site: Site): Evidence | undefined {
  return (
    ownFacts(site, mailAddressesOf)[0] ??
    ownFacts(site, (page) => [spelledMailOf(page)].flatMap((one) => one ?? []))[0]
  )
}

/** The site's own number, not that of a person in an article. */
export function findPhone(site: Site): Evidence | undefined {
  const [phone] = ownFacts(site, ({ phones }) => phones.filter((one) => !isSamplePhone(one)))
  if (phone === undefined) return undefined
  const isLinked = site.pages.some(
    (page) =>
      page.url === phone.url &&
      linkedPhonesOf(page).includes(phone.value) &&
      page.elements.some(({ node }) => decodeEscapes(attributeOf(node, 'href')).includes(phone.value)),
  )
  return isLinked ? { ...phone, value: `tel:${phone.value}` } : phone
}

/**
 * An article, the beginning of one in a list, or a work that is shown may tell of prices and appointments that are not those
 * of the business.
 */
export function withoutArticles(site: Site): readonly Page[] {
  const articles = new Set([...articlesOf(site).map(({ page }) => page), ...pagesOfKind(site, 'blog')])
  return site.pages.filter(
    (page) => !articles.has(page) && !isPathOfKind(page.url, 'blog') && !isWorkShown(page.url),
  )
}

/** Whether the address is below "portfolio" or "projects", where a designer shows work for clients. */
export function isWorkShown(url: string): boolean {
  return /\/(?:portfolio|projects?|works?|our-work|case-stud(?:y|ies)|referenzen|projekte|réalisations|realisations|proyectos|trabajos|progetti|lavori|projetos|projecten)\/[^/]/i.test(
    decodedPathOf(url),
  )
}

/**
 * Quotes the first match with up to three words that follow it in its line. Opening hours ("Sa: by appointment") say
 * when the door is open, not that appointments are what the business sells.
 */
export function findWords(
  page: Page,
  pattern: RegExp,
  isLeftOut: (line: string) => boolean = () => false,
): Evidence | undefined {
  const lines = page.lines.slice(0, maxLines)
  for (const [at, line] of lines.entries()) {
    const match = pattern.exec(line)
    if (match === null || beginsWithDay(line) || isDayAlone(lines[at - 1] ?? '') || isLeftOut(line)) continue
    const rest = line.slice(match.index + match[0].length)
    const [more = ''] = /^(?:\s[\p{L}\p{N}'’-]{1,30}){0,3}/u.exec(rest.slice(0, 130)) ?? []
    return { url: page.url, value: `"${match[0]}${more}"` }
  }
  return undefined
}

const maxLines = 20_000

/** "Samstag" in a cell or term of its own: its hours follow. */
function isDayAlone(line: string): boolean {
  return line.length <= 25 && beginsWithDay(line)
}

/** A page that would tell is linked and was not read, or no page was read. */
export function unknown(unread: Link | undefined): {
  how: 'unknown'
  evidence: Evidence[]
} {
  return {
    how: 'unknown',
    evidence: unread ? [{ url: unread.url, value: `${shown(unread.url)} is linked and was not read` }] : [],
  }
}
