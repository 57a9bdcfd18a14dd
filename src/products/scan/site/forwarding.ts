import { absolute } from './addresses.ts'
import type { SiteReply } from './capture.ts'
import { parseHtml } from './html/parse-html.ts'
import { textWithin } from './html/visible-text.ts'
import { countWords } from './html/words.ts'

/**
 * Where a page leads that only sends browsers on: it has a refresh within five seconds, and next to no text. Builders of
 * static sites write such pages where the host has no redirects.
 * @returns undefined for a page with a text of its own
 */
export function forwardTarget({ body, finalUrl }: SiteReply): string | undefined {
  // Most pages are longer or have no refresh, and are not parsed for it.
  if (body.length >= 10_000 || !/http-equiv/i.test(body)) return undefined
  const $ = parseHtml(body)
  const content = $('meta[http-equiv="refresh" i]').first().attr('content') ?? ''
  const [, target] = refresh.exec(content.slice(0, 500)) ?? []
  if (target === undefined) return undefined
  return countWords(textWithin($('body').toArray())) < 30 ? absolute(target, finalUrl) : undefined
}

/** "0; url=/de/", and as browsers also take it: "0;/de/" and "3 url='/de/'". */
const refresh = /^\s*[0-5](?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"'\s]+)/i
