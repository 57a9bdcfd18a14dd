import type { CheerioAPI } from 'cheerio'
import { absolute, addressKey } from './addresses.ts'
import type { SiteReply } from './capture.ts'
import { parseHtml } from './html/parse-html.ts'
import { withoutCodeComments } from './html/scripted/comments.ts'
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

/**
 * The script file that may lead on from a page with next to no text and no link: `<p>Redirecting…</p>` and
 * `/js/redirect.js`. Where it leads is in the file (`targetsIn`).
 */
export function forwardingScript({ body, finalUrl }: SiteReply): string | undefined {
  if (body.length >= 10_000 || !/<script[^>]{1,200}src/i.test(body)) return undefined
  const $ = parseHtml(body)
  const files = $('script[src]').toArray().slice(0, 3)
  const urls = files.flatMap((one) => absolute($(one).attr('src') ?? '', finalUrl) ?? [])
  const own = urls.filter((url) => new URL(url).origin === new URL(finalUrl).origin)
  const isEmpty = $('a[href]').length === 0 && countWords(textWithin($('body').toArray())) < 15
  return isEmpty && own.length === 1 && files.length < 3 ? own[0] : undefined
}

/** The pages of the site to which such a file leads, as it names them: `'/it/'`, `"en.html"`. */
export function targetsIn(code: string, base: string): readonly string[] {
  const run = withoutCodeComments(code.slice(0, 20_000))
  if (!sendsOnByItself(run)) return []
  const named = Array.from(run.matchAll(pagePath), ([, path = '']) => absolute(path, base) ?? [])
  return [...new Set(named.flat())].filter((url) => addressKey(url) !== addressKey(base)).slice(0, 3)
}

const pagePath = /["'`]((?:\.?\/[\w-]{1,30}\/|\/?(?:[\w-]{1,30}\/){0,2}[\w-]{1,30}\.html?))["'`]/g

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
    .map((one) => withoutCodeComments($(one).text()))
    .find(sendsOnByItself)
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

/**
 * Whether a script leads on when it is loaded. One that moves a page to https, or that waits for a click, a key or a call by
 * name, leaves visitors where they are.
 */
function sendsOnByItself(code: string): boolean {
  if (/\blocation\s*\.\s*protocol\b/.test(code)) return false
  return Array.from(code.matchAll(new RegExp(sendsOn, 'g'))).some(({ index }) => {
    const [, handler, name] = waiting.exec(blocksAround(code, index)) ?? []
    return handler === undefined && (name === undefined || isCalled(name, code))
  })
}

/** What begins the blocks around a place in a script, each with the words before its brace. */
function blocksAround(code: string, at: number): string {
  const heads: string[] = []
  let closed = 0
  for (let place = at; place >= 0; place -= 1) {
    if (code[place] === '}') closed += 1
    else if (code[place] === '{' && closed > 0) closed -= 1
    else if (code[place] === '{') heads.push(code.slice(Math.max(0, place - 100), place + 1))
  }
  return heads.join('\n')
}

const waiting =
  /(addEventListener\(\s*["'`](?:click|submit|change|input|key|mouse|pointer|touch)|\.on(?:click|submit|change|input)\s*=)[^{}]{0,80}\{$|\bfunction\s+(\w{1,40})\s*\([^(){}]{0,60}\)\s*\{$/m

function isCalled(name: string, code: string): boolean {
  return code.split(`${name}(`).length > 2 || code.includes(`${name};`) || code.includes(`${name})`)
}

const sendsOn = /\blocation(?:\s*\.\s*href)?\s*=(?!=)|\blocation\s*\.\s*(?:replace|assign)\s*\(/

/** 'en.html', "/en/" or `./en` of https://lind.example/en.html and https://lind.example/en/. */
function isNamedIn(script: string, url: string): boolean {
  const last = new URL(url).pathname.split('/').findLast((part) => part !== '')
  return last !== undefined && ['"', "'", '`', '/'].some((before) => script.includes(`${before}${last}`))
}
