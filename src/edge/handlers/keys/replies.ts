import { z } from 'zod'
import { meterUnits } from '../../../core/catalog/prices.ts'

/** What a key has used, as its holder and the operator see it; apart from the handlers, for the commands. */

const counted = z.object({
  used: z.int(),
  limit: z.int().nullable().describe('null: no limit'),
  remaining: z.int().nullable(),
  resetsAt: z.int().describe('Unix seconds'),
})

export const operationUsageSchema = z.object({
  operation: z.string(),
  day: counted,
  month: counted,
  units: z
    .array(z.object({ unit: z.enum(meterUnits), day: counted, month: counted }))
    .optional()
    .describe(
      'what its calls have used, with what is set aside for those under way; left out where nothing but calls is counted',
    ),
})

export const keyUsageSchema = z.object({
  keyId: z.string().nullable().describe('null for a member of another issuer'),
  tier: z.string(),
  label: z.string(),
  expiresAt: z.int().nullable().describe('null: never'),
  rate: z.object({ calls: z.int(), seconds: z.int() }).nullable().describe('null: no limit'),
  operations: z.array(operationUsageSchema),
})
