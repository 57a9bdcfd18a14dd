import type { CheerioAPI } from 'cheerio'
import { absolute, decodedPart, isPlaceholder, isSameSite } from './addresses.ts'
import { isBeside } from './below-home.ts'
import type { SiteReply } from './capture.ts'
import { readContactText } from './contact/contact-text.ts'
import { withoutProgramSource } from './files/program-source.ts'
import { openDialogs } from './html/closed-text.ts'
import { elementsWithin, isNavigation, readElements, spokenText } from './html/elements.ts'
import { readJsonLd } from './html/json-ld.ts'
import { asideRule, findMain, type Main, readMainPart } from './html/main/main-part.ts'
import { parseHtml } from './html/parse-html.ts'
import { noFiles, type PageFiles, placeIncludedParts } from './html/scripted/included-parts.ts'
import { placeStreamedParts } from './html/scripted/streamed-parts.ts'
import {
  around,
  type Element,
  labelOf,
  linesWithin,
  oneLine,
  seenWithin,
  textWithin,
} from './html/visible-text.ts'
import { once } from './once.ts'
import { readPhones } from './phone-numbers.ts'
import type { Link, Page } from './site.ts'

/**
 * Reads one HTML page for all checks. What is visible and what is the main part is decided here once; if each
 * check decided it, two checks could contradict each other about one page.
 * @param files what was fetched of the files that scripts put into it.
 * @param folder which is all of the site, as `ownFolder` tells.
 */
export function readPage(reply: SiteReply, files: PageFiles = noFiles, folder?: string): Page {
  const $ = parseHtml(withoutProgramSource(reply.body))
  const parts = placeIncludedParts($, reply, files)
  placeStreamedParts($)
  openDialogs($)
  const url = reply.finalUrl
  const main = findMain($)
  const text = textWithin($('body').toArray())
  const lines = once(() => linesWithin($('body').toArray()))
  const elements = once(() => readElements($))
  const mainPart = once(() => readMainPart(main))
  const contactText = once(() => readContactText({ url, text, elements: elements(), lines: lines() }))
  const phones = once(() =>
    readPhones({ text, elements: elements(), contactText: contactText(), lines: lines() }),
  )
  const isWhole = parts.every(({ isRead }) => !isRead)
  const asSent = once(() => readPage(reply, noFiles, folder))
  const page: Page = {
    url,
    reply,
    $,
    parts,
    get asSent() {
      return isWhole ? page : asSent()
    },
    title: oneLine($('title').not('svg title').first().text()),
    description: readDescription($),
    text,
    mainText: textWithin(main.elements, main.isLeftOut),
    headings: readHeadings($, main),
    links: readLinks($, url, folder),
    jsonLd: readJsonLd($),
    language: readLanguage($),
    get lines() {
      return lines()
    },
    get elements() {
      return elements()
    },
    get mainPart() {
      return mainPart()
    },
    get contactText() {
      return contactText()
    },
    get phones() {
      return phones()
    },
  }
  return page
}

function readDescription($: CheerioAPI): string {
  const written = $('meta[content]')
    .toArray()
    .filter(({ attribs }) => attribs.name?.trim().toLowerCase() === 'description')
    .map(({ attribs }) => oneLine(attribs.content ?? ''))
  return written.find((one) => one !== '') ?? ''
}

/**
 * An h1 counts wherever it is visible, because many pages put it into a header above the main part, and one
 * in the menu counts where there is no other. A heading that is a picture has its alternative text.
 */
function readHeadings($: CheerioAPI, main: Main): Page['headings'] {
  const inMain = seenWithin(main.elements, main.isLeftOut)
  const besideMain = seenWithin($('body').toArray(), asideRule($))
  const all = $('h1, h2, h3, h4, h5, h6').toArray().slice(0, maxHeadings)
  const headingsOf = (isOwn: (element: Element) => boolean) =>
    all
      .filter(isOwn)
      .map((element) => ({
        level: Number(element.name.slice(1)),
        // Generators of documentation write a link of no width behind it.
        text: (labelOf(element) || spokenText(element)).replace(/[\s\u200b]+$/u, ''),
      }))
      .filter(({ text }) => text !== '' && text.toLowerCase() !== 'logo')
  const headings = headingsOf(
    (element) => inMain.has(element) || (element.name === 'h1' && besideMain.has(element)),
  )
  if (headings.some(({ level }) => level === 1)) return headings
  const anywhere = seenWithin($('body').toArray())
  return [...headingsOf((element) => element.name === 'h1' && anywhere.has(element)), ...headings]
}

const maxHeadings = 2_000

function readLinks($: CheerioAPI, url: string, folder: string | undefined): Link[] {
  const base = absolute($('base[href]').first().attr('href') ?? '', url) ?? url
  const isNowhere = placeholderRule($)
  return $('a[href]')
    .toArray()
    .slice(0, maxLinks)
    .flatMap((element) => {
      const href = element.attribs.href ?? ''
      if (isNowhere(href)) return []
      const target = absolute(href, base)
      if (target === undefined) return []
      // "/crowns.html" was meant to lead to a page of the site; who writes the host means the other site.
      const isOther = folder !== undefined && namesHost.test(href) && isBeside(target, folder)
      return {
        url: target,
        text: labelOf(element) || nameOf(element),
        isInternal: isSameSite(target, url) && !isOther,
        isNavigation: around(element).some(isNavigation),
      }
    })
}

const maxLinks = 5_000

const namesHost = /^\s{0,9}(?:https?:)?\/\//i

/**
 * A link of a template that was never given an address, as "Privacy" with `#`, leads to no page of its kind. Neither
 * does one to a part that the page does not have.
 */
function placeholderRule($: CheerioAPI): (href: string) => boolean {
  const parts = new Set(
    $('[id], a[name]')
      .toArray()
      .flatMap(({ attribs }) => [attribs.id, attribs.name]),
  )
  return (href) => {
    if (isPlaceholder(href) || href.trim() === '') return true
    const fragment = /^\s*#(.*)$/s.exec(href)?.[1]?.trim()
    if (fragment === undefined || fragment === 'top') return false
    return fragment === '' || !parts.has(decodedPart(fragment))
  }
}

/** The name of a link without text: its aria-label, the alt of its image, or its title, as of a link with an icon alone. */
function nameOf(element: Element): string {
  return (
    oneLine(element.attribs['aria-label'] ?? '') ||
    oneLine(elementsWithin(element, 'img[alt]')[0]?.attribs.alt ?? '') ||
    oneLine(element.attribs.title ?? '')
  )
}

function readLanguage($: CheerioAPI): string | undefined {
  const language = ($('html').attr('lang') ?? '').trim().split(/[-_]/, 1)[0]?.toLowerCase() ?? ''
  return /^[a-z]{2,8}$/.test(language) ? language : undefined
}
