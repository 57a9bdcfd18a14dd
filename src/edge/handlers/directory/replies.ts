import { z } from 'zod'
import { listingStates } from '../../../platform/store/rows/directory.ts'
import { shownReportSchema } from '../../../products/scan/findings/results.ts'
import { industrySlugs } from '../../../products/text/knowledge/industry.ts'

/** The replies of the directory, for everyone and for the operator. */

/** One of the eleven values of specification 4.8. */
export const industry = z.enum(industrySlugs)

/** DirectoryListing (specification 2.8). */
export const listingSchema = z.object({
  businessName: z.string(),
  slug: z.string().describe('names the listing in its address'),
  domain: z.string(),
  industry: z.string(),
  readinessScore: z.number().min(0).max(100),
  aeoScore: z.number().min(0).max(100),
  description: z.string().describe('in the words of the site; empty when it has none'),
})

export const listingPageSchema = z.object({
  listings: z.array(listingSchema),
  total: z.int().describe('of all pages'),
})

/** The detail form: the listing with the report of the scan that it was made of. */
export const listingDetailSchema = listingSchema.extend({
  scanId: z.uuid(),
  scannedAt: z.int().describe('when that scan was asked for, Unix seconds'),
  ...shownReportSchema.shape,
  recommendations: z
    .array(z.string())
    .describe('what to do first: how to mend the checks that cost most of the scores'),
})

/** For the examples of the documents. */
export const exampleListing = {
  businessName: 'Example',
  slug: 'example-com',
  domain: 'example.com',
  industry: 'technology',
  readinessScore: 62,
  aeoScore: 71,
  description: 'Examples for everyone.',
}

const rowSchema = z.strictObject({
  domain: z.string(),
  slug: z.string(),
  state: z
    .enum(listingStates)
    .describe('withdrawn: the site asks not to be listed; removed: the operator took it out'),
  businessName: z.string().nullable(),
  industry: z.string().nullable(),
  readinessScore: z.number().nullable(),
  aeoScore: z.number().nullable(),
  scanId: z.string().nullable(),
  updatedAt: z.int(),
})

export const listingRowsSchema = z.strictObject({
  listings: z.array(rowSchema),
  nextCursor: z.string().nullable(),
})

export const removedSchema = z.strictObject({
  domain: z.string(),
  alreadyRemoved: z.boolean().describe('the site was removed before this request, which changed nothing'),
})

export const restoredSchema = z.strictObject({
  domain: z.string(),
  listing: rowSchema
    .nullable()
    .describe('null: no scan of the site is left, so it is listed with its next one'),
})
