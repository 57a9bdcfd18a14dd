import { attributeOf } from '../../site/html/elements.ts'
import { nodesOf } from '../../site/html/json-ld.ts'
import { countWords } from '../../site/html/words.ts'
import { isTextOfKind } from '../../site/kinds/kind-phrases.ts'
import type { Page, Site } from '../../site/site.ts'
import { isLibrary, sourcesOf } from '../forms/form-code.ts'
import { inlineScripts, isEffect, isEmpty, type OwnScript, scriptFiles } from './scripted-parts.ts'
import { writtenIds } from './written-ids.ts'

/**
 * A page whose menu and frame stand in the HTML, and whose heading and text a script of the site writes into empty
 * elements: `<h1 id="name"></h1>`, and `$("#name").textContent = service.name`. Scripts are not run, so without this the
 * owner would be asked to write what every visitor reads there. `js-shell` tells of all such pages once.
 */
export interface FilledPage {
  readonly page: Page
  /** For a sentence: "/js/service.js" or "a script in /order.html". */
  readonly script: string
  /** Of the elements that are empty as sent and written to by the script. */
  readonly ids: readonly string[]
}

/** The pages that scripts fill, as far as the scripts were read. */
export function filledPages(site: Site): readonly FilledPage[] {
  const seen = known.get(site)
  if (seen !== undefined) return seen
  const found = site.pages.flatMap((page) => filledBy(page, site))
  known.set(site, found)
  return found
}

const known = new WeakMap<Site, readonly FilledPage[]>()

export function isFilledPage(page: Page, site: Site): boolean {
  return filledPages(site).some((filled) => filled.page === page)
}

/** A page that a script fills and that has questions: by an id, by its markup, or by a heading above the empty part. */
export function filledWithQuestions(site: Site): FilledPage | undefined {
  return filledPages(site).find(
    ({ page, ids }) =>
      ids.some((id) => /faq|question/i.test(id)) ||
      nodesOf(page, 'Question').length > 0 ||
      page.headings.some(({ text }) => isTextOfKind(text, 'faq')),
  )
}

function filledBy(page: Page, site: Site): FilledPage[] {
  const gaps = gapsOf(page)
  if (gaps.length === 0) return []
  const scripts = scriptsOf(page, site)
  // One file may hold the function that writes, and another the ids with which it is called.
  const code = scripts.map((script) => script.code).join('\n')
  const written = writtenIds(code, new Set(gaps.map(({ id }) => id)), 'text')
  const filled = gaps.filter(({ id }) => written.has(id))
  if (filled.length < minGaps && !filled.some(({ isHeading }) => isHeading)) return []
  const [first] = filled
  const script = scripts.find((one) => first !== undefined && one.code.includes(first.id))
  return script === undefined ? [] : [{ page, script: script.name, ids: filled.map(({ id }) => id) }]
}

interface Gap {
  readonly id: string
  readonly isHeading: boolean
}

/**
 * The empty elements that a script may fill, where the page lacks a text without them: its main heading is one of them, or
 * several are and there are few words. A slider, a map and the answer of a form are empty on pages that have their text.
 */
export function gapsOf(page: Page): readonly Gap[] {
  const words = countWords(page.mainText.slice(0, 20_000))
  if (words >= longEnough) return []
  const gaps = page.elements
    .filter(
      ({ node, name, region, form, isHidden }) =>
        !isHidden &&
        form === undefined &&
        places.has(name) &&
        region !== 'nav' &&
        region !== 'footer' &&
        (region !== 'header' || name === 'h1') &&
        isEmpty(node),
    )
    .map(({ node, name }) => ({ id: attributeOf(node, 'id'), isHeading: name === 'h1' }))
    .filter(({ id }) => id !== '' && !isEffect.test(id) && !isTool.test(id))
    .slice(0, maxGaps)
  const hasHeading = page.headings.some(({ level }) => level === 1)
  if (!hasHeading && gaps.some(({ isHeading }) => isHeading)) return gaps
  return gaps.length >= minGaps && words < fewWords ? gaps.map(({ id }) => ({ id, isHeading: false })) : []
}

/** A page with so many words has its text, and what a script adds is a part of it. */
export const longEnough = 150
/** Of buttons, headings and a line of small print. */
const fewWords = 80
const minGaps = 3
const maxGaps = 100

const places: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 p div section article main ul ol dl tbody span b strong'.split(' '),
)

/** What has no words of the page: it shows pictures, counts, or takes a choice of the visitor. */
const isTool =
  /slid|swiper|carousel|gallery|galler[iy]a|lightbox|calend|datepick|captcha|dots|pagina|progress|count|clock|timer|year|cart|basket|alert|notice|hint|valid|video|player|chart|graph|weather|banner|slot|step|result|summary|total|search|filter/i

/** Those of the page itself and those of its files that were read, without libraries. */
export function scriptsOf(page: Page, site: Site): readonly OwnScript[] {
  const { origin } = new URL(page.url)
  const sources = new Set(sourcesOf(page).filter((url) => new URL(url).origin === origin && !isLibrary(url)))
  const files = scriptFiles(site, ({ url, finalUrl }) => sources.has(url) || sources.has(finalUrl))
  return [...files, ...inlineScripts(page)]
}
