import { shown } from '../site/addresses.ts'
import { type Answered, answered, type Capture, type Exchange, type Purpose } from '../site/capture.ts'
import { isHtml, mediaTypeOf } from '../site/files/headers.ts'
import type { Site } from '../site/site.ts'
import { notApplicable, type Outcome } from './check.ts'

/**
 * What a request for a document brought. Many sites answer 200 with their start page for every path; whoever
 * looked at the status alone would credit them with every document there is. And an answer such as 403 or 503
 * says nothing about the document, so it must not be held against the site.
 */
export type Document =
  /** 200, and not a web page. */
  | { readonly state: 'present'; readonly url: string; readonly answer: Answered }
  /** 200, and a web page where a document was asked for. */
  | { readonly state: 'page'; readonly url: string; readonly answer: Answered }
  /** The server says that there is none: a 4xx that is no refusal. */
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

/** The documents that were asked for with a purpose, in the order of the plan. */
export function documentsOf(capture: Capture, purpose: Purpose): Document[] {
  return capture.exchanges.filter((exchange) => exchange.purpose === purpose).map(readDocument)
}

/** Where we were not let in, or not now. */
export function isRefusal(status: number): boolean {
  return [401, 402, 403, 407, 408, 425, 429, 451].includes(status) || status >= 500
}

/** By its type, or by how it begins: a shell is often served as text/plain or JSON. Markdown may begin with a tag. */
export function isWebPage(answer: Answered): boolean {
  if (/html/.test(mediaTypeOf(answer))) return true
  return /^[\s\uFEFF]*<(?:!doctype\s+html|html|head)[\s>]/i.test(answer.body.slice(0, 1_000))
}

/** What the body holds as JSON; undefined when it is none. */
export function jsonOf(answer: Answered): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(answer.body.replace(/^\uFEFF/, '')) }
  } catch {
    // What cannot be parsed is no JSON: that is the answer.
    return undefined
  }
}

/**
 * For checks of markup: where the address holds a PDF or another document that is no HTML, there is none that
 * could be good or bad, and to call it unmeasured would say that it was missed.
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

/** What the page is when it is not HTML: its type; undefined when it is HTML or was not seen. */
export function nonHtmlKind(capture: Capture): string | undefined {
  const home = homeAnswer(capture)
  if (home?.status !== 200 || isHtml(home)) return undefined
  return shown(mediaTypeOf(home), 60) || 'a document that is not HTML'
}

/** The answer to the request for the page itself, whatever it was. */
export function homeAnswer(capture: Capture): Answered | undefined {
  return answered(capture, 'home')[0]
}
