import { z } from 'zod'

/**
 * How the file says that a facilitator shall list an operation. A facilitator lists only what it has settled itself,
 * and drops it a while later, so one payment in so many days goes through it.
 */
export interface Listing {
  /** `cdp` for Coinbase’s, or the address of another one, without a trailing slash. */
  readonly facilitator: string
  readonly everyDays: number
}

/** After so many days without a settlement, facilitators drop what they have listed. */
export const keptDays = 30

export const listing = z
  .strictObject({
    facilitator: z
      .string()
      .refine(isFacilitator, {
        error:
          'must be cdp (Coinbase), or the https address of another x402 facilitator; the built-in one lists nothing',
      })
      .transform((name) => name.replace(/\/+$/, ''))
      .describe(
        'Who lists it: `cdp` for Coinbase’s Bazaar, or the address of another x402 facilitator that has a catalog.',
      ),
    every: z
      .string()
      .regex(/^[1-9][0-9]{0,2}d$/, { error: 'must be a number of days above zero, like 14d' })
      .describe(
        `One payment in so many days is settled by that facilitator. It drops what it has not settled for ${keptDays} days.`,
      ),
  })
  .transform(({ facilitator, every }): Listing => ({ facilitator, everyDays: Number.parseInt(every, 10) }))

/** An address on this machine may do without TLS, for tests. */
function isFacilitator(name: string): boolean {
  if (name === 'cdp') return true
  const address = URL.parse(name)
  if (!address || [address.username, address.search, address.hash].some((part) => part !== '')) return false
  return (
    address.protocol === 'https:' ||
    (address.protocol === 'http:' && /^(?:127\.|localhost$)/.test(address.hostname))
  )
}
