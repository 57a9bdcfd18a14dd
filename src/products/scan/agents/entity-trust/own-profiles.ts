import { companyName } from '../../signals/company-name.ts'
import { isOnePersons } from '../../signals/site-kind/one-person.ts'
import { absolute, isSameSite, registrableDomain } from '../../site/addresses.ts'
import { isBesideContacts } from '../../site/contact/contact-text.ts'
import { attributeOf, type PageElement } from '../../site/html/elements.ts'
import { around, type Element, isElement, type Node, textWithin } from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import { isTextOfKind } from '../../site/kinds/kind-phrases.ts'
import { isLibrary } from '../../site/profile.ts'
import type { JsonLdNode, Page, Site } from '../../site/site.ts'
import {
  aloneIn,
  isScholarProfile,
  isSocial,
  keyElsewhere,
  networkOf,
  profilesIn,
} from './profile-addresses.ts'

/**
 * The profiles that the home page links as those of the site itself: in its header, footer or a part for contact, or
 * under its name. A page links those of its staff, its customers and its photographer, too, and an owner who pasted one
 * of them would claim to be that person. Where several of one network remain, only those with the name of the site count.
 */
export function ownProfiles(home: Page, site: Site): ReadonlyMap<string, string> {
  const words = wordsOf(`${companyName(site)} ${site.registrableDomain.split('.')[0] ?? ''}`)
  const wholes = [companyName(site), site.registrableDomain.split('.')[0] ?? ''].map(letters)
  const isNamed = (key: string) => words.some((word) => key.slice(networkOf(key).length).includes(word))
  const isPersons = isOnePersons(site)
  const found = new Map<string, { url: string; isPlaced: boolean }>()
  for (const element of home.elements) {
    const isMe = /(?:^|\s)me(?:\s|$)/i.test(attributeOf(element.node, 'rel'))
    if (!(element.name === 'a' || (isMe && element.name === 'link')) || isCredited(element.node)) continue
    const profile = profileAt(absolute(attributeOf(element.node, 'href'), home.url), isMe, site)
    if (profile === undefined) continue
    const [key, url] = profile
    const isOwn = isMe || isPlaced(element) || (isPersons && isScholarProfile(url))
    found.set(key, { url, isPlaced: found.get(key)?.isPlaced === true || isOwn })
  }
  // Whoever made a site for others signs it with an account at GitHub.
  const isOfCode = isPersons || site.profile.api || site.profile.app || site.pages.some(isLibrary)
  const isOfPartner = partnersOf(home)
  const candidates = [...found].filter(
    ([key, { isPlaced: placed }]) =>
      (placed || wholes.includes(letters(handleOf(key)))) &&
      (networkOf(key) !== 'github' || isOfCode || isNamed(key)) &&
      (!isOfPartner(key) || isNamed(key)) &&
      // The account of a person is not that of the firm.
      (!key.startsWith('linkedin/in/') || isPersons || isNamed(key)),
  )
  const isAlone = aloneIn(candidates.map(([key]) => key))
  const isAlonePlaced = aloneIn(candidates.filter(([, one]) => one.isPlaced).map(([key]) => key))
  const own = candidates.filter(
    ([key, one]) => isAlone(key) || (one.isPlaced && (isAlonePlaced(key) || isNamed(key))),
  )
  return new Map(own.map(([key, { url }]) => [key, url]))
}

/** Recognizes the account of another site that the page links: "instagram/nord-travel.example" beside nord-travel.example. */
function partnersOf({ links }: Page): (key: string) => boolean {
  const others = new Set(
    links
      .filter(({ isInternal }) => !isInternal)
      .slice(0, maxPartners)
      .map(({ url }) => letters(registrableDomain(url))),
  )
  return (key) => others.has(letters(handleOf(key)))
}

const maxPartners = 500

/**
 * What a node says, with the account of the site in place of that of a partner in the same network. The pages link it, and
 * it bears the name that sameAs has in other networks.
 */
export function withOwnAccounts(
  properties: JsonLdNode['properties'],
  home: Page,
  site: Site,
): JsonLdNode['properties'] {
  const stated = [properties.sameAs ?? []].flat()
  const isOfPartner = partnersOf(home)
  const keyOf = (url: unknown) => (typeof url === 'string' ? [...profilesIn([url]).keys()] : [])
  const keys = stated.flatMap(keyOf)
  if (!keys.some(isOfPartner)) return properties
  const names = new Set(keys.filter((key) => !isOfPartner(key)).map(handleOf))
  const linked = profilesIn(site.pages.flatMap(({ links }) => links.map(({ url }) => url)))
  const own = [...linked].filter(([key]) => names.has(handleOf(key)))
  const sameAs = stated.map((url) => {
    const network = keyOf(url).filter(isOfPartner).map(networkOf)[0]
    return own.find(([key]) => networkOf(key) === network)?.[1] ?? url
  })
  return { ...properties, sameAs }
}

/**
 * Profiles that the pages link at some place where they need not be those of the site: the owner is asked. Where the pages
 * link several of one network, they are those of people and firms of whom the pages tell.
 */
export function profilesSeen(site: Site): readonly { readonly url: string; readonly page: string }[] {
  const found = new Map<string, { url: string; page: string }>()
  const isInProse = proseRule()
  for (const page of site.pages)
    for (const element of page.elements) {
      if (element.name !== 'a' || element.isHidden || isCredited(element.node)) continue
      const target = absolute(attributeOf(element.node, 'href'), page.url)
      const [profile] = target === undefined ? [] : profilesIn([target])
      if (profile === undefined || found.has(profile[0])) continue
      if (isPlaced(element) || !isInProse(element.node))
        found.set(profile[0], { url: profile[1], page: page.url })
    }
  const own = new Set(site.home === undefined ? [] : ownProfiles(site.home, site).keys())
  const counts = Map.groupBy(found.keys(), networkOf)
  return [...found].flatMap(([key, one]) =>
    own.has(key) || networkOf(key) === 'github' || counts.get(networkOf(key))?.length !== 1 ? [] : [one],
  )
}

/**
 * Recognizes a link within a longer sentence, where a page tells of others: "built by Cristi Balan, as doctor profiles
 * show". One paragraph may hold thousands of links, so its words are counted once.
 */
function proseRule(): (link: PageElement['node']) => boolean {
  const counts = new Map<unknown, number>()
  return (link) => {
    const { parent } = link
    if (!isElement(parent)) return false
    const words = counts.get(parent) ?? countWords(textWithin([parent]))
    counts.set(parent, words)
    return words - countWords(textWithin([link])) > 12
  }
}

/** In a network, in a register of researchers, or wherever the page says by rel="me" that it is the same person. */
function profileAt(
  target: string | undefined,
  isMe: boolean,
  site: Site,
): readonly [string, string] | undefined {
  if (target === undefined) return undefined
  const [profile] = profilesIn([target])
  if (profile !== undefined) return profile
  const isElsewhere = (isMe && !isSameSite(target, site.origin)) || isScholarProfile(target)
  return isElsewhere && !isSocial(target) ? [keyElsewhere(target), target] : undefined
}

/** "lindlab" of "bluesky/profile/lindlab.bsky.social", and of "facebook/pages/lindlab/123": the number behind a name is none. */
function handleOf(key: string): string {
  const [last = '', before = ''] = key.split('/').toReversed()
  return (/^\d+$/.test(last) ? before : last).replace(/\.bsky\.social$/, '')
}

/** For comparison: "lindlab" of "@lind.lab". */
function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function wordsOf(name: string): readonly string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3)
}

function isPlaced({ node, region }: PageElement): boolean {
  return (
    region === 'header' ||
    region === 'footer' ||
    region === 'nav' ||
    isBesideContacts(node) ||
    isInRowOfIcons(node)
  )
}

/** The card of one of the staff. */
const ofPerson =
  /(?:^|[\s_-])(?:[Tt]eam|[Mm]ember|[Ss]taff|[Pp]erson|[Pp]eople|[Dd]octor|[Aa]uthor|[Ss]peaker|[Cc]ard|[Pp]rofile)s?(?![a-z])/

function isOfPerson({ name, attribs }: Element): boolean {
  return (
    /^(?:li|td|article)$/.test(name) ||
    (name !== 'body' && ofPerson.test(`${attribs.class ?? ''} ${attribs.id ?? ''}`))
  )
}

/** "Ada Lind" above the icons, and not "Contact". */
function isHeadedByPerson({ children }: Element): boolean {
  return children
    .filter(isElement)
    .some((one) => /^h[3-6]$/.test(one.name) && !isTextOfKind(textWithin([one]).trim(), 'contact'))
}

/** Icons of networks and of an envelope beside each other, without a word: a row that themes have for the owner. */
function isInRowOfIcons({ parent }: PageElement['node']): boolean {
  if (!isElement(parent)) return false
  const links = parent.children.filter(isElement)
  return (
    links.length >= 2 &&
    links.length <= 8 &&
    links.every(({ name }) => name === 'a') &&
    textWithin([parent]) === '' &&
    !around(parent).slice(0, 6).some(isOfPerson) &&
    !around(parent).slice(0, 2).some(isHeadedByPerson) &&
    links.some(({ attribs }) => /^\s*mailto:/i.test(attribs.href ?? ''))
  )
}

/**
 * A link behind "Photos by" or the Dutch "door" names the photographer or the designer, not the site. So does the second
 * one of "by @ann and @bob".
 */
function isCredited(link: PageElement['node']): boolean {
  let one = link
  for (let count = 0; count < maxNames; count++) {
    const text = textBefore(one)
    if (credit.test(text) || maker.test(textBehind(one))) return true
    const before = one.prev?.prev
    if (!joins.test(text) || !isElement(before) || before.name !== 'a') return false
    one = before
  }
  return false
}

const maxNames = 10
const joins = /^\s*(?:,|&|and|und|et|y|e|en|ve|и|, and)\s*$/iu

const credit =
  /(?<!\p{L})(?:by|von|par|por|da|door|av|przez|©(?:\s?\d{4}(?:\s?[-–]\s?\d{4})?)?|photos?|fotos?|foto['’]s|bilder)[\s:]{0,3}$/iu

/** Behind the name of whoever made the site: "Lind Design & Production". */
const maker =
  /^\s{0,3}(?:web[\s-]?)?(?:design(?:s|er|ed)?|production|development|developer|entwicklung|webdesign|realizzazione|sviluppo|réalisation|création|desarrollo|diseño|desenvolvimento)(?!\p{L})/iu

function textBehind(link: PageElement['node']): string {
  const next: Node | null = link.next
  return next !== null && 'data' in next && typeof next.data === 'string' ? next.data.slice(0, 60) : ''
}

function textBefore(link: PageElement['node']): string {
  const before: Node | null = link.prev
  if (before === null) return ''
  if (isElement(before)) return ''
  return 'data' in before && typeof before.data === 'string' ? before.data.slice(-60) : ''
}
