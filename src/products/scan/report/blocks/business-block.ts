import { listOf } from '../../../text/plain-text.ts'
import type { Evidence } from '../../findings/check.ts'
import { hoursInWords } from '../../signals/contact/hours-by-day.ts'
import { kindOfSite, nounOf } from '../../signals/site-kind/site-kind.ts'
import { shown, shownInQuotes } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { nodesOf } from '../../site/html/json-ld.ts'
import { localTypes } from '../../site/html/schema-types.ts'
import { isSamplePhone } from '../../site/phone-numbers.ts'
import type { JsonLdNode, Page, Site } from '../../site/site.ts'
import type { Draft } from './block.ts'
import { businessType, general } from './business-type.ts'
import { askedName } from './facts/asked-name.ts'
import { contactAsks, sayingAsks } from './facts/asked-once.ts'
import type { SiteFacts } from './facts/facts.ts'
import { hoursNode, wellFormedHours, wellFormedSpecification } from './facts/hours-markup.ts'
import { placeholderFor } from './facts/name-placeholder.ts'
import { internationalPhone } from './facts/own-country.ts'
import { fileOf, ownNodeOf } from './facts/own-node.ts'
import { type StatedPrice, statedPrices } from './facts/stated-prices.ts'
import { whereHeadIs } from './head-block.ts'
import { jsonLdScript } from './json-ld-script.ts'
import { addressLine, saidFacts } from './said-facts.ts'

/**
 * The JSON-LD that describes the business and its site, filled with what the site says of itself. What the site's own
 * node says already stays as it is. Missing facts are left out of the block and named beside it.
 */
export function businessBlock(site: Site, home: Page, facts: SiteFacts): Draft | undefined {
  const kind = nounOf(kindOfSite(site))
  const name = facts.name ?? placeholderFor(kind)
  const called = facts.name === undefined ? `your ${kind}` : shown(facts.name, 60)
  const type = businessType(home, facts, site)
  const website = { '@type': 'WebSite', name, url: facts.url }
  const isUnowned = isOfNobodyNamed(site, facts)
  const hasWebsite = nodesOf(home, 'WebSite').length > 0
  const nodes = isUnowned
    ? [{ ...website, ...given('image', facts.image), ...given('description', facts.description) }]
    : [organizationOf(type, { ...facts, name }, statedPrices(site.pages)), ...(hasWebsite ? [] : [website])]
  const graph = { '@context': 'https://schema.org', '@graph': nodes }
  const text = jsonLdScript(graph)
  if (text.length > maxCharacters) return undefined
  const own = facts.ownNode?.types[0]
  const missing = isUnowned
    ? [
        ...(facts.name === undefined && !facts.conflicts.name
          ? ['the name, where the block asks for it (name)']
          : []),
        'who writes the site, as a Person or an Organization (publisher)',
      ]
    : [
        ...unseenName(home, facts),
        ...guessedDescription(facts),
        ...replacedFacts(type, facts),
        ...missingFacts(
          type,
          facts,
          !(site.profile.api || site.profile.app || kindOfSite(site) !== 'business'),
        ),
      ]
  return {
    block: {
      kind: 'html',
      where: `${
        own === undefined || !facts.isOwnNodeOnHome
          ? `Paste it into the head of ${shown(facts.url)}. ${whereHeadIs}`
          : `${shown(facts.url)} has such a description already (its type is ${shown(facts.ownNode?.types.join(', ') ?? own, 80)}${fileOf(facts.ownNode, home)}). Put this in the place of that one description. Keep all others that stand beside it, and what was added since the scan.${alsoOn(site, home)}`
      }${sampleOrder(site.pages, facts, missing)}`,
      text,
      says: [...saidFacts(nodes[0] ?? {})],
      missing,
      conflicts: conflictsIn(facts),
    },
    title:
      own === undefined || !facts.isOwnNodeOnHome
        ? `Paste a description of ${called} into the home page, in the form that machines read.`
        : `Complete the description of ${called} that machines read in the home page.`,
    why: 'Assistants and search engines copy facts from the description that a page gives to machines. What it does not say, they guess.',
    pasted: {
      head: text,
      ...(facts.isOwnNodeOnHome && facts.ownNode !== undefined && { replacedNode: facts.ownNode }),
    },
    aims: [
      'core-snapshot/jsonld-any',
      'structured-data/organization',
      'structured-data/same-as',
      'structured-data/website-node',
      'entity-trust/nap',
      'entity-trust/profiles',
      // Which name the pages have to repeat is not known before the owner has written it.
      ...(facts.name === undefined ? [] : ['entity-trust/brand-name', 'structured-data/agreement']),
    ],
  }
}

/** A template writes one description into all its pages. That of a branch has other contacts. */
function alsoOn(site: Site, home: Page): string {
  const own = ownNodeOf(site)?.node
  // One with other facts would lose them.
  const marks = ({ types, properties }: JsonLdNode) => JSON.stringify([types, properties])
  const others = site.pages.filter(
    (page) =>
      page !== home &&
      own !== undefined &&
      page.jsonLd.nodes.some((node) => node.isTop && marks(node) === marks(own)),
  )
  const [first] = others
  if (first === undefined) return ''
  const places =
    others.length === 1
      ? shown(first.url)
      : `${others.length} more of the pages that were read, such as ${shown(first.url)}`
  return ` The same description stands on ${places}: replace it there, too.`
}

/** What the web person writes over the number of a template that readers see. A link that dials one has a step of its own. */
function sampleOrder(pages: readonly Page[], facts: SiteFacts, missing: readonly string[]): string {
  const { samplePhone, telephone } = facts
  const number = telephone !== undefined && /^[+\d\s()./-]{5,30}$/.test(telephone) ? telephone : undefined
  if (number === undefined && !missing.includes(contactAsks.markedPhone)) return ''
  const isLinked = pages.some(({ elements }) =>
    elements.some(({ name, node }) => {
      const href = name === 'a' ? attributeOf(node, 'href').slice(0, 60) : ''
      return /^\s*tel:/i.test(href) && isSamplePhone(href)
    }),
  )
  return samplePhone === undefined || isLinked
    ? ''
    : ` On ${shown(samplePhone.url)} stands ${samplePhone.value}, the sample number of a template. Write ${number ?? 'your own number'} in its place.`
}

/** Notes or a blog that name no owner, telephone or address may be those of a person. */
function isOfNobodyNamed(site: Site, { ownNode, telephone, conflicts, address }: SiteFacts): boolean {
  const kind = kindOfSite(site)
  return (
    (kind === 'unclear' || kind === 'publication' || kind === 'person') &&
    ownNode === undefined &&
    telephone === undefined &&
    conflicts.telephone === undefined &&
    address === undefined
  )
}

/** A site whose own markup is longer than this needs no block from us. */
const maxCharacters = 8_000

function organizationOf(
  type: string,
  facts: SiteFacts,
  prices: readonly StatedPrice[],
): Record<string, unknown> {
  const { '@id': id, sameAs, ...stated } = facts.ownNode?.properties ?? {}
  // Templates leave "#" where an entry elsewhere belongs.
  const entries = [sameAs ?? []].flat().filter((one) => typeof one !== 'string' || /^\s*https?:/i.test(one))
  const profiles = [...new Set([...entries, ...facts.profiles])]
  // schema.org knows opening hours of places alone.
  const hasHours =
    !isPlaceOfBusiness(type) || 'openingHours' in stated || 'openingHoursSpecification' in stated
  const hours = hasHours ? [] : facts.openingHours
  return {
    '@type': typesOf(type, facts),
    ...(id !== undefined && { '@id': id }),
    ...stated,
    ...wellFormedHours(stated.openingHours),
    ...wellFormedSpecification(stated.openingHoursSpecification),
    name: facts.name ?? stated.name,
    url: stated.url ?? facts.url,
    // schema.org knows no logo of a person.
    ...(type === 'Person' ? {} : given('logo', stated.logo ?? facts.logo)),
    ...given('image', stated.image ?? facts.image),
    ...given('description', stated.description ?? facts.description),
    ...given('telephone', stated.telephone ?? phoneOf(facts)),
    ...given('email', stated.email ?? facts.email),
    ...given('address', stated.address ?? addressNode(facts)),
    ...(hours.length > 0 && { openingHours: hours }),
    ...pointWithHours(type, facts),
    ...(profiles.length > 0 && { sameAs: profiles }),
    // Prices of goods belong to the markup of their pages, and prices of plans say for how long they hold.
    ...(prices.length > 0 &&
      isPlaceOfBusiness(type) &&
      !('makesOffer' in stated) && { makesOffer: prices.map(offerOf) }),
  }
}

/** A description that the site has may say several things of one business, and keeps them. */
function typesOf(type: string, { ownNode }: SiteFacts): string | readonly string[] {
  const others = ownNode?.types.filter((one) => one !== type && !general.has(one)) ?? []
  return others.length > 0 && ownNode?.types.includes(type) ? [type, ...others] : type
}

function addressNode({ address, country }: SiteFacts): Record<string, unknown> | undefined {
  return address && { '@type': 'PostalAddress', ...address, ...given('addressCountry', country) }
}

/** As it is dialled from abroad, where the country is known. */
function phoneOf({ telephone, country }: SiteFacts): string | undefined {
  return telephone && (internationalPhone(telephone, country) ?? telephone)
}

/** An organization that is no place has the hours in which it can be reached, at a point of contact. */
function pointWithHours(type: string, facts: SiteFacts): Record<string, unknown> {
  const { ownNode, openingHours, email } = facts
  const telephone = phoneOf(facts)
  const hasWay = telephone !== undefined || email !== undefined
  if (isPlaceOfBusiness(type) || openingHours.length === 0 || !hasWay) return {}
  const stated = ownNode?.properties ?? {}
  if ('contactPoint' in stated) return {}
  return {
    contactPoint: {
      '@type': 'ContactPoint',
      ...given('telephone', telephone),
      ...given('email', email),
      hoursAvailable: openingHours.map(hoursNode),
    },
  }
}

/** The hours of an organization that the block could not write. */
function hoursToAsk(type: string, facts: SiteFacts): string[] {
  const { openingHours, areHoursLeftOut, ownNode } = facts
  const stated = ownNode?.properties ?? {}
  if (isPlaceOfBusiness(type) || JSON.stringify(stated.contactPoint ?? '').includes('hoursAvailable'))
    return []
  const isWritten = 'contactPoint' in pointWithHours(type, facts)
  if (openingHours.length > 0 && !isWritten)
    return [`your opening hours (hoursAvailable of contactPoint). The site says ${openingHours.join(', ')}`]
  return areHoursLeftOut ? ['your opening hours (hoursAvailable of contactPoint)'] : []
}

function isPlaceOfBusiness(type: string): boolean {
  return localTypes.has(type)
}

/** What two pages say in different ways is left out. The owner reads which pages, and corrects one of them. */
function conflictsIn({ conflicts, ownNode }: SiteFacts): string[] {
  const stated = ownNode?.properties ?? {}
  const { address, openingHours, telephone, name } = conflicts
  return [
    ...(name === undefined ? [] : [conflictOf('name', name)]),
    ...(telephone === undefined ? [] : [conflictOf('telephone number', telephone)]),
    ...(address === undefined || 'address' in stated ? [] : [conflictOf('address', address)]),
    ...(openingHours === undefined || 'openingHours' in stated || 'openingHoursSpecification' in stated
      ? []
      : [conflictOf('opening hours', openingHours)]),
  ]
}

function conflictOf(what: string, said: readonly Evidence[]): string {
  const [one, other] = said
  // schema.org has no hours for a door that opens by appointment only, and the lines to paste have none.
  if (other !== undefined && !/\d/.test(other.value) && what === 'opening hours')
    return `The ${what}: the code says “${one?.value}”, and visitors read “${other.value}” on ${shown(other.url)}. Is “${other.value}” right? Then leave the line for the opening hours in the message empty, and the hours are taken out of the code. Are the hours right? Then write them, whole, into the message, behind the colon, and correct the page.`
  const pages =
    one?.url === other?.url
      ? `we read both “${one?.value}” and “${other?.value}” on ${shown(one?.url ?? '')}.`
      : `we read ${listOf(said.map(({ url, value }) => `“${value}” on ${shown(url)}`))}.`
  // A practice may have two places, and both pages are right.
  const choice = what === 'name' ? '' : ', or that of your main place if you have several'
  const second =
    one?.url === other?.url && what !== 'name'
      ? ' A second place gets the same lines once more, with its own facts.'
      : ''
  return `The ${what}: ${pages} Write the right one, whole, into the message, behind the colon${choice}. Is something else wrong on a page? Then correct it there.${second}`
}

function given(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value }
}

function offerOf({ name, price, currency }: StatedPrice): Record<string, unknown> {
  return { '@type': 'Offer', name, price, priceCurrency: currency }
}

function unseenName(home: Page, { name, ownNode }: SiteFacts): string[] {
  const asked = name === undefined || ownNode !== undefined ? undefined : askedName(home, name)
  return asked === undefined ? [] : [`${asked} (name)`]
}

function guessedDescription({ description, isDescriptionGuessed }: SiteFacts): string[] {
  return description === undefined || !isDescriptionGuessed ? [] : [sayingAsks.markup]
}

/**
 * The block has what customers read in place of what the description said. Which of the two is true, the owner knows. The
 * number of a template is none.
 */
function replacedFacts(type: string, facts: SiteFacts): string[] {
  const written: Readonly<Record<string, string | undefined>> = {
    openingHours: isPlaceOfBusiness(type) ? hoursInWords(facts.openingHours) : undefined,
    telephone: phoneOf(facts),
    email: facts.email,
    address: facts.address && addressLine({ ...facts.address }),
  }
  return facts.outdated.flatMap(({ property, what, was }) => {
    const now = written[property] ?? ''
    return now === '' || (property === 'telephone' && isSamplePhone(was))
      ? []
      : [
          `your ${what}, if “${shownInQuotes(now, 150)}” is wrong: your pages say so, and the description has “${shownInQuotes(was, 150)}” (${property})`,
        ]
  })
}

/** With the profiles, so that the block is opened once. */
function missingFacts(type: string, { ownNode, ...facts }: SiteFacts, isForPeople: boolean): string[] {
  const isPlace = isPlaceOfBusiness(type)
  const stated = ownNode?.properties ?? {}
  const hasHours =
    facts.openingHours.length > 0 || 'openingHours' in stated || 'openingHoursSpecification' in stated
  const address = 'address' in stated ? undefined : facts.address
  return [
    ...(facts.name === undefined && !facts.conflicts.name
      ? ['the name, in both places where the block asks for it (name)']
      : []),
    ...(facts.description === undefined && !('description' in stated) ? [sayingAsks.newMarkup] : []),
    ...(type === 'Person'
      ? facts.image === undefined
        ? ['the address of a picture of you (image)']
        : []
      : facts.logo === undefined
        ? ['your logo, or else a picture of your sign, in the attachment (logo)']
        : []),
    ...(isForPeople && facts.telephone === undefined && !facts.conflicts.telephone
      ? [contactAsks.markedPhone]
      : []),
    ...(facts.telephone !== undefined &&
    !('telephone' in stated) &&
    internationalPhone(facts.telephone, facts.country) === undefined
      ? ['your telephone number with the code of your country before it, such as +1 or +49 (telephone)']
      : []),
    ...(facts.email === undefined ? [contactAsks.mail] : []),
    ...((isForPeople || facts.isAddressLeftOut) &&
    address === undefined &&
    !('address' in stated) &&
    !facts.conflicts.address
      ? [isPlace ? contactAsks.place : contactAsks.visitedPlace]
      : []),
    ...(address !== undefined && address.addressLocality === undefined
      ? [
          address.postalCode === undefined
            ? 'the town and postal code (addressLocality, postalCode)'
            : 'the town (addressLocality)',
        ]
      : []),
    ...(address?.addressLocality !== undefined && address.postalCode === undefined
      ? ['the postal code, if your address has one (postalCode)']
      : []),
    ...(address !== undefined && facts.country === undefined
      ? ['the country, as two letters such as DE (addressCountry)']
      : []),
    ...(facts.profiles.length < 2
      ? [
          `the full ${facts.profiles.length === 0 ? 'addresses of two or more of your entries' : 'address of one more of your entries, or of several,'} elsewhere, such as maps or a register (sameAs)`,
        ]
      : []),
    ...(isPlace && !hasHours && !facts.conflicts.openingHours
      ? [
          Array.isArray(stated.address) && stated.address.length > 1
            ? 'your opening hours, if they are the same at all places in the lines, such as Mo-Fr 08:00-12:00 (openingHours)'
            : facts.hoursOfNotice.length === 0
              ? 'your opening hours, such as Mo-Fr 08:00-12:00, Mo-We 14:00-18:00 (openingHours)'
              : `your opening hours; your legal notice says ${hoursInWords(facts.hoursOfNotice)}, and no other page has them (openingHours)`,
        ]
      : []),
    ...(facts.conflicts.openingHours ? [] : hoursToAsk(type, { ...facts, ownNode })),
  ]
}
