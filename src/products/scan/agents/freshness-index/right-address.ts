import { addressKey, decodedPathOf } from '../../site/addresses.ts'
import { insideFolder, ownFolder } from '../../site/below-home.ts'
import { isImpossiblePhone } from '../../site/contact/phone-rules.ts'
import { countWords } from '../../site/html/words.ts'
import type { Page, Site } from '../../site/site.ts'

/** Where a link that leads to no page is meant to lead. */
export interface Right {
  readonly url: string
  /** Another page bears the same name, or nearly the same. Only the owner knows whether it is the one. */
  readonly isGuess: boolean
  /** The address was written for the root of a host, and the page stands in the folder of the site. */
  readonly isInFolder?: true
}

/** @returns undefined where the scan knows no such page, or several. */
export function rightAddress(site: Site, url: string): Right | undefined {
  const sure = sureAddress(site, url)
  if (sure !== undefined) return { url: sure, isGuess: false }
  const inside = addressInFolder(site, url)
  if (inside !== undefined) return { url: inside, isGuess: false, isInFolder: true }
  const guess = nearAddress(site, url)
  return guess === undefined ? undefined : { url: guess, isGuess: true }
}

function sureAddress(site: Site, url: string): string | undefined {
  const path = decodedPathOf(url)
  const isBesidePage = (folder: string) =>
    site.pages.some((page) => decodedPathOf(new URL('.', page.url).href) === folder)
  // `href="+905551234567"`, `href="026-248-1391"`: the scheme that dials it was forgotten. Deeper in a path it is a number
  // of an article or a date.
  const [, beside = '', number] =
    /^(.*\/)(\+\d{9,15}|0\d{8,11}|\d{10}|(?:0|\+\d)\d{0,4}(?:-\d{2,5}){2,4})$/.exec(path) ?? []
  const isDialled =
    number !== undefined &&
    !isDate.test(number) &&
    (/^[+0]/.test(number) ? isBesidePage(beside) : beside === homeFolder(site))
  if (isDialled) return isImpossiblePhone(number) ? ownNumber : `tel:${number}`
  // `href="https:www.instagram.com/lind"`: a browser takes it for a page of the site.
  // Deeper in the path of a link it is a part of the address, such as that of a counter of clicks.
  const [, folder = '', elsewhere] =
    /^(\/(?:[^/]+\/)*?)(www\.[a-z0-9-]+(?:\.[a-z]{2,}){1,2}\/[^?#]+)/i.exec(path) ?? []
  // Coded again, because a blank would end it, and what follows would read as an order of ours.
  if (elsewhere !== undefined && isBesidePage(folder)) return URL.parse(`https://${elsewhere}`)?.href
  // `/index.htm` of `/index.html`, and `/crowns.html.html` of `/crowns.html`.
  const page = site.pages.find((one) => addressKey(one.url) === addressKey(url))
  if (page !== undefined) return page.url
  return knownAddresses(site).find((one) => fileName(url) !== undefined && bareKey(one) === bareKey(url))
}

function homeFolder({ home }: Site): string | undefined {
  return home && decodedPathOf(new URL('.', home.url).href)
}

/** "05-12-2024" */
const isDate = /^\d{1,2}-\d{1,2}-(?:19|20)\d{2}$/

/** `https://lind.github.io/dental/crowns.html` for `/crowns.html`, where it answers. */
function addressInFolder({ capture, home }: Site, url: string): string | undefined {
  const folder = home && ownFolder(capture.url, home.url)
  if (folder === undefined) return undefined
  const inside = insideFolder(url, folder)
  for (const exchange of capture.exchanges)
    if (exchange.purpose === 'folder-link' && exchange.outcome === 'replied' && exchange.url === inside)
      return exchange.status === 200 ? exchange.finalUrl : undefined
  return undefined
}

/**
 * The one page with the same file name in another folder, `/kontakty.html` for `/html/kontakty.html`, with the same name in
 * another spelling, `/root canal.html` for `/root-canal.html`, or with one that differs by a letter, `/new-patient.html` for
 * `/new-patients.html`.
 */
function nearAddress(site: Site, url: string): string | undefined {
  const { pages } = site
  const name = fileName(url)
  // "?id=7" tells one page of many with the same name.
  if (name === undefined || new URL(url).search !== '') return undefined
  const part = pages.length > 1 ? partFor(name, pages) : undefined
  if (part !== undefined) return part
  const known = knownAddresses(site).filter((one) => languageFolder(one) === languageFolder(url))
  const same = known.filter((one) => fileName(one) === name)
  const beside = same.filter((one) => new URL('.', one).href === new URL('.', url).href)
  const [likely = []] = [
    ...[beside, same].filter(({ length }) => length > 0),
    known.filter((one) => isAlike(fileName(one) ?? '', name)),
  ]
  const [right, other] = new Map(likely.map((one) => [addressKey(one), one])).values()
  return other === undefined ? right : undefined
}

/** Of pages that show something: those that were read, those that links lead to, and those of the sitemap. */
function knownAddresses({ capture, pages, sitemap, origin }: Site): readonly string[] {
  const answers = capture.exchanges.flatMap((one) => (one.outcome === 'replied' ? [one] : []))
  const linked = answers.flatMap(({ purpose, status, finalUrl }) =>
    purpose === 'link' && status === 200 ? [finalUrl] : [],
  )
  // Another host of the site may be another site, such as its shop.
  const listed = sitemap.urls
    .slice(0, maxListed)
    .flatMap(({ loc }) => (URL.canParse(loc) && hostKey(loc) === hostKey(origin) ? [loc] : []))
  const empty = pages.filter(isEmptyPage)
  const useless = new Set(
    [
      ...empty.map((page) => page.url),
      ...answers.flatMap(({ status, url }) => (status >= 400 ? [url] : [])),
    ].map(addressKey),
  )
  return [...pages.map((page) => page.url), ...linked, ...listed].filter(
    (one) => URL.canParse(one) && !useless.has(addressKey(one)),
  )
}

const maxListed = 2_000

/** It has nothing but a header and a footer. A page for contact may have a form alone. */
function isEmptyPage({ mainText, elements }: Page): boolean {
  return (
    countWords(mainText.slice(0, 2_000)) < fewWords &&
    !elements.some(({ name, isHidden }) => !isHidden && (name === 'form' || name === 'iframe'))
  )
}

const fewWords = 5

/** The link shows a number of which no country has one. Only the owner knows the right one. */
export const ownNumber = 'tel: with your telephone number behind it'

/** `/services.html#implants` for `/service-implants.html`, where one page that was read has such a part. */
function partFor(name: string, pages: readonly Page[]): string | undefined {
  const words = name.split('-')
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

/** Whether one name is the other with a letter or a word more, or its plural. Short ones differ so by accident. */
function isAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length >= 4 && (long === `${short}s` || long === `${short}es`)) return true
  if (isWordLess(short.split('-'), long.split('-'))) return true
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

/**
 * The last part of a path, without the ending that servers add by themselves, and spelled alike: "Root canal.html",
 * "root_canal" and "root-canal" are one name.
 */
function fileName(url: string): string | undefined {
  const last = decodedPathOf(url).slice(-300).replace(/\/$/, '').split('/').at(-1) ?? ''
  const name = last.replace(/(?:\.html?){1,3}$/i, '')
  if (name === '' || /^index$/i.test(name)) return undefined
  const words = name
    .normalize('NFC')
    .toLowerCase()
    .split(/[\s_-]/)
  return words.filter((word) => word !== '').join('-') || undefined
}

function hostKey(url: string): string {
  return new URL(url).host.replace(/^www\./, '')
}

/** Host, path and query without such an ending: `/crowns` of `/crowns.html.html` and of `/crowns/`. */
function bareKey(url: string): string {
  return `${hostKey(url)}${decodedPathOf(url).replace(/(?:(?:\.html?){1,3}|\/)$/i, '')}${new URL(url).search}`
}

/** `/fr/contact` is no right address for `/de/contact`. */
function languageFolder(url: string): string | undefined {
  return /^\/([a-z]{2}(?:-[a-z]{2})?)\//i.exec(decodedPathOf(url))?.[1]?.toLowerCase()
}
