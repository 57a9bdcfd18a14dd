import { setTimeout as pause } from 'node:timers/promises'
import type { DoorOutcome } from '../../../../core/admission.ts'
import { replayRuleOf } from '../../../../core/catalog/replay-rule.ts'
import { formatUsdc } from '../../../../core/money.ts'
import type { Network } from '../../../../platform/chain/networks.ts'
import type { Books } from '../../../../platform/store/books.ts'
import type { PaymentRow } from '../../../../platform/store/rows/payments.ts'
import { findPayment } from '../../../ledger/find-payment.ts'
import { release, takeUpPaid } from '../../../ledger/payments.ts'
import { bindAdopted, isUnbound } from '../../../ledger/reconciling/adopt.ts'
import { createReadPayerSignature, type ReadPayerSignature } from '../../evidence/signature.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import type { Receipts } from '../../wire/receipt.ts'
import type { Admissions } from '../admissions/admissions.ts'
import { isOwedWithoutName, isPublic, type PayerProofs } from '../payer-proofs.ts'
import {
  inProgress,
  keyReused,
  orUnavailable,
  settlementUnknown,
  streamUnpaid,
  tooManyFailures,
} from '../payment-errors.ts'
import { handlerLeaseMs, type Purchase } from '../purchase.ts'
import type { FailedRuns } from '../repeats/failed-runs.ts'
import { signsTransfer, storedReply } from '../stored-reply.ts'
import { payerUnproven, replayed } from './replayed.ts'

interface ReplayOptions {
  readonly books: Books
  readonly recovery: Pick<Recovery, 'finish'>
  readonly admissions: Admissions
  readonly failedRuns: FailedRuns
  readonly receipts: Receipts
  readonly network: Network
  readonly proofs: PayerProofs
  /** How long a copy of an open payment waits for the outcome. */
  readonly patienceMs: number
}

/** Whether the chain shows the authorization of a payment as carried out. */
type ShownNonce = 'unused' | 'used'

/**
 * Answers payments that are in the books already: a copy waits for the outcome of the first, a lost reply is
 * sent again, and a paid call that was never served is served now. Without it a payer whose connection broke
 * would have to pay twice for one run.
 */
export class Replays {
  readonly #options: ReplayOptions
  readonly #readPayerSignature: ReadPayerSignature

  constructor(options: ReplayOptions) {
    this.#options = options
    this.#readPayerSignature = createReadPayerSignature(options.network)
  }

  /**
   * Answers a verified payment that could not be claimed.
   * @param id the payment in the books: this one, or the payer's other one with the same idempotency key.
   * @param nonce what the chain has just shown of the payment of this call; undefined when it was not asked.
   * @returns undefined when it can be claimed by now.
   * @throws GatewayError PAYMENT_REPLAYED, PAYMENT_IN_PROGRESS, SETTLEMENT_UNKNOWN, IDEMPOTENCY_KEY_REUSED.
   */
  async answer(purchase: Purchase, id: string, nonce?: ShownNonce): Promise<DoorOutcome | undefined> {
    const deadline = performance.now() + this.#options.patienceMs
    let isPayer: boolean | undefined
    for (let waitMs = 25; ; waitMs = Math.min(waitMs * 2, 500)) {
      const row = await orUnavailable(() => findPayment(this.#options.books, id))
      if (!row) return undefined
      if (isUnbound(row)) {
        await this.#bind(row, purchase)
        continue
      }
      const isOtherRequest = row.requestHash !== purchase.wanted.requestHash
      const isOtherPayment = row.id !== purchase.wanted.id
      if (isOtherPayment && isCollected(row)) throw isOtherRequest ? keyReused(row) : streamUnpaid(row)
      // The signature of a failed payment is public on the chain, but its name and its request are not: it stays
      // bound to those. The name comes first, so that a stranger does not learn whether a guessed request is right.
      if (row.state === 'failed' && !isOtherPayment && isOtherName(row, purchase)) {
        throw replayed(row, 'other name')
      }
      if (row.state === 'failed' && isOtherRequest) throw replayed(row, 'other request')
      if (isFree(row, this.#options.books.clock.now())) return undefined
      // Looked at once: a copy that came while the payment was a secret keeps its right while it waits.
      isPayer ??= (await this.#isSecretYet(row, purchase, nonce)) || (await this.mayHaveReply(row, purchase))
      if (!isPayer && !isOwedWithoutName(row)) {
        throw payerUnproven(row, this.#options.proofs.challenge(row.id))
      }
      if (isOtherRequest) throw isOtherPayment ? keyReused(row) : replayed(row, 'other request')
      const outcome = await this.#answerFrom(row, purchase)
      if (outcome) return outcome
      if (performance.now() > deadline) {
        throw row.state === 'claimed' || row.state === 'paid' ? inProgress(id) : settlementUnknown(id)
      }
      await pause(waitMs)
    }
  }

  /**
   * Whether only the payer can have made this call. The payment itself proves it as long as it was never published.
   * A second payment for the same purchase proves it, too, while the chain shows it unused and it was never handed
   * out.
   */
  async #isSecretYet(row: PaymentRow, { wanted }: Purchase, nonce: ShownNonce | undefined): Promise<boolean> {
    // Another account has submitted the payment, so it is public.
    if (nonce === 'used') return false
    if (row.id === wanted.id) return !isPublic(row)
    if (nonce === undefined) return false
    const own = await orUnavailable(() => findPayment(this.#options.books, wanted.id))
    return own === undefined || !isPublic(own)
  }

  /** Whether the caller may have a reply of a payment whose signature others may know. */
  async mayHaveReply(row: PaymentRow, purchase: Purchase): Promise<boolean> {
    const { endpoint, operation, idempotencyKey: name, signIn } = purchase
    if (replayRuleOf(endpoint, operation) === 'anyone_with_payment') return true
    return this.#options.proofs.isProven(row, { name, signIn })
  }

  /** @returns undefined while the outcome is open. */
  async #answerFrom(row: PaymentRow, purchase: Purchase): Promise<DoorOutcome | undefined> {
    const { books, receipts } = this.#options
    const isAbandoned = row.leaseUntil.getTime() < books.clock.now()
    switch (row.state) {
      case 'settled':
      case 'final':
      case 'refunding':
      case 'refunded': {
        const reply = storedReply(row, purchase, receipts)
        if (!reply) throw replayed(row, 'no reply')
        return { kind: 'answered', reply }
      }
      case 'paid':
        return isAbandoned ? this.#takeUp(row, purchase) : undefined
      case 'served':
      case 'settling':
        if (isAbandoned) await this.#finish(row.id)
        return undefined
      // A claim waits for its run; `answer` does not come here with payments that are free.
      case 'claimed':
      case 'released':
      case 'failed':
        return undefined
    }
  }

  /**
   * Binds an adopted payment to this call, unless another call is faster. The chain shows everybody its
   * signature, so a call with it need not be the payer's. It may therefore neither buy nor renew a key, which
   * a thief could keep using.
   */
  async #bind(row: PaymentRow, { endpoint, requirement, payment, wanted }: Purchase): Promise<void> {
    if (!signsTransfer(payment, row, this.#readPayerSignature)) throw replayed(row, 'other signature')
    if (endpoint.tierOf) throw replayed(row, 'adopted', noKey)
    const price = BigInt(requirement.amount)
    if (price > row.amount) {
      const problem = `it is of ${formatUsdc(row.amount)} USDC, and this call costs ${formatUsdc(price)}`
      throw replayed(row, 'adopted', problem)
    }
    const { id, operation, requestHash, version } = wanted
    await orUnavailable(() =>
      bindAdopted(this.#options.books, { id, operation, requestHash, version }, price),
    )
  }

  async #takeUp(row: PaymentRow, purchase: Purchase): Promise<DoorOutcome | undefined> {
    const { books, admissions, failedRuns } = this.#options
    const held = await takeUpPaid(books, row.id, handlerLeaseMs(purchase.operation))
    if (!held || !row.transaction) return undefined
    const run = await failedRuns.take(row)
    if (!run) {
      await release(books, held)
      throw failedRuns.refusal(row) ?? tooManyFailures(0)
    }
    const amount = row.scheme === 'upto' ? row.amount : undefined
    const transfer = { transaction: row.transaction, at: row.settledAt ?? row.updatedAt, amount }
    return run.follow(Promise.resolve(admissions.openPaid(purchase, held, transfer)))
  }

  async #finish(id: string): Promise<void> {
    try {
      await this.#options.recovery.finish(id, 'payer')
    } catch (cause) {
      throw settlementUnknown(id, cause)
    }
  }
}

/** Whether a payment may be claimed: no worker holds it, and no money was taken for it. */
export function isFree({ state, leaseUntil }: PaymentRow, now: number): boolean {
  if (state === 'claimed') return leaseUntil.getTime() < now
  return state === 'released' || state === 'failed'
}

/** Whether a purchase was made under a name, and this call has none or another one. */
function isOtherName({ idempotencyKey }: PaymentRow, { wanted }: Purchase): boolean {
  return idempotencyKey !== null && idempotencyKey !== wanted.idempotencyKey
}

/** Whether the reply was delivered as a stream, and its money is asked for again after the transfer failed. */
function isCollected({ state, collectAt }: PaymentRow): boolean {
  return state === 'failed' && collectAt !== null
}

const noKey =
  'a payment that was adopted from the chain neither buys nor renews a key, because its signature is public there: ask the operator for the key, or for a refund'
