import { createHash } from 'node:crypto'
import { z } from 'zod'
import { absolute, isSameSite } from '../site/addresses.ts'
import type { Answered, Depth, Exchange } from '../site/capture.ts'
import { readLinkHeader } from '../site/files/link-header.ts'
import { keep } from './capture-budget.ts'
import type { Wish } from './capture-run.ts'
import type { PageReferences } from './page-references.ts'
import { spread } from './sample-pages.ts'

/**
 * What a scan wants to see at each depth, in the order in which it is told. These functions only wish: they
 * read answers and name addresses. What comes of a wish is up to budget, robots.txt and time.
 */

/** A page as a crawler asks for it. */
export function pageWish(purpose: 'home' | 'page', url: string): Wish {
  return { purpose, url, keepBytes: keep.page, headers: htmlHeaders, isReusable: purpose === 'page' }
}

/** The page once more, for its speed alone. */
export function speedWish(url: string): Wish {
  return { purpose: 'home-again', url, keepBytes: keep.nothing, headers: htmlHeaders, readsThrough: true }
}

const htmlHeaders = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }

/** What is asked for as soon as the home page is known. */
export function surroundingWishes(
  depth: Depth,
  site: {
    domain: string
    home: Answered
    sitemaps: readonly string[]
    references: PageReferences | undefined
  },
): Wish[] {
  const { origin } = new URL(site.home.finalUrl)
  const light: Wish[] = [
    { purpose: 'llms', url: `${origin}/llms.txt`, keepBytes: keep.document },
    ...site.sitemaps.map((url): Wish => ({ purpose: 'sitemap', url, keepBytes: keep.sitemap })),
  ]
  if (depth === 'light') return light
  const basic = [...light, ...comparingWishes(site.domain, site.home, site.references)]
  return depth === 'basic' ? basic : [...basic, ...agentWishes(origin, site.home, site.references)]
}

/** The same page as others would get it, and a page that cannot be there. */
function comparingWishes(domain: string, home: Answered, references: PageReferences | undefined): Wish[] {
  const canonical = references?.canonical
  return [
    {
      purpose: 'home-browser',
      url: home.finalUrl,
      keepBytes: keep.page,
      headers: browserHeaders,
      userAgent: browser,
    },
    {
      purpose: 'missing',
      url: missingUrl(domain, home.finalUrl),
      keepBytes: keep.head,
      headers: htmlHeaders,
    },
    ...(canonical !== undefined && canonical !== home.finalUrl && isSameSite(canonical, home.finalUrl)
      ? [{ purpose: 'canonical' as const, url: canonical, keepBytes: keep.nothing, isHeadEnough: true }]
      : []),
  ]
}

/** Chrome on Windows: what most people's browsers say today. */
const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const browserHeaders = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9',
  'upgrade-insecure-requests': '1',
}

/** Of the domain's name, so that two scans ask for the same page. */
function missingUrl(domain: string, base: string): string {
  const hash = createHash('sha256').update(domain).digest('hex').slice(0, 16)
  return new URL(`/no-such-page-${hash}`, base).href
}

function agentWishes(origin: string, home: Answered, references: PageReferences | undefined): Wish[] {
  const insecure = new URL(home.finalUrl)
  insecure.protocol = 'http:'
  const named = readLinkHeader(home.headers.link ?? [], home.finalUrl)
    .filter(({ rels }) => rels.includes('service-desc'))
    .flatMap(({ url }) => absolute(url, home.finalUrl) ?? [])
  const serviceDescs = [...new Set([...named, ...(references?.serviceDescs ?? [])])].slice(0, 2)
  return [
    {
      purpose: 'home-markdown',
      url: home.finalUrl,
      keepBytes: keep.page,
      headers: { accept: 'text/markdown' },
    },
    ...conditionalWish(home),
    { purpose: 'http', url: insecure.href, keepBytes: keep.nothing, staysPut: true },
    { purpose: 'llms-full', url: `${origin}/llms-full.txt`, keepBytes: keep.document },
    ...serviceDescs.map((url): Wish => ({ purpose: 'service-desc', url, keepBytes: keep.page })),
    ...wellKnownPaths.map(
      (path): Wish => ({
        purpose: 'well-known',
        url: `${origin}${path}`,
        keepBytes: path.startsWith('/.well-known/') ? keep.script : keep.page,
        headers: { accept: 'application/json,*/*;q=0.8' },
      }),
    ),
    ...(references?.feed ? [{ purpose: 'feed' as const, url: references.feed, keepBytes: keep.page }] : []),
    ...(references?.scripts ?? [])
      .slice(0, 3)
      .map((url): Wish => ({ purpose: 'script', url, keepBytes: keep.script })),
    ...(references?.hashedAssets ?? [])
      .slice(0, 5)
      .map((url): Wish => ({ purpose: 'asset', url, keepBytes: keep.nothing, isHeadEnough: true })),
  ]
}

/** Where sites lay documents for agents; the ones the checks know how to read. */
const wellKnownPaths = [
  '/openapi.json',
  '/openapi.yaml',
  '/swagger.json',
  '/api/openapi.json',
  ...[
    'mcp.json',
    'mcp',
    'mcp/server-card.json',
    'ai-catalog.json',
    'api-catalog',
    'agent-card.json',
    'agent.json',
    'agent-skills/index.json',
    'oauth-authorization-server',
    'oauth-protected-resource',
    'openid-configuration',
    'ai-plugin.json',
    'security.txt',
    'x402',
    'ucp',
    'acp.json',
    'ap2.json',
  ].map((name) => `/.well-known/${name}`),
]

/** Only a page that bears a validator can be asked for again conditionally. */
function conditionalWish(home: Answered): Wish[] {
  const [etag, lastModified] = ['etag', 'last-modified'].map((name) =>
    home.headers[name]?.find((value) => value.length < 1_000),
  )
  if (etag === undefined && lastModified === undefined) return []
  const headers: Record<string, string> = {
    ...htmlHeaders,
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  }
  return [{ purpose: 'home-conditional', url: home.finalUrl, keepBytes: keep.nothing, headers }]
}

/** What the first answers name: files of a sitemap index, a skill, links of llms.txt. */
export function namedWishes(
  depth: Depth,
  found: { indexed: readonly string[]; llms: Answered | undefined; exchanges: readonly Exchange[] },
): Wish[] {
  const files = found.indexed.map((url): Wish => ({ purpose: 'sitemap', url, keepBytes: keep.sitemap }))
  if (depth !== 'full') return files
  const skill = firstSkill(found.exchanges)
  return [
    ...files,
    ...(skill === undefined ? [] : [{ purpose: 'skill' as const, url: skill, keepBytes: keep.document }]),
    ...spread(markdownLinks(found.llms), 20).map(
      (url): Wish => ({
        purpose: 'llms-link',
        url,
        keepBytes: keep.nothing,
        isHeadEnough: true,
        isReusable: true,
      }),
    ),
  ]
}

const skillsIndex = z.object({ skills: z.array(z.object({ url: z.string() })).min(1) })

function firstSkill(exchanges: readonly Exchange[]): string | undefined {
  const index = exchanges.find(
    (exchange): exchange is Answered =>
      exchange.outcome === 'answered' &&
      exchange.purpose === 'well-known' &&
      exchange.url.endsWith('/.well-known/agent-skills/index.json'),
  )
  if (index?.status !== 200) return undefined
  const parsed = skillsIndex.safeParse(readJson(index.body))
  return parsed.success ? absolute(parsed.data.skills[0]?.url ?? '', index.finalUrl) : undefined
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The checks say that it is no JSON; here it only means that it names nothing.
    return undefined
  }
}

/** The addresses in `[name](address)` of a text, none twice. */
function markdownLinks(llms: Answered | undefined): string[] {
  if (llms?.status !== 200) return []
  const found = new Set<string>()
  for (const [, address] of llms.body.matchAll(/\]\(\s{0,10}<?([^\s<>()]{1,2000})/g)) {
    const url = address && absolute(address, llms.finalUrl)
    if (url) found.add(url)
    if (found.size === 1_000) break
  }
  return [...found]
}

/** Pages of the site, then what the sitemap names, then clean copies of pages. */
export function siteWishes(
  depth: Depth,
  sample: {
    home: string
    pages: readonly string[]
    sitemapUrls: readonly string[]
    /** Pages read before. */
    read: readonly string[]
    markdown: string | undefined
  },
): Wish[] {
  if (depth === 'light') return []
  const wishes = [
    ...sample.pages.map((url) => pageWish('page', url)),
    ...sample.sitemapUrls.map(
      (url): Wish => ({
        purpose: 'sitemap-url',
        url,
        keepBytes: keep.head,
        headers: htmlHeaders,
        isReusable: true,
      }),
    ),
  ]
  if (depth === 'basic') return wishes
  const twins = [
    sample.markdown ?? twinOf(sample.home),
    ...[...sample.read, ...sample.pages].slice(0, 2).map(twinOf),
  ]
  return [
    ...wishes,
    ...twins.map((url): Wish => ({ purpose: 'markdown-twin', url, keepBytes: keep.document })),
  ]
}

/** As llms.txt proposes: `.md` behind the address, or behind `index.html` when it names no file. */
function twinOf(page: string): string {
  const url = new URL(page)
  url.search = ''
  url.pathname += url.pathname.endsWith('/') ? 'index.html.md' : '.md'
  return url.href
}

/** A sample of the pages that are linked to, as many as may be and as the requests left allow. */
export function linkWishes(
  linked: readonly string[],
  limits: { most: number; requestsLeft: number; isKnown: (url: string) => boolean },
): Wish[] {
  const known = new Set(linked.filter(limits.isKnown))
  let sample = spread(linked, limits.most)
  while (sample.filter((url) => !known.has(url)).length > limits.requestsLeft) {
    sample = spread(linked, sample.length - 1)
  }
  return sample.map(
    (url): Wish => ({ purpose: 'link', url, keepBytes: keep.nothing, isHeadEnough: true, isReusable: true }),
  )
}
