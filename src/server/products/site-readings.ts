import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Fetcher } from '../../platform/net/fetch.ts'
import type { Queries } from '../../platform/store/database.ts'
import { foundIn } from '../../products/scan/report/verdict.ts'
import { isVisible } from '../../products/scan/scans/find-scans.ts'
import { selectScans, withAnalysis } from '../../products/scan/scans/scan-rows.ts'
import { productToken } from '../../products/scan/site/files/robots.ts'
import { SiteReader } from '../../products/site-facts/site-reader.ts'
import type { NotedScan, ReadSite } from '../../products/text/site.ts'

interface SiteReadings {
  readonly readSite: ReadSite
  close(): Promise<void>
}

/** Composes what reads the website of a text: the pages as they are now, and what the latest scan noted. */
export function createSiteReadings(parts: {
  readonly queries: Queries
  readonly clock: Clock
  readonly fetcher: () => Promise<Fetcher>
  readonly log: Log
}): SiteReadings {
  const { queries, clock, fetcher, log } = parts
  const reader = new SiteReader({ fetcher, clock, productToken, log })
  /** The text can do without them, so an outage of the store costs it three sentences. */
  async function scanOf(domain: string, viewer: string | undefined): Promise<NotedScan | undefined> {
    try {
      return await latestScan(queries, domain, viewer)
    } catch (error) {
      log.warn({ err: error }, 'the latest scan of a website could not be read for a text')
      return undefined
    }
  }

  return {
    async readSite(website, viewer, signal) {
      if (website === undefined) return undefined
      const reading = await reader.read(website, signal)
      if (reading.outcome === 'failed') return reading
      return { ...reading, scan: await scanOf(reading.facts.address, viewer) }
    },
    close: () => reader.close(),
  }
}

/** What the newest complete scan of the site that the caller may see noted. */
async function latestScan(
  queries: Queries,
  domain: string,
  viewer: string | undefined,
): Promise<NotedScan | undefined> {
  const scans = await selectScans(queries)
    .select(withAnalysis)
    .where('domain', '=', domain.toLowerCase())
    .where('status', '=', 'complete')
    .where((where) =>
      where.or([where('owner', 'is', null), ...(viewer === undefined ? [] : [where('owner', '=', viewer)])]),
    )
    .orderBy('createdAt', 'desc')
    .limit(1)
    .execute()
  const [scan] = scans.filter((one) => isVisible(one, viewer))
  if (scan?.analysis == null) return undefined
  return { isPublic: scan.owner === null, findings: foundIn(scan.analysis.report.verdict ?? '') }
}
