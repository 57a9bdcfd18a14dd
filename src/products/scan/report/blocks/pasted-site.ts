import type { Exchange, Purpose, SiteReply } from '../../site/capture.ts'
import { readRobots } from '../../site/files/robots.ts'
import { readPage } from '../../site/page.ts'
import type { Page, Site } from '../../site/site.ts'

/** What changes on a site when its owner pastes a block. */
export interface Pasted {
  /** Lines for the head of the home page. */
  readonly head?: string
  /** The new robots.txt. */
  readonly robots?: string
  /** The new llms.txt. */
  readonly llms?: string
  /** Headers of the home page, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The site as a scan would find it after a block was pasted. The report tries each block on it with the scanner's own
 * checks, so it promises only what the next scan confirms. All that does not change is taken over as it was parsed.
 */
export function pastedSite(site: Site, pasted: Pasted): Site {
  const { home, origin } = site
  const exchanges = [...withFile(site.capture.exchanges, 'robots', `${origin}/robots.txt`, pasted.robots)]
  const withLlms = withFile(exchanges, 'llms', `${origin}/llms.txt`, pasted.llms)
  const homeReply = home === undefined ? undefined : changedHome(home.reply, pasted)
  const capture = {
    ...site.capture,
    exchanges: withLlms.map((exchange) =>
      homeReply !== undefined && exchange === home?.reply ? homeReply : exchange,
    ),
  }
  const newHome = home === undefined || homeReply === undefined ? home : changedPage(home, homeReply)
  return {
    capture,
    now: site.now,
    origin,
    registrableDomain: site.registrableDomain,
    home: newHome,
    pages: site.pages.map((page) => (page === home && newHome !== undefined ? newHome : page)),
    robots:
      pasted.robots === undefined
        ? site.robots
        : readRobots(
            capture.exchanges.find(({ purpose }) => purpose === 'robots'),
            origin,
          ),
    sitemap: site.sitemap,
    profile: site.profile,
    linksByKind: site.linksByKind,
    repliesByAddress: site.repliesByAddress,
  }
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
    headers: { 'content-type': ['text/plain; charset=utf-8'] },
    body,
    isCut: false,
    bytes: Buffer.byteLength(body),
    firstByteMs: 0,
  }
  const others = exchanges.filter((exchange) => exchange.purpose !== purpose)
  return [...others, reply]
}

function changedHome(reply: SiteReply, { head, headers }: Pasted): SiteReply {
  const added = Object.entries(headers ?? {}).map(([name, value]): [string, readonly string[]] => [
    name,
    // The lines of a Link header add up; of the others the pasted one replaces what was sent.
    name === 'link' ? [...(reply.headers.link ?? []), value] : [value],
  ])
  return {
    ...reply,
    headers: { ...reply.headers, ...Object.fromEntries(added) },
    body: head === undefined ? reply.body : withHead(reply.body, head),
  }
}

function withHead(body: string, head: string): string {
  const end = body.search(/<\/head\s*>/i)
  return end < 0 ? `${head}\n${body}` : `${body.slice(0, end)}${head}\n${body.slice(end)}`
}

/** Only a changed body is parsed again. */
function changedPage(home: Page, reply: SiteReply): Page {
  return reply.body === home.reply.body ? { ...home, reply } : readPage(reply)
}
