import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Fetcher } from '../../platform/net/fetch.ts'
import type { Queries } from '../../platform/store/database.ts'
import { isVisible } from '../../products/scan/scans/find-scans.ts'
import { selectScans, withAnalysis } from '../../products/scan/scans/scan-rows.ts'
import { productToken } from '../../products/scan/site/files/robots.ts'
import { SiteReader } from '../../products/site-facts/site-reader.ts'
import type { ReadSite } from '../../products/text/site.ts'

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
  async function findings(domain: string, viewer: string | undefined): Promise<readonly string[]> {
    try {
      return await latestFindings(queries, domain, viewer)
    } catch (error) {
      log.warn({ err: error }, 'the latest scan of a website could not be read for a text')
      return []
    }
  }

  return {
    async readSite(website, viewer, signal) {
      if (website === undefined) return undefined
      const reading = await reader.read(website, signal)
      if (reading.outcome === 'failed') return reading
      return { ...reading, findings: await findings(reading.facts.address, viewer) }
    },
    close: () => reader.close(),
  }
}

const maxFindings = 3

/** The key findings of the newest complete scan of the site that the caller may see. */
async function latestFindings(
  queries: Queries,
  domain: string,
  viewer: string | undefined,
): Promise<readonly string[]> {
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
  return scans
    .filter((scan) => isVisible(scan, viewer))
    .flatMap(({ analysis }) => analysis?.report.keyFindings ?? [])
    .slice(0, maxFindings)
}
