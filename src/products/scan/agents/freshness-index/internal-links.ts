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
import { runsNoPrograms } from '../../findings/hosting.ts'
import { andTheRest, counted, further, listed } from '../../findings/share.ts'
import type { DeadLink } from '../../findings/work.ts'
import { addressKey, fileNameOf, pathOf, shown, shownInQuotes } from '../../site/addresses.ts'
import type { Exchange, SiteReply } from '../../site/capture.ts'
import { isHtml } from '../../site/files/headers.ts'
import { attributeOf, spokenText } from '../../site/html/elements.ts'
import type { Element } from '../../site/html/visible-text.ts'
import { isPathOfKind, noticeKinds } from '../../site/kinds/page-kinds.ts'
import type { Page, Site } from '../../site/site.ts'
import { deadNotices } from '../entity-trust/legal-notices.ts'
import { isMain, linksOn, type Place, placeOf } from './link-places.ts'
import { ownNumber, type Right, rightAddress } from './right-address.ts'

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
  const written = [...new Set(idle.map(({ node }) => `"${addressIn(node)}"`))].slice(0, 3)
  const found = warn(
    `${counted(idle.length, 'link leads', 'links lead')} nowhere, because the address is ${written.join(' or ')} and no script does anything with it. Who clicks there sees nothing happen.`,
    `Let the link "${named[0] ?? ''}" on ${shown(first.page.url)} lead to the page, the file or the part of this page that is meant.${andTheRest(idle.length - 1, 'link')}`,
    ...idle.slice(0, maxShown).map(({ page, node, text }) => ({
      url: page.url,
      value: `link "${shownInQuotes(text, 40)}" to "${addressIn(node)}"`,
    })),
  )
  return asking(found, { kind: 'empty-links', named: named.map((text) => `“${text}”`) })
}

function addressIn(link: Element): string {
  return shownInQuotes(attributeOf(link, 'href'), 40)
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
    asked: told
      .filter(({ right }) => right === undefined || right.isGuess || right.url === ownNumber)
      .map(askedLink),
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

/** `<article onclick="location.href='implants.html'">` around the link. */
function isInScript(pages: readonly Page[], url: string): boolean {
  const file = fileNameOf(url)
  return (
    file.length > 4 &&
    pages.some(({ elements }) =>
      elements.some(({ node }) => attributeOf(node, 'onclick').slice(0, 500).includes(file)),
    )
  )
}

interface Broken {
  readonly url: string
  readonly value: string
  readonly place: Place | undefined
  readonly right: Right | undefined
  /** An element opens the same address by a script. */
  readonly isInScript: boolean
}

function askedLink({ url, place, right }: Broken): DeadLink {
  const [text = '', ...otherTexts] = textsOf(place)
  return {
    url,
    text,
    ...(otherTexts.length > 0 && { otherTexts }),
    ...(place?.picture !== undefined && { picture: place.picture }),
    ...(place?.where !== undefined && { where: place.where }),
    ...(right?.isGuess === true && { guess: right.url }),
  }
}

/** By all words of links to one address: where "Dr. Lind" shall lead is no answer for "Dr. Berg". */
function textsOf(place: Place | undefined): readonly string[] {
  if (place === undefined) return []
  const all = [place.text, ...place.otherTexts, ...place.others.map(({ text }) => text)].filter(
    (one) => one !== '',
  )
  return [...new Map(all.toReversed().map((one) => [one.toLowerCase(), one])).values()]
    .toReversed()
    .slice(0, maxTexts)
}

const maxTexts = 6

/** What is to be changed. A link that visitors are to follow is corrected, and not taken out. */
function correction({ url, place, right }: Broken): string {
  const guess = right?.isGuess === true ? ` It may be meant to lead to ${shown(right.url)}.` : ''
  if (place === undefined)
    return right === undefined || right.isGuess
      ? `Publish a page at ${shown(url)} again, or redirect that address to the page that took its place.${guess}`
      : `Redirect ${shown(url)}, which shows no page, to ${shown(right.url)}.`
  const more = place.others.length > 0 ? ` and on ${further(place.others.length, 'page')}` : ''
  const link = `the ${place.kind === 'button' ? 'button' : 'link'}${nameOf(place)} on ${place.page}${more}`
  if (right === undefined || right.isGuess)
    return `Correct the address of ${link}: ${shown(url)} shows no page.${guess} Is there no such page? Then write it, or let the link lead to the page that comes closest.`
  const way =
    right.isInFolder && place.isSlashed ? '. For that, take the slash at the start of its address out' : ''
  return `Let ${link} lead to ${shown(right.url)}${way}. It leads to ${shown(url)} now, which shows no page.`
}

/** ` "Read More" at "Whitening"` */
function nameOf({ text, picture, where }: Place): string {
  const name =
    text === '' && picture !== undefined ? ` with the picture "${picture}"` : text === '' ? '' : ` "${text}"`
  return `${name}${where === undefined ? '' : ` ${where.replace(/[“”]/g, '"')}`}`
}

function evidenceOf({ url, value, place, right }: Broken): Evidence {
  const where =
    place && { menu: 'linked in the menu of', button: 'a button of', link: 'linked on' }[place.kind]
  const linked = place
    ? `${where} ${place.page}${wordsOf(place)}${place.where === undefined ? '' : ` ${place.where.replace(/[“”]/g, '"')}`}${alsoOn(place.others)}`
    : ''
  const led = right?.isGuess === true ? 'it may be meant to lead to' : 'it should lead to'
  // The names of many pages may be cut off at the end.
  const target = right === undefined ? '' : `${led} ${shown(right.url)}`
  const gap = target === '' ? ', ' : '; '
  return { url, value: [value, target, linked].filter((one) => one !== '').join(gap) }
}

function wordsOf({ text, otherTexts, picture }: Place): string {
  if (text !== '') return ` as ${listed([text, ...otherTexts.slice(0, 4)].map((one) => `"${one}"`))}`
  return picture === undefined ? '' : ` with the picture "${picture}"`
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

function stateOf(exchange: Exchange): { isBroken: boolean; value: string } | undefined {
  if (exchange.outcome === 'skipped') return undefined
  if (exchange.outcome === 'failed') {
    return isLasting(exchange) ? { isBroken: true, value: exchange.reason } : undefined
  }
  const { status } = exchange
  if (status >= 500) return { isBroken: true, value: `status ${status}` }
  if (isRefusal(status) || status === 405 || status === 406) return undefined
  if (isProgramText(exchange))
    return { isBroken: true, value: 'the text of a program, which this host does not run' }
  return { isBroken: status >= 400, value: `status ${status}` }
}

/** GitHub Pages sends `index.php` as a file to save: it runs no program. */
function isProgramText(reply: SiteReply): boolean {
  return (
    reply.status === 200 &&
    /\.php$/i.test(pathOf(reply.finalUrl)) &&
    runsNoPrograms(reply) &&
    (!isHtml(reply) || reply.body.slice(0, 100_000).includes('<?php'))
  )
}
