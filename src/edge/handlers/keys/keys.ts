import { z } from 'zod'
import { type Catalog, findTier, type Tier } from '../../../core/catalog/catalog.ts'
import type { Allowance } from '../../../core/catalog/limits.ts'
import { meterUnits } from '../../../core/catalog/prices.ts'
import { unixSeconds } from '../../../core/clock.ts'
import { type Endpoint, endpoint, type Holder, noBody } from '../../../core/endpoint.ts'
import { comeBack, faultyField, GatewayError } from '../../../core/errors.ts'
import { parseUsdc } from '../../../core/money.ts'
import { json } from '../../../core/reply.ts'
import { type ApiKey, findKey, renewKey, sellKey } from '../../../doors/keys/keys.ts'
import type { KeyVerifier } from '../../../doors/keys/verify.ts'
import type { Counters } from '../../../doors/quota/counters/counters.ts'
import { type Per, periodEnd, periodOf } from '../../../doors/quota/counters/period.ts'
import { countedOf } from '../../../doors/quota/use.ts'
import type { Books } from '../../../platform/store/books.ts'
import { dayMs, given, keyId } from './key-fields.ts'

export interface KeySaleParts {
  readonly books: Books
  readonly keys: Pick<KeyVerifier, 'forget'>
  readonly counters: Pick<Counters, 'used'>
  /** Asked at each call: the catalogue can change while the gateway runs. */
  readonly catalog: () => Catalog
}

/** API keys as their holders meet them: bought, renewed, and what was used with one. */
export function keyEndpoints(parts: KeySaleParts): Endpoint[] {
  return [buyEndpoint(parts), renewEndpoint(parts), usageEndpoint(parts)]
}

const noStore = { 'cache-control': 'no-store' }

const boughtSchema = z.object({
  keyId: z.string(),
  key: z.string().describe('the key itself; it is told to its buyer and nobody else'),
  tier: z.string(),
  owner: z.string(),
  label: z.string(),
  expiresAt: z.int(),
})

const namedTier = z.looseObject({ tier: z.string().optional() })

/** POST /api/keys: an agent becomes a subscriber without a person. */
function buyEndpoint({ books, catalog }: KeySaleParts): Endpoint {
  return endpoint({
    id: 'buyKey',
    method: 'POST',
    path: '/api/keys',
    body: z.strictObject({
      tier: z.string().describe('which tier; GET /pricing lists them'),
      owner: given.default('').describe('who it is for'),
      label: given.default('').describe('what it is for'),
    }),
    response: boughtSchema,
    isSecret: true,
    tierOf(body) {
      const named = namedTier.safeParse(body)
      if (!named.success) throw faultyField('tier', 'must be the name of a tier')
      return named.data.tier ?? cheapest(catalog())
    },
    async handle({ tier, owner, label }, { payment }) {
      if (payment === undefined) throw new Error('a key was asked for without a payment')
      const { days } = tierNamed(catalog(), tier)
      const expiresAt = new Date(books.clock.now() + days * dayMs)
      const sold = await sellKey(books, { tier, owner, label, expiresAt }, payment)
      if (!sold) throw new Error('the run was given up before its key was made')
      const { key, text } = sold
      const bought: z.infer<typeof boughtSchema> = {
        keyId: key.id,
        key: text,
        tier,
        owner,
        label,
        expiresAt: unixSeconds(expiresAt),
      }
      return json(201, bought, noStore)
    },
  })
}

const namedKey = z.looseObject({ keyId: keyId.optional() })
const renewedSchema = z.object({ keyId: z.string(), tier: z.string(), expiresAt: z.int() })

/** POST /api/keys/renew: anyone may pay for anyone's key, so its id is enough. */
function renewEndpoint({ books, keys, catalog }: KeySaleParts): Endpoint {
  return endpoint({
    id: 'renewKey',
    method: 'POST',
    path: '/api/keys/renew',
    body: z.strictObject({ keyId }),
    response: renewedSchema,
    async tierOf(body) {
      const named = namedKey.safeParse(body)
      if (!named.success) throw faultyField('keyId', 'must be the 16 letters and digits behind tgk_ in a key')
      if (named.data.keyId === undefined) return cheapest(catalog())
      return (await renewable(books, named.data.keyId)).tier
    },
    async handle(body, { payment }) {
      if (payment === undefined) throw new Error('a key was to be renewed without a payment')
      const { id, tier } = await renewable(books, body.keyId)
      const renewed = await renewKey(books, id, tierNamed(catalog(), tier).days, payment)
      if (!renewed?.expiresAt) throw new GatewayError('KEY_NOT_FOUND', { field: 'keyId' })
      keys.forget(id)
      const answer: z.infer<typeof renewedSchema> = {
        keyId: id,
        tier,
        expiresAt: unixSeconds(renewed.expiresAt),
      }
      return json(200, answer, noStore)
    },
  })
}

async function renewable(books: Books, id: string): Promise<ApiKey> {
  const key = await lookUp(findKey(books, id))
  if (!key || key.revokedAt !== null) throw new GatewayError('KEY_NOT_FOUND', { field: 'keyId' })
  if (key.expiresAt === null) throw faultyField('keyId', 'names a key that never expires')
  return key
}

/** What somebody who names no tier is told the price of. */
function cheapest({ tiers }: Catalog): string {
  const [first] = Object.entries(tiers)
    .flatMap(([name, { price }]) => (price === undefined ? [] : [{ name, price: parseUsdc(price) }]))
    .toSorted((a, b) => (a.price < b.price ? -1 : 1))
  if (!first) throw new GatewayError('TIER_NOT_FOR_SALE', { for_sale: [] })
  return first.name
}

function tierNamed({ tiers }: Catalog, name: string): Tier {
  const tier = findTier(tiers, name)
  if (!tier) throw new Error(`the tier ${name} is not in the catalogue any more`)
  return tier
}

const counted = z.object({
  used: z.int(),
  limit: z.int().nullable().describe('null: no limit'),
  remaining: z.int().nullable(),
  resetsAt: z.int(),
})

const usageSchema = z.object({
  keyId: z.string().nullable().describe('null for a member of another issuer'),
  tier: z.string(),
  label: z.string(),
  expiresAt: z.int().nullable().describe('null: never'),
  rate: z.object({ calls: z.int(), seconds: z.int() }).nullable(),
  operations: z.array(
    z.object({
      operation: z.string(),
      day: counted,
      month: counted,
      units: z
        .array(z.object({ unit: z.enum(meterUnits), day: counted, month: counted }))
        .optional()
        .describe(
          'what its calls have used, with what is set aside for those under way; left out where nothing but calls is counted',
        ),
    }),
  ),
})

/** GET /api/keys/usage: what a key has used today and this month, by operation, and what is left of it. */
function usageEndpoint({ books, counters, catalog }: KeySaleParts): Endpoint {
  return endpoint({
    id: 'getKeyUsage',
    method: 'GET',
    path: '/api/keys/usage',
    body: noBody,
    response: usageSchema,
    async handle(_body, { holder }) {
      if (!holder) throw new Error('usage was asked for without a key')
      const { keyId } = holder
      const key = keyId === undefined ? undefined : await lookUp(findKey(books, keyId))
      const tier = findTier(catalog().tiers, holder.tier)
      const usage: z.infer<typeof usageSchema> = {
        keyId: key?.id ?? null,
        tier: holder.tier,
        label: key?.label ?? '',
        expiresAt: key?.expiresAt ? unixSeconds(key.expiresAt) : null,
        rate: tier?.rate ?? null,
        operations: await operationsUsed(holder, tier),
      }
      return json(200, usage, noStore)
    },
  })

  async function operationsUsed({ subject }: Holder, tier: Tier | undefined) {
    const now = books.clock.now()
    const periods = { day: periodOf('day', now), month: periodOf('month', now) }
    const found = await lookUp(counters.used(subject, Object.values(periods)))
    const used = found.map((one) => ({ ...one, ...countedOf(one.operation) }))
    const covered = Object.keys(tier?.operations ?? {})
    const operations = [...new Set([...covered, ...used.map(({ operation }) => operation)])]
    return operations.map((operation) => {
      const allowances = tier?.operations[operation]
      const ofOperation = used.filter((one) => one.operation === operation)
      const state = (unit: Allowance['unit'], per: Per) => {
        const allowance = allowances?.find((one) => one.per === per && one.unit === unit)
        // What the tier does not cover, or not any more, has nothing left.
        const limit = allowances ? (allowance?.limit ?? null) : 0
        const count = ofOperation.find((one) => one.unit === unit && one.period === periods[per])?.used ?? 0
        return {
          used: count,
          limit,
          remaining: limit === null ? null : Math.max(limit - count, 0),
          resetsAt: periodEnd(per, now) / 1000,
        }
      }
      const both = (unit: Allowance['unit']) => ({ day: state(unit, 'day'), month: state(unit, 'month') })
      const units = meterUnits
        .filter((unit) => [...(allowances ?? []), ...ofOperation].some((one) => one.unit === unit))
        .map((unit) => ({ unit, ...both(unit) }))
      return { operation, ...both('calls'), ...(units.length > 0 && { units }) }
    })
  }
}

/** @throws GatewayError QUOTAS_UNAVAILABLE when the store or Redis cannot answer. */
async function lookUp<Found>(looking: Promise<Found>): Promise<Found> {
  try {
    return await looking
  } catch (cause) {
    throw comeBack('QUOTAS_UNAVAILABLE', cause)
  }
}
