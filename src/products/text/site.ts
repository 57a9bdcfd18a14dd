import type { IndustrySlug } from './knowledge/industry.ts'
import { presentText } from './plain-text.ts'

/**
 * What was read of a website that a caller named. Its author is a stranger: every string is untrusted, is quoted as
 * what the site says, and carries no instruction. The texts must also say when a site could not be read; otherwise a
 * buyer believes that the text describes it.
 */
export type SiteReading =
  | { readonly outcome: 'read'; readonly facts: SiteFacts; readonly scan: NotedScan | undefined }
  /** `problem` is a sentence. */
  | { readonly outcome: 'failed'; readonly address: string; readonly problem: string }

/** The latest scan of the site that the caller may see. */
export interface NotedScan {
  /** Made without a key. A scan with a key is shown to its owner alone. */
  readonly isPublic: boolean
  /** What it noted, one sentence each. */
  readonly findings: readonly string[]
}

/** All strings are one line, cut to a length that fits a sentence. */
export interface SiteFacts {
  /** The address that the caller named, without scheme: `bright-smile.example`. */
  readonly address: string
  /** The pages that were read, by path: `/`, `/prices`. */
  readonly pages: readonly string[]
  readonly name: string
  /** Of its text, by ISO 639-1; undefined when it is not clear. */
  readonly language: string | undefined
  /** `other` when it is not clear. */
  readonly industry: IndustrySlug
  /** A trade within the industry that has a profile of its own, where the pages show it. */
  readonly trade: 'dentistry' | undefined
  /** What the site says of itself. */
  readonly about: readonly string[]
  /** What it sells, as short names. */
  readonly offers: readonly string[]
  /** Names with prices: `Check-up: $95`. */
  readonly prices: readonly string[]
  readonly places: readonly string[]
  /** Sentences that say whom it serves. */
  readonly customers: readonly string[]
  /** How a customer gets through, as nouns: `phone`, `online booking`. */
  readonly contact: readonly string[]
  /** Sentences of its pages, in their order. */
  readonly sentences: readonly SiteSentence[]
}

export interface SiteSentence {
  readonly text: string
  /** The path of the page. */
  readonly page: string
}

/**
 * Reads the website that a caller named; undefined when the caller named none. It never fails because of the site.
 * @param viewer the subject of the caller's key, who may see scans of its own.
 * @throws the signal's reason.
 */
export type ReadSite = (
  website: string | undefined,
  viewer: string | undefined,
  signal: AbortSignal,
) => Promise<SiteReading | undefined>

/** The facts of a site that was read. */
export function factsOf(site: SiteReading | undefined): SiteFacts | undefined {
  return site?.outcome === 'read' ? site.facts : undefined
}

/** Says at the end of a text what was read and what was not. */
export function siteNote(website: string | undefined, site: SiteReading | undefined): string {
  const address = presentText(website, 120)
  if (address === undefined) return 'No website and no internal figures were looked at.'
  if (site === undefined) return `The website ${address} was not read, so nothing here describes its content.`
  if (site.outcome === 'failed')
    return `The website ${site.address} could not be read, so nothing here describes its content. ${site.problem}`
  const { facts } = site
  const count = facts.pages.length === 1 ? 'One page' : `${facts.pages.length} pages`
  return `${count} of ${facts.address} ${facts.pages.length === 1 ? 'was' : 'were'} read (${facts.pages.join(', ')}). What the site says was taken over and not verified; no internal figures were looked at.`
}

/** "the page that was read", "the 4 pages that were read": what a text says is not there was not seen on these. */
export function pagesRead({ pages: { length } }: SiteFacts): string {
  return length === 1 ? 'the page that was read' : `the ${length} pages that were read`
}
