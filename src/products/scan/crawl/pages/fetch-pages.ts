import type { Depth, Exchange, SiteReply } from '../../site/capture.ts'
import { isHtml } from '../../site/files/headers.ts'
import { filesOf } from '../../site/html/scripted/included-parts.ts'
import { captureBudgets } from '../capture-budget.ts'
import type { CaptureRun } from '../capture-run.ts'
import { pageFetch } from '../planned-fetch.ts'
import type { Further, Places, Read } from '../readings.ts'
import type { SampledPages } from './sample-pages.ts'

/**
 * Fetches the pages of the sample that have a name, then what these lead to, as long as there is room for more: an article
 * is often linked only from the list of articles, and every page from the start page of a language where the home page
 * only asks for the language.
 * @returns what they lead to; its `pages` are those that were fetched, in this order.
 */
export async function fetchPages(
  parts: {
    readonly run: CaptureRun
    readonly read: Read
    readonly depth: Depth
    /** Where the home page was found. */
    readonly home: string
    readonly places: Places
    readonly signal: AbortSignal
  },
  sample: SampledPages,
): Promise<Further> {
  const { run, read, depth, home, places, signal } = parts
  const { productToken } = run
  const pages: string[] = []
  const found: Further[] = []
  let next = sample.named
  let { rest } = sample
  for (let step = 0; step < maxSteps; step++) {
    const replies = pagesToRead(await run.fetchAll(next.map((url) => pageFetch('page', url))))
    pages.push(...next)
    const known = { named: pages, rest }
    const robots = run.robotsSources
    const further = await read(
      'further',
      { depth, home, places, replies, files: filesOf(run), sample: known, productToken, robots },
      signal,
    )
    found.push(further)
    next = further.pages
    rest = []
    if (next.length === 0 || pages.length >= captureBudgets[depth].pages) break
  }
  return {
    pages,
    links: [...new Set(found.flatMap(({ links }) => links))],
    canonicals: [...new Set(found.flatMap(({ canonicals }) => canonicals))],
    feed: found.find(({ feed }) => feed !== undefined)?.feed,
    scripts: [...new Set(found.flatMap(({ scripts }) => scripts))],
    styles: [...new Set(found.flatMap(({ styles }) => styles))],
    pictures: [...new Set(found.flatMap(({ pictures }) => pictures))],
    parts: [...new Set(found.flatMap(({ parts }) => parts))],
  }
}

/** Named pages, pages that they lead to, and two steps further. */
const maxSteps = 4

const maxCharactersOfPage = 512 * 1024
const maxCharactersToRead = 3 * 1024 * 1024

/** The sampled pages as far as reading them takes about a second, without pages of unusual size. */
export function pagesToRead(exchanges: readonly Exchange[]): SiteReply[] {
  let room = maxCharactersToRead
  return exchanges.filter((exchange): exchange is SiteReply => {
    if (exchange.outcome !== 'replied' || exchange.status !== 200 || !isHtml(exchange)) return false
    if (exchange.body.length > Math.min(room, maxCharactersOfPage)) return false
    room -= exchange.body.length
    return true
  })
}
