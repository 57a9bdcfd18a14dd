import { pathOf } from '../site/addresses.ts'
import type { Capture, Purpose, SiteReply } from '../site/capture.ts'
import { type Evidence, fail, notApplicable, type Outcome, pass, unmeasured, warn } from './check.ts'
import { type Document, readDocument } from './document.ts'
import { counted } from './share.ts'

/**
 * What a check expects of one kind of document for agents. `judgeDocument` is the only place that decides: a
 * good document passes, a broken one fails, and a missing one counts only against sites that are expected to
 * have it. With a rule for each protocol, one of them would sooner or later fail a site for a document that
 * was never fetched.
 */
export interface ExpectedDocument {
  /** The beginning of a sentence: "An MCP server card". */
  readonly name: string
  /**
   * Whether a request was for this kind of document, by its path or because the page names it as its service
   * description.
   */
  readonly isPlace: (path: string, purpose: Purpose) => boolean
  readonly read: (answer: SiteReply) => Reading
  /** Whether a site of this kind should have one. */
  readonly isExpected: boolean
  /**
   * The reason when something other than the kind of site makes it expected: "although the site links to
   * one".
   */
  readonly sign?: string
  /** The protocol is so young that a site without the document gets a warning instead of a failure. */
  readonly isYoung?: boolean
  /** What an agent cannot do without it. */
  readonly loss: string
  /** What to do when the site has none. */
  readonly fix: string
  /** Every document that is present must be good. Otherwise one good document is enough. */
  readonly isEachJudged?: boolean
}

export type Reading =
  | { readonly state: 'good'; readonly value: string }
  /** A client can use it despite a fault. */
  | { readonly state: 'usable'; readonly value: string; readonly fault: string; readonly fix: string }
  | { readonly state: 'broken'; readonly value: string; readonly fault: string; readonly fix: string }
  /** A document of another kind, which says nothing about this one. */
  | { readonly state: 'other'; readonly value: string }
  /** The document or a part that decides was not received. */
  | { readonly state: 'unknown'; readonly why: string }

export function judgeDocument(site: { readonly capture: Capture }, expected: ExpectedDocument): Outcome {
  const documents = documentsAt(site.capture, expected.isPlace)
  const readings = documents.map((document) => ({ document, reading: readingOf(document, expected) }))
  const good = readings.flatMap(({ document, reading }) =>
    reading?.state === 'good' ? [{ url: document.url, value: reading.value }] : [],
  )
  const faulty = readings.flatMap(({ document, reading }) =>
    reading?.state === 'usable' || reading?.state === 'broken' ? [{ document, reading }] : [],
  )
  const worst = faulty.find(({ reading }) => reading.state === 'broken') ?? faulty[0]
  if (good.length > 0 && (!worst || !expected.isEachJudged)) {
    return pass(`${expected.name} is published and well-formed.`, ...good.slice(0, 5))
  }
  const unknown = readings.flatMap(({ document, reading }) =>
    reading?.state === 'unknown' ? [`${pathOf(document.url)} ${reading.why}`] : [],
  )
  if (worst) {
    const { document, reading } = expected.isEachJudged
      ? worst
      : (faulty.find(({ reading: one }) => one.state === 'usable') ?? worst)
    return (reading.state === 'usable' ? warn : fail)(
      `${expected.name} is published at ${pathOf(document.url)}, but ${reading.fault}. ${expected.loss}`,
      reading.fix,
      { url: document.url, value: reading.value },
    )
  }
  const [first] = unknown
  const wasThere = readings.some(
    ({ document, reading }) => document.state === 'present' && reading?.state === 'unknown',
  )
  if (wasThere && first !== undefined) return unmeasured(`${expected.name} could not be judged: ${first}.`)
  if (!expected.isExpected)
    return notApplicable(`${expected.name} is not expected of this site, and none was seen.`)
  if (documents.length === 0) return unmeasured(`${expected.name} was not looked for.`)
  if (first !== undefined) return unmeasured(`${expected.name} may exist: ${first}.`)
  const [only] = documents
  const location =
    documents.length === 1 && only
      ? `was not found at ${pathOf(only.url)}`
      : `was found at none of ${counted(documents.length, 'place')}`
  return (expected.isYoung ? warn : fail)(
    `${expected.name} ${location}${expected.sign === undefined ? '' : `, ${expected.sign}`}. ${expected.loss}`,
    expected.fix,
    ...readings.slice(0, 5).map(
      ({ document, reading }): Evidence => ({
        url: document.url,
        value: reading?.state === 'other' ? reading.value : absence(document),
      }),
    ),
  )
}

function documentsAt(capture: Capture, isPlace: ExpectedDocument['isPlace']): Document[] {
  return capture.exchanges
    .filter(({ purpose }) => ['well-known', 'service-desc', 'ai-catalog'].includes(purpose))
    .filter(({ purpose, url }) => isPlace(pathOf(url), purpose))
    .map(readDocument)
}

function readingOf(document: Document, { read }: ExpectedDocument): Reading | undefined {
  if (document.state === 'unseen') return { state: 'unknown', why: document.why }
  if (document.state !== 'present') return undefined
  return document.answer.isCut ? { state: 'unknown', why: 'was not read to its end' } : read(document.answer)
}

export function absence(document: Document): string {
  if (document.state === 'absent') return `status ${document.status}`
  return document.state === 'page' ? 'status 200, a web page instead of a document' : 'not seen'
}
