import { ownEntries } from '../../../agents/entity-trust/own-entries.ts'
import { ownProfiles, withOwnAccounts } from '../../../agents/entity-trust/own-profiles.ts'
import { keyElsewhere, profilesIn } from '../../../agents/entity-trust/profile-addresses.ts'
import type { Evidence } from '../../../findings/check.ts'
import { subjectElsewhere } from '../../../signals/brand-name.ts'
import { companyName } from '../../../signals/company-name.ts'
import { appointmentOnly } from '../../../signals/contact/appointment-only.ts'
import { contactSources } from '../../../signals/contact/contact-sources.ts'
import { hoursInWords } from '../../../signals/contact/hours-by-day.ts'
import { markedHours, siteHours } from '../../../signals/contact/site-hours.ts'
import { nameConflict } from '../../../signals/name-conflict.ts'
import type { OwnEntity } from '../../../signals/own-entities.ts'
import { siteLanguage } from '../../../signals/page-language.ts'
import { kindOfSite } from '../../../signals/site-kind/site-kind.ts'
import { type Misspelling, misspelledStreet } from '../../../signals/title-spelling.ts'
import { isSameSite, registrableDomain, shown } from '../../../site/addresses.ts'
import { mailAddressesOf } from '../../../site/contact/mail-addresses.ts'
import { isSamePhone } from '../../../site/contact/phone-rules.ts'
import { metaOf } from '../../../site/html/elements.ts'
import { textOf } from '../../../site/html/json-ld.ts'
import { textWithin } from '../../../site/html/visible-text.ts'
import { countWords, isFiller, isKeywordList } from '../../../site/html/words.ts'
import { whatsAppNumber } from '../../../site/messenger-address.ts'
import { isSamplePhone } from '../../../site/phone-numbers.ts'
import type { JsonLdNode, Page, Site } from '../../../site/site.ts'
import { commonest } from './commonest.ts'
import { isEmptyDescription } from './empty-description.ts'
import { nameBeforeStreet } from './name-before-street.ts'
import { type OutdatedFact, outdatedFacts, withoutOutdated } from './outdated-facts.ts'
import { ownAddress } from './own-address.ts'
import { countryOf } from './own-country.ts'
import {
  ownNodeOf,
  withFullAddresses,
  withoutDeadAddresses,
  withoutSamples,
  withoutUnseenRating,
} from './own-node.ts'
import { ownPhone } from './own-phone.ts'
import { addressOf, logoInMarkup, logoOf, previewPicture } from './own-pictures.ts'
import { completed, type PostalAddress } from './postal-address.ts'
import { upToSentence, wholeDescription, wholeSentences } from './whole-sentences.ts'

/**
 * What a site says of itself, for the blocks that its owner pastes. Every fact stands in the capture: in the markup
 * or in the text of a page. A fact that was not found stays undefined and is named as missing. A guess in a block
 * would be published as the owner's own statement.
 */
export interface SiteFacts {
  /** Undefined where the site gives no name and only its domain is known, and where its pages give two. */
  readonly name: string | undefined
  /** The home page. */
  readonly url: string
  /** The street, as the title has it by mistake. */
  readonly slip: Misspelling | undefined
  readonly description: string | undefined
  /** The site describes itself nowhere, so a paragraph of its text was taken, which may tell of something else. */
  readonly isDescriptionGuessed: boolean
  readonly logo: string | undefined
  readonly image: string | undefined
  readonly telephone: string | undefined
  readonly email: string | undefined
  readonly address: PostalAddress | undefined
  /** Its ISO code, where the site tells it for sure. */
  readonly country: string | undefined
  /** An address was read that holds for a season or one of several places. */
  readonly isAddressLeftOut: boolean
  /** As schema.org writes them: `Mo-Fr 08:00-18:00`. */
  readonly openingHours: readonly string[]
  /** The same, as the legal notice alone has them. */
  readonly hoursOfNotice: readonly string[]
  /** Hours were read that may not be all. */
  readonly areHoursLeftOut: boolean
  /** What pages say in different ways; neither is taken. */
  readonly conflicts: {
    readonly address: readonly Evidence[] | undefined
    readonly openingHours: readonly Evidence[] | undefined
    readonly telephone: readonly Evidence[] | undefined
    readonly name: readonly Evidence[] | undefined
  }
  /** A page that still shows the telephone number of its template. */
  readonly samplePhone: Evidence | undefined
  /** Full addresses of profiles on other sites. */
  readonly profiles: readonly string[]
  /** The site's own node about its business, or its author. */
  readonly ownNode: JsonLdNode | undefined
  /** Whether that node stands on the home page. */
  readonly isOwnNodeOnHome: boolean
  /** What that node says and the pages contradict. It is left out of the node, so that a block has what customers read. */
  readonly outdated: readonly OutdatedFact[]
}

export function readFacts(site: Site, home: Page): SiteFacts {
  const own = ownNodeOf(site)
  const contradicted = own === undefined ? [] : outdatedFacts(own, site)
  const stated = withoutOutdated(own?.node.properties ?? {}, contradicted)
  const known = companyName(site)
  const sources = contactSources(site, home)
  const found = known === site.capture.domain ? nameBeforeStreet(site.pages, home.url) : known
  const name = found && asShown(found, home)
  const names = name === undefined ? undefined : nameConflict(site, home, name)
  const pages = sources.map(({ page }) => page)
  // An event gives the address and the number of the hall where it takes place.
  const isVenue = kindOfSite(site) === 'event'
  const phone = isVenue ? undefined : ownPhone(sources, home, present(textOf(stated.telephone)) ?? '')
  const commonPhone = phone?.telephone ?? (isVenue ? present(textOf(stated.telephone)) : undefined)
  const commonMail = ownMail(pages, home) ?? present(textOf(stated.email))
  const { address, conflict, isLeftOut } = ownAddress(sources, {
    name,
    telephone: commonPhone,
    email: commonMail,
  })
  // Where one page shows two places, a number of the one would stand beside the mailbox of the other.
  const places = pages.find(({ url }) => conflict?.every((one) => one.url === url))
  const phones = places === undefined || textOf(stated.telephone) !== '' ? [] : distinctPhones(places)
  const mails = places === undefined || textOf(stated.email) !== '' ? [] : mailAddressesOf(places)
  const telephone = phones.length > 1 ? undefined : commonPhone
  const email = mails.length > 1 ? undefined : commonMail
  const { shown: hours, ofNotice } = siteHours(site, home)
  // What no page tells in its place stays as the markup says it.
  const read = { openingHours: hours.hours[0], telephone, email, address }
  const outdated = contradicted.filter(({ property }) => read[property] !== undefined)
  const unsure =
    own === undefined || hours.hours.length > 0 || hours.isLeftOut ? undefined : unsureHours(own, pages)
  const ownNode = own && {
    ...own.node,
    properties: withFullAddresses(
      withoutDeadAddresses(
        withoutUnseenRating(
          withoutSamples(
            withoutOutdated(withOwnAccounts(own.node.properties, home, site), [
              ...outdated,
              ...(unsure === undefined ? [] : [hoursOfMarkup]),
            ]),
          ),
          site,
        ),
        own.page,
        site,
      ),
      own.page,
    ),
  }
  const described = saying(textOf(stated.description)) ?? descriptionOf(home, name)
  return {
    name: names === undefined ? name : undefined,
    url: home.url,
    slip: misspelledStreet(site),
    description: described ?? firstStatement(home, name),
    isDescriptionGuessed: described === undefined,
    logo: addressOf(ownNode?.properties.logo, home) ?? logoOf(site, home) ?? logoInMarkup(site),
    image: addressOf(ownNode?.properties.image, home) ?? previewPicture(home, site),
    telephone,
    email,
    address: isVenue || address === undefined ? undefined : completed(address, own?.node.properties.address),
    country: countryOf(
      own?.node,
      outdated.some(({ property }) => property === 'address'),
      {
        language: siteLanguage(site)?.split('-')[0],
        domains: [site.capture.domain, ...(email?.split('@').slice(1) ?? [])],
        telephone: commonPhone ?? home.links.flatMap(({ url }) => whatsAppNumber(url) ?? [])[0],
        address,
      },
    ),
    isAddressLeftOut: isLeftOut && !isVenue,
    openingHours: hours.hours,
    hoursOfNotice: ofNotice,
    areHoursLeftOut: hours.isLeftOut,
    conflicts: {
      address: isVenue ? undefined : conflict,
      openingHours: hours.conflict ?? unsure,
      telephone: phone?.conflict ?? (telephone === undefined && places !== undefined ? phones : undefined),
      name: names,
    },
    samplePhone: phone?.sample,
    profiles: profilesOf(site, home, ownNode?.properties.sameAs),
    ownNode,
    isOwnNodeOnHome: own?.page === home,
    outdated,
  }
}

/** Hours that only the markup has, where visitors read that they come by appointment only: the owner knows which is true. */
function unsureHours({ page, node }: OwnEntity, pages: readonly Page[]): readonly Evidence[] | undefined {
  const marked = markedHours(node)
  const said = marked === undefined ? undefined : appointmentOnly(pages)
  return marked === undefined || said === undefined
    ? undefined
    : [{ url: page.url, value: hoursInWords(marked) }, said]
}

const hoursOfMarkup = { property: 'openingHours' } as const

/** The first two telephone numbers of a page, if it has two. */
function distinctPhones({ url, phones }: Page): readonly Evidence[] {
  const [first, ...others] = phones.filter((phone) => !isSamplePhone(phone))
  const other = others.find((phone) => first !== undefined && !isSamePhone(phone, first))
  return first === undefined || other === undefined
    ? []
    : [first, other].map((phone) => ({ url, value: shown(phone, 40) }))
}

/** With "&" where visitors read "&" and a picture or the title says "and". */
function asShown(name: string, { text }: Page): string {
  if (text.includes(name)) return name
  const other = name.replace(/\s(?:and|und|et|y|e|en)\s/i, ' & ')
  return other !== name && text.includes(other) ? other : name
}

function present(text: string): string | undefined {
  const line = shown(text, maxCharacters).trim()
  return line === '' || isFiller(line) ? undefined : line
}

/** A text that says something; undefined for filler and for a list of search words. */
function saying(text: string): string | undefined {
  return isKeywordList(text) ? undefined : present(wholeSentences(text))
}

const maxCharacters = 300

function descriptionOf(home: Page, name = ''): string | undefined {
  return [wholeDescription(home), metaOf(home, 'og:description')]
    .map(saying)
    .find(
      (one) =>
        one !== undefined &&
        !isNameOnly(one) &&
        !isQuestion(one) &&
        !isEmptyDescription(one, name) &&
        subjectElsewhere(one, home) === undefined,
    )
}

/**
 * The line below the main heading, or else the first long paragraph that speaks of the business: by its name, or as "we".
 * A note on prices or the life of one dentist may stand at the top of a page, too. Neither describes the practice.
 */
function firstStatement(home: Page, name = ''): string | undefined {
  const named = wordsOf(name).filter((word) => word.length >= 3)
  const isOfUs = (text: string) => {
    const said = new Set(wordsOf(text))
    // Chinese and Japanese put no blanks around a name.
    return ofUs.test(text) || named.some((word) => said.has(word)) || (name !== '' && text.includes(name))
  }
  const isStatement = (text: string) =>
    isLong(text) &&
    !isQuestion(text) &&
    !isFiller(text) &&
    !/^\p{Ll}/u.test(text.trim()) &&
    !isAside.test(text.trim()) &&
    !isNotice(text) &&
    !isQuote(text.trim()) &&
    !isOnSomethingElse(text.trim(), home)
  const line = belowHeading(home)
  // It seldom ends in a full stop.
  if (line !== undefined && line.length <= 170 && isStatement(line)) return shown(line, 170)
  const paragraph = home.mainPart.paragraphs.find((one) => isStatement(one) && isOfUs(one))
  const sentences = paragraph === undefined ? '' : upToSentence(shown(paragraph, 2_000), 170)
  return isLong(sentences) && !isQuestion(sentences) ? sentences : undefined
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\d]+/u)
}

const ofUs =
  /(?<!\p{L})(?:we|our|us|my|wir|uns|unser\p{L}{0,2}|nous|notre|nos|noi|nostr[oaie]|nosotros|nuestr[oa]s?|nós|noss[oa]s?|wij|ons|onze|vi|vår[at]?|vores|me|meidän|nasz\p{L}{0,2}|naš\p{L}{0,2}|biz|bizim|мы|наш\p{L}{0,3}|ми)(?!\p{L})|当院|当社|当店|弊社|私たち|저희|우리|我们|我們|本院|نحن|لدينا/iu

/** The line right below the only main heading, which may stand with it in a header. Of several each heads a part of the page. */
function belowHeading({ $ }: Page): string | undefined {
  const main = $('h1')
  const next = main.length === 1 ? main.next().get(0) : undefined
  return next?.name === 'p' ? textWithin([next]) : undefined
}

/** A text that tells the hours, the address or the telephone number says nothing of what the business is. */
function isNotice(text: string): boolean {
  const times = text.match(/(?<!\d)\d{1,2}(?:[.:h]\d{2}(?!\d)|\s?(?:[ap]\.?m\b|uhr\b))/giu) ?? []
  return (
    times.length >= 2 ||
    // The code of a town stands in an address.
    /(?<!\d)\d{5,6}(?!\d)/.test(text) ||
    (text.match(/\d+/g)?.length ?? 0) >= 4 ||
    /(?<!\p{L})(?:tel|fax|e-?mail)\s?[.:]/iu.test(text)
  )
}

/** "Care Credit is a way to pay" describes a product, and not the business. */
function isOnSomethingElse(text: string, { title, url }: Page): boolean {
  const [, subject = ''] = ofOwn.test(text) ? [] : (ofSubject.exec(text.slice(0, 200)) ?? [])
  const own = `${title} ${new URL(url).hostname}`.toLowerCase()
  return subject !== '' && wordsOf(subject).every((word) => word.length < 3 || !own.includes(word))
}

/** "Our practice is", "Die Praxis ist". */
const ofOwn =
  /^(?:the|our|we|my|this|at|die|der|das|unsere?|wir|les?|la|notre|nous|el|los|las|nuestr[oa]|il|lo|i|nostr[oa]|os?|as?|nossa|nosso|het|de|onze)\s/iu
const ofSubject =
  /^(\p{Lu}[\p{L}\d-]*(?:\s\p{Lu}[\p{L}\d-]*){0,3})\s(?:is|are|ist|sind|est|sont|es|son|è|sono|é|são)\s/u

/** "Do you need a dentist, or only advice?" */
function isQuestion(text: string): boolean {
  return /[?？؟]["”“»]?\s*$/u.test(text)
}

/** "Lind Hospital" describes nothing. */
function isNameOnly(text: string): boolean {
  return countWords(text) <= 4
}

/** Greets, or tells of the page and not of its owner; a note to something else. */
const isAside =
  /^(?:[※*]|(?:(?:herzlich )?willkommen|welcome|welkom|bienvenue|bienvenid[oa]s?|benvenut[oiae]|bem[- ]?vind[oa]s?|witamy|hoş geldiniz|добро пожаловать|thank you|thanks|we['’]re (?:so |very )?(?:glad|happy)|wir freuen uns|schön,? dass|vielen dank|(?:nous sommes|je suis) (?:heureu|ravi)|nos alegra|siamo lieti|fijn dat|in questa (?:sezione|pagina)|[oi]n this (?:page|section)|auf dieser seite|dans cette (?:page|section|rubrique)|en esta (?:página|sección)|nesta (?:página|seção)|op deze pagina|bu sayfada|на этой странице|discover|explore|entdecken sie|découvrez|descubra|descubre|scopri(?:te)?|ontdek|keşfedin|click|klicken|select|choose|sélectionnez|choisissez)(?!\p{L}))|ご覧いただき|ご訪問|ようこそ|방문해 ?주셔서|환영합니다|欢迎|歡迎/iu

/** What a customer said, and not a name in quotation marks at the beginning. It may hold a name in such marks, too. */
function isQuote(text: string): boolean {
  const isWhole =
    /^["“„«]/u.test(text) && (/["”“»]$/u.test(text.trim()) || (text.match(/["”“»]/gu)?.length ?? 0) % 2 === 1)
  return isWhole || /^["“„«‚'‘][^"”“»’]{60}/u.test(text)
}

/** A Chinese, Japanese or Korean sign says as much as two letters. */
function isLong(text: string): boolean {
  const wide = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)
  return text.length + (wide?.length ?? 0) >= 50
}

/** An address at the site's own domain comes first: another one may be that of a partner or of the web designer. */
function ownMail(pages: readonly Page[], home: Page): string | undefined {
  const lists = pages.map((page) => [...mailAddressesOf(page)])
  const domain = registrableDomain(home.url)
  const own = lists.map((list) =>
    list.filter((mail) => isSameSite(`http://${mail.split('@')[1] ?? ''}/`, `http://${domain}/`)),
  )
  const open = [own, lists].map((all) => all.map((list) => list.filter((mail) => !forOneMatter.test(mail))))
  return present([...open, own, lists].map(commonest).find((mail) => mail !== undefined) ?? '')
}

/** Who writes there wants something else than a customer. */
const forOneMatter =
  /^(?:legal|privacy|gdpr|dpo|datenschutz|abuse|security|jobs?|careers?|hr|bewerbung(?:en)?|karriere|press|presse|media|billing|accounting|buchhaltung|invoices?|no-?reply|webmaster|postmaster)@/

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value.trim())
}

/** Those in the markup first, then those that the page links as its own: profiles in networks, and entries on maps and portals. */
function profilesOf(site: Site, home: Page, sameAs: unknown): string[] {
  const stated = [sameAs].flat().filter(isAddress)
  const known = profilesIn(stated)
  const elsewhere = new Set(
    stated.filter((url) => URL.canParse(url.trim())).map((url) => keyElsewhere(url.trim())),
  )
  const added = [...ownProfiles(home, site)]
    .filter(([key]) => !known.has(key) && !elsewhere.has(key))
    .map(([, url]) => url)
  const entries = ownEntries(site, home).map(({ url }) => url)
  return [...new Set([...stated.map((url) => url.trim()), ...added, ...entries])].slice(0, 20)
}
