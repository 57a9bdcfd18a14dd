import type { Catalog, Tier } from '../../../core/catalog/catalog.ts'
import type { Allowance, Rate } from '../../../core/catalog/limits.ts'
import type { Endpoint } from '../../../core/endpoint.ts'
import { formatUsdc, parseUsdc } from '../../../core/money.ts'
import { minNameLength } from '../../../doors/x402/door/seal.ts'
import type { PricingDocument } from '../../handlers/service/pricing.ts'

/**
 * Describes each tier: what its keys open, how often, and how to get one. It names a price only when an
 * endpoint sells keys; otherwise an agent would look for one.
 * @param served the endpoints that have an entry in the catalog.
 */
export function describeTiers(
  tiers: Catalog['tiers'],
  served: readonly Endpoint[],
): PricingDocument['tiers'] {
  const sale = served.find(({ id }) => id === 'buyKey')
  const renewal = served.find(({ id }) => id === 'renewKey')
  return Object.entries(tiers).map(([name, tier]) => {
    const price = sale && tier.price !== undefined ? formatUsdc(parseUsdc(tier.price)) : null
    return {
      name,
      description: tier.description,
      price: price && `$${price}`,
      priceUSDC: price,
      days: price === null ? null : tier.days,
      rate: tier.rate ? rateText(tier.rate) : null,
      operations: coveredBy(tier, served),
      buy:
        sale && price !== null
          ? howToBuy(name, tier, sale, renewal)
          : 'Keys of this tier come from the operator.',
    }
  })
}

function coveredBy({ operations }: Tier, served: readonly Endpoint[]): Record<string, string> {
  return Object.fromEntries(
    served.flatMap(({ id, method, path }) => {
      const allowances = operations[id]
      return allowances ? [[`${method} ${path}`, limitsText(allowances, undefined)]] : []
    }),
  )
}

function howToBuy(name: string, { days }: Tier, sale: Endpoint, renewal: Endpoint | undefined): string {
  const body = JSON.stringify({ tier: name })
  const bought = `Send ${sale.method} ${sale.path} with ${body} and an Idempotency-Key header of at least ${minNameLength} random characters, and pay as for any call.`
  return renewal
    ? `${bought} ${renewal.method} ${renewal.path} with {"keyId":"…"}, the 16 characters behind tgk_ in the key, adds ${days} days.`
    : bought
}

/** Writes limits as `3/day, 60/minute`, or `unlimited`. */
export function limitsText(allowances: readonly Allowance[], rate: Rate | undefined): string {
  const limits = allowances.map(
    ({ limit, unit, per }) => `${limit}${unit === 'calls' ? '' : ` ${unit}`}/${per}`,
  )
  if (rate) limits.push(rateText(rate))
  return limits.length > 0 ? limits.join(', ') : 'unlimited'
}

function rateText({ calls, seconds }: Rate): string {
  const window = seconds === 1 ? 'second' : seconds === 60 ? 'minute' : 'hour'
  return `${calls}/${window}`
}
