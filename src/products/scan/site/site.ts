import type { CheerioAPI } from 'cheerio'
import type { Answered, Capture } from './capture.ts'
import type { Robots } from './files/robots.ts'
import type { Sitemap } from './files/sitemap.ts'
import type { PageElement } from './html/elements.ts'
import type { MainPart } from './html/main-part.ts'
import type { PageKind } from './page-kinds.ts'

/** A captured site as the checks read it: parsed once, and read by all of them. */
export interface Site {
  readonly capture: Capture
  /** Unix milliseconds: what "today" is for every check. */
  readonly now: number
  /** `https://example.com`, of where the page was found after redirects. */
  readonly origin: string
  /** example.com of www.shop.example.com, by the public suffix list. */
  readonly registrableDomain: string
  /** Undefined when the page did not answer 200 with HTML. */
  readonly home: Page | undefined
  /** The home page first, then the sampled pages that answered 200 with HTML; none twice. */
  readonly pages: readonly Page[]
  readonly robots: Robots
  readonly sitemap: Sitemap
  readonly profile: Profile
  readonly linksByKind: ReadonlyMap<PageKind, readonly Link[]>
  /** By `addressKey`. */
  readonly answersByAddress: ReadonlyMap<string, Answered>
}

/** What kind of site it is, by its own signs; decides which checks apply. */
export interface Profile {
  /** Offers an HTTP API: an API description, developer documentation. */
  readonly api: boolean
  /** People log in and work in it. */
  readonly app: boolean
  /** Sells goods: product or offer markup, a cart. */
  readonly shop: boolean
  /** Publishes articles. */
  readonly content: boolean
}

/** One HTML page. */
export interface Page {
  /** Where it was found, after redirects. */
  readonly url: string
  readonly answer: Answered
  /** The whole document; checks must not change it. */
  readonly $: CheerioAPI
  readonly title: string
  /** Of meta name=description; empty when there is none. */
  readonly description: string
  /** Everything a reader sees, white space collapsed; without script, style, template, noscript and hidden parts. */
  readonly text: string
  /** The same without navigation, header, footer, aside and form parts: `main` or `article` where they exist. */
  readonly mainText: string
  /** Of the main part, in document order. */
  readonly headings: readonly { readonly level: number; readonly text: string }[]
  /** Every a[href] with an http(s) address, absolute and without its fragment. */
  readonly links: readonly Link[]
  readonly jsonLd: JsonLd
  /** Which language it is in: the first part of html[lang] in lower case, or undefined. */
  readonly language: string | undefined
  /** Read when it is first asked for, as are the fields below: most scans need few of them. */
  readonly elements: readonly PageElement[]
  readonly mainPart: MainPart
  /** The text of the parts that say how the business can be reached. */
  readonly contactText: string
  /** As they are written. */
  readonly phones: readonly string[]
}

export interface Link {
  readonly url: string
  /** Text, or aria-label, or alt of its image; white space collapsed. */
  readonly text: string
  /** To a host of the same registrable domain. */
  readonly isInternal: boolean
  /** In nav or header. */
  readonly isNavigation: boolean
}

/** The JSON-LD of a page: every node of every block, also of `@graph`, and nodes inside nodes. */
export interface JsonLd {
  readonly nodes: readonly JsonLdNode[]
  /** Blocks that are no JSON: what the parser said. */
  readonly errors: readonly string[]
  readonly blocks: number
}

export interface JsonLdNode {
  /** Without their schema.org prefix. */
  readonly types: readonly string[]
  /** Stands by itself or in @graph, not inside another node. */
  readonly isTop: boolean
  /** Its context is schema.org, or it stands within one whose is. */
  readonly isSchemaOrg: boolean
  readonly properties: Readonly<Record<string, unknown>>
}
