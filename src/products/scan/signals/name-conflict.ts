import type { Evidence } from '../findings/check.ts'
import { shown } from '../site/addresses.ts'
import { attributeOf } from '../site/html/elements.ts'
import { labelOf } from '../site/html/visible-text.ts'
import type { Page, Site } from '../site/site.ts'
import { copyrightNamesOf, normalized, partsOf, repeatedParts } from './brand-name.ts'
import { statedNames } from './company-name.ts'
import { isGeneric } from './generic-titles.ts'
import { countSources } from './name-sources.ts'

/**
 * Another name that the pages give as often as the one that was read. Which of the two is right only the owner knows: a
 * block with the name of the predecessor, or of the maker of the pages, would publish it as the owner's.
 * @param name the one that was read
 */
export function nameConflict(site: Site, home: Page, name: string): readonly Evidence[] | undefined {
  // What the owner states for machines is the name.
  if (statedNames(site).some((stated) => stated !== '' && !isGeneric(stated))) return undefined
  const sources = countSources(name, site)
  const isOther = ({ value }: Evidence) => !isSimilar(value, name) && isLatin(value) === isLatin(name)
  const rival =
    rivalsOf(site, home).find(
      (one) => isOther(one) && (sources < 2 || countSources(one.value, site) > sources),
    ) ?? brandsElsewhere(site, home).find(isOther)
  return rival && [{ url: home.url, value: shown(name, 60) }, rival]
}

/** Names that at least two other pages bear in their logo as well as in their titles. Another language has its own. */
function brandsElsewhere({ pages }: Site, home: Page): Evidence[] {
  const found = pages
    .filter((page) => page !== home && page.language === home.language)
    .flatMap((page) => {
      const parts = new Set(partsOf(page.title).map(normalized))
      const [brand] = page.elements
        .filter(
          ({ node, name, isHidden }) => name === 'a' && !isHidden && ofBrand.test(attributeOf(node, 'class')),
        )
        .slice(0, 8)
        .map(({ node }) => labelOf(node))
        .filter((text) => parts.has(normalized(text)) && !isGeneric(text))
      return brand === undefined ? [] : [{ url: page.url, value: shown(brand, 60) }]
    })
  return found.filter(({ value }, at) => found.findIndex((one) => one.value === value) < at)
}

const ofBrand = /logo|brand/i

/** Names that are signed with a copyright sign, and those that the titles of other pages share. */
function rivalsOf(site: Site, home: Page): Evidence[] {
  const signed = copyrightNamesOf(home).map((value) => ({ url: home.url, value }))
  const shared = repeatedParts(site).map((value) => ({
    url: site.pages.find((page) => page !== home && page.title.includes(value))?.url ?? home.url,
    value,
  }))
  return [...signed, ...shared]
    .filter(({ value }) => isWritten(value) && !isGeneric(value) && !isPromise.test(value))
    .map(({ url, value }) => ({ url, value: shown(value, 60) }))
}

/** "Your painter in Ulm" is what one is to customers. */
const isPromise =
  /^(?:ihre?|deine?|unsere?|your|our|votre|vos|notre|nos|tus?|sus?|nuestr[oa]s?|il tuo|la tua|il vostro|la vostra|o seu|a sua|noss[oa]s?|uw|jouw|onze|ваш|наш)\s/iu

/** A short text that begins as a name does and is no sentence. */
function isWritten(value: string): boolean {
  const words = value.trim().split(/\s+/)
  return (
    value.length >= 3 && words.length <= 6 && /^[\p{Lu}\p{Lo}\p{N}]/u.test(value) && !/[!?。]/.test(value)
  )
}

/** A name in Latin letters beside one in Japanese is the same in another writing. */
function isLatin(name: string): boolean {
  return /\p{Script=Latin}/u.test(name) || !/\p{L}/u.test(name)
}

/** "Lind Bakery" and "Lind Bakery Ltd", "Dr. Lind" and "Praxis Dr. Anna Lind": one of them is the other in short. */
function isSimilar(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => normalized(name).split(' ').filter(Boolean))
  if (a === undefined || b === undefined) return false
  const [less, more] = a.length <= b.length ? [a, b] : [b, a]
  const joined = more.join('')
  return less.every((word) => more.includes(word) || joined.includes(word))
}
