import { decodePaymentRequiredHeader } from '@x402/core/http'
import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'
import type { Network } from '../../../platform/chain/networks.ts'
import { isSameHex } from '../wire/types.ts'

/**
 * What an upstream asks for a call, as its 402 says it in x402 v2 or v1: read as far as a wallet of ours could pay it.
 * It is somebody else's word, so nothing of it is signed but the amount, the recipient and for how long it is valid.
 */

/** A reply that asks for a payment. */
export interface Challenge {
  /** By lower-case name, each line by itself. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly body: Uint8Array
}

export interface UpstreamPrice {
  /** Atomic units. */
  readonly amount: bigint
  readonly payTo: Address
  readonly validSeconds: number
  /** @returns the header that pays it. @param payload what was signed, as JSON has it. */
  readonly header: (payload: object) => Readonly<Record<string, string>>
}

/** @returns the least of what it asks that we can pay, or why there is nothing, as a part of a sentence. */
export function readPrice(challenge: Challenge, network: Network): UpstreamPrice | string {
  const asked = readV2(challenge) ?? readV1(challenge)
  if (!asked) return 'it does not say in x402 v2 or v1 what it asks'
  let left = asked
  for (const [what, isSo] of conditions(network)) {
    left = left.filter(isSo)
    if (left.length === 0) return `it takes no ${what}`
  }
  const prices = left.map(({ amount, payTo, maxTimeoutSeconds, header }) => ({
    amount: BigInt(amount),
    payTo: getAddress(payTo),
    validSeconds: maxTimeoutSeconds,
    header,
  }))
  return prices.reduce((least, price) => (price.amount < least.amount ? price : least))
}

/** Longer than that nobody gets to take our money: until then it counts as spent. */
const maxSeconds = 86_400

/** In the order in which they are looked at: the first that nothing meets is why we do not pay. */
function conditions(network: Network): readonly (readonly [what: string, isSo: (asked: Asked) => boolean])[] {
  return [
    ['payment by the scheme exact', ({ scheme }) => scheme === 'exact'],
    [
      `payment on ${network.name}`,
      (asked) => asked.network === network.caip2 || asked.network === network.name,
    ],
    ['payment in USDC', ({ asset }) => isSameHex(asset, network.usdc.address)],
    ['authorization of EIP-3009', ({ extra }) => isPlain(extra)],
    ['amount that can be paid', ({ amount }) => /^[1-9]\d{0,17}$/.test(amount)],
    ['payment to an address', ({ payTo }) => isAddress(payTo, { strict: false })],
    [
      'payment that is valid for a day at most',
      ({ maxTimeoutSeconds: most }) => Number.isInteger(most) && most > 0 && most <= maxSeconds,
    ],
  ]
}

/** Other ways of `exact` move the money through contracts, or before the work is asked for. */
function isPlain({
  assetTransferMethod = 'eip3009',
  paymentFlow = 'authorization',
}: Asked['extra']): boolean {
  return assetTransferMethod === 'eip3009' && paymentFlow === 'authorization'
}

/** What both versions say of one way to pay. */
interface Asked {
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly amount: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra: Readonly<Record<string, unknown>>
  readonly header: UpstreamPrice['header']
}

const common = {
  scheme: z.string(),
  network: z.string(),
  asset: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number(),
  extra: z.record(z.string(), z.unknown()).nullish(),
}

const v2Schema = z.object({
  x402Version: z.literal(2),
  accepts: z.array(z.looseObject({ ...common, amount: z.string() })),
  resource: z.unknown().optional(),
  extensions: z.unknown().optional(),
})

/** What it asks stands in a header. */
function readV2({ headers }: Challenge): readonly Asked[] | undefined {
  const [line] = headers['payment-required'] ?? []
  const parsed = v2Schema.safeParse(line && attempt(() => decodePaymentRequiredHeader(line)))
  if (!parsed.success) return undefined
  const { accepts, resource, extensions } = parsed.data
  return accepts.map((accepted) => ({
    ...accepted,
    extra: accepted.extra ?? {},
    // Said back as it was said to us: sellers compare it with what they asked.
    header: (payload) => ({
      'payment-signature': encode({ x402Version: 2, resource, accepted, payload, extensions }),
    }),
  }))
}

const v1Schema = z.object({
  x402Version: z.literal(1),
  accepts: z.array(z.object({ ...common, maxAmountRequired: z.string() })),
})

/** What it asks stands in the body. */
function readV1({ body }: Challenge): readonly Asked[] | undefined {
  const parsed = v1Schema.safeParse(attempt(() => JSON.parse(Buffer.from(body).toString('utf8'))))
  if (!parsed.success) return undefined
  return parsed.data.accepts.map((accepted) => ({
    ...accepted,
    amount: accepted.maxAmountRequired,
    extra: accepted.extra ?? {},
    header: (payload) => {
      const { scheme, network } = accepted
      return { 'x-payment': encode({ x402Version: 1, scheme, network, payload }) }
    },
  }))
}

/** Undefined where it cannot be read: there is nothing to pay then. */
function attempt(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return undefined
  }
}

function encode(envelope: object): string {
  return Buffer.from(JSON.stringify(envelope)).toString('base64')
}

/** Why it did not take a payment, as far as it says so in a few words. */
export function refusalOf({ headers }: Pick<Challenge, 'headers'>): string | undefined {
  const [line] = headers['payment-required'] ?? []
  const said = z
    .object({ error: z.string().regex(/^[\w .,:-]{1,100}$/) })
    .safeParse(line && attempt(() => decodePaymentRequiredHeader(line)))
  return said.data?.error
}
