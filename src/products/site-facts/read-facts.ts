import { wholeDescription, wholeSentences } from '../scan/report/blocks/facts/whole-sentences.ts'
import { companyName } from '../scan/signals/company-name.ts'
import { offersDentalTreatments } from '../scan/signals/industry/dental-treatments.ts'
import { industryOf } from '../scan/signals/industry/industry.ts'
import { pathOf, shown } from '../scan/site/addresses.ts'
import type { Capture } from '../scan/site/capture.ts'
import { metaOf } from '../scan/site/html/elements.ts'
import { nodesOf, textOf } from '../scan/site/html/json-ld.ts'
import { textWithin } from '../scan/site/html/visible-text.ts'
import { readSite } from '../scan/site/read-site.ts'
import type { Page, Site } from '../scan/site/site.ts'
import type { IndustrySlug } from '../text/knowledge/industry.ts'
import { findIndustry, type IndustryMatch } from '../text/local/industry.ts'
import { sentencesIn } from '../text/sentences.ts'
import type { SiteFacts, SiteSentence } from '../text/site.ts'
import { contactOf } from './contact.ts'
import { addressesReader, offersOf, placesOf, pricesOf } from './offers.ts'

/**
 * Reads what a business says of itself from a capture of a few pages. Nothing is guessed: a list is empty where the
 * pages say nothing. Undefined when no page could be read.
 * @param now Unix milliseconds.
 */
export function readFacts(capture: Capture, now: number): SiteFacts | undefined {
  const site = readSite(capture, now)
  const { home } = site
  if (home === undefined) return undefined
  const sentences = sentencesOf(site)
  const name = companyName(site)
  const offers = offersOf(site, name)
  return {
    address: capture.domain,
    pages: site.pages.map(({ url }) => pathOf(url)),
    name,
    language: home.language,
    industry: clearIndustryOf(site, offers),
    trade: offersDentalTreatments(home, site.pages) ? 'dentistry' : undefined,
    about: aboutOf(site, sentences),
    offers,
    prices: pricesOf(site),
    places: placesOf(site),
    customers: customersOf(sentences),
    contact: contactOf(site),
    sentences,
  }
}

/**
 * The industry, if the words of the site leave no doubt and the scan's reading of it does not contradict. A text for
 * the wrong industry is worse than none, so a doubt is `other`.
 */
function clearIndustryOf(site: Site, offers: readonly string[]): IndustrySlug {
  const { home } = site
  const scanned = industryOf(site)
  if (home === undefined) return 'other'
  // What it says of itself comes before what it lists: "School orders" does not make a bookshop a school.
  const own = industryIn([home.title, home.description])
  const { industry, isSure } = own.isSure
    ? own
    : industryIn([home.title, home.description, ...offers, ...home.headings.map(({ text }) => text)])
  if (isSure) return scanned === 'other' || scanned === industry.slug ? industry.slug : 'other'
  return site.pages.some(({ jsonLd }) => jsonLd.nodes.length > 0) ? scanned : 'other'
}

function industryIn(texts: readonly string[]): IndustryMatch {
  const subject = texts
    .map((text) => text.slice(0, 300))
    .slice(0, 30)
    .join('. ')
  return findIndustry({ subject })
}

const maxSentences = 120
const maxSentenceCharacters = 240

/** Whole sentences of paragraphs and list items; a heading glued to a text would be no quotation. */
function sentencesOf(site: Site): SiteSentence[] {
  const seen = new Map<string, SiteSentence>()
  for (const page of site.pages) {
    for (const text of blocksOf(page)) {
      for (const said of sentencesIn(text)) {
        const sentence = shown(said, said.length)
        const words = sentence.split(' ').length
        if (
          sentence.length > maxSentenceCharacters ||
          words < 5 ||
          words > 40 ||
          !/[.!?।。！？]["”’“»)]?$/u.test(sentence) ||
          noise.test(sentence) ||
          addressesReader.test(sentence)
        )
          continue
        if (seen.size >= maxSentences) return [...seen.values()]
        if (!seen.has(sentence)) seen.set(sentence, { text: sentence, page: pathOf(page.url) })
      }
    }
  }
  return [...seen.values()]
}

/** Notices that every site has, and text that was written for programs. */
const noise =
  /\b(?:cookies?|all rights reserved|copyright|©|javascript|privacy policy|terms of (?:use|service)|recaptcha|subscribe to our newsletter|lorem ipsum)\b/i

const maxBlocks = 600

function blocksOf(page: Page): string[] {
  return page
    .$('p, li, dd, blockquote, td')
    .toArray()
    .slice(0, maxBlocks)
    .filter(
      ({ children }) =>
        !children.some((child) => 'name' in child && /^(?:p|ul|ol|table|div)$/.test(child.name)),
    )
    .map((element) => textWithin([element]).slice(0, 2_000))
    .filter((text) => text.length > 20)
}

function aboutOf(site: Site, sentences: readonly SiteSentence[]): string[] {
  const { home } = site
  if (home === undefined) return []
  const [organization] = nodesOf(home, 'Organization')
  const described = [
    wholeDescription(home),
    wholeSentences(textOf(organization?.properties.description)),
    wholeSentences(metaOf(home, 'og:description')),
  ].find((text) => text.length > 20 && !addressesReader.test(text))
  const first = sentences.find(({ page }) => page === pathOf(home.url))?.text
  return [...new Set([described, first])].filter((text) => text !== undefined).slice(0, 2)
}

/** Sentences that say whom the business serves. */
function customersOf(sentences: readonly SiteSentence[]): string[] {
  return sentences
    .map(({ text }) => text)
    .filter((text) =>
      /\b(?:we (?:serve|help|work with|support|treat|welcome|supply|look after)|(?:made|built|designed|care|services?) for|our (?:patients|clients|customers|members|guests|students|tenants|families) (?:are|come|include))\b/i.test(
        text,
      ),
    )
    .slice(0, 2)
}
