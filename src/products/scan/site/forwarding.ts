import type { CheerioAPI } from 'cheerio'
import { absolute, addressKey } from './addresses.ts'
import type { SiteReply } from './capture.ts'
import { parseHtml } from './html/parse-html.ts'
import { textWithin } from './html/visible-text.ts'
import { countWords } from './html/words.ts'

/**
 * Where a page leads that only sends browsers on: it has next to no text, and a refresh within five seconds or a script that
 * chooses another page. Builders of static sites write such pages where the host has no redirects, and sites in several
 * languages have one as their start page. A script counts only where the page names its target in a link as well, because
 * programs run no scripts.
 * @returns undefined for a page with a text of its own
 */
export function forwardTarget({ body, finalUrl }: SiteReply): string | undefined {
  // Most pages are longer or send nobody on, and are not parsed for it.
  if (body.length >= 10_000 || !(/http-equiv/i.test(body) || sendsOn.test(body))) return undefined
  const $ = parseHtml(body)
  const target = refreshTarget($, finalUrl) ?? scriptTarget($, finalUrl)
  return target === undefined || countWords(textWithin($('body').toArray())) >= 30 ? undefined : target
}

function refreshTarget($: CheerioAPI, base: string): string | undefined {
  const content = $('meta[http-equiv="refresh" i]').first().attr('content') ?? ''
  const [, target] = refresh.exec(content.slice(0, 500)) ?? []
  return target === undefined ? undefined : absolute(target, base)
}

/** "0; url=/de/", and as browsers also take it: "0;/de/" and "3 url='/de/'". */
const refresh = /^\s*[0-5](?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"'\s]+)/i

/** The page for all languages first, then the others in their order. The script has to name it, by its file or its folder. */
function scriptTarget($: CheerioAPI, base: string): string | undefined {
  const script = $('script:not([src])')
    .toArray()
    .map((one) => $(one).text())
    .find((text) => sendsOn.test(text))
  if (script === undefined) return undefined
  const ways = [
    'link[rel~="alternate" i][hreflang="x-default" i]',
    'link[rel~="alternate" i][hreflang]',
    'a[href]',
  ]
  return ways
    .flatMap((way) => $(way).toArray().slice(0, 50))
    .flatMap((one) => absolute($(one).attr('href') ?? '', base) ?? [])
    .find((url) => addressKey(url) !== addressKey(base) && isNamedIn(script, url))
}

const sendsOn = /\blocation(?:\s*\.\s*href)?\s*=(?!=)|\blocation\s*\.\s*(?:replace|assign)\s*\(/

/** 'en.html', "/en/" or `./en` of https://lind.example/en.html and https://lind.example/en/. */
function isNamedIn(script: string, url: string): boolean {
  const last = new URL(url).pathname.split('/').findLast((part) => part !== '')
  return last !== undefined && ['"', "'", '`', '/'].some((before) => script.includes(`${before}${last}`))
}
