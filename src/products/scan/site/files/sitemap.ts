import { XMLParser } from 'fast-xml-parser'
import type { Exchange } from '../capture.ts'
import { looksLikeHtml } from './headers.ts'
import type { Robots } from './robots.ts'

/** The sitemap files of a site as one map (sitemaps.org). */
export interface Sitemap {
  readonly files: readonly SitemapFile[]
  /** Of all files, in order, at most 50,000. */
  readonly urls: readonly SitemapUrl[]
  /** robots.txt names one. */
  readonly isDeclared: boolean
  /** A file has more than 50,000 addresses or 50 MiB, which the protocol does not allow. */
  readonly isOverLimit: boolean
}

interface SitemapFile {
  readonly url: string
  /** unread: the request failed, so nothing is known about the file. Skipped files are not listed. */
  readonly state: 'ok' | 'absent' | 'broken' | 'unread'
  readonly kind: SitemapKind | undefined
  readonly problem?: string
}

interface SitemapUrl {
  readonly loc: string
  readonly lastmod?: string
}

type SitemapKind = 'urlset' | 'sitemapindex'

/** @param exchanges those with another purpose than `sitemap` are ignored. */
export function readSitemap(exchanges: readonly Exchange[], robots: Robots): Sitemap {
  const files: SitemapFile[] = []
  const urls: SitemapUrl[] = []
  let isOverLimit = false
  for (const exchange of exchanges) {
    if (exchange.purpose !== 'sitemap' || exchange.outcome === 'skipped') continue
    const { file, parsed } = readFile(exchange)
    files.push(file)
    if (parsed === undefined || exchange.outcome === 'failed') continue
    isOverLimit ||= parsed.urls.length > maxUrls || exchange.bytes > maxBytes
    if (parsed.kind === 'urlset') urls.push(...parsed.urls.slice(0, maxUrls - urls.length))
  }
  return { files, urls, isDeclared: robots.sitemaps.length > 0, isOverLimit }
}

const maxUrls = 50_000
const maxBytes = 50 * 1024 * 1024

function readFile(exchange: Exclude<Exchange, { outcome: 'skipped' }>): {
  file: SitemapFile
  parsed?: ParsedSitemap
} {
  const { url } = exchange
  if (exchange.outcome === 'failed')
    return { file: { url, state: 'unread', kind: undefined, problem: exchange.message } }
  const { status, body } = exchange
  if (status >= 400 && status < 500) return { file: { url, state: 'absent', kind: undefined } }
  const broken = (problem: string) => ({ file: { url, state: 'broken', kind: undefined, problem } as const })
  if (status !== 200) return broken(`it answered ${status}`)
  if (looksLikeHtml(body)) return broken('it is an HTML page')
  const parsed = parseSitemap(exchange.isCut ? closeCut(body) : body)
  if (parsed !== undefined) return { file: { url, state: 'ok', kind: parsed.kind }, parsed }
  return broken(
    body.trim() === ''
      ? 'the file is empty'
      : hasEntities(body)
        ? 'it declares XML entities'
        : /^\s*<!--(?:(?!-->)[\s\S])*-->\s*<\?xml[^>]{0,200}\?>\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)?<(?:\w{1,20}:)?(?:urlset|sitemapindex)[\s>]/.test(
              body.slice(0, 10_000),
            )
          ? commentFirst
          : 'it is neither a urlset nor a sitemapindex',
  )
}

/** Parsers of XML refuse the whole file then. */
export const commentFirst = 'a comment stands before the XML declaration, and nothing may'

/** Closes a file of which only the beginning was kept, after its last whole entry. */
function closeCut(xml: string): string {
  const [, root, prefix = ''] = /<((\w{1,20}:)?(?:urlset|sitemapindex))[\s>]/.exec(xml.slice(0, 10_000)) ?? []
  const end = Math.max(xml.lastIndexOf(`</${prefix}url>`), xml.lastIndexOf(`</${prefix}sitemap>`))
  return root === undefined || end < 0 ? xml : `${xml.slice(0, xml.indexOf('>', end) + 1)}</${root}>`
}

export interface ParsedSitemap {
  readonly kind: SitemapKind
  readonly urls: SitemapUrl[]
}

/**
 * Parses one file: a urlset, an index of further files, or plain text with an address on each line. Entities
 * are never expanded, because a few lines of them can grow to gigabytes.
 * @returns at most 50,001 addresses, so that the caller sees when there are too many, without those that are
 * not http(s). Undefined when the file is of no such kind, not well-formed, or declares entities.
 */
export function parseSitemap(xml: string): ParsedSitemap | undefined {
  const text = xml.slice(0, maxCharacters).trimStart()
  if (!text.startsWith('<')) return parseText(text)
  if (hasEntities(text)) return undefined
  const root = parseXml(text)
  for (const [kind, entry] of [
    ['urlset', 'url'],
    ['sitemapindex', 'sitemap'],
  ] as const) {
    if (root !== undefined && Object.hasOwn(root, kind)) return { kind, urls: readEntries(root[kind], entry) }
  }
  return undefined
}

const maxCharacters = 20 * 1024 * 1024

function hasEntities(xml: string): boolean {
  return /<!ENTITY/i.test(xml)
}

const parser = new XMLParser({
  ignoreAttributes: true,
  removeNSPrefix: true,
  processEntities: false,
  parseTagValue: false,
  maxNestedTags: 20,
  isArray: (name) => name === 'url' || name === 'sitemap',
})

function parseXml(text: string): Record<string, unknown> | undefined {
  try {
    const root: unknown = parser.parse(text, true)
    return isRecord(root) ? root : undefined
  } catch {
    // Not well-formed. The caller reports that.
    return undefined
  }
}

function readEntries(root: unknown, entry: 'url' | 'sitemap'): SitemapUrl[] {
  const entries = isRecord(root) ? root[entry] : undefined
  if (!Array.isArray(entries)) return []
  return entries.slice(0, maxUrls + 1).flatMap((one: unknown) => {
    if (!isRecord(one) || typeof one.loc !== 'string') return []
    return addressOf(decode(one.loc), typeof one.lastmod === 'string' ? one.lastmod.trim() : '')
  })
}

function parseText(text: string): ParsedSitemap | undefined {
  const lines = text.split(/\r\n|\r|\n/, maxUrls + 2).filter((line) => line.trim() !== '')
  const urls = lines.slice(0, maxUrls + 1).flatMap((line) => addressOf(line, ''))
  return urls.length > 0 && urls.length === Math.min(lines.length, maxUrls + 1)
    ? { kind: 'urlset', urls }
    : undefined
}

function addressOf(written: string, lastmod: string): SitemapUrl[] {
  const loc = written.trim()
  if (loc.length > 2_048 || !/^https?:\/\//i.test(loc) || !URL.canParse(loc)) return []
  return [lastmod === '' ? { loc } : { loc, lastmod: lastmod.slice(0, 40) }]
}

/** Decodes the five entities of XML and characters by number, in one pass: `&amp;lt;` becomes `&lt;`. */
function decode(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (written, name, decimal, hex) => {
      if (name !== undefined) return named.get(name.toLowerCase()) ?? written
      const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : written
    },
  )
}

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
