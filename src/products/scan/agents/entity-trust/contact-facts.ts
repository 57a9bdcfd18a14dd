import { asking, type Evidence, fail, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { counted, further, listed } from '../../findings/share.ts'
import { unreadPlace } from '../../findings/unread-places.ts'
import { ownEntities } from '../../signals/own-entities.ts'
import type { Signals } from '../../signals/signals.ts'
import { isPrivate, kindOfSite } from '../../signals/site-kind/site-kind.ts'
import { shown, shownInQuotes } from '../../site/addresses.ts'
import { homeAddress } from '../../site/below-home.ts'
import { addressLinesIn } from '../../site/contact/address-lines.ts'
import { currentPages, ownFacts } from '../../site/contact/contact-pages.ts'
import { atBottomOf } from '../../site/contact/footers.ts'
import { institution } from '../../site/contact/institutions.ts'
import { mailAddressesOf } from '../../site/contact/mail-addresses.ts'
import { areSameDigits, significantDigits } from '../../site/contact/phone-rules.ts'
import { withPlainSigns } from '../../site/contact/plain-signs.ts'
import { spelledAddress } from '../../site/contact/spelled-address.ts'
import { isSampleStreet, streetsIn } from '../../site/contact/street-address.ts'
import { creditLinesOf } from '../../site/html/credit-lines.ts'
import { nodesOf, textOf, typeName } from '../../site/html/json-ld.ts'
import { linesWithin } from '../../site/html/visible-text.ts'
import { pagesOfKind } from '../../site/linked-pages.ts'
import { isSamplePhone, writtenNumbers } from '../../site/phone-numbers.ts'
import type { Page, Site } from '../../site/site.ts'
import { isScholarProfile, profilesIn } from './profile-addresses.ts'

/**
 * Judges whether telephone number, e-mail address and street address are the same on the pages and in the
 * markup. Engines compare the two, and cannot confirm a fact that only one of them has.
 */
export function judgeContactFacts(pages: readonly Page[], site: Site, signals: Signals): Outcome {
  const samples = pages.flatMap(sampleAddresses)
  const places = [...new Set(samples.map(({ url }) => url))]
  const [sample] = samples
  if (sample)
    return asking(
      fail(
        `The pages show the address of a template, ${sample.value}. Visitors and engines are sent there.`,
        `Write your own street, postal code and town in place of ${listed([...new Set(samples.map(({ value }) => value))].slice(0, 4))} on ${listed(places.slice(0, 5).map((url) => shown(url)))}${places.length > 5 ? ` and ${further(places.length - 5, 'page')}` : ''}, wherever they stand there.`,
        ...samples.slice(0, 5),
      ),
      { kind: 'sample-address' },
    )
  const facts = contactFacts(pages, site)
  const equal = facts.filter(({ state }) => state === 'equal')
  const wrong = facts.filter(({ state }) => state === 'different')
  const evidence = facts.flatMap((fact) => fact.evidence).slice(0, 5)
  const name = (list: readonly Fact[]) => listed(list.map(({ label }) => label))
  if (equal.length > 0 && wrong.length === 0) {
    return pass(
      `The same ${name(equal)} ${equal.length === 1 ? 'stands' : 'stand'} on the pages and in the JSON-LD.`,
      ...evidence,
    )
  }
  const unread = unreadPlace(site, 'contact')
  if (unread) return unmeasured(`Contact facts may stand elsewhere: ${unread.reason}.`)
  const [transcribed] = facts.filter(({ state }) => state === 'transcribed')
  if (transcribed !== undefined && wrong.length === 0)
    return unmeasured(
      `The JSON-LD and the pages write the ${transcribed.label} in different alphabets, so the two cannot be compared.`,
    )
  const [first] = wrong
  if (first) {
    return fail(
      `The ${name(wrong)} in the JSON-LD ${wrong.length === 1 ? 'differs' : 'differ'} from what the pages show, so engines cannot tell which one is true.`,
      `Write the ${first.label} that visitors see into the JSON-LD of ${shown(first.evidence[0]?.url ?? homeAddress(site))}.`,
      ...evidence,
    )
  }
  if (isPrivate(kindOfSite(site))) return judgePrivate(facts, site, signals)
  const visible = facts.filter(({ state }) => state === 'visible')
  const declared = facts.filter(({ state }) => state === 'declared')
  const withArticles = (list: readonly Fact[]) =>
    listed(list.map(({ article, label }) => `${article} ${label}`))
  if (visible.length > 0) {
    const [them, anyOfThem] = visible.length === 1 ? ['it', 'it'] : ['them', 'any of them']
    const cause = pages.some(({ jsonLd }) => jsonLd.blocks > 0)
      ? `the JSON-LD does not repeat ${anyOfThem}`
      : `no JSON-LD was found that would repeat ${them}`
    const found = fail(
      `The pages show ${withArticles(visible)}, and ${cause}, so engines cannot confirm ${them} there.`,
      `Add ${listed(visible.map(({ property }) => property))} to ${targetNode(site)} of ${shown(homeAddress(site))}.`,
      ...evidence,
    )
    return asking(found, { kind: 'contact-markup' })
  }
  if (declared.length > 0) {
    return fail(
      `The JSON-LD gives ${withArticles(declared)} that ${declared.length === 1 ? 'was' : 'were'} not found in the text of ${counted(pages.length, 'page')}. Engines cannot confirm ${declared.length === 1 ? 'it' : 'them'} by the text.`,
      `Show the ${name(declared)} of the JSON-LD ${atBottomOf(site)} or on the page for contact.`,
      ...evidence,
    )
  }
  const found = fail(
    `No telephone number, e-mail address or street address was found in the text of ${counted(pages.length, 'page')} or in ${pages.length === 1 ? 'its' : 'their'} JSON-LD.`,
    `Show telephone number, e-mail address and street address ${atBottomOf(site)}, the first two as tel: and mailto: links. Repeat what applies as telephone, email and address of the Organization node.`,
    { url: homeAddress(site), value: `no contact facts in the text of ${counted(pages.length, 'page')}` },
  )
  return asking(found, { kind: 'first-contact-facts' })
}

function contactFacts(pages: readonly Page[], site: Site): readonly Fact[] {
  return [phoneFact(pages, site), mailFact(site), addressFact(pages, site)]
}

/** The properties of the markup that name another telephone number, mail address or street than the pages. */
export function contradictedContacts(site: Site): ReadonlySet<Fact['property']> {
  const facts = contactFacts(site.pages, site).filter(({ state }) => state === 'different')
  return new Set(facts.map(({ property }) => property))
}

/** One writes to a person or a project, and neither has to publish a street or a telephone number. */
function judgePrivate(facts: readonly Fact[], site: Site, { contactPath }: Signals): Outcome {
  // A mail address first: the number may be that of a hall.
  const [fact] = facts
    .toSorted((one, other) => Number(other.property === 'email') - Number(one.property === 'email'))
    .flatMap(({ state, evidence }) => (state === 'none' ? [] : evidence))
  // "https://github.com/lind" as a line of text tells it as well as a link.
  const links = site.pages.flatMap((page) => [
    ...page.links.map(({ url }) => url),
    ...Array.from(page.text.slice(0, 100_000).matchAll(writtenAddress), ([url]) => url),
  ])
  const profile = [...profilesIn(links).values()][0] ?? links.find(isScholarProfile)
  const way =
    fact ?? contactPath ?? (profile === undefined ? undefined : { url: homeAddress(site), value: profile })
  if (way)
    return pass('The pages say how the owner of the site can be reached.', {
      ...way,
      value: shown(way.value, 150),
    })
  const found = fail(
    `No e-mail address, contact form or profile was found on ${currentPages(site)}. An agent cannot ask about what the site says.`,
    `Show an e-mail address ${atBottomOf(site)}, or link a contact form or a profile there.`,
    { url: homeAddress(site), value: `no way to reach its owner on ${currentPages(site)}` },
  )
  return asking(found, { kind: 'one-way-of-contact' })
}

const writtenAddress = /https?:\/\/[\w.-]{4,80}\/[\w.@/-]{1,100}[\w]/g

/** The node that describes who runs the site, by the type that it has. */
function targetNode(site: Site): string {
  const [own] = ownEntities(site)
  return own === undefined ? 'an Organization or LocalBusiness node' : `the ${typeName(own.node)} node`
}

interface Fact {
  readonly article: 'a' | 'an'
  readonly label: string
  readonly property: 'telephone' | 'email' | 'address'
  /**
   * Compares the pages with the markup. `visible`: only on the pages. `declared`: only in the markup. `transcribed`: one of
   * the two in Latin letters, and the other not.
   */
  readonly state: 'equal' | 'different' | 'visible' | 'declared' | 'transcribed' | 'none'
  readonly evidence: readonly Evidence[]
}

interface Occurrence {
  readonly url: string
  readonly value: string
}

function phoneFact(pages: readonly Page[], site: Site): Fact {
  const visible = ownFacts(site, ({ phones }) => phones.filter((phone) => !isSamplePhone(phone)))
  // The number of a template contradicts the own one, and where there is none it says nothing. On a page it confirms nothing.
  const declared = declaredValues(site, 'telephone').filter(
    ({ value }) => visible.length > 0 || !isSamplePhone(value),
  )
  const numbers = [...visible.map(({ value }) => value), ...pages.flatMap(numbersIn)]
    .filter((number) => !isSamplePhone(number))
    .map(significantDigits)
  const isShown = (value: string) => {
    const wanted = significantDigits(value)
    return numbers.some((one) => areSameDigits(one, wanted))
  }
  return compare(
    { article: 'a', label: 'telephone number', property: 'telephone' },
    declared,
    visible,
    isShown,
  )
}

function numbersIn(page: Page): string[] {
  return Array.from(
    withPlainSigns(page.text.slice(0, 200_000)).matchAll(writtenNumbers),
    ([run]) => run,
  ).slice(0, 500)
}

function mailFact(site: Site): Fact {
  const declared = declaredValues(site, 'email')
  const visible = ownFacts(site, mailAddressesOf)
  // Whatever page shows it confirms it.
  const shownAnywhere = new Set(site.pages.flatMap(mailAddressesOf))
  const isShown = (value: string) =>
    shownAnywhere.has(
      value
        .replace(/^mailto:/i, '')
        .trim()
        .toLowerCase(),
    )
  return compare({ article: 'an', label: 'e-mail address', property: 'email' }, declared, visible, isShown)
}

function addressFact(pages: readonly Page[], site: Site): Fact {
  const declared = pages.flatMap((page) =>
    nodesOf(page, 'PostalAddress').flatMap(({ properties }) => {
      const value = textOf(properties.streetAddress)
      return value === '' ? [] : [{ url: page.url, value }]
    }),
  )
  // A privacy notice names the addresses of networks and authorities.
  const foreign = new Set([...pagesOfKind(site, 'privacy')].filter((page) => page !== site.home))
  const imprints = new Set(pagesOfKind(site, 'imprint'))
  const visible = ownFacts(site, (page) =>
    foreign.has(page) && !imprints.has(page) ? [] : addressesOn(page),
  )
  const texts =
    declared.length === 0 ? [] : pages.map((page) => ` ${spelledAddress(page.text.slice(0, 200_000))} `)
  const streets = visible.map(({ value }) => ` ${spelledAddress(value)} `)
  const isShown = (value: string) => {
    const wanted = spelledAddress(value)
    return isUnspaced(value)
      ? texts.some((text) => squeezed(text).includes(squeezed(wanted)))
      : texts.some((text) => text.includes(` ${wanted} `)) ||
          // The markup may name the floor, too, where the pages name the house alone.
          streets.some((street) => /\d/.test(street) && ` ${wanted} `.includes(street))
  }
  const fact = compare(
    { article: 'a', label: 'street address', property: 'address' },
    declared,
    visible,
    isShown,
  )
  const isComparable = visible.some((one) =>
    declared.some((other) => isLatin(one.value) === isLatin(other.value)),
  )
  return fact.state === 'different' && !isComparable ? { ...fact, state: 'transcribed', evidence: [] } : fact
}

function isLatin(text: string): boolean {
  return !/[^\p{Script=Latin}\P{L}]/u.test(text)
}

/** The lines of an address that came with the template: the street, and the code and town below it. */
function sampleAddresses({ lines, url }: Page): Evidence[] {
  const found = lines.flatMap((line, at) => {
    if (line.length > 100 || !/\d/.test(line) || !isSampleStreet(line)) return []
    const below = lines[at + 1]?.trim() ?? ''
    return townLine.test(below) ? [line, below] : [line]
  })
  return [...new Set(found)].map((line) => ({ url, value: `"${shownInQuotes(line, 60)}"` }))
}

/** "8001 Zürich", "Springfield, IL 62704". */
const townLine =
  /^(?:(?:[A-Z]{1,2}-)?\d{4,6} \p{Lu}[\p{L} .-]{1,40}|\p{Lu}[\p{L} .-]{1,40},? (?:[A-Z]{2} )?\d{4,6})$/u

/** Finds the text of `address` elements, and a street with its number where contact facts stand. */
function addressesOn(page: Page): string[] {
  const marked = page.elements
    .filter(({ name, isHidden }) => name === 'address' && !isHidden)
    .slice(0, 20)
    .flatMap(({ node }) => {
      const text = upToLabel(linesWithin([node]))
        .slice(0, 1_000)
        .replace(gluedLabel, '')
      if (copyrightNotice.test(text)) return []
      // The digits of e-mail addresses and telephone numbers do not count as a street number. "188 - 3060" in front of a
      // town is one with its postal code.
      const rest = text
        .replace(/\S{1,100}@\S{1,100}/g, ' ')
        .replace(/\+?[\d(][\d\s()./-]{5,22}\d(?! ?\p{Lu}\p{Ll})|[+(0][\d\s()./-]{5,22}\d/gu, ' ')
      return /\d/.test(rest) && /\p{L}{3}/u.test(rest)
        ? [(text.split(nextLabel, 1)[0] ?? '').split(nextFact, 1)[0]?.slice(0, 200) ?? '']
        : []
    })
  const isCredited = (text: string) => creditLinesOf(page).some((line) => line.includes(text))
  const formed = addressLinesIn(page.lines)
    .map(({ streetAddress }) => streetAddress)
    .filter((street) => page.contactText.includes(street))
  const streets = [...formed, ...streetsIn(page.contactText).map(({ written }) => written)]
  const street = streets.find(
    (written) =>
      !isCredited(written) && !isDirection(written, page.contactText) && !isOfAnother(written, streets, page),
  )
  return [...marked, ...(street === undefined ? [] : [street.replace(gluedLabel, '')])].filter(
    (text) => !isCredited(text),
  )
}

/** Without what follows below the house: "For invoices:", "E-mail: …". */
function upToLabel(lines: readonly string[]): string {
  const house = lines.findIndex((line) => /\d/.test(line))
  const end = lines.findIndex((line, at) => house >= 0 && at > house && labelled.test(line))
  return lines.slice(0, end < 0 ? undefined : end).join(' ')
}

const labelled = /^\p{L}[\p{L}. -]{1,40}:(?:\s|$)/u

/** "AdresseErgolzstrasse 52": the label stands in an element of its own. Without "i", "Adressestrasse" is one word. */
const gluedLabel = /^(?:Adresse|ADRESSE|Address|Dirección|Indirizzo|Adres|Endereço)(?=\p{Lu})/u

/** "Haftpflichtversicherung bei: Nordlicht AG, Hafenallee 92" names the place of another organization. */
function isOfAnother(
  street: string,
  streets: readonly string[],
  { contactText: text, title }: Page,
): boolean {
  const start = text.indexOf(street)
  if (start < 0) return false
  // What stands before the street above names the owner of that one.
  const ends = streets
    .map((one) => text.lastIndexOf(one, start - 1))
    .map((at, place) => (at < 0 ? 0 : at + (streets[place]?.length ?? 0)))
  const [word] =
    institution.exec(text.slice(Math.max(0, start - 100, ...ends.filter((end) => end <= start)), start)) ?? []
  // The business may be one itself.
  return word !== undefined && !title.toLowerCase().includes(word.toLowerCase())
}

/** "Rechts halten auf Hauptstrasse 25, Richtung Aarau" says how to get there. */
function isDirection(street: string, text: string): boolean {
  const end = text.indexOf(street) + street.length
  const behind = text.slice(end, end + 20)
  return /^,? (?:richtung|in richtung|direction|towards|direzione|dirección|vers)(?!\p{L})/iu.test(behind)
}

const copyrightNotice = /^(?:©|\(c\)|copyright)|rights reserved/i

/** Where an address ends: a number of a register or of a telephone, or the name of a firm under a label. */
const nextLabel =
  /(?<=\S)\s+(?:cnpj|cpf|vat|nip|regon|p\.?\s?iva|siret|kvk|razão social|tel(?:efon[eo]?|éphone)?|phone|fax|e-?mail)\s?[.:]/iu

/** A number of a telephone or a mail address, without a label. */
const nextFact = /(?<=\S)\s+(?:\+\d|\(?0\d{1,4}\)?[\s./-]{1,3}\d{2}|\S{1,60}@\S)/u

/** Chinese and Japanese write the street right behind the town, and Korean a particle or "층" right behind the number. */
function isUnspaced(value: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(value)
}

function squeezed(text: string): string {
  return text.replaceAll(' ', '')
}

/** What the site says of itself, and the points of contact on the same pages. */
function declaredValues(site: Site, property: string): Occurrence[] {
  const own = ownEntities(site)
  const points = [...new Set(own.map(({ page }) => page))].flatMap((page) =>
    nodesOf(page, 'ContactPoint').map((node) => ({ page, node })),
  )
  // Many give the number of the firm to what it offers: "TaxiService" is a Service.
  const offers = site.pages
    .slice(0, 1)
    .flatMap((page) =>
      page.jsonLd.nodes
        .filter(({ isTop, types }) => isTop && types.some((type) => /Service$/.test(type)))
        .map((node) => ({ page, node })),
    )
  return [...own, ...points, ...offers].flatMap(({ page, node: { properties } }) => {
    const value = textOf(properties[property])
    return value === '' ? [] : [{ url: page.url, value }]
  })
}

function compare(
  fact: Pick<Fact, 'article' | 'label' | 'property'>,
  declared: readonly Occurrence[],
  visible: readonly Occurrence[],
  isShown: (value: string) => boolean,
): Fact {
  const quote = (place: string, occurrence: Occurrence | undefined): Evidence[] =>
    occurrence
      ? [{ url: occurrence.url, value: `${fact.label} ${place}: ${shown(occurrence.value, 100)}` }]
      : []
  const [firstDeclared] = declared
  const [firstVisible] = visible
  if (!firstDeclared)
    return { ...fact, state: firstVisible ? 'visible' : 'none', evidence: quote('on the page', firstVisible) }
  const same = declared.slice(0, 50).find(({ value }) => isShown(value))
  if (same) return { ...fact, state: 'equal', evidence: quote('on the page and in the JSON-LD', same) }
  const evidence = [...quote('in the JSON-LD', firstDeclared), ...quote('on the page', firstVisible)]
  return { ...fact, state: firstVisible ? 'different' : 'declared', evidence }
}
