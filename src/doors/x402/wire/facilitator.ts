import type { Address, Hex } from 'viem'
import type { Payment, Refusal, Requirement } from './types.ts'

/**
 * Who checks payments and moves the money: our own settler, or any x402 facilitator over HTTP.
 */
export interface Facilitator {
  /** Named in logs: "local", or the facilitator's address. */
  readonly id: string
  /**
   * Whether the payment would go through now.
   * @throws PaymentsUnavailable when that cannot be found out.
   */
  verify(payment: Payment, requirement: Requirement): Promise<Verdict>
  /**
   * Moves the money: the requirement's amount, which of an `upto` payment may be less than was signed. May be
   * called again with the same payment and amount: an authorization moves money once.
   * Never throws: an outcome nobody could learn is `unknown`.
   * @param attempt `again` when an earlier one may still be on its way to the chain.
   */
  settle(payment: Payment, requirement: Requirement, attempt: 'first' | 'again'): Promise<Settlement>
  /** Resolves when payments could be settled now. @throws PaymentsUnavailable saying why not. */
  checkReady(): Promise<void>
  /**
   * The account that settles `upto` payments now: payers sign it, and nobody else can settle what they signed.
   * Undefined while it is not known, and where only `exact` is settled.
   */
  readonly uptoAddress: () => Address | undefined
}

export type Verdict =
  | { readonly isValid: true; readonly funds: Funds }
  | { readonly isValid: false; readonly refusal: Refusal }

/** What the payer holds, in atomic units, as of the end of a block: what is taken later is not in it. */
export interface Funds {
  readonly balance: bigint
  readonly block: bigint
}

/** Where the chain shows a transfer. A reorganisation may yet move it to another block, or drop it. */
export interface Inclusion {
  readonly transaction: Hex
  readonly block: { readonly number: bigint; readonly hash: Hex }
}

export type Settlement =
  /** The chain shows the transfer in this transaction. */
  | ({ readonly outcome: 'settled' } & Inclusion)
  /** The chain refuses to move this money; none was taken. */
  | { readonly outcome: 'failed'; readonly refusal: Refusal }
  /** It may move yet. The payer must not be asked to pay again until the chain has answered. */
  | { readonly outcome: 'unknown'; readonly transaction?: Hex; readonly cause: unknown }

/** Payments cannot be checked or settled right now, for a reason on our side. */
export class PaymentsUnavailable extends Error {
  override readonly name = 'PaymentsUnavailable'
}
