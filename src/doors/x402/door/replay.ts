import { setTimeout as pause } from 'node:timers/promises'
import type { DoorOutcome } from '../../../core/admission.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/schema.ts'
import { findPayment, findPurchase } from '../../ledger/find-payment.ts'
import { takeUpPaid } from '../../ledger/payments.ts'
import { createReadPayerSignature } from '../evidence/signature.ts'
import type { Recovery } from '../recovery/recovery.ts'
import type { Challenges } from '../wire/challenge.ts'
import type { Receipts } from '../wire/receipt.ts'
import type { Refusal } from '../wire/types.ts'
import type { Admissions } from './admission.ts'
import { inProgress, keyReused, replayed, settlementUnknown, unavailable } from './payment-errors.ts'
import { handlerLeaseMs, type Purchase } from './purchase.ts'
import { provesOwnership, storedReply } from './stored-reply.ts'

/**
 * Answers payments that are in the books already: a copy waits for the outcome of the first, a lost
 * reply is given again, and what was paid and never served is served now. Without it a payer whose
 * connection broke would have to pay twice for one run.
 */
export interface Replays {
  /**
   * Answers a verified payment that could not be claimed.
   * @param id the payment in the books: this one, or the payer's other one with the same idempotency key.
   * @returns undefined when it may be claimed afresh by now.
   * @throws GatewayError PAYMENT_REPLAYED, PAYMENT_IN_PROGRESS, SETTLEMENT_UNKNOWN, IDEMPOTENCY_KEY_REUSED.
   */
  answer(purchase: Purchase, id: string): Promise<DoorOutcome | undefined>
  /**
   * Answers a payment that would not go through now, because it is too old, used, or nothing can be
   * checked at the moment: it may be known all the same.
   * @param refusal why it would not go through; undefined when that could not be found out.
   * @returns undefined when the books hold nothing for it.
   */
  afterRefusal(purchase: Purchase, refusal: Refusal | undefined): Promise<DoorOutcome | undefined>
}

interface ReplayOptions {
  readonly books: Books
  readonly recovery: Recovery
  readonly admissions: Admissions
  readonly challenges: Challenges
  readonly receipts: Receipts
  readonly network: Network
  /** How long a copy of a payment in flight waits for its outcome. */
  readonly patienceMs: number
}

export function createReplays(options: ReplayOptions): Replays {
  const { books, recovery, admissions, challenges, receipts, network, patienceMs } = options
  const readPayerSignature = createReadPayerSignature(network)

  async function answer(purchase: Purchase, id: string): Promise<DoorOutcome | undefined> {
    const patience = performance.now() + patienceMs
    for (let wait = 25; ; wait = Math.min(wait * 2, 500)) {
      const row = await find(() => findPayment(books, id))
      if (!row) return undefined
      const isOther = row.requestHash !== purchase.wanted.requestHash
      // Its signature is on the chain for everybody to read; the request it came with is not.
      if (row.state === 'failed' && isOther) throw replayed(row)
      if (isFree(row)) return undefined
      if (isOther && id !== purchase.wanted.id) throw keyReused(row)
      const abandoned = row.leaseUntil.getTime() < books.clock.now()
      switch (row.state) {
        case 'paid': {
          // By now anyone can read the signature on the chain: what is owed is owed to the request it came with.
          if (isOther) throw replayed(row)
          if (!abandoned) break
          const held = await takeUpPaid(books, id, handlerLeaseMs(purchase.operation))
          if (held && row.transaction) {
            const amount = row.scheme === 'upto' ? row.amount : undefined
            const taken = { transaction: row.transaction, at: row.settledAt ?? row.updatedAt, amount }
            return { kind: 'admitted', admission: admissions.owed(purchase, held, taken) }
          }
          break
        }
        case 'settled':
        case 'final':
        case 'refunding':
        case 'refunded': {
          if (isOther) throw replayed(row)
          const reply = storedReply(row, purchase, receipts)
          if (!reply) throw replayed(row)
          return { kind: 'answered', reply }
        }
        case 'served':
        case 'settling':
          if (isOther) throw replayed(row)
          if (abandoned) await finish(id)
          break
        default:
          if (isOther) throw replayed(row)
      }
      if (performance.now() > patience) {
        throw row.state === 'claimed' || row.state === 'paid' ? inProgress(id) : settlementUnknown(id)
      }
      await pause(wait)
    }
  }

  async function afterRefusal(
    purchase: Purchase,
    refusal: Refusal | undefined,
  ): Promise<DoorOutcome | undefined> {
    const { id, payer, idempotencyKey: key } = purchase.wanted
    const own = await find(() => findPayment(books, id))
    const bought = key === null ? undefined : await find(() => findPurchase(books, payer, key))
    const known = own ?? bought
    if (!known) return undefined
    if (!provesOwnership(purchase.payment, known, readPayerSignature)) {
      const word = notThePayer.find((reason) => reason === refusal?.reason)
      if (word) {
        const told = { reason: word, message: 'the signature is not the payer’s' }
        const reply = challenges.refused(purchase.endpoint, purchase.operation, told)
        return { kind: 'answered', reply }
      }
      // A wallet contract may have signed this, and only the chain could tell. Nobody is sent away to
      // pay anew for what may be paid: what is told is what anybody may read about a payment.
      if (isFree(known)) return undefined
      throw known.state === 'claimed'
        ? inProgress(known.id)
        : known.transaction
          ? replayed(known)
          : settlementUnknown(known.id)
    }
    if (own && (!isFree(own) || (refusal && (await hasArrived(own))))) return answer(purchase, own.id)
    // This payment came to nothing, which says nothing about the one that bought under its key.
    return bought && !isFree(bought) ? answer(purchase, bought.id) : undefined
  }

  /** Whether it may be claimed: nobody works on it, and no money was taken for it. */
  function isFree({ state, leaseUntil }: PaymentRow): boolean {
    if (state === 'claimed') return leaseUntil.getTime() < books.clock.now()
    return state === 'released' || state === 'failed'
  }

  /** Somebody else may have carried out what was given up here. */
  async function hasArrived(row: PaymentRow): Promise<boolean> {
    try {
      return await recovery.findArrival(row)
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  async function find(look: () => Promise<PaymentRow | undefined>): Promise<PaymentRow | undefined> {
    try {
      return await look()
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  async function finish(id: string): Promise<void> {
    try {
      await recovery.finish(id, 'payer')
    } catch (cause) {
      throw settlementUnknown(id, cause)
    }
  }

  return { answer, afterRefusal }
}

/** Of scheme `exact` and of `upto`. */
const notThePayer = ['invalid_exact_evm_payload_signature', 'invalid_permit2_signature']
