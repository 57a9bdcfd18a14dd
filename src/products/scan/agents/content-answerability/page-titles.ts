import { asking, notApplicable, type Outcome } from '../../findings/check.ts'
import { counted, judgeShare, maxPlaces, portion } from '../../findings/share.ts'
import { contentOf, ownNameOf } from '../../signals/page-name.ts'
import { shown } from '../../site/addresses.ts'
import { indexedPages } from '../../site/indexable.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges whether pages can be told apart by their titles. In a list of results the title is all that readers and agents
 * see of a page. The same page at two addresses, and one in two languages, may share one.
 */
export function judgeTitles(_pages: readonly Page[], site: Site): Outcome {
  const pages = indexedPages(site)
  if (pages.length < minPages) return notApplicable('Too few pages were read to compare their titles.')
  const groups = Map.groupBy(pages, ({ title }) => title.trim())
  const titled = (page: Page) => groups.get(page.title.trim()) ?? []
  const isShared = (page: Page) =>
    titled(page).some(
      (other) => other !== page && contentOf(other) !== contentOf(page) && !isTranslation(other, page),
    )
  // The title that all have is that of the home page.
  const alike = pages.filter((page) => page !== site.home && isShared(page))
  const good = pages.length - alike.length
  const names = new Map(alike.map((page) => [page, nameOf(page, site.pages)]))
  const unnamed = [...names].flatMap(([page, name]) => (name === undefined ? [shown(page.url, 100)] : []))
  const areSubjectsAsked = unnamed.length > 0
  const judged = judgeShare(
    good,
    pages.length,
    {
      reason: `${alike.length === 0 ? `${counted(pages.length, 'page')} can be told apart by their titles` : `${portion(alike.length, pages.length, 'page', 'has', 'have')} the title of another page`}. By their titles readers and agents choose what to open.`,
      fix: `Give each page as listed a title of its own. Begin it with ${areSubjectsAsked ? 'the name behind it, or with what the page is about' : 'the name behind it'}. The name of the business comes after that, in 70 characters at most. Pages that the scan did not read may share the title, too.`,
    },
    (alike.length > 0 ? alike : pages).slice(0, maxPlaces).map((page) => ({
      url: page.url,
      value: names.has(page) ? sharedTitle(page, titled(page).length, names.get(page)) : writtenTitle(page),
    })),
  )
  return asking(judged, { kind: 'own-titles', unnamed })
}

const minPages = 3

function writtenTitle({ title }: Page): string {
  return title.trim() === '' ? 'no title' : `title "${shown(title, 80)}"`
}

function sharedTitle(page: Page, count: number, name: string | undefined): string {
  return `${writtenTitle(page)} on ${count} pages${name === undefined ? '' : `; name "${shown(name, 80)}"`}`
}

/** What the page is called elsewhere; undefined where its shared title is all. */
function nameOf(page: Page, all: readonly Page[]): string | undefined {
  const name = ownNameOf(page, all)
  return name.toLowerCase() === page.title.trim().toLowerCase() ? undefined : name
}

/** The language of a short page may not be known. */
function isTranslation(one: Page, other: Page): boolean {
  return one.language !== undefined && other.language !== undefined && one.language !== other.language
}
