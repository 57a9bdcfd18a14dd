import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import type { HandlerContext } from '../../../core/endpoint.ts'
import { comeBack, GatewayError } from '../../../core/errors.ts'
import { findScan } from '../../../products/scan/scans/find-scans.ts'
import type { Scan } from '../../../products/scan/scans/scan-rows.ts'
import type { Scans } from '../../../products/scan/scans/scans.ts'
import type { scanResultsSchema, scanSummarySchema } from './replies.ts'

/** How all endpoints that show a scan find it and write it. */

/** For the examples of the documents. */
export const exampleScanId = '6f1c2a34-9b0e-4c57-8d21-3f5a7c9e1b02'

/** Of paths that name a scan. A text that is not an id names no scan: it is 404, not 400. */
export const scanParams = z.object({
  scanId: z
    .string()
    .describe('the scanId of the reply that started the scan')
    .meta({ format: 'uuid', examples: [exampleScanId] }),
})

/**
 * @param viewer the subject of the key that the call was made with; its own scans show their e-mail address.
 */
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

/** Only a complete scan has `results` (specification 2.2). */
export function describeResults(row: Scan): z.infer<typeof scanResultsSchema> {
  const { id, domain, url, depth, status, analysis } = row
  const scan = {
    id,
    domain,
    url,
    depth,
    status,
    createdAt: unixSeconds(row.createdAt),
    completedAt: row.completedAt && unixSeconds(row.completedAt),
    ...(row.errorMessage !== null && { errorMessage: row.errorMessage }),
  }
  return {
    scan,
    ...(analysis && { results: { scanId: id, domain, coverage: analysis.coverage, ...analysis.report } }),
  }
}

/**
 * Waits for a read of the scans.
 * @throws GatewayError SCANS_UNAVAILABLE when the store fails.
 */
export async function orScansUnavailable<Row>(read: Promise<Row>): Promise<Row> {
  try {
    return await read
  } catch (cause) {
    throw cause instanceof GatewayError ? cause : comeBack('SCANS_UNAVAILABLE', cause)
  }
}

/** A scan may belong to a key, and its site changes: no shared cache may keep the reply. */
export const privateNoStore = { 'cache-control': 'private, no-store' }

/**
 * Finds the scan that a path names, if this caller may see it.
 * @throws GatewayError SCAN_NOT_FOUND, also for a scan of another key; SCANS_UNAVAILABLE when the store
 *   fails.
 */
export async function namedScan(
  scans: Scans,
  { scanId }: z.infer<typeof scanParams>,
  { holder }: Pick<HandlerContext, 'holder'>,
  options?: { readonly hasAnalysis: boolean },
): Promise<Scan> {
  return orNotFound(await orScansUnavailable(findScan(scans, scanId, holder?.subject, options)))
}

/** @throws GatewayError SCAN_NOT_FOUND when there is no scan that the caller may see. */
export function orNotFound(row: Scan | undefined): Scan {
  if (!row) throw new GatewayError('SCAN_NOT_FOUND', { field: 'scanId' })
  return row
}
