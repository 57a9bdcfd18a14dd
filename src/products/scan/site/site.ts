import type { CheerioAPI } from 'cheerio'
import type { Capture, SiteReply } from './capture.ts'
import type { Robots } from './files/robots.ts'
import type { Sitemap } from './files/sitemap.ts'
import type { PageElement } from './html/elements.ts'
import type { MainPart } from './html/main/main-part.ts'
import type { IncludedPart } from './html/scripted/included-parts.ts'
import type { PageKind } from './kinds/page-kinds.ts'

/** A captured site, parsed once for all checks. */
export interface Site {
  readonly capture: Capture
  /** Unix milliseconds; "today" for every check. */
  readonly now: number
  /** `https://example.com`, where the home page was found after redirects. */
  readonly origin: string
  /** `example.com` of `www.shop.example.com`, by the public suffix list. */
  readonly registrableDomain: string
  /** Undefined unless the page has status 200 and HTML. */
  readonly home: Page | undefined
  /** The home page first, then the sampled pages with status 200 and HTML, without repetitions. */
  readonly pages: readonly Page[]
  readonly robots: Robots
  readonly sitemap: Sitemap
  readonly profile: Profile
  readonly linksByKind: ReadonlyMap<PageKind, readonly Link[]>
  /** By `addressKey`. */
  readonly repliesByAddress: ReadonlyMap<string, SiteReply>
}

/** What kind of site it is; decides which checks apply. */
export interface Profile {
  /** Offers an HTTP API: an API description, developer documentation. */
  readonly api: boolean
  /** Users log in and work in it. */
  readonly app: boolean
  /** Sells goods: product or offer markup, a cart. */
  readonly shop: boolean
  /** Publishes articles. */
  readonly content: boolean
}

/** One HTML page. */
export interface Page {
  /** After redirects. */
  readonly url: string
  readonly reply: SiteReply
  /** The whole document. Checks must not change it. */
  readonly $: CheerioAPI
  readonly title: string
  /** Content of meta name=description; empty when there is none. */
  readonly description: string
  /** All visible text, white space collapsed: without script, style, template, noscript and hidden parts. */
  readonly text: string
  /** The same text by lines, as readers see them; made on first use. */
  readonly lines: readonly string[]
  /** The text of `main` or `article` if there is one, without navigation, header, footer, aside and forms. */
  readonly mainText: string
  /** Headings of the main part, in document order. */
  readonly headings: readonly { readonly level: number; readonly text: string }[]
  /** Every a[href] with an http(s) address, absolute and without its fragment. */
  readonly links: readonly Link[]
  readonly jsonLd: JsonLd
  /** What scripts put into the page from files of the site. Where a file was fetched, the tree holds its content. */
  readonly parts: readonly IncludedPart[]
  /** The page without these parts, as programs get it that run no scripts; itself where it has none. */
  readonly asSent: Page
  /** The first part of html[lang] in lower case, or undefined. */
  readonly language: string | undefined
  /** Made on first use, as are the fields below, because most scans need few of them. */
  readonly elements: readonly PageElement[]
  readonly mainPart: MainPart
  /** The text of the parts that tell how the business can be reached. */
  readonly contactText: string
  /** Telephone numbers as they are written. */
  readonly phones: readonly string[]
}

export interface Link {
  readonly url: string
  /** Its text, or aria-label, or the alt of its image; white space collapsed. */
  readonly text: string
  /** To a host of the same registrable domain; not to the host beside a site in a folder, where the link names that host. */
  readonly isInternal: boolean
  /** In nav or header. */
  readonly isNavigation: boolean
}

/** The JSON-LD of a page: all nodes of all blocks, also of `@graph`, and nodes inside nodes. */
export interface JsonLd {
  readonly nodes: readonly JsonLdNode[]
  /** What the parser said of blocks that are not JSON. */
  readonly errors: readonly string[]
  readonly blocks: number
}

export interface JsonLdNode {
  /** Without the schema.org prefix. */
  readonly types: readonly string[]
  /** Not inside another node, except in its @graph. */
  readonly isTop: boolean
  /** Its own context, or that of a node around it, is schema.org. */
  readonly isSchemaOrg: boolean
  readonly properties: Readonly<Record<string, unknown>>
}
