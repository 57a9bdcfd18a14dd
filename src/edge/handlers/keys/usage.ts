import { z } from 'zod'
import { type Catalog, findTier, type Tier } from '../../../core/catalog/catalog.ts'
import type { Allowance } from '../../../core/catalog/limits.ts'
import { meterUnits } from '../../../core/catalog/prices.ts'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, type Holder, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { findKey } from '../../../doors/keys/keys.ts'
import type { Counters } from '../../../doors/quota/counters/counters.ts'
import { type Per, periodEnd, periodOf } from '../../../doors/quota/counters/period.ts'
import { countedOf } from '../../../doors/quota/use.ts'
import type { Books } from '../../../platform/store/books.ts'
import { noStore, orKeysUnavailable } from './key-fields.ts'

export interface KeyUsageParts {
  readonly books: Books
  readonly counters: Pick<Counters, 'used'>
  /** Read at each call: the catalog can change while the gateway runs. */
  readonly catalog: () => Catalog
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

/** GET /api/keys/usage: what a key has used today and this month, by operation, and what is left. */
export const keyUsageRows = {
  getKeyUsage: { ...noInput, method: 'GET', path: '/api/keys/usage', response: usageSchema },
} satisfies EndpointRows

export function keyUsageHandlers({ books, counters, catalog }: KeyUsageParts): Handlers<typeof keyUsageRows> {
  return {
    async getKeyUsage(_input, { holder }) {
      if (!holder) throw new Error('the usage of a key was asked for without one')
      const { keyId } = holder
      const key = keyId === undefined ? undefined : await orKeysUnavailable(findKey(books, keyId))
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
  }

  async function operationsUsed({ subject }: Holder, tier: Tier | undefined) {
    const now = books.clock.now()
    const periods = { day: periodOf('day', now), month: periodOf('month', now) }
    const counted = await orKeysUnavailable(counters.used(subject, Object.values(periods)))
    const used = counted.map((one) => ({ ...one, ...countedOf(one.operation) }))
    const covered = Object.keys(tier?.operations ?? {})
    const operations = [...new Set([...covered, ...used.map(({ operation }) => operation)])]
    return operations.map((operation) => {
      const allowances = tier?.operations[operation]
      const ofOperation = used.filter((one) => one.operation === operation)
      const standing = (unit: Allowance['unit'], per: Per) => {
        const allowance = allowances?.find((one) => one.per === per && one.unit === unit)
        // An operation that the tier does not cover (any more) has nothing left.
        const limit = allowances ? (allowance?.limit ?? null) : 0
        const count = ofOperation.find((one) => one.unit === unit && one.period === periods[per])?.used ?? 0
        return {
          used: count,
          limit,
          remaining: limit === null ? null : Math.max(limit - count, 0),
          resetsAt: periodEnd(per, now) / 1000,
        }
      }
      const both = (unit: Allowance['unit']) => ({
        day: standing(unit, 'day'),
        month: standing(unit, 'month'),
      })
      const units = meterUnits
        .filter((unit) => [...(allowances ?? []), ...ofOperation].some((one) => one.unit === unit))
        .map((unit) => ({ unit, ...both(unit) }))
      return { operation, ...both('calls'), ...(units.length > 0 && { units }) }
    })
  }
}
