import { shown } from '../site/addresses.ts'
import {
  type Capture,
  type Exchange,
  type FailedRequest,
  type Purpose,
  repliesFor,
  type SiteReply,
} from '../site/capture.ts'
import { isHtml, mediaTypeOf } from '../site/files/headers.ts'
import type { Site } from '../site/site.ts'
import { notApplicable, type Outcome } from './check.ts'

/**
 * What the server sent for a document. The status alone does not decide: many sites answer 200 with their
 * start page for every path and would be credited with every document, and a 403 or 503 says nothing about
 * the document, so it must not count against the site.
 */
export type Document =
  /** Status 200, and the body is not a web page. */
  | { readonly state: 'present'; readonly url: string; readonly answer: SiteReply }
  /** Status 200, and the body is a web page. */
  | { readonly state: 'page'; readonly url: string; readonly answer: SiteReply }
  /** A 4xx other than a refusal: the server says that the document does not exist. */
  | { readonly state: 'absent'; readonly url: string; readonly status: number }
  | { readonly state: 'unseen'; readonly url: string; readonly why: string }

export function readDocument(exchange: Exchange): Document {
  const { url } = exchange
  if (exchange.outcome === 'skipped')
    return { state: 'unseen', url, why: `was not fetched (${exchange.reason})` }
  if (exchange.outcome === 'failed')
    return { state: 'unseen', url, why: `gave no answer (${exchange.reason})` }
  const { status } = exchange
  if (status === 200) return { state: isWebPage(exchange) ? 'page' : 'present', url, answer: exchange }
  if (status >= 400 && status < 500 && !isRefusal(status)) return { state: 'absent', url, status }
  return { state: 'unseen', url, why: `answered ${status}` }
}

/** Reads all documents that were requested for a purpose, in the order of the capture plan. */
export function documentsOf(capture: Capture, purpose: Purpose): Document[] {
  return capture.exchanges.filter((exchange) => exchange.purpose === purpose).map(readDocument)
}

/** Whether the server refused the request or cannot answer it now. */
export function isRefusal(status: number): boolean {
  return [401, 402, 403, 407, 408, 425, 429, 451].includes(status) || status >= 500
}

/** Whether the server says that nothing is at the address. */
export function isGone({ status }: Pick<SiteReply, 'status'>): boolean {
  return status === 404 || status === 410
}

/** What its owner is to do about a start page that answers another status than 200, and is no refusal. */
export function startPageFix(home: SiteReply): string {
  const url = shown(home.finalUrl)
  return isGone(home)
    ? `Publish a start page at ${url}: nothing is there today. Do your pages lie at another address? Then have that one scanned.`
    : `Let ${url} answer 200 with the page.`
}

/** Whether every other visitor meets the failure, too: the name is unknown, its certificate is wrong, or redirects never end. */
export function isLasting({ reason }: FailedRequest): boolean {
  return ['dns', 'tls', 'redirects'].includes(reason)
}

/**
 * Whether the body is a web page, by its content type or by how it begins: single-page applications are
 * often served as text/plain or JSON. A tag at the start is not enough, because Markdown may begin with one.
 */
export function isWebPage(answer: SiteReply): boolean {
  if (/html/.test(mediaTypeOf(answer))) return true
  return /^[\s\uFEFF]*<(?:!doctype\s+html|html|head)[\s>]/i.test(answer.body.slice(0, 1_000))
}

/**
 * Parses the body as JSON. Returns undefined when it is not JSON, and an object otherwise, since JSON may be
 * `null`.
 */
export function jsonOf(answer: SiteReply): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(answer.body.replace(/^\uFEFF/, '')) }
  } catch {
    // Invalid JSON is an expected result here, not an error.
    return undefined
  }
}

/**
 * Makes a check of markup not applicable where the address holds a PDF or another document that is not HTML.
 * `unmeasured` would lower the coverage for markup that cannot exist there.
 */
export function onlyForHtml(run: (site: Site) => Outcome): (site: Site) => Outcome {
  return (site) => {
    const outcome = run(site)
    const kind = outcome.result === 'unmeasured' ? nonHtmlKind(site.capture) : undefined
    return kind === undefined
      ? outcome
      : notApplicable(`${site.capture.url} answers with ${kind}, which has no markup.`)
  }
}

/** Returns the media type of the page when it is not HTML, undefined when it is HTML or was not received. */
export function nonHtmlKind(capture: Capture): string | undefined {
  const home = homeAnswer(capture)
  if (home?.status !== 200 || isHtml(home)) return undefined
  return shown(mediaTypeOf(home), 60) || 'a document that is not HTML'
}

/** Returns the reply to the request for the page itself, whatever its status. */
export function homeAnswer(capture: Capture): SiteReply | undefined {
  return repliesFor(capture, 'home')[0]
}
