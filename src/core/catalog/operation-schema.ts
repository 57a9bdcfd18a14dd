import { z } from 'zod'
import type { Operation, SoldOperation, Tier, TierOperation } from './catalog.ts'
import { allowance, rate } from './limits.ts'
import { listing } from './listing.ts'
import type { PricedOperation } from './priced-operation.ts'
import { isMapping, price, readPrice, usdc } from './prices.ts'
import { replayRules } from './replay-rule.ts'
import { route, upstreamId } from './upstreams.ts'

/**
 * How the file writes an operation, one schema for each `access`, and how it is read. An operation's price is
 * derived here, once: later stages read `priced` and never the file's form.
 */

const seconds = (min: number, max: number, fallback: number) => z.int().min(min).max(max).default(fallback)

/** The keys of an operation that an upstream serves. */
export const routed = {
  upstream: upstreamId.optional().describe('The upstream that serves it; our own operations name none.'),
  route: route
    .optional()
    .describe(
      'The calls that it serves: methods, and a path behind the upstream’s prefix. {name} stands for one segment, * at the end for one or more.',
    ),
}

const openOperation = z
  .strictObject({
    access: z.literal('open').describe('Anyone may call it; nothing is counted and nothing is charged.'),
    description: z.string().min(1).max(500).describe('What a caller gets, in one sentence.'),
    deadline_seconds: seconds(1, 3600, 30).describe('How long the handler may take before the call fails.'),
    ...routed,
  })
  .meta({ title: 'Open operation' })

const durations = z.object({ deadline_seconds: z.number(), validity_seconds: z.number() })

/** How long the settlement after a call may take, by the default settings. */
const settlementSeconds = 60

/** When and for what an operation with a price is charged. */
export const charges = {
  settle: z
    .enum(['after', 'before', 'before_for_new_payers'])
    .default('after')
    .describe(
      'When the money moves. `after` the work: a call that fails is never charged. `before` it, for work that is expensive: no work is done for a payment that fails, and when the call fails, the payment stays usable until it is served or refunded. `before_for_new_payers`: before it for payers who have settled nothing here since they last failed to pay, after it for all others.',
    ),
  charge_failed: z
    .union([z.literal('price'), usdc], {
      error: 'must be `price`, or a USDC amount above zero in quotes, like "0.001"',
    })
    .optional()
    .describe(
      'What a payment is charged for a call that the upstream refuses because the request was wrong (400 to 499, without those that are the gateway’s or the upstream’s making): `price`, or with a price per unit the least amount in USDC. Such a call is free when left out.',
    ),
}

const listed = listing
  .optional()
  .describe(
    'Has a facilitator list the operation in its catalog, by letting it settle one payment in so many days. Not listed when left out.',
  )

/** Keys of an operation with a price. */
const payment = {
  ...charges,
  listing: listed,
  deadline_seconds: seconds(1, 3600, 60).describe(
    'How long the handler may take before the call fails and is not charged.',
  ),
  replay: z
    .enum(replayRules)
    .optional()
    .describe(
      'Who gets the stored reply of a call again, once its transfer is sent and others can read the payment. `payer`: only a caller that also sends the Idempotency-Key or payment-identifier of the purchase, or a sign-in of the payer. `anyone_with_payment`: whoever repeats payment and request, so a stranger who guesses the request. By default `payer` for an operation of an upstream and for scans, else `anyone_with_payment`.',
    ),
  validity_seconds: seconds(62, 86_400, 300).describe(
    `How long a signed payment stays valid; clients see it as maxTimeoutSeconds. It must be more than ${settlementSeconds} seconds longer than the deadline, or a payment could expire during its own call and settlement.`,
  ),
}

/** Checked even when another key is faulty, so that the operator sees every fault at once. */
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
      .describe('Each call needs an x402 payment, or the key of a tier that covers it.'),
    description: z.string().min(1).max(500).describe('What a caller gets for the price, in one sentence.'),
    price: price.describe(
      'Price of one call in USDC, a decimal string in quotes; for an operation of an upstream also a price per unit.',
    ),
    ...payment,
    ...routed,
  })
  .refine(isLongEnough, outlives)
  .meta({ title: 'Priced operation' })

const optionalOperation = z
  .strictObject({
    access: z
      .literal('optional')
      .describe(
        'Callers without a key have the free quota, callers with a key have what their tier gives; with a price, a payment opens it too.',
      ),
    description: z.string().min(1).max(500).describe('What a caller gets, in one sentence.'),
    free: allowance
      .refine(({ per }) => per === 'day', { error: 'must be a number of calls or units per day, like 3/day' })
      .optional()
      .describe(
        'How many calls, or metered units, a client without a key has in a day (UTC); no limit when left out.',
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
    error: 'needs free or rate: an operation without a limit is `access: open`',
    path: ['free'],
    when: isMapping,
  })
  .refine(({ listing, price }) => listing === undefined || price !== undefined, {
    error: 'needs a price: a facilitator lists what it has settled a payment for',
    path: ['listing'],
    when: isMapping,
  })
  .meta({ title: 'Operation with a free quota' })

const keyOperation = z
  .strictObject({
    access: z.literal('key').describe('Only callers with the key of a tier that covers it.'),
    description: z.string().min(1).max(500).describe('What a caller gets, in one sentence.'),
    deadline_seconds: seconds(1, 3600, 60).describe('How long the handler may take before the call fails.'),
    ...routed,
  })
  .meta({ title: 'Operation for key holders' })

const holderOperation = z
  .strictObject({
    access: z.literal('holder').describe('Callers with a key of any tier; nothing is counted.'),
    description: z.string().min(1).max(500).describe('What a caller gets, in one sentence.'),
    deadline_seconds: seconds(1, 3600, 30).describe('How long the handler may take before the call fails.'),
  })
  .meta({ title: 'Operation for every key holder' })

const tierOperation = z
  .strictObject({
    access: z
      .literal('tier')
      .describe(
        'Sells or renews an API key: each call needs an x402 payment, at the price of the tier that it names.',
      ),
    description: z.string().min(1).max(500).describe('What a caller gets for the price, in one sentence.'),
    deadline_seconds: payment.deadline_seconds,
    validity_seconds: payment.validity_seconds,
    listing: listed,
  })
  .refine(isLongEnough, outlives)
  .meta({ title: 'Sale of keys' })

export const operation = z.discriminatedUnion('access', [
  openOperation,
  optionalOperation,
  keyOperation,
  holderOperation,
  pricedOperation,
  tierOperation,
])

type WrittenOperation = z.infer<typeof operation>

/**
 * Reads an operation as the program uses it.
 * @param tiers for an operation that sells keys: each tier with a price becomes an offer.
 */
export function readOperation(written: WrittenOperation, tiers: Readonly<Record<string, Tier>>): Operation {
  switch (written.access) {
    case 'open':
    case 'key':
    case 'holder': {
      const { deadline_seconds: deadlineSeconds, ...others } = written
      return { ...others, deadlineSeconds }
    }
    case 'optional': {
      const { access, description, free, rate, upstream, route, price } = written
      const deadlineSeconds = written.deadline_seconds
      const priced = price === undefined ? undefined : readPriced({ ...written, price })
      return { access, description, deadlineSeconds, free, rate, priced, upstream, route }
    }
    case 'price': {
      const { access, description, upstream, route } = written
      const deadlineSeconds = written.deadline_seconds
      return { access, description, deadlineSeconds, priced: readPriced(written), upstream, route }
    }
    case 'tier':
      return readTierOperation(written, tiers)
  }
}

function readPriced(
  written: Pick<
    z.infer<typeof pricedOperation>,
    | 'description'
    | 'price'
    | 'settle'
    | 'charge_failed'
    | 'replay'
    | 'listing'
    | 'deadline_seconds'
    | 'validity_seconds'
    | 'upstream'
  >,
): PricedOperation {
  const {
    description,
    settle,
    charge_failed: chargeFailed,
    replay,
    listing,
    deadline_seconds: deadlineSeconds,
    validity_seconds: validitySeconds,
    upstream,
  } = written
  const price = readPrice(written.price)
  const newPayersFirst = settle === 'before_for_new_payers' || undefined
  const sold = {
    description,
    deadlineSeconds,
    validitySeconds,
    upstream,
    newPayersFirst,
    replay,
    ...(listing && { listing }),
    ...(chargeFailed !== undefined && { chargeFailed }),
  }
  const moment = newPayersFirst ? 'after' : settle
  if (typeof price === 'string') return { ...sold, price, settle: moment }
  if (price.per === 'request') return { ...sold, price: price.max, settle: moment, expression: price }
  return { ...sold, price: price.max, settle: 'metered', meter: price }
}

/**
 * The money moves before the call: a key that was issued for a payment that then fails could not be taken
 * back.
 */
function readTierOperation(
  {
    access,
    description,
    deadline_seconds: deadlineSeconds,
    validity_seconds: validitySeconds,
    listing,
  }: z.infer<typeof tierOperation>,
  tiers: Readonly<Record<string, Tier>>,
): TierOperation {
  const offerAt = (price: string): SoldOperation => {
    const sold = { description, price, deadlineSeconds, validitySeconds, ...(listing && { listing }) }
    const priced: PricedOperation = { ...sold, settle: 'before' }
    return { access: 'price', description, deadlineSeconds, priced }
  }
  const offers = Object.entries(tiers).flatMap(([name, { price }]) =>
    price === undefined ? [] : [[name, offerAt(price)] as const],
  )
  return { access, description, deadlineSeconds, validitySeconds, offers: Object.fromEntries(offers) }
}
