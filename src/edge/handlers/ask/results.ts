import type { z } from 'zod'
import type { Listing } from '../../../products/directory/find-listings.ts'
import type { ScanAnswer } from '../../../products/search/answers.ts'
import type { Question } from '../../../products/search/question.ts'
import { plainLine, snippetOf } from '../../../products/search/snippet.ts'
import type { Passage } from './passage.ts'
import type { answerSchema } from './replies.ts'

/** Writes what was found as results of NLWeb, each with its object of schema.org. */

/** An answer with the whole text that it was found in. */
export interface Found {
  readonly answer: z.infer<typeof answerSchema>
  readonly text: string
  /** The site that wrote the text, when it is not ours. */
  readonly domain: string | undefined
}

export function ofPassage(
  { type, name, text, url, call }: Passage,
  score: number,
  { words }: Question,
): Found {
  const description = snippetOf(text, words)
  const object = { '@context': schemaOrg, '@type': type, name, url, description: plainLine(text, maxText) }
  const action = call && {
    potentialAction: {
      '@type': 'Action',
      target: { '@type': 'EntryPoint', httpMethod: call.method, urlTemplate: call.url },
    },
  }
  return found(
    { type, url, name, site: 'documentation', score, description, object: { ...object, ...action } },
    text,
  )
}

export function ofListing(listing: Listing, score: number, baseUrl: string): Found {
  const { slug, domain, industry, readinessScore, aeoScore } = listing
  const name = plainLine(listing.businessName, maxName)
  const text = plainLine(listing.description, maxText)
  const scores = `Readiness ${readinessScore} and AEO ${aeoScore} of 100; ${industry}.`
  const url = `${baseUrl}/api/directory/${slug}`
  const object = {
    '@context': schemaOrg,
    '@type': 'Organization',
    name,
    url: `https://${domain}/`,
    description: text,
    additionalProperty: [
      { '@type': 'PropertyValue', name: 'industry', value: industry },
      { '@type': 'PropertyValue', name: 'readinessScore', value: readinessScore },
      { '@type': 'PropertyValue', name: 'aeoScore', value: aeoScore },
    ],
    subjectOf: url,
  }
  const description = text === '' ? scores : `${scores} ${text}`
  return found(
    { type: 'Organization', url, name, site: 'directory', score, description, object },
    description,
    domain,
  )
}

export function ofScan(scan: ScanAnswer, { words }: Question, baseUrl: string): Found {
  const { type, scanId, domain, position, body, score } = scan
  const url = `${baseUrl}/api/insights/scan/${scanId}/results#${type}-${position}`
  const title = plainLine(scan.title, maxName)
  const name = type === 'domain' ? title : `${domain}: ${title}`
  const text = plainLine(body, maxText)
  const object = {
    '@context': schemaOrg,
    '@type': 'Report',
    name: title,
    url,
    description: text,
    genre: type,
    identifier: scanId,
    about: { '@type': 'WebSite', url: `https://${domain}/`, name: domain },
  }
  const description = snippetOf(body, words)
  return found({ type: 'Report', url, name, site: 'scans', score, description, object }, text, domain)
}

function found(
  answer: {
    readonly type: string
    readonly url: string
    readonly name: string
    readonly site: Found['answer']['site']
    readonly score: number
    readonly description: string
    readonly object: Readonly<Record<string, unknown>>
  },
  text: string,
  domain?: string,
): Found {
  const { type, url, name, site, description, object } = answer
  const score = Math.min(100, Math.round(answer.score * 100))
  const schema = { ...object, '@id': url }
  return {
    answer: { '@type': type, '@id': url, url, name, site, score, description, schema_object: schema },
    text,
    domain,
  }
}

const schemaOrg = 'https://schema.org'
const maxName = 160
const maxText = 1_000
