import { z } from 'zod'
import { depths } from '../../../products/scan/site/capture.ts'
import { scanStatus } from './replies.ts'

/** The replies to the operator about scans; the commands read them, too. */

export const foundScansSchema = z.strictObject({
  scans: z.array(
    z.strictObject({
      id: z.uuid(),
      domain: z.string(),
      url: z.string(),
      depth: z.enum(depths),
      status: scanStatus,
      owner: z.string().nullable().describe('the key that asked for it; null: everyone may see it'),
      email: z
        .string()
        .nullable()
        .describe('who gets the report; null when nobody does, or it was forgotten'),
      createdAt: z.int(),
      completedAt: z.int().nullable(),
    }),
  ),
  total: z.int().describe('of all pages'),
  nextCursor: z.string().nullable(),
})

export const deletedScansSchema = z.strictObject({
  deleted: z.int(),
  isDone: z.boolean().describe('false: repeat the request, more are left'),
})
