import { formScriptsOf } from '../findings/forms/silent-forms.ts'
import { gapsOf } from '../findings/scripted/filled-pages.ts'
import { absolute, isAction } from '../site/addresses.ts'
import { insideFolder, isBeside, ownFolder } from '../site/below-home.ts'
import type { Depth, SiteReply } from '../site/capture.ts'
import { hasEmptyFrame, type PageFiles } from '../site/html/scripted/included-parts.ts'
import { scriptedTargets } from '../site/html/scripted/scripted-targets.ts'
import { countWords } from '../site/html/words.ts'
import { readPage } from '../site/page.ts'
import type { Page } from '../site/site.ts'
import { maxStyles } from './agent-fetches.ts'
import { captureBudgets } from './capture-budget.ts'
import { type PageReferences, readReferences } from './pages/page-references.ts'
import { basicTopics, fullTopics, type Topic } from './pages/page-topics.ts'
import {
  inTurn,
  isPage,
  type PageLink,
  type SampledPages,
  samplePages,
  spread,
} from './pages/sample-pages.ts'
import { RobotsByOrigin, type RobotsSource } from './robots-by-origin.ts'
import { readSitemapAddresses, type SitemapAddress } from './sitemap-addresses.ts'

/**
 * What a scan reads in its first replies to know what to fetch next. A page, a sitemap or a robots.txt of
 * megabytes takes half a second to read, and one made by an attacker much longer, so none of this runs in the
 * thread that answers calls. Each reading takes plain data and gives plain data, so it can run in another
 * thread.
 */
export interface Readings {
  /** What the home page names. */
  home: { readonly sources: HomeSources; readonly result: HomeReading }
  /** Which pages to read. */
  sample: { readonly sources: SampleSources; readonly result: Sample }
  /** Which pages and links the first pages lead to. */
  further: { readonly sources: FurtherSources; readonly result: Further }
  /** Files that scripts put into the pages, without those that were fetched. */
  parts: { readonly sources: PartSources; readonly result: readonly string[] }
  /** Scripts that may send the forms of some pages. */
  formScripts: { readonly sources: PartSources; readonly result: readonly string[] }
}

export type Read = <Name extends keyof Readings>(
  name: Name,
  sources: Readings[Name]['sources'],
  signal: AbortSignal,
) => Promise<Readings[Name]['result']>

interface HomeSources {
  readonly reply: SiteReply
  readonly files: PageFiles
}

interface HomeReading {
  readonly references: PageReferences
  readonly links: readonly PageLink[]
  /** That may send the forms of the page. */
  readonly scripts: readonly string[]
  /** Files of the site that scripts put into the page, without those that were fetched. */
  readonly parts: readonly string[]
}

interface SampleSources {
  readonly depth: Depth
  /** Where the home page was found. */
  readonly home: string
  readonly links: readonly PageLink[]
  /** Sitemap files with status 200. */
  readonly sitemaps: readonly SiteReply[]
  readonly productToken: string
  readonly robots: readonly RobotsSource[]
}

interface Sample extends SampledPages {
  /** Addresses of the sitemap, to see whether they answer. */
  readonly sitemapUrls: readonly string[]
}

interface FurtherSources {
  readonly depth: Depth
  readonly home: string
  readonly places: Places
  readonly replies: readonly SiteReply[]
  readonly files: PageFiles
  /** The first sample: its named pages are read already, the rest may still be read. */
  readonly sample: SampledPages
  readonly productToken: string
  readonly robots: readonly RobotsSource[]
}

/** Where a site in a folder has its pages. */
export interface Places {
  /** As `ownFolder` tells. */
  readonly folder: string | undefined
  /** Links with a leading slash are meant for this folder, too. */
  readonly areMeantForFolder: boolean
}

interface PartSources {
  readonly replies: readonly SiteReply[]
  readonly files: PageFiles
}

export interface Further {
  /** To be read as well. */
  readonly pages: readonly string[]
  /** To pages of the site, without repetitions. */
  readonly links: readonly string[]
  /** The addresses that these pages name as their own, where they are others on the same host. */
  readonly canonicals: readonly string[]
  /** The first feed that one of the pages names. */
  readonly feed: string | undefined
  /** That may send the forms of these pages, or put a menu or a footer into them. */
  readonly scripts: readonly string[]
  /** Stylesheets of these pages, on their own origin. */
  readonly styles: readonly string[]
  /** Pictures that visitors see on these pages, the first of each page before the second of any. */
  readonly pictures: readonly string[]
  /** Files of the site that scripts put into these pages, without those that were fetched. */
  readonly parts: readonly string[]
}

/** Reads in this thread. */
export const readHere: Read = async (name, sources) => reading({ name, sources })

export interface ReadingTask<Name extends keyof Readings> {
  readonly name: Name
  readonly sources: Readings[Name]['sources']
}

/** One reading, in the thread that calls it. */
export function reading<Name extends keyof Readings>({
  name,
  sources,
}: ReadingTask<Name>): Readings[Name]['result'] {
  return readings[name](sources)
}

const readings: {
  readonly [Name in keyof Readings]: (sources: Readings[Name]['sources']) => Readings[Name]['result']
} = {
  home({ reply, files }) {
    const page = readPage(reply, files, ownFolder(reply.url, reply.finalUrl))
    return {
      references: readReferences(page),
      links: pageLinks(page, reply.finalUrl),
      scripts: formScriptsOf(page).slice(0, maxHomeScripts),
      parts: unreadParts([page]),
    }
  },

  sample({ depth, home, links, sitemaps, productToken, robots }) {
    const sitemapUrls = sitemaps.flatMap(pagesOfSitemap)
    const sources = { home, links, sitemapUrls, isAllowed: permission(productToken, robots) }
    const budget = captureBudgets[depth]
    return {
      ...samplePages(sources, topicsOf(depth), budget.pages),
      sitemapUrls: spread(
        sitemapUrls.filter(({ loc }) => !isAction(loc)),
        budget.sitemapUrls,
      ).flatMap(({ loc }) => absolute(loc, home) ?? []),
    }
  },

  further({ depth, home, places, replies, files, sample, productToken, robots }) {
    const read = replies.map((reply) => readPage(reply, files, places.folder))
    const links = read.flatMap((page) => pageLinks(page, home))
    const references = read.map(readReferences)
    const [feed] = references.flatMap((one) => one.feed ?? [])
    const sources = {
      home,
      links: [
        ...sample.rest.map((url) => ({ url, isNavigation: false })),
        ...links.map((link) => pageMeant(link, places)),
      ],
      sitemapUrls: [],
      isAllowed: permission(productToken, robots),
      taken: sample.named,
    }
    const room = captureBudgets[depth].pages - sample.named.length
    const { named, rest } = samplePages(sources, topicsOf(depth), room)
    return {
      pages: [...named, ...rest],
      links: [...new Set(links.map(({ url }) => url))],
      canonicals: [
        ...new Set(
          references.flatMap(({ canonical }, at) =>
            canonical === undefined || canonical === read[at]?.url || !isOnHost(canonical, home)
              ? []
              : [canonical],
          ),
        ),
      ],
      feed,
      scripts: [...new Set([...read.flatMap(formScriptsOf), ...read.flatMap(frameScriptsOf)])].slice(
        0,
        maxScripts,
      ),
      styles: [...new Set(references.flatMap(({ styles }) => styles))].slice(0, maxStyles),
      pictures: inTurn(references.map(({ shownPictures }) => shownPictures)),
      parts: unreadParts(read),
    }
  },

  parts({ replies, files }) {
    return unreadParts(replies.map((reply) => readPage(reply, files)))
  },

  formScripts({ replies, files }) {
    const scripts = replies.flatMap((reply) => formScriptsOf(readPage(reply, files)))
    return [...new Set(scripts)].slice(0, maxScripts)
  },
}

/** Scripts of the site's own, where one of them may fill an empty header, menu or footer, or the empty page. */
function frameScriptsOf(page: Page): readonly string[] {
  // Any of them may write the heading and the text of a page that lacks them.
  if (gapsOf(page).length > 0) return readReferences(page).scripts.slice(0, maxScripts)
  return hasEmptyFrame(page) || countWords(page.mainText.slice(0, 10_000)) < fewWords
    ? readReferences(page).scripts.slice(0, maxFrameScripts)
    : []
}

function isOnHost(url: string, home: string): boolean {
  return new URL(url).host === new URL(home).host
}

const fewWords = 40

/** Those of libraries come last. */
const maxFrameScripts = 3

const maxScripts = 8

/** All that visitors do may be on the home page, with a file for each effect. */
const maxHomeScripts = 16

function unreadParts(pages: readonly Page[]): string[] {
  const urls = pages.flatMap(({ parts }) => parts.flatMap(({ url, isRead }) => (isRead ? [] : (url ?? []))))
  return [...new Set(urls)].slice(0, maxParts)
}

/** A page has a header, a menu and a footer, and some have a few parts more. */
const maxParts = 8

function topicsOf(depth: Depth): readonly Topic[] {
  return depth === 'full' ? fullTopics : basicTopics
}

/** A page on a host whose robots.txt was not read yet may be chosen; fetching it reads robots.txt first. */
function permission(productToken: string, sources: readonly RobotsSource[]): (url: string) => boolean {
  const robots = new RobotsByOrigin(sources)
  return (url) => robots.isAllowed(productToken, url) !== false
}

/** With the pages that a click opens by a script: people find them, and a site whose menu is made of buttons has no others. */
function pageLinks(page: Page, home: string): PageLink[] {
  return [
    ...page.links.filter(({ isInternal }) => isInternal),
    ...scriptedTargets(page).map((target) => ({ ...target, isNavigation: false })),
  ]
    .filter(({ url }) => isPage(url, home))
    .map(({ url, text, isNavigation }) => ({ url, text: text.slice(0, maxText), isNavigation }))
}

/** The same link, to the page in the folder where it is meant for that. */
export function pageMeant(link: PageLink, { folder, areMeantForFolder }: Places): PageLink {
  return areMeantForFolder && folder !== undefined && isBeside(link.url, folder)
    ? { ...link, url: insideFolder(link.url, folder) }
    : link
}

/** Longer texts name no kind of page. */
const maxText = 80

function pagesOfSitemap({ body }: SiteReply): readonly SitemapAddress[] {
  const { isIndex, urls } = readSitemapAddresses(body)
  return isIndex ? [] : urls
}
