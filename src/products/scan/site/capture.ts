/**
 * All that a scan fetched of a website. It is complete before any check runs, and the checks read nothing
 * else, so the same capture and clock give the same result, byte for byte. It is plain data, which can be
 * saved or handed to another thread.
 */
export interface Capture {
  readonly depth: Depth
  /** The address that the caller asked to scan, normalized: `https://example.com/`. */
  readonly url: string
  /** Host name without `www.`, in its ASCII form. */
  readonly domain: string
  /** When it was taken, Unix milliseconds. */
  readonly takenAt: number
  /**
   * The application protocol the server chose for HTTPS (`h2`, `http/1.1`); undefined when it was not asked.
   */
  readonly alpn?: string
  /** In the order of the plan. */
  readonly exchanges: readonly Exchange[]
}

export const depths = ['light', 'basic', 'full'] as const
export type Depth = (typeof depths)[number]

/** How many of the twelve areas a scan of each depth looks at. */
export const areasOfDepth: Readonly<Record<Depth, number>> = { light: 1, basic: 4, full: 12 }

/** What an address was fetched for. */
export type Purpose =
  | 'home' // the page itself
  | 'robots' // /robots.txt
  | 'sitemap' // sitemap files: those robots.txt names, or /sitemap.xml; then files an index names
  | 'llms' // /llms.txt
  | 'llms-full' // /llms-full.txt
  | 'page' // pages of the site, sampled
  | 'home-browser' // the page with a browser's User-Agent
  | 'home-markdown' // the page with Accept: text/markdown
  | 'home-again' // the page twice more, for its speed
  | 'home-conditional' // the page with If-None-Match or If-Modified-Since
  | 'http' // the page over http://, redirects not followed
  | 'missing' // a path that cannot exist
  | 'canonical' // the canonical address that the page names, when it is another one
  | 'sitemap-url' // addresses of the sitemap, sampled
  | 'link' // internal links, sampled
  | 'folder-link' // what internal links lead to if they are counted from the folder of the site, and not from the root of its host
  | 'llms-link' // links of llms.txt, sampled
  | 'markdown-twin' // `.md` or `index.html.md` of pages
  | 'well-known' // documents for agents at known paths
  | 'service-desc' // API descriptions that a Link header or <link rel=service-desc> names
  | 'ai-catalog' // catalogues of agents and tools that robots.txt, a Link header or the page names
  | 'markdown-link' // links of the page's Markdown, sampled
  | 'skill' // the first skill of the skills index
  | 'feed' // RSS, Atom or JSON feed that the page links
  | 'script' // scripts of the same origin
  | 'part' // files of the site that scripts put into its pages
  | 'style' // stylesheets of the same origin that the page links
  | 'picture' // pictures that the markup and the preview of the home page name
  | 'shown-picture' // pictures that visitors see on the pages, sampled
  | 'asset' // static files with a hash in their name

export type Exchange = SiteReply | FailedRequest | SkippedRequest

interface PlannedRequest {
  readonly purpose: Purpose
  /** Absolute, before redirects. */
  readonly url: string
}

export interface SiteReply extends PlannedRequest {
  readonly outcome: 'replied'
  /** Where the redirects ended. */
  readonly finalUrl: string
  /** The hops on the way there, without the final reply. One with status 200 is a page that only sends browsers on. */
  readonly redirects: readonly { readonly url: string; readonly status: number }[]
  readonly status: number
  /** By name in lower case; each line of a repeated header is one entry. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** Decoded by its charset; empty where only status and headers matter. */
  readonly body: string
  /** The body is longer than what was kept. */
  readonly isCut: boolean
  /** Decoded bytes that were read. */
  readonly bytes: number
  /** From the request to the first byte of the final reply. No other time is measured. */
  readonly firstByteMs: number
}

export interface FailedRequest extends PlannedRequest {
  readonly outcome: 'failed'
  /** The reason of a `FetchError`. */
  readonly reason: string
  /** What went wrong, in a sentence. */
  readonly message: string
}

export interface SkippedRequest extends PlannedRequest {
  readonly outcome: 'skipped'
  /** `action`: opening the address does something, such as ending a visit (`isAction`). */
  readonly reason: 'robots' | 'budget' | 'deadline' | 'action'
}

/** The replies to what was fetched for a purpose. */
export function repliesFor(capture: Pick<Capture, 'exchanges'>, purpose: Purpose): SiteReply[] {
  return capture.exchanges.filter(
    (exchange): exchange is SiteReply => exchange.purpose === purpose && exchange.outcome === 'replied',
  )
}
