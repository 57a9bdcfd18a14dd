import type { Meter } from '../core/catalog/prices.ts'
import type { Use } from '../doors/quota/use.ts'
import { clientOf } from './client-address.ts'
import type { Door } from './policy.ts'

/**
 * Names the quota that a call without a key uses, for the call itself and for `explain`.
 * @param id of the operation.
 * @param address of the caller.
 */
export function freeUse(id: string, { operation }: Door & { kind: 'free' }, address: string): Use {
  const subject = `client:${clientOf(address)}`
  const { free, rate, priced } = operation
  const allowances = free ? [free] : []
  return {
    subject,
    operation: id,
    rate,
    rateOf: `${subject}:${id}`,
    allowances,
    countsUnlimited: false,
    meter: priced?.meter,
  }
}

/** @param meter of the operation. */
export function keyUse(
  id: string,
  { holder: { subject }, tier }: Door & { kind: 'key' },
  meter: Meter | undefined,
): Use {
  const allowances = tier.operations[id] ?? []
  return {
    subject,
    operation: id,
    rate: tier.rate,
    rateOf: subject,
    allowances,
    countsUnlimited: true,
    meter,
  }
}
