import {
  asking,
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
  warn,
} from '../../findings/check.ts'
import { idleControlsOf } from '../../findings/dead-ends/idle-controls.ts'
import { missingPartsOf } from '../../findings/dead-ends/missing-parts.ts'
import { unsetProfilesOf } from '../../findings/dead-ends/unset-profiles.ts'
import { isLasting, isRefusal } from '../../findings/document.ts'
import { andTheRest, counted, further, listed } from '../../findings/share.ts'
import { absolute, addressKey, decodedPathOf, pathOf, shown, shownInQuotes } from '../../site/addresses.ts'
import type { Exchange } from '../../site/capture.ts'
import { isImpossiblePhone } from '../../site/contact/phone-rules.ts'
import { attributeOf, isStyledAsButton, spokenText } from '../../site/html/elements.ts'
import { isPathOfKind, noticeKinds } from '../../site/kinds/page-kinds.ts'
import type { Link, Page, Site } from '../../site/site.ts'
import { deadNotices } from '../entity-trust/legal-notices.ts'

/**
 * Judges whether the links to pages of the site lead somewhere. A refusal, a timeout or a skipped request says nothing
 * about a link.
 */
export function judgeLinks(site: Site): Outcome {
  const outcome = judgePages(site)
  if (outcome.result === 'fail' || outcome.result === 'warn') return outcome
  return judgeParts(site) ?? judgeIdle(site) ?? outcome
}

/** Where all pages are there, a part of one may be missing. The part to which most links lead is named. */
function judgeParts(site: Site): Outcome | undefined {
  const missing = [
    ...Map.groupBy(missingPartsOf(site), ({ target, part }) => `${addressKey(target.url)}#${part}`).values(),
  ].toSorted((one, other) => other.length - one.length)
  const [links = []] = missing
  const [first] = links
  if (first === undefined) return undefined
  const text = spokenText(first.node, 40)
  const link = `${text === '' ? 'a link' : `the link "${shownInQuotes(text, 40)}"`} on ${shown(first.page.url)}`
  return warn(
    `${counted(links.length, 'link leads', 'links lead')} to a part "${shownInQuotes(first.part, 60)}" that ${shown(first.target.url)} does not have. Who clicks there sees nothing happen.`,
    `Give the part of ${shown(first.target.url)} that is meant the id "${shownInQuotes(first.part, 60)}". Is there no such part? Then let ${link} lead elsewhere${links.length > 1 ? ', and the others with it' : ''}.${andTheRest(missing.length - 1, 'such part')}`,
    ...missing.slice(0, maxShown).map(([one, ...others]) => ({
      url: one?.page.url ?? '',
      value: `link to "#${shownInQuotes(one?.part ?? '', 60)}"${others.length === 0 ? '' : `, ${others.length + 1} times`}`,
    })),
  )
}

/** Links of a menu, or to a network, that were never given an address. */
function judgeIdle(site: Site): Outcome | undefined {
  const links = [...idleControlsOf(site).filter(({ node }) => node.name === 'a'), ...unsetProfilesOf(site)]
  const idle = [...new Map(links.map((one) => [one.node, one])).values()]
  const [first] = idle
  if (first === undefined) return undefined
  const named = [...new Set(idle.map(({ text }) => shownInQuotes(text, 40)))]
  const found = warn(
    `${counted(idle.length, 'link leads', 'links lead')} nowhere, because the address is "#" and no script does anything with it. Who clicks there sees nothing happen.`,
    `Let the link "${named[0] ?? ''}" on ${shown(first.page.url)} lead to the page, or to the part of this page, that is meant.${andTheRest(idle.length - 1, 'link')}`,
    ...idle.slice(0, maxShown).map(({ page, text }) => ({
      url: page.url,
      value: `link "${shownInQuotes(text, 40)}" to "#"`,
    })),
  )
  return asking(found, { kind: 'empty-links', named: named.map((text) => `“${text}”`) })
}

function judgePages(site: Site): Outcome {
  const { capture, pages, home } = site
  const exchanges = capture.exchanges.filter(({ purpose }) => purpose === 'link')
  if (exchanges.length === 0) {
    const start = home && addressKey(home.url)
    const hasLinks = pages.some((page) =>
      page.links.some(({ url, isInternal }) => isInternal && addressKey(url) !== start),
    )
    return home && !hasLinks
      ? notApplicable('The pages that were read have no links to other pages of the site.')
      : unmeasured('No internal link was followed.')
  }
  const links = exchanges.flatMap((exchange) => {
    const state = stateOf(exchange)
    return state === undefined ? [] : [{ url: exchange.url, ...state }]
  })
  if (links.length === 0)
    return unmeasured(
      `None of ${counted(exchanges.length, 'sampled link')} gave an answer that says whether it works.`,
    )
  const linksOf = pages.map(linksOn)
  const broken = links
    .filter(({ isBroken }) => isBroken)
    .map((link) => ({
      ...link,
      place: placeOf(linksOf, link.url),
      right: rightAddress(site, link.url),
      isInScript: isInScript(pages, link.url),
    }))
    .toSorted((one, other) => Number(isMain(other.place)) - Number(isMain(one.place)))
  const statement = `${broken.length} of ${counted(links.length, 'sampled internal link')} ${broken.length === 1 || links.length === 1 ? 'is' : 'are'} broken`
  const notices = new Set(deadNotices(site).map(addressKey))
  const told = toldHere(broken, notices)
  const [first] = told
  if (first === undefined)
    return pass(`${statement}.`, {
      url: links[0]?.url ?? capture.url,
      value: `${links.length} of ${links.length} links answered`,
    })
  const evidence = told.slice(0, maxShown).map(evidenceOf)
  const isOfMenu = isMain(first.place)
  if (!isOfMenu && broken.length * 100 <= links.length * 2)
    return pass(`${statement}, which is at most 2 %.`, ...evidence.slice(0, 5))
  const found = (!isOfMenu && broken.length * 100 <= links.length * 5 ? warn : fail)(
    `${statement}. ${isOfMenu ? 'Visitors who click there reach no page, and neither do agents.' : 'Visitors and agents that follow them reach no page.'}`,
    correction(first) +
      (first.isInScript
        ? ' The same address stands in an onclick attribute there: correct it as well.'
        : '') +
      andTheRest(told.length - 1, 'broken link'),
    ...evidence,
  )
  return asking(found, {
    kind: 'dead-links',
    asked: told.flatMap(({ url, place, right }) =>
      right === undefined || right === ownNumber
        ? [{ url, text: place?.text || (place?.otherTexts[0] ?? '') }]
        : [],
    ),
    // The words of a link tell it where its address is misspelled.
    areNotices: broken.every(
      ({ url }) => notices.has(addressKey(url)) || noticeKinds.some((kind) => isPathOfKind(url, kind)),
    ),
  })
}

/** The check of privacy and terms asks for its notices, and one order for each is enough. */
function toldHere(broken: readonly Broken[], notices: ReadonlySet<string>): readonly Broken[] {
  const others = broken.filter(({ url }) => !notices.has(addressKey(url)))
  return others.length > 0 ? others : broken
}

const maxShown = 50

interface Broken {
  readonly url: string
  readonly value: string
  readonly place: Place | undefined
  readonly right: string | undefined
  /** An element opens the same address by a script. */
  readonly isInScript: boolean
}

interface Place {
  readonly page: string
  /** Of the first such link on the page; others may lead there by other words. */
  readonly text: string
  readonly otherTexts: readonly string[]
  readonly kind: 'menu' | 'button' | 'link'
  /** Other pages with such a link, each with its text where that is another one. */
  readonly others: readonly { readonly page: string; readonly text: string }[]
}

function isMain(place: Pick<Place, 'kind'> | undefined): boolean {
  return place !== undefined && place.kind !== 'link'
}

/** What is to be changed. A link that visitors are to follow is corrected, and not taken out. */
function correction({ url, place, right }: Broken): string {
  if (place === undefined)
    return right === undefined
      ? `Publish a page at ${shown(url)} again, or redirect that address to the page that took its place.`
      : `Redirect ${shown(url)}, which shows no page, to ${shown(right)}.`
  const more = place.others.length > 0 ? ` and on ${further(place.others.length, 'page')}` : ''
  const link = `the ${place.kind === 'button' ? 'button' : 'link'}${place.text === '' ? '' : ` "${place.text}"`} on ${place.page}${more}`
  return right === undefined
    ? `Correct the address of ${link}: ${shown(url)} shows no page. Is there no such page? Then write it, or let the link lead to the page that comes closest.`
    : `Let ${link} lead to ${shown(right)}. It leads to ${shown(url)} now, which shows no page.`
}

function evidenceOf({ url, value, place, right }: Broken): Evidence {
  const where =
    place && { menu: 'linked in the menu of', button: 'a button of', link: 'linked on' }[place.kind]
  const linked = place
    ? `, ${where} ${place.page}${place.text === '' ? '' : ` as ${listed([place.text, ...place.otherTexts.slice(0, 4)].map((one) => `"${one}"`))}`}${alsoOn(place.others)}`
    : ''
  return {
    url,
    value: `${value}${linked}${right === undefined ? '' : `; it should lead to ${shown(right)}`}`,
  }
}

function alsoOn(pages: Place['others']): string {
  if (pages.length === 0) return ''
  const more = pages.length - maxPages
  const named = pages
    .slice(0, maxPages)
    .map(({ page, text }) => `${page}${text === '' ? '' : ` as "${text}"`}`)
  return `, and on ${listed([...named, ...(more > 0 ? [further(more, 'page')] : [])])}`
}

const maxPages = 4

interface PageLinks {
  readonly page: Page
  /** By the key of what they lead to. */
  readonly links: ReadonlyMap<string, readonly Link[]>
  /** Keys of what links lead to that look like buttons. */
  readonly buttons: ReadonlySet<string>
}

/** `/index.htm` may be missing where `/index.html` is there. */
function linkKey(url: string): string {
  return `${addressKey(url)} ${/\/(index\.\w{2,5})$/.exec(pathOf(url))?.[1] ?? ''}`
}

function linksOn(page: Page): PageLinks {
  const links = Map.groupBy(page.links, ({ url }) => linkKey(url))
  const buttons = page.elements.flatMap(({ name, node }) => {
    if (name !== 'a' || !isStyledAsButton(node)) return []
    const url = absolute(attributeOf(node, 'href'), page.url)
    return url === undefined ? [] : [linkKey(url)]
  })
  return { page, links, buttons: new Set(buttons) }
}

/** `<article onclick="location.href='implants.html'">` around the link. */
function isInScript(pages: readonly Page[], url: string): boolean {
  const file = decodedPathOf(url).split('/').at(-1) ?? ''
  return (
    file.length > 4 &&
    pages.some(({ elements }) =>
      elements.some(({ node }) => attributeOf(node, 'onclick').slice(0, 500).includes(file)),
    )
  )
}

function textOf({ text }: Link): string {
  return shownInQuotes(text, 40)
}

/** The most prominent link to an address: its text and its page, so that its owner finds it. */
function placeOf(pages: readonly PageLinks[], target: string): Place | undefined {
  const key = linkKey(target)
  const places = pages.flatMap(({ page, links, buttons }) => {
    const [link, ...others] = links.get(key) ?? []
    if (link === undefined) return []
    const text = textOf(link)
    const otherTexts = [...new Set(others.slice(0, 50).map(textOf))].filter(
      (one) => one !== '' && one !== text,
    )
    const isButton = buttons.has(key)
    const kind = isButton ? 'button' : link.isNavigation ? 'menu' : 'link'
    return [{ page: shown(page.url, 100), text, otherTexts, kind } as const]
  })
  const first = places.find(isMain) ?? places[0]
  return (
    first && {
      ...first,
      others: places
        .filter((one) => one !== first)
        .map(({ page, text }) => ({ page, text: text === first.text ? '' : text })),
    }
  )
}

/** The link shows a number of which no country has one. Only the owner knows the right one. */
const ownNumber = 'tel: with your telephone number behind it'

/**
 * The one page that answers and bears the same file name in another folder, `/kontakty.html` for `/html/kontakty.html`, or
 * one that differs by a letter: `/new-patient.html` for `/new-patients.html`.
 */
function rightAddress({ capture, pages }: Site, url: string): string | undefined {
  // `href="+905551234567"`, `href="026-248-1391"`: the scheme that dials it was forgotten.
  const [, number] = /\/(\+?\d{9,15}|(?:0|\+\d)\d{0,4}(?:-\d{2,5}){2,4})$/.exec(decodedPathOf(url)) ?? []
  if (number !== undefined) return isImpossiblePhone(number) ? ownNumber : `tel:${number}`
  // `href="https:www.instagram.com/lind"`: a browser takes it for a page of the site.
  // Deeper in the path of a link it is a part of the address, such as that of a counter of clicks.
  const [, folder, elsewhere] =
    /^(\/(?:[^/]+\/)*?)(www\.[a-z0-9-]+(?:\.[a-z]{2,}){1,2}\/[^?#]+)/i.exec(decodedPathOf(url)) ?? []
  if (elsewhere !== undefined && pages.some((page) => decodedPathOf(new URL('.', page.url).href) === folder))
    return `https://${elsewhere}`
  const name = fileName(url)
  if (name === undefined) return pages.find((page) => addressKey(page.url) === addressKey(url))?.url
  const answering = capture.exchanges.flatMap((exchange) =>
    exchange.outcome === 'replied' && exchange.purpose === 'link' && exchange.status === 200
      ? [exchange.finalUrl]
      : [],
  )
  const part = pages.length > 1 ? partFor(name, pages) : undefined
  if (part !== undefined) return part
  const known = [...pages.map((page) => page.url), ...answering].filter(
    (one) => languageFolder(one) === languageFolder(url),
  )
  const same = known.filter((one) => fileName(one) === name)
  const likely = same.length > 0 ? same : known.filter((one) => isAlike(fileName(one) ?? '', name))
  const [right, other] = new Map(likely.map((one) => [addressKey(one), one])).values()
  return other === undefined ? right : undefined
}

/** `/services.html#implants` for `/service-implants.html`, where one page that was read has such a part. */
function partFor(name: string, pages: readonly Page[]): string | undefined {
  const words = name.split(/[-_]/)
  const [first = ''] = words
  const last = words.at(-1) ?? ''
  if (words.length < 2 || first.length < 4 || last.length < 5) return undefined
  const found = pages.filter(
    ({ url, $ }) =>
      fileName(url)?.startsWith(first) === true &&
      $('[id]')
        .toArray()
        .some(({ attribs }) => attribs.id?.toLowerCase() === last),
  )
  return found.length === 1 ? `${found[0]?.url ?? ''}#${last}` : undefined
}

/** Whether one name is the other with a letter or a word more. Short ones differ so by accident. */
function isAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (isWordLess(short.split(/[-_]/), long.split(/[-_]/))) return true
  if (short.length < 6 || long.length !== short.length + 1) return false
  const at = Array.from(short).findIndex((letter, place) => letter !== long[place])
  const start = at === -1 ? short.length : at
  return !/\d/.test(long[start] ?? '') && short.slice(start) === long.slice(start + 1)
}

/** Of a file name. */
const maxWords = 20

/** "root-canal-punawale" of "root-canal-treatment-punawale". */
function isWordLess(short: readonly string[], long: readonly string[]): boolean {
  if (short.length < 3 || long.length > maxWords || long.length !== short.length + 1) return false
  return long.some((_, place) => long.toSpliced(place, 1).every((word, at) => word === short[at]))
}

/** The last part of a path, without the ending that servers add by themselves. */
function fileName(url: string): string | undefined {
  const last = decodedPathOf(url).slice(-300).replace(/\/$/, '').split('/').at(-1) ?? ''
  const name = last.replace(/(?:\.html?){1,3}$/i, '')
  return name === '' || /^index$/i.test(name) ? undefined : name.toLowerCase()
}

/** `/fr/contact` is no right address for `/de/contact`. */
function languageFolder(url: string): string | undefined {
  return /^\/([a-z]{2}(?:-[a-z]{2})?)\//i.exec(decodedPathOf(url))?.[1]?.toLowerCase()
}

function stateOf(exchange: Exchange): { isBroken: boolean; value: string } | undefined {
  if (exchange.outcome === 'skipped') return undefined
  if (exchange.outcome === 'failed') {
    return isLasting(exchange) ? { isBroken: true, value: exchange.reason } : undefined
  }
  const { status } = exchange
  if (status >= 500) return { isBroken: true, value: `status ${status}` }
  if (isRefusal(status) || status === 405 || status === 406) return undefined
  return { isBroken: status >= 400, value: `status ${status}` }
}
