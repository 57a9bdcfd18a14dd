import { z } from 'zod'
import { isUsdc } from '../money.ts'
import type { CamelKeys } from './camel-keys.ts'
import { isCondition, isExpression } from './expression.ts'
import { isItemsPath } from './items-path.ts'

/**
 * How the file writes the price of a call. A fixed price is one amount. An operation of an upstream may also
 * be priced by its usage or by its request, always with a maximum: an agent must know what it agrees to
 * before it signs.
 */

export const usdc = z
  .string()
  .refine((text) => isUsdc(text) && !/^0(\.0+)?$/.test(text), {
    error: 'must be a USDC amount above zero with at most six decimals, in quotes, like "0.10"',
  })
  .meta({ pattern: '^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$' })

/** The units that a meter can count. */
export const meterUnits = ['tokens', 'bytes', 'seconds', 'items'] as const

export type MeterUnit = (typeof meterUnits)[number]

const perFault = 'must be tokens, bytes, seconds, items or request'

const max = usdc.describe(
  'The maximum price of one call, in USDC: what a 402 names, and what a wallet signs.',
)
const base = usdc.optional().describe('The price of each call before anything is counted, in USDC.')

/**
 * Whether a rule about several keys of a mapping can be checked. A rule is checked even when other keys are faulty, so
 * that the operator sees every fault at once.
 */
export function isMapping({ value }: { readonly value: unknown }): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Priced by what is counted while the call runs; the amount is known at its end. */
export const meter = z
  .strictObject({
    per: z
      .enum(meterUnits, { error: perFault })
      .describe(
        '`tokens` as a language model’s reply counts them, `bytes` of request and reply bodies, `seconds` that the upstream takes, or `items` of its JSON reply.',
      ),
    units: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .default(1)
      .describe('The number of units that the prices below are for: 1000000 for a price per million.'),
    base,
    input: usdc
      .optional()
      .describe(
        'USDC for that number of units of the request: tokens of the prompt, bytes of the request body.',
      ),
    output: usdc
      .optional()
      .describe('USDC for that number of units of the reply: tokens, bytes, seconds or items.'),
    items: z
      .string()
      .max(500)
      .refine(isItemsPath, { error: 'must be a JSONPath of RFC 9535, like $.data[*]' })
      .optional()
      .describe(
        'With `per: items`: a JSONPath (RFC 9535) into the reply; each value that it selects is one item.',
      ),
    max,
    max_units: z
      .int()
      .min(1)
      .max(1_000_000_000_000)
      .optional()
      .describe(
        'The maximum of units that one call may use. It is reserved from an allowance in units until the call has ended, so it is required where a free quota or a tier counts units.',
      ),
  })
  .refine(({ input, output }) => input !== undefined || output !== undefined, {
    error: 'needs a price: input, output or both',
    path: ['output'],
    when: isMapping,
  })
  .refine(({ per, input }) => input === undefined || (per !== 'seconds' && per !== 'items'), {
    error: 'only tokens and bytes can be counted in a request',
    path: ['input'],
    when: isMapping,
  })
  .refine(({ per, items }) => per !== 'items' || items !== undefined, {
    error: 'is missing: per: items needs a JSONPath to what is counted, like $.data[*]',
    path: ['items'],
    when: isMapping,
  })
  .refine(({ per, items }) => per === 'items' || items === undefined, {
    error: 'is only for per: items',
    path: ['items'],
    when: isMapping,
  })
  .meta({ title: 'Price per unit' })

/** Priced by the request, before any work is done. */
const expressionPrice = z
  .strictObject({
    per: z
      .literal('request', { error: perFault })
      .describe('The price depends on the request alone, and is known before the call.'),
    count: z
      .string()
      .min(1)
      .max(1_000)
      .refine(isExpression, {
        error: 'must be an expression of CEL over body, query, params and length, like int(body.n) * 2',
      })
      .describe(
        'The number of units of a request, as a CEL expression (cel.dev) over `body` (its JSON), `query`, `params` and `length` (of the body, in bytes). A request for which it has no result costs `max`, and so does a negative count, and zero without a `base`.',
      ),
    each: usdc.describe('USDC for one unit.'),
    base,
    max,
    free_when: z
      .string()
      .min(1)
      .max(1_000)
      .refine(isCondition, {
        error:
          'must be a condition of CEL over body, query, params and length, like body.method == "initialize"',
      })
      .optional()
      .describe(
        'Calls that cost nothing, as a CEL condition over the same. Such a call needs no payment and no key and is not counted. A request for which the condition has no result is not free.',
      ),
  })
  .meta({ title: 'Price by the request' })

export const price = z.union([usdc, meter, expressionPrice])

export type WrittenPrice = z.infer<typeof price>
export type Meter = CamelKeys<z.infer<typeof meter>>
export type ExpressionPrice = CamelKeys<z.infer<typeof expressionPrice>>
export type Price = string | Meter | ExpressionPrice

/** Reads a price as the program uses it. */
export function readPrice(written: WrittenPrice): Price {
  if (typeof written === 'string') return written
  return written.per === 'request' ? readExpression(written) : readMeter(written)
}

function readExpression({
  free_when: freeWhen,
  ...others
}: z.infer<typeof expressionPrice>): ExpressionPrice {
  return { ...others, ...(freeWhen !== undefined && { freeWhen }) }
}

function readMeter({ max_units: maxUnits, ...others }: z.infer<typeof meter>): Meter {
  return { ...others, maxUnits }
}
