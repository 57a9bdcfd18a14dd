import type { Address, Hex } from 'viem'

/**
 * The shapes of payments, whatever envelope they came in. They have x402 v2's names; only the codecs
 * (`headers.ts`, `payment-required.ts`) know the older ones.
 */

/**
 * What the payer signed. Times are Unix seconds. With scheme `exact` it is an EIP-3009
 * `TransferWithAuthorization`; with `upto` a `PermitWitnessTransferFrom` of Permit2, whose `value` is the
 * maximum that may be taken.
 */
export interface Authorization {
  readonly from: Address
  readonly to: Address
  /** Atomic units. */
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  /** 32 bytes. With Permit2, its number as 32 bytes. */
  readonly nonce: Hex
  /** The only account that may settle it. Set with scheme `upto`, and never with another. */
  readonly facilitator?: Address
}

/** An authorization of scheme `upto`. */
export type UptoAuthorization = Authorization & { readonly facilitator: Address }

export function isUpto(authorization: Authorization): authorization is UptoAuthorization {
  return authorization.facilitator !== undefined
}

/**
 * An EIP-2612 permit that lets Permit2 move the payer's tokens, for wallets that cannot pay the gas of an
 * approval.
 */
export interface Permit {
  /** Atomic units; equal to the authorized value, because the proxy refuses any other. */
  readonly value: bigint
  /**
   * The payer's next permit nonce in the token. The signature covers it, and a remote facilitator needs it.
   */
  readonly nonce: bigint
  /** Unix seconds. */
  readonly deadline: bigint
  /** 65 bytes, of a plain wallet. */
  readonly signature: Hex
}

export interface Payment {
  /** The envelope's x402 version, which decides the names in the reply. */
  readonly version: 1 | 2
  readonly authorization: Authorization
  readonly signature: Hex
  /** Comes with the payment and is carried out before it. Only with scheme `upto`. */
  readonly permit?: Permit | undefined
  /** What the client says it accepted. Compared with our own requirement, never used in its place. */
  readonly accepted: Accepted
  /** The payer's name for this purchase, from the extension `payment-identifier`. */
  readonly identifier: string | undefined
}

/** v2 clients repeat the whole requirement they chose; v1 clients name scheme and network only. */
export type Accepted =
  | { readonly version: 1; readonly scheme: string; readonly network: string }
  | {
      readonly version: 2
      readonly scheme: string
      readonly network: string
      readonly amount: string
      readonly asset: string
      readonly payTo: string
      readonly maxTimeoutSeconds: number
      readonly extra: Readonly<Record<string, unknown>>
    }

/** What a call costs and where the money goes: x402 v2's `PaymentRequirements` for one call. */
export interface Requirement {
  readonly scheme: Scheme
  /** CAIP-2. */
  readonly network: `${string}:${string}`
  /** Atomic units; with `upto` the maximum. */
  readonly amount: string
  readonly asset: Address
  readonly payTo: Address
  readonly maxTimeoutSeconds: number
  /** The EIP-712 domain of the asset; with `upto` also the settling account and the method. */
  readonly extra: {
    readonly name: string
    readonly version: string
    readonly assetTransferMethod?: 'permit2'
    readonly facilitatorAddress?: Address
  }
}

/** `exact` moves what was signed, `upto` no more than that. */
export type Scheme = 'exact' | 'upto'

/**
 * Why a payment was refused: a reason for programs and a sentence for people. Our reasons are from the x402
 * specification's list of errors (part 9); a facilitator's are passed on as they come.
 */
export interface Refusal {
  readonly reason: string
  readonly message: string
  /** The only scheme that is still offered to this payer; all of them when left out. */
  readonly offered?: Scheme
  /** When the payment may be accepted; left out when time changes nothing. */
  readonly retryAfterSeconds?: number
  /** Of a wallet contract's payment that takes too much gas: what it needs, and the most for its amount. */
  readonly gas?: { readonly needed: bigint; readonly most: bigint }
}

/**
 * The reasons for a payment whose authorization the chain shows unused: its payer has signed it, and lacks the
 * money or an approval.
 */
export const unusedReasons: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'permit2_allowance_required',
  'permit2_simulation_failed',
])

/** Stands for the reason of a refusal that only asks for another scheme: the payer may still pay. */
export const otherScheme = 'other_scheme'

/** Whether two addresses or hashes are the same, in whatever case they are written. */
export function isSameHex(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
