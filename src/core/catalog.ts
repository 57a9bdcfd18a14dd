import { z } from 'zod'
import { isUsdc } from './money.ts'

/**
 * The shape of `pricing/catalog.yaml`: what is offered, to whom, and for how much. Everything that
 * tells or charges a price reads this one value, so a document can never name a price that the gate
 * does not ask. Unknown keys are refused: a misspelt `price` must not turn into a free operation.
 */

const seconds = (least: number, most: number, fallback: number) =>
  z.int().min(least).max(most).default(fallback)

const openOperation = z
  .strictObject({
    access: z.literal('open').describe('Anyone may call it; nothing is counted and nothing is charged.'),
    description: z.string().min(1).max(500).describe('What a caller gets, in one sentence.'),
    deadline_seconds: seconds(1, 3600, 30).describe(
      'How long the handler may take before the call is given up.',
    ),
  })
  .meta({ title: 'Open operation' })

const durations = z.object({ deadline_seconds: z.number(), validity_seconds: z.number() })

/** How long the settlement after a call may take, unless the settings say otherwise. */
const settlementSeconds = 60

const pricedOperation = z
  .strictObject({
    access: z.literal('price').describe('Each call is paid by an x402 payment.'),
    description: z.string().min(1).max(500).describe('What a caller gets for the price, in one sentence.'),
    price: z
      .string()
      .refine((text) => isUsdc(text) && !/^0(\.0+)?$/.test(text), {
        error: 'must be a USDC amount above zero with at most six decimals, in quotes, like "0.10"',
      })
      .meta({ pattern: '^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$' })
      .describe('Price of one call in USDC, a decimal string in quotes.'),
    settle: z
      .enum(['after', 'before'])
      .default('after')
      .describe(
        'When the money moves. `after` the work: a call that fails is never charged. `before` it, for work that is dear: nothing is spent on a payment that does not come, and a call that fails leaves the payment usable until it is served or refunded.',
      ),
    deadline_seconds: seconds(1, 3600, 60).describe(
      'How long the handler may take before the call is given up and not charged.',
    ),
    validity_seconds: seconds(62, 86_400, 300).describe(
      `How long a signed payment stays valid, told to clients as maxTimeoutSeconds. More than ${settlementSeconds} seconds longer than the deadline, or no payment could outlive its own call and settlement.`,
    ),
  })
  .refine((operation) => operation.validity_seconds > operation.deadline_seconds + settlementSeconds, {
    error: `must be more than ${settlementSeconds} seconds longer than deadline_seconds, so that a payment outlives the call it pays for and its settlement`,
    path: ['validity_seconds'],
    // Asked even when another key is wrong, so that the operator sees every fault at once.
    when: ({ value }) => durations.safeParse(value).success,
  })
  .meta({ title: 'Priced operation' })

const operation = z.discriminatedUnion('access', [openOperation, pricedOperation])

export const catalogSchema = z
  .strictObject({
    provider: z
      .strictObject({
        name: z.string().min(1).max(100).describe('Who sells, as the pricing document names it.'),
        description: z.string().min(1).max(1000).describe('What the service does, in a sentence or two.'),
        website: z
          .url({ protocol: /^https?$/ })
          .optional()
          .describe('Where people read more; the base address when left out.'),
      })
      .describe('Who offers these operations.'),
    operations: z
      .record(z.string().regex(/^[a-z][A-Za-z0-9]*$/, 'operation ids are camelCase words'), operation)
      .describe('One entry for each operation id. An operation without an entry is not served.'),
  })
  .meta({ title: 'tollgate catalogue' })

export type Catalog = z.infer<typeof catalogSchema>
export type Operation = z.infer<typeof operation>
export type PricedOperation = z.infer<typeof pricedOperation>
