import type { Answered } from '../capture.ts'

/**
 * What an answer's headers say, read in one way by all checks: a repeated header is one list, and a missing
 * one is empty text, so that no check has to tell `undefined` from "".
 */

/** The lines of a header joined by ", "; empty when there is none. `name` in lower case. */
export function headerOf(answer: Answered, name: string): string {
  return Object.hasOwn(answer.headers, name) ? (answer.headers[name] ?? []).join(', ') : ''
}

/** `text/html` of `Text/HTML; charset=utf-8`; empty when the answer names no type. */
export function mediaTypeOf(answer: Answered): string {
  return (headerOf(answer, 'content-type').split(/[;,]/, 1)[0] ?? '').trim().toLowerCase()
}

/** HTML by its type, or by its looks when it names none. */
export function isHtml(answer: Answered): boolean {
  const type = mediaTypeOf(answer)
  if (type === '') return looksLikeHtml(answer.body)
  return type === 'text/html' || type === 'application/xhtml+xml'
}

/** Begins as an HTML document does, whatever its type says. */
export function looksLikeHtml(body: string): boolean {
  return /^[\s\ufeff]*(?:<!--|<!doctype\s+html|<(?:html|head|body|title|meta|script|div)[\s>])/i.test(
    body.slice(0, 1_000),
  )
}
