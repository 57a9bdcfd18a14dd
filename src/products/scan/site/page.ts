import type { CheerioAPI } from 'cheerio'
import { absolute, isSameSite } from './addresses.ts'
import type { Answered } from './capture.ts'
import { readJsonLd } from './html/json-ld.ts'
import { parseHtml } from './html/parse-html.ts'
import {
  around,
  type Element,
  isElement,
  isHidden,
  labelOf,
  oneLine,
  seenWithin,
  textWithin,
} from './html/visible-text.ts'
import type { Link, Page } from './site.ts'

/**
 * One HTML page, taken apart once for all checks. What counts as visible and what as the main part is decided
 * here; if each check decided it again, two of them would contradict each other about one page.
 */
export function readPage(answer: Answered): Page {
  const $ = parseHtml(answer.body)
  const url = answer.finalUrl
  const main = findMain($)
  return {
    url,
    answer,
    $,
    title: oneLine($('title').not('svg title').first().text()),
    description: readDescription($),
    text: textWithin($('body').toArray()),
    mainText: textWithin(main.elements, main.isLeftOut),
    headings: readHeadings($, main),
    links: readLinks($, url),
    jsonLd: readJsonLd($),
    language: readLanguage($),
  }
}

/** Where the main part of a page stands, and what within it is none of it. */
export interface Main {
  readonly elements: readonly Element[]
  readonly isLeftOut: (element: Element) => boolean
}

/**
 * `main`, else the articles, else the body. A header inside main or an article holds its heading and stays;
 * one outside is the site's and goes.
 */
export function findMain($: CheerioAPI): Main {
  const isAside = asideRule($)
  for (const selector of ['main, [role="main"]', 'article']) {
    const found = $(selector).toArray().filter(isElement)
    const all = new Set(found)
    const elements = found.filter((one) => !around(one).some((outer) => all.has(outer)) && !isHidden(one))
    if (textWithin(elements, isAside) !== '') return { elements, isLeftOut: isAside }
  }
  return {
    elements: $('body').toArray(),
    isLeftOut: (element) => isAside(element) || isSiteHeader(element),
  }
}

/** What stands beside the content. A form around the whole page (ASP.NET writes one) is not beside it. */
export function asideRule($: CheerioAPI): (element: Element) => boolean {
  const wrapping = new Set<Element>()
  for (const element of $('h1, main, article').toArray()) {
    for (const outer of around(element)) if (outer.name === 'form') wrapping.add(outer)
  }
  return (element) =>
    asides.has(element.name) ||
    asideRoles.has(element.attribs.role ?? '') ||
    (element.name === 'form' && !wrapping.has(element))
}

const asides: ReadonlySet<string> = new Set(['nav', 'footer', 'aside'])
const asideRoles: ReadonlySet<string> = new Set(['navigation', 'contentinfo', 'complementary', 'search'])

function isSiteHeader({ name, attribs }: Element): boolean {
  return name === 'header' || attribs.role === 'banner'
}

function readDescription($: CheerioAPI): string {
  const element = $('meta[content]')
    .toArray()
    .find(({ attribs }) => attribs.name?.trim().toLowerCase() === 'description')
  return oneLine(element?.attribs.content ?? '')
}

/** An h1 counts wherever it is seen: many pages put theirs into a header above the main part. */
function readHeadings($: CheerioAPI, main: Main): Page['headings'] {
  const inMain = seenWithin(main.elements, main.isLeftOut)
  const anywhere = seenWithin($('body').toArray(), asideRule($))
  return $('h1, h2, h3, h4, h5, h6')
    .toArray()
    .filter((element) => inMain.has(element) || (element.name === 'h1' && anywhere.has(element)))
    .slice(0, maxHeadings)
    .map((element) => ({ level: Number(element.name.slice(1)), text: labelOf(element) }))
    .filter(({ text }) => text !== '')
}

const maxHeadings = 2_000

function readLinks($: CheerioAPI, url: string): Link[] {
  const base = absolute($('base[href]').first().attr('href') ?? '', url) ?? url
  return $('a[href]')
    .toArray()
    .slice(0, maxLinks)
    .flatMap((element) => {
      const target = absolute(element.attribs.href ?? '', base)
      if (target === undefined) return []
      return {
        url: target,
        text: labelOf(element) || nameOf($, element),
        isInternal: isSameSite(target, url),
        isNavigation: around(element).some(isNavigation),
      }
    })
}

const maxLinks = 5_000

function isNavigation({ name, attribs }: Element): boolean {
  return name === 'nav' || name === 'header' || attribs.role === 'navigation' || attribs.role === 'banner'
}

/** What a link without text is called: its aria-label, or the alt of its image. */
function nameOf($: CheerioAPI, element: Element): string {
  return (
    oneLine(element.attribs['aria-label'] ?? '') ||
    oneLine($(element).find('img[alt]').first().attr('alt') ?? '')
  )
}

function readLanguage($: CheerioAPI): string | undefined {
  const language = ($('html').attr('lang') ?? '').trim().split(/[-_]/, 1)[0]?.toLowerCase() ?? ''
  return /^[a-z]{2,8}$/.test(language) ? language : undefined
}
