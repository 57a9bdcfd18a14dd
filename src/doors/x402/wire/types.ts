import type { Address, Hex } from 'viem'

/**
 * One payment, whatever envelope it came in. x402 v2's names are used inside; the codecs at the edge
 * (`headers.ts`, `challenge.ts`) know the older ones.
 */

/**
 * What the payer signed. Times are Unix seconds. Of scheme `exact` it is an EIP-3009 `TransferWithAuthorization`;
 * of scheme `upto` a `PermitWitnessTransferFrom` of Permit2, where `value` is the most that may be taken.
 */
export interface Authorization {
  readonly from: Address
  readonly to: Address
  /** Atomic units. */
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  /** 32 bytes; Permit2's number as such. */
  readonly nonce: Hex
  /** Of scheme `upto`: the account that alone may settle it. Set for these and for no others. */
  readonly facilitator?: Address
}

/** One of scheme `upto`. */
export type UptoAuthorization = Authorization & { readonly facilitator: Address }

export function isUpto(authorization: Authorization): authorization is UptoAuthorization {
  return authorization.facilitator !== undefined
}

/** An EIP-2612 permit that lets Permit2 move the payer's tokens, for wallets that cannot pay the gas of an approval. */
export interface Permit {
  /** Atomic units; the same as is authorized, because the proxy takes no other. */
  readonly value: bigint
  /** The payer's next one in the token. The signature covers it, and a facilitator over HTTP wants to be told. */
  readonly nonce: bigint
  /** Unix seconds. */
  readonly deadline: bigint
  /** 65 bytes: a plain wallet's. */
  readonly signature: Hex
}

export interface Payment {
  /** x402 version of the envelope: it decides which names the answer uses. */
  readonly version: 1 | 2
  readonly authorization: Authorization
  readonly signature: Hex
  /** Came with the payment, to be carried out before it. Of scheme `upto` only. */
  readonly permit?: Permit | undefined
  /** What the client says it accepted. Compared with our own requirement, never used in its place. */
  readonly accepted: Accepted
  /** What the payer calls this purchase, by the extension `payment-identifier`. */
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
  /** Atomic units; with `upto` the most that may be taken. */
  readonly amount: string
  readonly asset: Address
  readonly payTo: Address
  readonly maxTimeoutSeconds: number
  /** The EIP-712 domain of the asset; with `upto` also who settles, and by which means. */
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
 * Why a payment was refused: a reason word and a sentence. Our own words are those of the x402
 * specification's error list (part 9); a facilitator's are passed on as it says them.
 */
export interface Refusal {
  readonly reason: string
  readonly message: string
  /** The only scheme that is still offered to this payer; all of them when left out. */
  readonly offered?: Scheme
}

/** Whether two addresses or hashes are the same, in whatever case they are written. */
export function isSameHex(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
