import { type SqlBool, sql } from 'kysely'
import type { Queries } from '../../../platform/store/database.ts'
import type { Analysis } from '../findings/results.ts'
import { disarm } from '../report/disarm.ts'
import { registrableDomain } from '../site/addresses.ts'
import { type Scan, type ScanRecord, selectScans, withAnalysis } from './scan-rows.ts'
import type { ScanMove } from './scans.ts'

/**
 * What scans say of a site to the directory. Only public scans of a home page count. A scan that was made with a key
 * is its holder's own. And on other pages of a site strangers may write, for instance in their profile: a scan of such
 * a page would let them name and describe the site.
 */
export interface ListableSite {
  readonly domain: string
  readonly scanId: string
  readonly scannedAt: Date
  /** Undefined when the site asks not to be listed. */
  readonly entry:
    | {
        readonly businessName: string
        readonly industry: string
        readonly description: string
        readonly readinessScore: number
        readonly aeoScore: number
      }
    | undefined
}

/** Undefined when the move of the scan says nothing about a listing. */
export function listableSite(move: ScanMove): ListableSite | undefined {
  if (move.to === 'started') return undefined
  return siteOf({ ...move.scan, analysis: move.to === 'completed' ? move.analysis : null })
}

/** What the newest scan of a site that is in the store says; undefined when none says anything. */
export async function newestListableSite(
  queries: Queries,
  domain: string,
): Promise<ListableSite | undefined> {
  const scan = await selectScans(queries)
    .select(withAnalysis)
    .where('domain', '=', domain)
    .where('owner', 'is', null)
    .where(sql<SqlBool>`url ~ '^https?://[^/?#]+/$' and (
      (status = 'error' and error_code = ${forbidden}) or
      (status = 'complete' and depth <> 'light' and analysis #>> '{listing,kind}' is distinct from 'unread'))`)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return scan && siteOf(scan)
}

/** The code of a scan whose site does not let our crawler read its home page. */
const forbidden = 'ROBOTS_DISALLOWED'

function siteOf(scan: Scan): ListableSite | undefined {
  if (scan.owner !== null || !/^https?:\/\/[^/?#]+\/$/.test(scan.url)) return undefined
  if (scan.analysis === null)
    return scan.errorCode === forbidden ? { ...placeOf(scan), entry: undefined } : undefined
  if (scan.depth === 'light') return undefined
  const wish = scan.analysis.listing ?? { kind: 'welcome', businessName: scan.analysis.companyName }
  switch (wish.kind) {
    case 'unread':
      return undefined
    case 'unwanted':
      return { ...placeOf(scan), entry: undefined }
    case 'welcome':
      return { ...placeOf(scan), entry: entryOf(scan.domain, wish.businessName, scan.analysis) }
  }
}

function placeOf({ domain, id, createdAt }: ScanRecord) {
  return { domain, scanId: id, scannedAt: createdAt }
}

/** The site wrote both texts, and everyone reads them in our name: addresses of other sites are broken. */
function entryOf(domain: string, businessName: string, { industry, description, report }: Analysis) {
  const own = registrableDomain(domain)
  return {
    businessName: disarm(businessName, own),
    industry,
    description: disarm(description, own),
    readinessScore: report.readinessScore,
    aeoScore: report.aeoScore,
  }
}
