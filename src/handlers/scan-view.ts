import { z } from 'zod'
import type { HandlerContext } from '../core/call.ts'
import { comeBack, GatewayError } from '../core/errors.ts'
import { findScan, type Scan } from '../scan/find-scans.ts'
import { reportSchema } from '../scan/report/results.ts'
import type { Scans } from '../scan/scans.ts'
import { scanStatuses } from '../store/schema.ts'
import { unixSeconds } from './payment-view.ts'

/** Scans in the fields of the specification (2.1, 2.2), for all the endpoints that show one. */

export const scanStatus = z.enum(scanStatuses)

export const scanSummarySchema = z.object({
  id: z.uuid(),
  domain: z.string(),
  url: z.url(),
  email: z.email().optional().describe('shown to the key that started the scan'),
  status: scanStatus,
  createdAt: z.int(),
  completedAt: z.int().nullable(),
  errorMessage: z.string().nullable(),
})

/** What starts a scan is told. */
export const startedSchema = z.object({ scanId: z.uuid(), status: scanStatus, message: z.string() })

/** The data of an event of a scan's stream. */
export const scanStepSchema = z.object({
  scanId: z.uuid(),
  status: scanStatus,
  progress: z.number(),
  message: z.string(),
})

const resultsSchema = reportSchema.extend({ scanId: z.uuid(), domain: z.string() })

export const scanResultsSchema = z.object({
  scan: z.object({
    id: z.uuid(),
    domain: z.string(),
    status: scanStatus,
    createdAt: z.int(),
    completedAt: z.int().nullable(),
  }),
  results: resultsSchema.optional().describe('there once status is complete'),
})

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
    createdAt: unixSeconds(row.created_at),
    completedAt: row.completed_at && unixSeconds(row.completed_at),
    errorMessage: row.error_message,
  }
}

/** A scan that is not complete has no `results`; that, and its status, tell it from one that is (2.2). */
export function describeResults(row: Scan): z.infer<typeof scanResultsSchema> {
  const { id, domain, status, analysis } = row
  const scan = {
    id,
    domain,
    status,
    createdAt: unixSeconds(row.created_at),
    completedAt: row.completed_at && unixSeconds(row.completed_at),
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
