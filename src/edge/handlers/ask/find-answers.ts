import type { Queries } from '../../../platform/store/database.ts'
import { findListingsOf } from '../../../products/directory/find-listings.ts'
import { answersOfScans, answersOfTexts, type ScanAnswer } from '../../../products/search/answers.ts'
import type { Question } from '../../../products/search/question.ts'
import type { Passage } from './passage.ts'
import { type Found, ofListing, ofPassage, ofScan } from './results.ts'
import type { Part } from './sites.ts'

/** Everything that may answer a question, beside the scans in the store. */
export interface Documentation {
  readonly passages: readonly Passage[]
  /** The words of each passage, as a JSON list of tsvectors. */
  readonly vectors: string
}

interface Wanted {
  readonly question: Question
  /** Where to look. */
  readonly parts: readonly Part[]
  readonly limit: number
  /** The subject of the caller's key. */
  readonly viewer: string | undefined
}

/**
 * Finds what answers a question in our documentation, the directory and the scans that the viewer may see. Of equal
 * answers the documentation comes first, then the directory.
 */
export async function findAnswers(
  sources: { readonly queries: Queries; readonly documentation: Documentation; readonly baseUrl: string },
  wanted: Wanted,
): Promise<readonly Found[]> {
  const { queries, documentation, baseUrl } = sources
  const { question, limit, viewer } = wanted
  const [inTexts, inDirectory, inScans] = (['documentation', 'directory', 'scans'] as const).map((part) =>
    wanted.parts.includes(part),
  )
  const [texts, scans] = await Promise.all([
    inTexts ? answersOfTexts({ queries }, { question, vectors: documentation.vectors, limit }) : [],
    inDirectory || inScans
      ? answersOfScans({ queries }, { question, type: inScans ? undefined : 'domain', limit, viewer })
      : [],
  ])
  const listings = inDirectory ? await findListingsOf({ queries }, domainsOf(scans)) : []
  const byDomain = new Map(listings.map((listing) => [listing.domain, listing]))
  const listed = new Map<string, Found>()
  const others: Found[] = []
  for (const scan of scans) {
    const listing = scan.type === 'domain' ? byDomain.get(scan.domain) : undefined
    // Your scan and the public scan of a site lead to one listing.
    if (listing && !listed.has(listing.slug))
      listed.set(listing.slug, ofListing(listing, scan.score, baseUrl))
    else if (!listing && inScans) others.push(ofScan(scan, question, baseUrl))
  }
  const documents = texts.flatMap(({ place, score }) => {
    const passage = documentation.passages[place]
    return passage ? [ofPassage(passage, score, question)] : []
  })
  return [...documents, ...listed.values(), ...others]
    .toSorted((one, other) => other.answer.score - one.answer.score)
    .slice(0, limit)
}

function domainsOf(scans: readonly ScanAnswer[]): readonly string[] {
  return [...new Set(scans.flatMap(({ type, domain }) => (type === 'domain' ? [domain] : [])))]
}
