/**
 * What a scan saw of a website, and nothing else. All of it is fetched before any of it is judged, and the
 * judges read nothing but this: the same capture and clock give the same result, byte for byte. It is plain
 * data, so that it can be saved and handed to another thread.
 */
export interface Capture {
  readonly depth: Depth
  /** What the caller asked for, normalised: `https://example.com/`. */
  readonly url: string
  /** Host name without `www.`, in its ASCII form. */
  readonly domain: string
  /** When it was taken, Unix milliseconds. */
  readonly takenAt: number
  /** The application protocol the server chose for HTTPS (`h2`, `http/1.1`); undefined when it was not asked. */
  readonly alpn?: string
  /** In the order they were planned. The first one with a purpose is the one that purpose is named after. */
  readonly exchanges: readonly Exchange[]
}

export const depths = ['light', 'basic', 'full'] as const
export type Depth = (typeof depths)[number]

/** Why something was fetched. */
export type Purpose =
  | 'home' // the page itself
  | 'robots' // /robots.txt
  | 'sitemap' // sitemap files: those robots.txt names, or /sitemap.xml; then files an index names
  | 'llms' // /llms.txt
  | 'llms-full' // /llms-full.txt
  | 'page' // sampled pages of the site
  | 'home-browser' // the page with a browser's User-Agent
  | 'home-markdown' // the page with Accept: text/markdown
  | 'home-again' // the page twice more, for its speed
  | 'home-conditional' // the page with If-None-Match or If-Modified-Since
  | 'http' // the page over http://, redirects not followed
  | 'missing' // a path that cannot exist
  | 'canonical' // what the page names as its canonical address, when that is another one
  | 'sitemap-url' // addresses sampled from the sitemap
  | 'link' // internal links, sampled
  | 'llms-link' // links of llms.txt, sampled
  | 'markdown-twin' // `.md` or `index.html.md` of pages
  | 'well-known' // documents for agents at known paths
  | 'service-desc' // what a Link header or <link rel=service-desc> names
  | 'skill' // the first skill of the skills index
  | 'feed' // RSS, Atom or JSON feed that the page links
  | 'script' // scripts of the same origin
  | 'asset' // static files with a hash in their name

export type Exchange = Answered | Failed | Skipped

interface Asked {
  readonly purpose: Purpose
  /** As it was asked for, absolute. */
  readonly url: string
}

export interface Answered extends Asked {
  readonly outcome: 'answered'
  /** Where the redirects ended. */
  readonly finalUrl: string
  /** The hops on the way there, without the last answer. */
  readonly redirects: readonly { readonly url: string; readonly status: number }[]
  readonly status: number
  /** By lower-case name, each line of a repeated header by itself. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** Decoded to text by its charset; empty where only head and status matter. */
  readonly body: string
  /** The body is longer than was kept. */
  readonly isCut: boolean
  /** Decoded size in bytes of what was read. */
  readonly bytes: number
  /** From the request to the first byte of the last answer. The only time that is measured. */
  readonly firstByteMs: number
}

export interface Failed extends Asked {
  readonly outcome: 'failed'
  /** A word of `net/fetch`'s FetchError. */
  readonly reason: string
  /** For people: what went wrong. */
  readonly message: string
}

export interface Skipped extends Asked {
  readonly outcome: 'skipped'
  readonly reason: 'robots' | 'budget' | 'deadline'
}

/** The answers with a purpose. */
export function answered(capture: Capture, purpose: Purpose): Answered[] {
  return capture.exchanges.filter(
    (exchange): exchange is Answered => exchange.purpose === purpose && exchange.outcome === 'answered',
  )
}
