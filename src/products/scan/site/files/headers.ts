import type { Answered } from '../capture.ts'

/**
 * The lines of a header joined by ", "; empty when there is none.
 * @param name in lower case
 */
export function headerOf(answer: Answered, name: string): string {
  return Object.hasOwn(answer.headers, name) ? (answer.headers[name] ?? []).join(', ') : ''
}

/** `text/html` of `Text/HTML; charset=utf-8`; empty when the reply names no type. */
export function mediaTypeOf(answer: Answered): string {
  return (headerOf(answer, 'content-type').split(/[;,]/, 1)[0] ?? '').trim().toLowerCase()
}

/** Whether a reply is HTML: by its type, or by its body when it names no type. */
export function isHtml(answer: Answered): boolean {
  const type = mediaTypeOf(answer)
  if (type === '') return looksLikeHtml(answer.body)
  return type === 'text/html' || type === 'application/xhtml+xml'
}

/** Whether a body begins as an HTML document does. */
export function looksLikeHtml(body: string): boolean {
  return /^[\s\ufeff]*(?:<!--|<!doctype\s+html|<(?:html|head|body|title|meta|script|div)[\s>])/i.test(
    body.slice(0, 1_000),
  )
}
