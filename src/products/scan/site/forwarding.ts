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
  const [tag] =
    /<meta\s[^>]{0,200}http-equiv\s{0,3}=\s{0,3}["']?refresh\b[^>]{0,500}>/i.exec(body.slice(0, 5_000)) ?? []
  if (tag === undefined) return undefined
  const [, target] =
    /content\s{0,3}=\s{0,3}["']?\s{0,3}[0-5]\s{0,3}[;,]\s{0,3}url\s{0,3}=\s{0,3}["']?([^"'>\s]{1,400})/i.exec(
      tag,
    ) ?? []
  if (target === undefined || body.length >= 10_000) return undefined
  return countWords(textWithin(parseHtml(body)('body').toArray())) < 30
    ? absolute(target, finalUrl)
    : undefined
}
