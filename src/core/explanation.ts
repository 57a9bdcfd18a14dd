import { z } from 'zod'
import { meterUnits } from './catalog/prices.ts'

/**
 * What a call would meet, told without making it. Whoever runs a gateway is asked "why was I refused?", and
 * without this could only answer by making the call, with somebody else's key and a unit of theirs.
 */
export const explanationSchema = z.strictObject({
  method: z.string(),
  path: z.string(),
  operation: z.string().optional().describe('left out where no endpoint answers'),
  access: z.enum(['open', 'optional', 'key', 'holder', 'price', 'tier', 'operator']).optional(),
  door: z
    .enum(['open', 'free', 'key', 'payment', 'challenge', 'refuse'])
    .describe('`challenge`: it is told the price'),
  status: z.int().describe('what the call gets before its handler runs; 200: the handler runs'),
  code: z.string().optional().describe('of the error the call gets'),
  details: z.record(z.string(), z.unknown()).optional().describe('of that error'),
  why: z.string(),
  price: z.string().optional().describe('in USDC, where a payment would open it'),
  priceAtomic: z.string().optional(),
  limits: z.array(
    z.strictObject({
      name: z.enum(['day', 'month', 'rate']),
      unit: z.enum(meterUnits).optional().describe('of an allowance in units; left out for calls'),
      limit: z.int(),
      /** The rest is left out for a caller nobody named, and while nobody can count. */
      used: z.int().optional(),
      remaining: z.int().optional(),
      resetsAt: z.int().optional().describe('Unix seconds; left out before the first call of a rate'),
    }),
  ),
  tier: z.string().optional().describe('of the key, or the one that is bought'),
  keyId: z.string().optional(),
  wallet: z
    .strictObject({
      address: z.string(),
      balance: z.string().describe('in USDC'),
      balanceAtomic: z.string(),
      calls: z.int().describe('for how many such calls it is enough'),
    })
    .optional(),
})

export type Explanation = z.infer<typeof explanationSchema>

/** The call that is thought through, and whoever would make it; nobody known when no credential is given. */
export interface Question {
  readonly method: string
  /** With its query string, as a request line has it. */
  readonly path: string
  readonly key?: string | undefined
  /** An access token. */
  readonly token?: string | undefined
  /** The wallet that would pay. */
  readonly payer?: `0x${string}` | undefined
  /** The address the call would come from; undefined: it does not matter whose quota it is. */
  readonly client?: string | undefined
  /** Undefined: one that fits. */
  readonly body?: unknown
}
