import { homeAddress, ownFolder, siteFolder } from '../../site/below-home.ts'
import type { Capture, Exchange, Purpose, SiteReply } from '../../site/capture.ts'
import { readRobots } from '../../site/files/robots.ts'
import { readSitemap } from '../../site/files/sitemap.ts'
import { filesOf, type PageFiles } from '../../site/html/scripted/included-parts.ts'
import { readPage } from '../../site/page.ts'
import type { JsonLdNode, Page, Site } from '../../site/site.ts'
import { withoutJsonLd, withoutNode } from './json-ld-script.ts'

/** What changes on a site when its owner pastes a block. */
export interface Pasted {
  /** Lines for the head of the home page. */
  readonly head?: string
  /** The JSON-LD of the home page in whose place they are pasted. */
  readonly replacedNode?: JsonLdNode
  /** Lines for the heads of pages, by their addresses. */
  readonly heads?: ReadonlyMap<string, PageHead>
  /** The new robots.txt. */
  readonly robots?: string
  /** The new llms.txt. */
  readonly llms?: string
  /** The new sitemap.xml. */
  readonly sitemap?: string
  /** Headers of the home page, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface PageHead {
  readonly lines: string
  /** The type of the JSON-LD that they replace. */
  readonly replaces?: string
}

/**
 * The site as a scan would find it after a block was pasted. The report tries each block on it with the scanner's own
 * checks, so it promises only what the next scan confirms. All that does not change is taken over as it was parsed.
 */
export function pastedSite(site: Site, pasted: Pasted): Site {
  const { home, origin } = site
  const changed = changedPages(site, pasted)
  const replies = new Map([...changed].map(([page, { reply }]) => [page.reply, reply]))
  const files = [
    ['robots', `${origin}/robots.txt`, pasted.robots],
    ['llms', `${origin}/llms.txt`, pasted.llms],
    ['sitemap', `${siteFolder(homeAddress(site))}sitemap.xml`, pasted.sitemap],
  ] as const
  const exchanges = files.reduce(
    (all, [purpose, url, body]) => withFile(all, purpose, url, body),
    site.capture.exchanges,
  )
  const capture: Capture = {
    ...site.capture,
    exchanges: exchanges.map((exchange) =>
      exchange.outcome === 'replied' ? (replies.get(exchange) ?? exchange) : exchange,
    ),
  }
  const robots =
    pasted.robots === undefined
      ? site.robots
      : readRobots(
          capture.exchanges.find(({ purpose }) => purpose === 'robots'),
          origin,
        )
  return {
    capture,
    now: site.now,
    origin,
    registrableDomain: site.registrableDomain,
    home: home && (changed.get(home) ?? home),
    pages: site.pages.map((page) => changed.get(page) ?? page),
    robots,
    sitemap: pasted.sitemap === undefined ? site.sitemap : readSitemap(capture.exchanges, robots),
    profile: site.profile,
    linksByKind: site.linksByKind,
    repliesByAddress: site.repliesByAddress,
  }
}

/** Only pages that change are parsed again. */
function changedPages({ home, pages, capture }: Site, pasted: Pasted): ReadonlyMap<Page, Page> {
  const { head, heads, headers } = pasted
  const files = filesOf(capture)
  const folder = home && ownFolder(capture.url, home.url)
  const changed = new Map<Page, Page>()
  for (const page of pages) {
    const own = heads?.get(page.url)
    if (own !== undefined) changed.set(page, readPage(withLines(page.reply, own), files, folder))
  }
  if (home !== undefined && (head !== undefined || headers !== undefined))
    changed.set(home, changedPage(home, changedHome(home.reply, pasted), files, folder))
  return changed
}

function withLines(reply: SiteReply, { lines, replaces }: PageHead): SiteReply {
  const body = replaces === undefined ? reply.body : withoutJsonLd(reply.body, replaces)
  return { ...reply, body: withHead(body, lines) }
}

function withFile(
  exchanges: readonly Exchange[],
  purpose: Purpose,
  url: string,
  body: string | undefined,
): readonly Exchange[] {
  if (body === undefined) return exchanges
  const reply: SiteReply = {
    outcome: 'replied',
    purpose,
    url,
    finalUrl: url,
    redirects: [],
    status: 200,
    headers: {
      'content-type': [url.endsWith('.xml') ? 'application/xml' : 'text/plain; charset=utf-8'],
    },
    body,
    isCut: false,
    bytes: Buffer.byteLength(body),
    firstByteMs: 0,
  }
  const others = exchanges.filter((exchange) => exchange.purpose !== purpose)
  return [...others, reply]
}

function changedHome(reply: SiteReply, { head, replacedNode, headers }: Pasted): SiteReply {
  const added = Object.entries(headers ?? {}).map(([name, value]): [string, readonly string[]] => [
    name,
    // The lines of a Link header add up; of the others the pasted one replaces what was sent.
    name === 'link' ? [...(reply.headers.link ?? []), value] : [value],
  ])
  return {
    ...reply,
    headers: { ...reply.headers, ...Object.fromEntries(added) },
    body:
      head === undefined
        ? reply.body
        : withHead(replacedNode === undefined ? reply.body : withoutNode(reply.body, replacedNode), head),
  }
}

function withHead(body: string, head: string): string {
  const end = body.search(/<\/head\s*>/i)
  return end < 0 ? `${head}\n${body}` : `${body.slice(0, end)}${head}\n${body.slice(end)}`
}

/** Only a changed body is parsed again. */
function changedPage(home: Page, reply: SiteReply, files: PageFiles, folder: string | undefined): Page {
  return reply.body === home.reply.body ? { ...home, reply } : readPage(reply, files, folder)
}
