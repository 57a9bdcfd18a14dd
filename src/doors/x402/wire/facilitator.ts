import type { Address, Hex } from 'viem'
import { formatUsdc } from '../../../core/money.ts'
import { type Dependency, DependencyDown } from '../../../core/outages.ts'
import type { Held } from '../../ledger/payments.ts'
import type { Payment, Refusal, Requirement } from './types.ts'

/** Verifies payments and moves the money: our own settler, or any x402 facilitator over HTTP. */
export interface Facilitator {
  /** Its name in logs: "local", or the facilitator's address. */
  readonly id: string
  /**
   * Checks whether the payment could be settled now.
   * @throws PaymentsUnavailable when that cannot be found out.
   */
  verify(payment: Payment, requirement: Requirement): Promise<Verdict>
  /**
   * Refuses what needs no verification. At most the code of the payer is looked up, once a minute. A facilitator
   * without it has to verify each payment.
   * @throws PaymentsUnavailable when the code cannot be looked up.
   */
  screen?(payment: Payment): Promise<Screening>
  /**
   * Moves the money: the requirement's amount, which for an `upto` payment may be less than the signed one. A
   * call may be repeated with the same payment and amount, because an authorization moves money once. Never
   * rejects: an outcome that could not be found out is `unknown`.
   * @param attempt `again` when an earlier attempt may still be on its way to the chain.
   * @param held the payment's row, when the caller holds it: another gateway can then settle it.
   */
  settle(
    payment: Payment,
    requirement: Requirement,
    attempt: 'first' | 'again',
    held?: Held,
  ): Promise<Settlement>
  /**
   * Resolves when payments could be settled now.
   * @throws PaymentsUnavailable that says why not.
   */
  checkReady(): Promise<void>
  /**
   * The account that settles `upto` payments now. Payers sign it, and no other account can settle what they
   * signed. Undefined while it is not known, and where only `exact` is settled.
   */
  readonly uptoAddress: () => Address | undefined
  /**
   * Whether it settles `upto` payments that name this account. An account stays able to settle what names it
   * when `uptoAddress` has moved on to another one.
   */
  maySettleFrom(account: Address): boolean
  /** Who settles, as far as it was known at the last check. */
  settlers(): readonly Settlers[]
}

/** The accounts that one facilitator settles from. */
export interface Settlers {
  /** Of the facilitator. */
  readonly id: string
  /** Empty when the facilitator does not name them, or did not answer yet. */
  readonly accounts: readonly SettlerAccount[]
}

export interface SettlerAccount {
  readonly address: Address
  /** Undefined for an account of another operator. */
  readonly gas: GasSupply | undefined
}

/** What an account has for gas. */
export interface GasSupply {
  readonly balanceWei: bigint
  /** How many more payments it can pay for, each sent alone at the present gas price. */
  readonly runwayPayments: bigint
  /** `low`: below the warning threshold. `out`: too little for a full batch, so other accounts go first. */
  readonly state: 'enough' | 'low' | 'out'
}

export type Verdict =
  | { readonly isValid: true; readonly funds: Funds }
  /** @property funds what the payer holds, when that is the reason. */
  | { readonly isValid: false; readonly refusal: Refusal; readonly funds?: Funds }

/** What can be said of a payment before the chain is asked about it. */
export type Screening =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The payer's own key has signed it, a wallet contract is to pay, or only a verification tells. */
  | { readonly kind: 'plain' | 'contract' | 'unknown' }

/** A refusing verdict. */
export function refused(reason: string, message: string): Verdict {
  return { isValid: false, refusal: { reason, message } }
}

export function insufficientFunds(funds: Funds, value: bigint): Verdict {
  return { isValid: false, refusal: tooLittle(funds.balance, value), funds }
}

/** The refusal of a payment that is for more than its payer holds. */
export function tooLittle(balance: bigint, value: bigint): Refusal {
  const message = `the wallet holds ${formatUsdc(balance)} USDC and the payment is for ${formatUsdc(value)} USDC`
  return { reason: 'insufficient_funds', message }
}

/** What the payer holds, in atomic units, at the end of a block; later settlements are not in it. */
export interface Funds {
  readonly balance: bigint
  readonly block: bigint
}

/** Where the chain shows a transfer. A reorganization may still move it to another block, or drop it. */
export interface Inclusion {
  readonly transaction: Hex
  readonly block: { readonly number: bigint; readonly hash: Hex }
}

export type Settlement =
  /** The chain shows the transfer in this transaction. */
  | ({ readonly outcome: 'settled' } & Inclusion)
  /** The chain refuses to move this money; none was taken. `isFinal`: it can never be taken. */
  | { readonly outcome: 'failed'; readonly refusal: Refusal; readonly isFinal?: true }
  /** The money may still move. The payer must not be asked to pay again until the chain shows the outcome. */
  | { readonly outcome: 'unknown'; readonly transaction?: Hex; readonly cause: unknown }

/** What the log calls a time in which payments cannot be taken, for want of gas for example. */
export const payments: Dependency = {
  name: 'payments',
  means: 'prices and paid calls are refused with 503',
}

/** Payments cannot be checked or settled right now, for a reason on our side. */
export class PaymentsUnavailable extends DependencyDown {
  override readonly name = 'PaymentsUnavailable'

  constructor(message: string, options?: ErrorOptions) {
    super(payments, message, options)
  }
}
