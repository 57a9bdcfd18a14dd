import { z } from 'zod'
import { type Allowance, allowance, rate } from './limits.ts'
import { usdc } from './prices.ts'

/** How the file writes a tier. */

const limits = {
  error:
    'must be unlimited, a number of calls or units per day or month like 100/day or 200000 tokens/month, or a list of one per day and one per month',
}

export const operationId = z.string().regex(/^[a-z][A-Za-z0-9]*$/, 'operation ids are camelCase words')

export const tier = z
  .strictObject({
    description: z.string().min(1).max(500).describe('What a subscriber gets, in one sentence.'),
    price: usdc
      .optional()
      .describe(
        'Price of a key in USDC, for agents that buy one; when left out, only the operator creates keys.',
      ),
    days: z
      .int()
      .min(1)
      .max(3_660)
      .default(30)
      .describe('How many days a purchase or renewal of a key lasts.'),
    rate: rate
      .optional()
      .describe('How fast a key may call, all its operations together; no limit when left out.'),
    priority: z
      .int()
      .min(0)
      .max(9)
      .default(0)
      .describe('Background work with a higher number runs first; callers without a key have 0.'),
    operations: z
      .record(
        operationId,
        z.union(
          [
            z.literal('unlimited').transform((): Allowance[] => []),
            allowance.transform((one) => [one]),
            z
              .array(allowance)
              .min(1, limits)
              .max(2, limits)
              // Two limits for one period would count each call twice.
              .refine(([first, second]) => first === undefined || first.per !== second?.per, limits),
          ],
          limits,
        ),
      )
      .describe(
        'What a key may call, and how often: `unlimited`, `100/day`, `1000/month` or a list of both. The tier does not cover operations that are not named here.',
      ),
  })
  .meta({ title: 'Tier' })
