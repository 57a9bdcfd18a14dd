import { z } from 'zod'
import { scanStatuses } from '../../../platform/store/rows/scans.ts'
import { shownReportSchema } from '../../../products/scan/findings/results.ts'
import { depths } from '../../../products/scan/site/capture.ts'

/**
 * The form in which scans are shown, with the fields of the specification (2.1, 2.2): the endpoints promise
 * it, and the command and the demo read it.
 */

export const scanStatus = z.enum(scanStatuses)

export const scanSummarySchema = z.object({
  id: z.uuid().describe('the scan’s id'),
  domain: z.string().describe('the scanned domain'),
  url: z.url().describe('the whole address that was scanned'),
  email: z.email().optional().describe('shown to the key that started the scan'),
  status: scanStatus,
  createdAt: z.int().describe('Unix seconds'),
  completedAt: z.int().nullable().describe('Unix seconds; null until it has ended'),
  errorMessage: z.string().nullable().describe('why, when status is error'),
})

/** The reply to a call that starts a scan. */
export const startedSchema = z.object({
  scanId: z.uuid().describe('names the scan in all other calls'),
  status: scanStatus.describe('pending or fetching for a new scan'),
  message: z.string().describe('what to do next'),
})

/** The data of an event of a scan's stream. */
export const scanStepSchema = z.object({
  scanId: z.uuid(),
  status: scanStatus,
  progress: z.number(),
  message: z.string(),
})

const resultsSchema = shownReportSchema.extend({ scanId: z.uuid(), domain: z.string() })

export const scanResultsSchema = z.object({
  scan: z.object({
    id: z.uuid(),
    domain: z.string(),
    url: z.string().describe('what was asked for'),
    depth: z.enum(depths),
    status: scanStatus,
    createdAt: z.int().describe('Unix seconds'),
    completedAt: z.int().nullable().describe('Unix seconds'),
    errorMessage: z.string().optional().describe('why, when status is error'),
  }),
  results: resultsSchema.optional().describe('there once status is complete'),
})

export const playbookStatus = z.enum(['generating', 'complete'])
