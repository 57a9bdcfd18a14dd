import type { SiteReply } from '../capture.ts'

/**
 * The lines of a header joined by ", "; empty when there is none.
 * @param name in lower case
 */
export function headerOf(reply: SiteReply, name: string): string {
  return Object.hasOwn(reply.headers, name) ? (reply.headers[name] ?? []).join(', ') : ''
}

/** `text/html` of `Text/HTML; charset=utf-8`; empty when the reply names no type. */
export function mediaTypeOf(reply: SiteReply): string {
  return (headerOf(reply, 'content-type').split(/[;,]/, 1)[0] ?? '').trim().toLowerCase()
}

/** Whether a reply is HTML: by its type, or by its body when it names no type. */
export function isHtml(reply: SiteReply): boolean {
  const type = mediaTypeOf(reply)
  if (type === '') return looksLikeHtml(reply.body)
  return type === 'text/html' || type === 'application/xhtml+xml'
}

/** Whether a body begins as an HTML document does. */
export function looksLikeHtml(body: string): boolean {
  return !opensFeed.test(body.slice(0, 1_000)) && opensHtml.test(body.slice(0, 1_000))
}

/** A comment may stand before a sitemap or a feed as well, though XML forbids it. */
const opensFeed = /^[\s\ufeff]*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:\?xml|urlset|sitemapindex|rss|feed)[\s>]/i

const opensHtml = /^[\s\ufeff]*(?:<!--|<!doctype\s+html|<(?:html|head|body|title|meta|script|div)[\s>])/i
