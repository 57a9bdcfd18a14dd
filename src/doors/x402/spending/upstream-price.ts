import { decodePaymentRequiredHeader } from '@x402/core/http'
import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'
import type { Network } from '../../../platform/chain/networks.ts'
import { isSameHex } from '../wire/types.ts'

/**
 * Reads the price in an upstream's 402 (x402 v2 or v1), if a wallet of ours can pay it. The upstream is not
 * trusted: we sign only its amount, its recipient and its validity.
 */

/** A reply that asks for a payment. */
export interface Challenge {
  /** By lower-case name, with one value for each line. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly body: Uint8Array
}

export interface UpstreamPrice {
  /** Atomic units. */
  readonly amount: bigint
  readonly payTo: Address
  readonly validSeconds: number
  /**
   * Makes the headers that pay it.
   * @param payload the signed authorization, as JSON.
   */
  readonly header: (payload: object) => Readonly<Record<string, string>>
}

export type PriceReading =
  | { readonly kind: 'payable'; readonly price: UpstreamPrice }
  /** `why` is a part of a sentence. */
  | { readonly kind: 'unpayable'; readonly why: string }

/** Reads the lowest price that we can pay. */
export function readUpstreamPrice(challenge: Challenge, network: Network): PriceReading {
  const options = readV2(challenge) ?? readV1(challenge)
  if (!options) return { kind: 'unpayable', why: 'its 402 names no price in x402 v2 or v1' }
  let left = options
  for (const [what, isMet] of conditions(network)) {
    left = left.filter(isMet)
    if (left.length === 0) return { kind: 'unpayable', why: `it takes no ${what}` }
  }
  const prices = left.map(({ amount, payTo, maxTimeoutSeconds, header }) => ({
    amount: BigInt(amount),
    payTo: getAddress(payTo),
    validSeconds: maxTimeoutSeconds,
    header,
  }))
  const price = prices.reduce((least, one) => (one.amount < least.amount ? one : least))
  return { kind: 'payable', price }
}

/** Longest validity that we sign. Until its end the amount counts as spent. */
const maxSeconds = 86_400

/** Checked in this order: the first condition that no price meets is the reason in the log. */
function conditions(
  network: Network,
): readonly (readonly [what: string, isMet: (option: PaymentOption) => boolean])[] {
  return [
    ['payment by the scheme exact', ({ scheme }) => scheme === 'exact'],
    [`payment on ${network.name}`, ({ network: name }) => name === network.caip2 || name === network.name],
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

/**
 * Whether `exact` means a plain EIP-3009 authorization: other ways move the money through contracts, or
 * before the work.
 */
function isPlain({
  assetTransferMethod = 'eip3009',
  paymentFlow = 'authorization',
}: PaymentOption['extra']): boolean {
  return assetTransferMethod === 'eip3009' && paymentFlow === 'authorization'
}

/** One way to pay, as both versions describe it. */
interface PaymentOption {
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

/** x402 v2 has the prices in a header. */
function readV2({ headers }: Challenge): readonly PaymentOption[] | undefined {
  const [line] = headers['payment-required'] ?? []
  const parsed = v2Schema.safeParse(line && attempt(() => decodePaymentRequiredHeader(line)))
  if (!parsed.success) return undefined
  const { accepts, resource, extensions } = parsed.data
  return accepts.map((accepted) => ({
    ...accepted,
    extra: accepted.extra ?? {},
    // Repeated exactly as the seller wrote it, because sellers compare it with their own.
    header: (payload) => ({
      'payment-signature': encode({ x402Version: 2, resource, accepted, payload, extensions }),
    }),
  }))
}

const v1Schema = z.object({
  x402Version: z.literal(1),
  accepts: z.array(z.object({ ...common, maxAmountRequired: z.string() })),
})

/** x402 v1 has the prices in the body. */
function readV1({ body }: Challenge): readonly PaymentOption[] | undefined {
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

/** @returns undefined for a 402 that cannot be read: it cannot be paid. */
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

/** Reads why an upstream refused a payment, if it says so in a few words. */
export function refusalOf({ headers }: Pick<Challenge, 'headers'>): string | undefined {
  const [line] = headers['payment-required'] ?? []
  const said = z
    .object({ error: z.string().regex(/^[\w .,:-]{1,100}$/) })
    .safeParse(line && attempt(() => decodePaymentRequiredHeader(line)))
  return said.data?.error
}
