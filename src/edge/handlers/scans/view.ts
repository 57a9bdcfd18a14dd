import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import type { HandlerContext } from '../../../core/endpoint.ts'
import { comeBack, GatewayError } from '../../../core/errors.ts'
import { findScan } from '../../../products/scan/scans/find-scans.ts'
import type { Scan } from '../../../products/scan/scans/scan-rows.ts'
import type { Scans } from '../../../products/scan/scans/scans.ts'
import type { scanResultsSchema, scanSummarySchema } from './replies.ts'

/** How all the endpoints that show a scan find it and tell it. */

/** Of paths that name a scan. Whatever is no id of a scan is the id of none. */
export const scanParams = z.object({ scanId: z.string() })

/** @param viewer the subject of the key the call was made with: its own scans show their e-mail address. */
export function describeScan(row: Scan, viewer: string | undefined): z.infer<typeof scanSummarySchema> {
  const isOwn = viewer !== undefined && row.owner === viewer
  return {
    id: row.id,
    domain: row.domain,
    url: row.url,
    ...(isOwn && row.email !== null ? { email: row.email } : {}),
    status: row.status,
    createdAt: unixSeconds(row.createdAt),
    completedAt: row.completedAt && unixSeconds(row.completedAt),
    errorMessage: row.errorMessage,
  }
}

/** A scan that is not complete has no `results`; that, and its status, tell it from one that is (2.2). */
export function describeResults(row: Scan): z.infer<typeof scanResultsSchema> {
  const { id, domain, status, analysis } = row
  const scan = {
    id,
    domain,
    status,
    createdAt: unixSeconds(row.createdAt),
    completedAt: row.completedAt && unixSeconds(row.completedAt),
  }
  return { scan, ...(analysis && { results: { scanId: id, domain, ...analysis.report } }) }
}

/** @throws GatewayError SCANS_UNAVAILABLE when the store cannot answer. */
export async function lookUp<Found>(looking: Promise<Found>): Promise<Found> {
  try {
    return await looking
  } catch (cause) {
    throw cause instanceof GatewayError ? cause : comeBack('SCANS_UNAVAILABLE', cause)
  }
}

/** What was scanned with a key is nobody else's business, nor is an old result of a site that has changed. */
export const unshared = { 'cache-control': 'private, no-store' }

/**
 * The scan that a path names, for who may see it.
 * @throws GatewayError SCAN_NOT_FOUND, also when it is another's; SCANS_UNAVAILABLE when the store cannot answer.
 */
export async function namedScan(
  scans: Scans,
  { scanId }: z.infer<typeof scanParams>,
  { holder }: Pick<HandlerContext, 'holder'>,
  options?: { readonly hasAnalysis: boolean },
): Promise<Scan> {
  const row = await lookUp(findScan(scans, scanId, holder?.subject, options))
  if (!row) throw new GatewayError('SCAN_NOT_FOUND', { field: 'scanId' })
  return row
}
