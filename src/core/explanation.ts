import { z } from 'zod'
import { meterUnits } from './catalog/prices.ts'

/**
 * The predicted outcome of a call that is not made. Callers ask the operator "why was I refused?". Without
 * this the operator could only answer by making the call, with the caller's key and at the caller's cost.
 */
export const explanationSchema = z.strictObject({
  method: z.string(),
  path: z.string(),
  operation: z.string().optional().describe('left out when no endpoint matches'),
  access: z.enum(['open', 'optional', 'key', 'holder', 'price', 'tier', 'operator']).optional(),
  door: z
    .enum(['open', 'free', 'key', 'payment', 'challenge', 'refuse'])
    .describe('`challenge`: the call gets a 402 with the price'),
  status: z.int().describe('the status before the handler runs; 200: the handler runs'),
  code: z.string().optional().describe('of the error that the call gets'),
  details: z.record(z.string(), z.unknown()).optional().describe('of that error'),
  why: z.string(),
  price: z.string().optional().describe('in USDC, when a payment would let the call pass'),
  priceAtomic: z.string().optional(),
  limits: z.array(
    z.strictObject({
      name: z.enum(['day', 'month', 'rate']),
      unit: z.enum(meterUnits).optional().describe('of an allowance in units; left out for calls'),
      limit: z.int(),
      /** This and the next two are left out for an unknown caller, and while the counters cannot be read. */
      used: z.int().optional(),
      remaining: z.int().optional(),
      resetsAt: z.int().optional().describe('Unix seconds; left out before the first call of a rate window'),
    }),
  ),
  tier: z.string().optional().describe('of the key, or the tier that the call buys'),
  keyId: z.string().optional(),
  wallet: z
    .strictObject({
      address: z.string(),
      balance: z.string().describe('in USDC'),
      balanceAtomic: z.string(),
      calls: z.int().describe('how many such calls the balance pays for'),
    })
    .optional(),
})

export type Explanation = z.infer<typeof explanationSchema>

/** The call to explain, and its caller; without a credential the caller is anonymous. */
export interface ExplainRequest {
  readonly method: string
  /** With its query string, as in a request line. */
  readonly path: string
  readonly key?: string | undefined
  /** An access token. */
  readonly token?: string | undefined
  /** The wallet that would pay, assumed to send a payment that fits. */
  readonly payer?: `0x${string}` | undefined
  /** The caller's address; undefined when its used quota does not matter. */
  readonly client?: string | undefined
  /** Undefined: a valid body is assumed. */
  readonly body?: unknown
}
