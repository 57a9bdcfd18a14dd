import type { Address, Hex, LocalAccount, PublicClient } from 'viem'
import { GatewayError } from '../../../core/errors.ts'
import type { Log } from '../../../core/log.ts'
import { formatUsdc } from '../../../core/money.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import { recordInclusion } from '../../ledger/finality.ts'
import { findPayment } from '../../ledger/find-payment.ts'
import {
  beginRefund,
  leaveRefund,
  markRefunded,
  postponeRefund,
  type RefundTerms,
  recordSigning,
  refundAmountOf,
} from '../../ledger/refunds.ts'
import { takeOver } from '../../ledger/unfinished.ts'
import { arrivalOf, findAuthorizationState, isPast } from '../evidence/authorization-state.ts'
import { readFunds } from '../evidence/funds.ts'
import { lacksGas } from '../evidence/lacks-gas.ts'
import { authorizationTypedData } from '../evidence/typed-data.ts'
import { type Facilitator, PaymentsUnavailable, type Settlement, type Verdict } from '../wire/facilitator.ts'
import { isSameHex, type Payment } from '../wire/types.ts'
import { readRow } from './payment-row.ts'
import { refundAuthorization, refundRequirement, refundValiditySeconds } from './refund-authorization.ts'
import { requireFinal } from './require-final.ts'

/**
 * Gives the money of payments back. A refund is an authorization like the payment itself, signed by the
 * operator's refund account. The token carries it out once, however often it is signed, sent, interrupted and
 * begun again.
 */
export interface Refunds {
  /**
   * Refunds a payment, or continues a refund that was begun. A payment is refunded once: a second refund, for
   * another amount, is refused.
   * @param id the payment's id.
   * @param terms a payment that the chain may still drop is refunded only with `beforeFinal`.
   * @returns `refunding` with the reason while the money is not back yet; the sweep continues it.
   * @throws GatewayError NOT_FOUND, REFUND_IMPOSSIBLE, PAYMENT_NOT_FINAL.
   */
  refund(id: string, terms?: RefundTerms & { readonly beforeFinal?: boolean | undefined }): Promise<Refund>
  /**
   * Resolves when this gateway could pay back so much now, in atomic units.
   * @throws GatewayError REFUND_IMPOSSIBLE.
   */
  requireFunds(amount: bigint): Promise<void>
  /** Continues a refund that this worker has taken over. Does not reject for any outcome on the chain. */
  resume(row: PaymentRow): Promise<void>
}

export interface Refund {
  readonly state: 'refunding' | 'refunded'
  /** Atomic units. */
  readonly amount: bigint
  readonly reason: string | null
  readonly transaction: string | null
  readonly failure: string | null
  /** The money was back before this request, which moved none. */
  readonly alreadyRefunded: boolean
}

interface RefundOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly network: Network
  readonly facilitator: Facilitator
  /** The account that pays refunds; without it this gateway pays none. */
  readonly account: LocalAccount | undefined
  /** Told of transactions that were found on the chain: one of our accounts may have paid their gas. */
  readonly noteGas?: ((transaction: Hex, purpose: 'refund') => Promise<void>) | undefined
  readonly leaseMs: number
  readonly log: Log
}

type RefundAttempt =
  | Settlement
  /** Nothing was sent, for a reason that the operator can read. */
  | { readonly outcome: 'waiting'; readonly why: string }
  /** This gateway has no account to pay it from; another one may. */
  | { readonly outcome: 'left' }

export function createRefunds(options: RefundOptions): Refunds {
  return new PaymentRefunds(options)
}

class PaymentRefunds implements Refunds {
  readonly #options: RefundOptions

  constructor(options: RefundOptions) {
    this.#options = options
  }

  async refund(id: string, { beforeFinal = false, ...terms }: Parameters<Refunds['refund']>[1] = {}) {
    const { books, network, account, leaseMs } = this.#options
    const known = await findPayment(books, id)
    if (!known) throw new GatewayError('NOT_FOUND')
    const amount = terms.amount ?? known.amount
    if (amount > known.amount) throw impossible(`only ${formatUsdc(known.amount)} USDC were taken for it`)
    if (isBegun(known)) requireSameAmount(known, amount)
    if (known.state === 'refunded') return { ...refundOf(known), alreadyRefunded: true }
    if (!this.#isOurs(known)) throw impossible(elsewhere)
    if (!account) throw impossible(noAccount)
    if (!beforeFinal) await requireFinal(known, this.#options)
    const row = isBegun(known)
      ? await takeOver(books, network.chainId, id, leaseMs)
      : await this.#begin(known, account, { ...terms, amount })
    if (row) await this.resume(row)
    const after = await findPayment(books, id)
    if (!after || !isBegun(after)) throw impossible(whyNot(after, amount))
    // Of two operators who ask for different amounts at the same time, one gets this error.
    requireSameAmount(after, amount)
    return refundOf(after)
  }

  async requireFunds(amount: bigint): Promise<void> {
    const { account } = this.#options
    if (!account) throw impossible(noAccount)
    const problem = await this.#whyTooPoor(account.address, amount)
    if (problem) throw impossible(problem)
  }

  async resume(row: PaymentRow): Promise<void> {
    const { books, log } = this.#options
    let attempt: RefundAttempt
    try {
      attempt = await this.#pay(row)
    } catch (cause) {
      attempt = { outcome: 'unknown', cause }
    }
    switch (attempt.outcome) {
      case 'settled':
        await markRefunded(books, row, attempt.transaction)
        log.info({ payment: row.id, transaction: attempt.transaction }, 'a payment is refunded')
        return
      case 'failed':
        await postponeRefund(books, row, attempt.refusal.message)
        log.warn({ payment: row.id, reason: attempt.refusal.reason }, 'a refund was refused')
        return
      case 'waiting':
        await postponeRefund(books, row, attempt.why)
        log.warn({ payment: row.id, why: attempt.why }, 'a refund has to wait')
        return
      case 'left':
        await leaveRefund(books, row, noAccount)
        log.debug({ payment: row.id }, 'a refund is left to a gateway that can pay it')
        return
      case 'unknown':
        await postponeRefund(books, row, 'the outcome is not known yet')
        log.error({ payment: row.id, err: attempt.cause }, 'the outcome of a refund is unknown')
    }
  }

  /** Asks the chain first: a refund that was carried out is not sent again, whichever account signed it. */
  async #pay(row: PaymentRow): Promise<RefundAttempt> {
    const { client, network, account, noteGas } = this.#options
    const { refundFrom, refundUntil } = row
    if (refundFrom === null || refundUntil === null) throw new Error('this refund was never begun')
    if (!this.#isOurs(row)) return waiting(elsewhere)
    const state = await findAuthorizationState(
      client,
      network.usdc.address,
      refundAuthorization(row, refundFrom, refundUntil),
    )
    const amount = refundAmountOf(row)
    const arrival = arrivalOf(state, amount)
    if (arrival) {
      void noteGas?.(arrival.transaction, 'refund')
      return { outcome: 'settled', ...arrival }
    }
    if (state.kind !== 'unused') return waiting(`its nonce is ${state.kind} on the chain`)
    if (!account) return { outcome: 'left' }
    if (refundFrom !== account.address && !(await isPast(client, refundUntil))) {
      return waiting('a refund that another account has signed may still be carried out')
    }
    if (!(await this.#isReceived(row))) return waiting('the chain does not show the payment itself any more')
    const problem = await this.#whyTooPoor(account.address, amount)
    if (problem) return waiting(problem)
    // The validity counts from the chain's time, by which the token judges it.
    return this.#send(row, account, state.now + refundValiditySeconds)
  }

  async #send(row: PaymentRow, account: LocalAccount, until: bigint): Promise<RefundAttempt> {
    const { books, network, facilitator } = this.#options
    // Recorded before the signature is made: from the signature on, the money may leave.
    const signing = { refundFrom: account.address, refundUntil: until }
    if (!(await recordSigning(books, row, signing))) throw new Error('another worker continues this refund')
    const authorization = refundAuthorization(row, signing.refundFrom, signing.refundUntil)
    const signature = await account.signTypedData(authorizationTypedData(authorization, network))
    const requirement = refundRequirement(authorization, network)
    const accepted = { version: 2, ...requirement } as const
    const payment: Payment = { version: 2, accepted, authorization, signature, identifier: undefined }
    // The token refuses some transfers, such as those to a blocked payer, and each attempt would burn gas.
    let verdict: Verdict
    try {
      verdict = await facilitator.verify(payment, requirement)
    } catch (cause) {
      if (cause instanceof PaymentsUnavailable) return waiting(`it was not sent: ${cause.message}`)
      throw cause
    }
    if (!verdict.isValid) return waiting(verdict.refusal.message)
    const attempt = await facilitator.settle(payment, requirement, 'again')
    if (attempt.outcome !== 'unknown' || attempt.transaction !== undefined) return attempt
    const { cause } = attempt
    if (lacksGas(cause)) return waiting('it was not sent: the settlement account has no ETH for gas')
    return cause instanceof PaymentsUnavailable ? waiting(`it was not sent: ${cause.message}`) : attempt
  }

  async #begin(
    row: PaymentRow,
    { address }: LocalAccount,
    terms: RefundTerms & { readonly amount: bigint },
  ): Promise<PaymentRow | undefined> {
    const { books, leaseMs } = this.#options
    const problem = await this.#whyNotBegin(row, address, terms.amount)
    if (problem) throw impossible(problem)
    // Zero, because nothing was signed yet.
    return beginRefund(books, row.id, { refundFrom: address, refundUntil: 0n }, leaseMs, terms)
  }

  /**
   * Asks the chain first: books that were restored from a backup may lack a refund that was paid since. It is
   * then only recorded, and needs no money.
   */
  async #whyNotBegin(row: PaymentRow, address: Address, amount: bigint): Promise<string | undefined> {
    const { client, network } = this.#options
    const authorization = refundAuthorization({ ...row, refundAmount: amount }, address, 0n)
    const state = await findAuthorizationState(client, network.usdc.address, authorization)
    if (arrivalOf(state, amount)) return undefined
    return state.kind === 'unused' ? this.#whyTooPoor(address, amount) : refundedBefore(address, amount)
  }

  async #whyTooPoor(address: Address, amount: bigint): Promise<string | undefined> {
    const { client, network } = this.#options
    const { balance } = await readFunds(client, network.usdc.address, address)
    return balance < amount
      ? `the refund account ${address} holds ${balance} of ${amount} atomic units`
      : undefined
  }

  /**
   * Whether the payment was made in this network's token: a payment in test tokens must not be refunded in
   * money.
   */
  #isOurs({ chainId, asset }: PaymentRow): boolean {
    const { network } = this.#options
    return chainId === network.chainId && isSameHex(asset, network.usdc.address)
  }

  /** Whether the money is still here: a reorganization may have dropped the payment since it was settled. */
  async #isReceived(row: PaymentRow): Promise<boolean> {
    const { books, client, network } = this.#options
    if (row.blockNumber !== null) {
      const block = await client.getBlock({ blockNumber: row.blockNumber, includeTransactions: false })
      if (block.hash === row.blockHash) return true
    }
    const { payment } = readRow(row, network)
    const state = await findAuthorizationState(client, network.usdc.address, payment.authorization)
    const arrival = arrivalOf(state, row.amount)
    if (!arrival) return false
    await recordInclusion(books, row, { ...arrival, at: new Date(books.clock.now()) })
    return true
  }
}

const noAccount = 'no account of this gateway pays refunds: set REFUND_KEY'
const elsewhere = 'the payment was made on another network, or in another token'

function waiting(why: string): RefundAttempt {
  return { outcome: 'waiting', why }
}

function refundedBefore(address: Address, amount: bigint): string {
  return `the chain shows a refund of this payment by ${address} that is not of ${formatUsdc(amount)} USDC: if the books were restored from a backup, pass the amount that was refunded`
}

function isBegun({ state }: PaymentRow): boolean {
  return state === 'refunding' || state === 'refunded'
}

/** @throws GatewayError REFUND_IMPOSSIBLE. */
function requireSameAmount(row: PaymentRow, amount: bigint): void {
  const begun = refundAmountOf(row)
  if (begun === amount) return
  throw impossible(
    `it has a refund of ${formatUsdc(begun)} USDC already, so another one of ${formatUsdc(amount)} USDC is not made`,
  )
}

/** Why a payment in this state cannot be refunded. */
function whyNot(row: PaymentRow | undefined, amount: bigint): string {
  if (row?.state !== 'paid') {
    return `the payment is ${row?.state ?? 'gone'}, so there is no money of it to give back`
  }
  return row.amount === amount
    ? 'the payment is being served now'
    : 'the payment is not served yet, so only the whole of it can go back'
}

function refundOf(row: PaymentRow): Refund {
  const { state, refundReason, refundTransaction, failure } = row
  return {
    state: state === 'refunded' ? 'refunded' : 'refunding',
    amount: refundAmountOf(row),
    reason: refundReason,
    transaction: refundTransaction,
    failure,
    alreadyRefunded: false,
  }
}

function impossible(problem: string): GatewayError {
  return new GatewayError('REFUND_IMPOSSIBLE', { problem })
}
