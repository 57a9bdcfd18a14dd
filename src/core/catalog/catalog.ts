import { z } from 'zod'
import type { CamelKeys } from './camel-keys.ts'
import { crossFaults } from './faults.ts'
import { type Allowance, allowance, type Price, price, readPrice, usdc } from './prices.ts'
import { readUpstream, route, type Upstream, upstream } from './upstreams.ts'

/**
 * The shape of `pricing/catalog.yaml`: what is offered, to whom, and for how much. Everything that
 * tells or charges a price reads this one value, so a document can never name a price that the gate
 * does not ask. Unknown keys are refused: a misspelt `price` must not turn into a free operation.
 */

const upstreamId = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'names of upstreams are lower-case letters, digits and hyphens')

const seconds = (least: number, most: number, fallback: number) =>
  z.int().min(least).max(most).default(fallback)

/** Of an operation that an upstream carries out. */
const routed = {
  upstream: upstreamId.optional().describe('The upstream that carries it out; our own operations name none.'),
  route: route
    .optional()
    .describe(
      'What leads to it: methods, and a path behind the upstream’s prefix. {name} stands for one segment, * at the end for one or more.',
    ),
}

const openOperation = z
  .strictObject({
    access: z.literal('open').describe('Anyone may call it; nothing is counted and nothing is charged.'),
    description: z.string().min(1).max(500).describe('What a caller gets, in one sentence.'),
    deadline_seconds: seconds(1, 3600, 30).describe(
      'How long the handler may take before the call is given up.',
    ),
    ...routed,
  })
  .meta({ title: 'Open operation' })

const durations = z.object({ deadline_seconds: z.number(), validity_seconds: z.number() })

/** How long the settlement after a call may take, unless the settings say otherwise. */
const settlementSeconds = 60

/** How an operation is paid for, where it is. */
const payment = {
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
}

/** Asked even when another key is wrong, so that the operator sees every fault at once. */
const outlives = {
  error: `must be more than ${settlementSeconds} seconds longer than deadline_seconds, so that a payment outlives the call it pays for and its settlement`,
  path: ['validity_seconds'],
  when: ({ value }: { value: unknown }) => durations.safeParse(value).success,
}

function isLongEnough(operation: z.infer<typeof durations>): boolean {
  return operation.validity_seconds > operation.deadline_seconds + settlementSeconds
}

const pricedOperation = z
  .strictObject({
    access: z
      .literal('price')
      .describe('Each call is paid by an x402 payment, or made with the key of a tier that covers it.'),
    description: z.string().min(1).max(500).describe('What a caller gets for the price, in one sentence.'),
    price: price.describe(
      'Price of one call in USDC, a decimal string in quotes; of what an upstream sells also a price per unit.',
    ),
    ...payment,
    ...routed,
  })
  .refine(isLongEnough, outlives)
  .meta({ title: 'Priced operation' })

const windowSeconds = { second: 1, minute: 60, hour: 3_600 } as const

/** `60/minute`. */
const rate = z
  .string()
  .regex(/^[1-9][0-9]{0,5}\/(second|minute|hour)$/, {
    error: 'must be a number of calls per second, minute or hour, like 60/minute',
  })
  .transform((text): Rate => {
    const [calls, window] = text.split('/')
    return {
      calls: Number(calls),
      seconds: windowSeconds[window === 'second' || window === 'minute' ? window : 'hour'],
    }
  })

const limits = {
  error:
    'must be unlimited, a number of calls or units per day or month like 100/day or 200000 tokens/month, or a list of one per day and one per month',
}

const optionalOperation = z
  .strictObject({
    access: z
      .literal('optional')
      .describe(
        'Callers without a key have the free quota, callers with a key what their tier has; with a price a payment opens it as well.',
      ),
    description: z.string().min(1).max(500).describe('What a caller gets, in one sentence.'),
    free: allowance
      .refine(({ per }) => per === 'day', { error: 'must be a number of calls or units per day, like 3/day' })
      .optional()
      .describe(
        'How many calls, or units of what is metered, a client without a key has in a day (UTC); no limit when left out.',
      ),
    rate: rate.optional().describe('How fast a client without a key may call; no limit when left out.'),
    price: price
      .optional()
      .describe('Price of one call in USDC, for callers who pay instead; not sold when left out.'),
    ...payment,
    ...routed,
  })
  .refine(isLongEnough, outlives)
  .refine(({ free, rate }) => free !== undefined || rate !== undefined, {
    error: 'needs free or rate: what nothing limits is `access: open`',
    path: ['free'],
  })
  .meta({ title: 'Operation with a free quota' })

const keyOperation = z
  .strictObject({
    access: z.literal('key').describe('Only callers with the key of a tier that covers it.'),
    description: z.string().min(1).max(500).describe('What a caller gets, in one sentence.'),
    deadline_seconds: seconds(1, 3600, 60).describe(
      'How long the handler may take before the call is given up.',
    ),
    ...routed,
  })
  .meta({ title: 'Operation for key holders' })

const holderOperation = z
  .strictObject({
    access: z.literal('holder').describe('Whoever has a key, of any tier; nothing is counted.'),
    description: z.string().min(1).max(500).describe('What a caller gets, in one sentence.'),
    deadline_seconds: seconds(1, 3600, 30).describe(
      'How long the handler may take before the call is given up.',
    ),
  })
  .meta({ title: 'Operation for every key holder' })

/** The money moves first: what was given for a payment that then fails could not be taken back. */
const tierOperation = z
  .strictObject({
    access: z
      .literal('tier')
      .describe('Buys or renews an API key: paid by an x402 payment, at the price of the tier it names.'),
    description: z.string().min(1).max(500).describe('What a caller gets for the price, in one sentence.'),
    deadline_seconds: payment.deadline_seconds,
    validity_seconds: payment.validity_seconds,
  })
  .refine(isLongEnough, outlives)
  .meta({ title: 'Sale of keys' })

const operation = z.discriminatedUnion('access', [
  openOperation,
  optionalOperation,
  keyOperation,
  holderOperation,
  pricedOperation,
  tierOperation,
])

const operationId = z.string().regex(/^[a-z][A-Za-z0-9]*$/, 'operation ids are camelCase words')

const tier = z
  .strictObject({
    description: z.string().min(1).max(500).describe('What a subscriber has, in one sentence.'),
    price: usdc
      .optional()
      .describe(
        'Price of a key in USDC, for agents that buy one; only the operator gives out keys when left out.',
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
      .describe('Background work of a higher number goes first; callers without a key have 0.'),
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
              // Of two limits on a day each call would be counted twice.
              .refine(([first, second]) => first === undefined || first.per !== second?.per, limits),
          ],
          limits,
        ),
      )
      .describe(
        'What a key may call, and how often: `unlimited`, `100/day`, `1000/month` or a list of both. What is not named here the tier does not cover.',
      ),
  })
  .meta({ title: 'Tier' })

const writtenCatalog = z
  .strictObject({
    provider: z
      .strictObject({
        name: z.string().min(1).max(100).describe('Who sells, as the pricing document names it.'),
        description: z.string().min(1).max(1000).describe('What the service does, in a sentence or two.'),
        website: z
          .url({ protocol: /^https?$/ })
          .optional()
          .describe('Where people read more; the page of the prices when left out.'),
      })
      .describe('Who offers these operations.'),
    upstreams: z
      .record(upstreamId, upstream)
      .default({})
      .describe('Servers behind the gateway, by name. Operations with a route lead to them.'),
    operations: z
      .record(operationId, operation)
      .describe('One entry for each operation id. An operation without an entry is not served.'),
    tiers: z
      .record(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'tiers are lower-case words'), tier)
      .default({})
      .describe('What subscribers have, by the name of their tier.'),
  })
  .superRefine((catalog, context) => {
    for (const { path, message } of crossFaults(catalog)) {
      context.addIssue({ code: 'custom', path: [...path], message, input: catalog })
    }
  })
  .meta({ title: 'tollgate catalogue' })

/** Reads a file's content into the catalog that the program uses; only the file has keys in snake case. */
export const catalogSchema = writtenCatalog.transform(
  ({ upstreams, operations, ...others }): Catalog => ({
    ...others,
    upstreams: mapValues(upstreams, readUpstream),
    operations: mapValues(operations, readOperation),
  }),
)

type WrittenCatalog = z.infer<typeof writtenCatalog>
type WrittenOperation = z.infer<typeof operation>
export type Catalog = Omit<WrittenCatalog, 'upstreams' | 'operations'> & {
  readonly upstreams: Record<string, Upstream>
  readonly operations: Record<string, Operation>
}
export type Operation = Read<WrittenOperation>
export type Tier = z.infer<typeof tier>

/** Maps the keys of an operation, and of its price. */
type Read<Written> = Written extends { price?: unknown }
  ? {
      [Key in keyof CamelKeys<Written>]: Key extends 'price'
        ? ReadPrice<CamelKeys<Written>[Key]>
        : CamelKeys<Written>[Key]
    }
  : CamelKeys<Written>
type ReadPrice<Written> = undefined extends Written ? Price | undefined : Price

function readOperation(written: WrittenOperation): Operation {
  switch (written.access) {
    case 'open':
    case 'key':
    case 'holder': {
      const { deadline_seconds: deadlineSeconds, ...others } = written
      return { ...others, deadlineSeconds }
    }
    case 'tier': {
      const { deadline_seconds: deadlineSeconds, validity_seconds: validitySeconds, ...others } = written
      return { ...others, deadlineSeconds, validitySeconds }
    }
    case 'price': {
      const { deadline_seconds: deadlineSeconds, validity_seconds: validitySeconds, ...others } = written
      return { ...others, deadlineSeconds, validitySeconds, price: readPrice(written.price) }
    }
    case 'optional': {
      const {
        deadline_seconds: deadlineSeconds,
        validity_seconds: validitySeconds,
        price,
        ...others
      } = written
      return { ...others, deadlineSeconds, validitySeconds, price: price && readPrice(price) }
    }
  }
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
/** A tier by the name that a token or a request bears; `constructor`, which every object has, is none. */
export function findTier(tiers: Catalog['tiers'], name: string): Tier | undefined {
  return Object.hasOwn(tiers, name) ? tiers[name] : undefined
}

/** An operation that sells keys: its price is that of the tier a request names. */
export type TierOperation = CamelKeys<z.infer<typeof tierOperation>>

/** A limit on how fast: so many calls in a window of so many seconds. */
export interface Rate {
  readonly calls: number
  readonly seconds: number
}
