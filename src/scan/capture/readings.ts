import { absolute } from '../site/addresses.ts'
import { readPage } from '../site/page.ts'
import type { Page } from '../site/site.ts'
import type { Answered, Depth } from './capture.ts'
import { captureBudgets } from './capture-budget.ts'
import { type PageReferences, readReferences } from './page-references.ts'
import { type RulingSource, Rulings } from './rulings.ts'
import { basicTopics, fullTopics, isPage, type PageLink, samplePages, spread } from './sample-pages.ts'
import { readSitemapAddresses, type SitemapAddress } from './sitemap-addresses.ts'

/**
 * What a scan reads in its first answers to know what to fetch next. A page, a sitemap or a robots.txt of
 * megabytes takes half a second to read and one that is made for it many times that, so none of this happens
 * where calls are answered: each reading takes plain data and gives plain data, and is done by `Read`.
 */
export interface Readings {
  /** What the home page names. */
  home: { readonly asked: Answered; readonly told: HomeReading }
  sample: { readonly asked: SampleSources; readonly told: Sample }
  /** The pages of the site that pages link to, none twice. */
  links: {
    readonly asked: { readonly home: string; readonly pages: readonly Answered[] }
    readonly told: readonly string[]
  }
}

export type Read = <Name extends keyof Readings>(
  name: Name,
  asked: Readings[Name]['asked'],
  signal: AbortSignal,
) => Promise<Readings[Name]['told']>

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

interface Sample {
  readonly pages: readonly string[]
  /** Of the sitemap, to see whether they answer. */
  readonly sitemapUrls: readonly string[]
}

/** Reads in this thread. */
export const readHere: Read = async (name, asked) => reading({ name, asked })

/** A reading as it travels. */
export interface ReadingTask<Name extends keyof Readings> {
  readonly name: Name
  readonly asked: Readings[Name]['asked']
}

export function reading<Name extends keyof Readings>({
  name,
  asked,
}: ReadingTask<Name>): Readings[Name]['told'] {
  return readings[name](asked)
}

const readings: {
  readonly [Name in keyof Readings]: (asked: Readings[Name]['asked']) => Readings[Name]['told']
} = {
  home(answer) {
    const page = readPage(answer)
    return { references: readReferences(page), links: pageLinks(page, answer.finalUrl) }
  },

  sample({ depth, home, links, sitemaps, productToken, rulings }) {
    const robots = new Rulings(rulings)
    const sitemapUrls = sitemaps.flatMap(pagesOfSitemap)
    const isAllowed = (url: string) => robots.isAllowed(productToken, url) !== false
    const budget = captureBudgets[depth]
    const topics = depth === 'full' ? fullTopics : basicTopics
    return {
      pages: samplePages({ home, links, sitemapUrls, isAllowed }, topics, budget.pages),
      sitemapUrls: spread(sitemapUrls, budget.sitemapUrls).flatMap(({ loc }) => absolute(loc, home) ?? []),
    }
  },

  links: ({ home, pages }) => [
    ...new Set(pages.flatMap((answer) => pageLinks(readPage(answer), home).map(({ url }) => url))),
  ],
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
