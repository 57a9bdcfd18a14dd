import type { z } from 'zod'
import { type Catalog, findTier } from '../../../core/catalog/catalog.ts'
import type { Allowance } from '../../../core/catalog/limits.ts'
import { meterUnits } from '../../../core/catalog/prices.ts'
import type { Counters } from '../../../doors/quota/counters/counters.ts'
import { type Per, periodEnd, periodOf } from '../../../doors/quota/counters/period.ts'
import { countedOf } from '../../../doors/quota/use.ts'
import { orKeysUnavailable } from './key-fields.ts'
import type { operationUsageSchema } from './replies.ts'

/**
 * What a subject has used today and this month, by operation, and what its tier leaves it: as its holder and as
 * the operator see it.
 * @throws GatewayError QUOTAS_UNAVAILABLE when the counters cannot be read.
 */
export async function operationsUsed(
  counters: Pick<Counters, 'used'>,
  catalog: Catalog,
  { subject, tier: name }: { readonly subject: string; readonly tier: string },
  now: number,
): Promise<z.infer<typeof operationUsageSchema>[]> {
  const tier = findTier(catalog.tiers, name)
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
