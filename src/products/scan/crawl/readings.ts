import { absolute } from '../site/addresses.ts'
import type { Answered, Depth } from '../site/capture.ts'
import { readPage } from '../site/page.ts'
import type { Page } from '../site/site.ts'
import { captureBudgets } from './capture-budget.ts'
import { type PageReferences, readReferences } from './page-references.ts'
import { type RulingSource, Rulings } from './rulings.ts'
import {
  basicTopics,
  fullTopics,
  isPage,
  type PageLink,
  type SampledPages,
  samplePages,
  spread,
  type Topic,
} from './sample-pages.ts'

import { readSitemapAddresses, type SitemapAddress } from './sitemap-addresses.ts'

/**
 * What a scan reads in its first answers to know what to fetch next. A page, a sitemap or a robots.txt of
 * megabytes takes half a second to read and one that is made for it many times that, so none of this happens
 * where calls are answered: each reading takes plain data and gives plain data, and is done by `Read`.
 */
export interface Readings {
  /** What the home page names. */
  home: { readonly sources: Answered; readonly result: HomeReading }
  sample: { readonly sources: SampleSources; readonly result: Sample }
  /** What the first pages that were read lead to. */
  further: { readonly sources: FurtherSources; readonly result: Further }
}

export type Read = <Name extends keyof Readings>(
  name: Name,
  sources: Readings[Name]['sources'],
  signal: AbortSignal,
) => Promise<Readings[Name]['result']>

interface HomeReading {
  readonly references: PageReferences
  readonly links: readonly PageLink[]
}

interface SampleSources {
  readonly depth: Depth
  /** Where the home page was found. */
  readonly home: string
  readonly links: readonly PageLink[]
  /** Files that answered. */
  readonly sitemaps: readonly Answered[]
  readonly productToken: string
  readonly rulings: readonly RulingSource[]
}

interface Sample extends SampledPages {
  /** Of the sitemap, to see whether they answer. */
  readonly sitemapUrls: readonly string[]
}

interface FurtherSources {
  readonly depth: Depth
  readonly home: string
  readonly answers: readonly Answered[]
  /** The first sample: its named pages are read already, its rest may still be. */
  readonly sample: SampledPages
  readonly productToken: string
  readonly rulings: readonly RulingSource[]
}

interface Further {
  /** To be read as well. */
  readonly pages: readonly string[]
  /** To pages of the site, none twice. */
  readonly links: readonly string[]
}

/** Reads in this thread. */
export const readHere: Read = async (name, sources) => reading({ name, sources })

/** A reading as it travels. */
export interface ReadingTask<Name extends keyof Readings> {
  readonly name: Name
  readonly sources: Readings[Name]['sources']
}

export function reading<Name extends keyof Readings>({
  name,
  sources,
}: ReadingTask<Name>): Readings[Name]['result'] {
  return readings[name](sources)
}

const readings: {
  readonly [Name in keyof Readings]: (sources: Readings[Name]['sources']) => Readings[Name]['result']
} = {
  home(answer) {
    const page = readPage(answer)
    return { references: readReferences(page), links: pageLinks(page, answer.finalUrl) }
  },

  sample({ depth, home, links, sitemaps, productToken, rulings }) {
    const sitemapUrls = sitemaps.flatMap(pagesOfSitemap)
    const sources = { home, links, sitemapUrls, isAllowed: permission(productToken, rulings) }
    const budget = captureBudgets[depth]
    return {
      ...samplePages(sources, topicsOf(depth), budget.pages),
      sitemapUrls: spread(sitemapUrls, budget.sitemapUrls).flatMap(({ loc }) => absolute(loc, home) ?? []),
    }
  },

  further({ depth, home, answers, sample, productToken, rulings }) {
    const found = answers.flatMap((answer) => pageLinks(readPage(answer), home))
    const sources = {
      home,
      links: [...sample.rest.map((url) => ({ url, isNavigation: false })), ...found],
      sitemapUrls: [],
      isAllowed: permission(productToken, rulings),
      taken: sample.named,
    }
    const room = captureBudgets[depth].pages - sample.named.length
    const { named, rest } = samplePages(sources, topicsOf(depth), room)
    return { pages: [...named, ...rest], links: [...new Set(found.map(({ url }) => url))] }
  },
}

function topicsOf(depth: Depth): readonly Topic[] {
  return depth === 'full' ? fullTopics : basicTopics
}

/** Of a host that nobody asked yet it is still to be seen. */
function permission(productToken: string, sources: readonly RulingSource[]): (url: string) => boolean {
  const rulings = new Rulings(sources)
  return (url) => rulings.isAllowed(productToken, url) !== false
}

function pageLinks({ links }: Page, home: string): PageLink[] {
  return links
    .filter(({ url, isInternal }) => isInternal && isPage(url, home))
    .map(({ url, isNavigation }) => ({ url, isNavigation }))
}

function pagesOfSitemap({ body }: Answered): readonly SitemapAddress[] {
  const { isIndex, urls } = readSitemapAddresses(body)
  return isIndex ? [] : urls
}
