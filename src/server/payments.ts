import type { Hex, LocalAccount, PublicClient } from 'viem'
import type { Log } from '../core/log.ts'
import { forgetReplies } from '../doors/ledger/replies.ts'
import { Admissions } from '../doors/x402/door/admissions.ts'
import { createCheck } from '../doors/x402/door/check.ts'
import { createDryRunDoor } from '../doors/x402/door/dry-run.ts'
import { createPayerProofs, type PayerProofs } from '../doors/x402/door/payer-proofs.ts'
import { createPaymentDoor, type Exposure, type PaymentDoor } from '../doors/x402/door/payment.ts'
import { settleLeaseMs } from '../doors/x402/door/purchase.ts'
import { createRecall, type Recall } from '../doors/x402/door/recall.ts'
import type { Recipients } from '../doors/x402/door/recipients.ts'
import { Replays } from '../doors/x402/door/replay.ts'
import { createSignIns } from '../doors/x402/evidence/sign-in.ts'
import { type Adoptions, createAdoptions } from '../doors/x402/recovery/adopt.ts'
import { createFinality } from '../doors/x402/recovery/finality.ts'
import { createReconciliation, type Reconciliation } from '../doors/x402/recovery/reconcile.ts'
import { createRecovery, type Recovery } from '../doors/x402/recovery/recovery.ts'
import { createRefunds, type Refunds } from '../doors/x402/recovery/refund.ts'
import type { Challenges } from '../doors/x402/wire/challenge.ts'
import type { Facilitator } from '../doors/x402/wire/facilitator.ts'
import type { Receipts } from '../doors/x402/wire/receipt.ts'
import type { Offer } from '../doors/x402/wire/requirements.ts'
import type { Books } from '../platform/store/books.ts'

/** The payment door with everything that it needs, put together. */
export interface Payments {
  readonly door: PaymentDoor
  readonly refunds: Refunds
  readonly reconciliation: Reconciliation
  readonly adoptions: Adoptions
  readonly proofs: PayerProofs
  readonly recall: Recall
  /** Work that is done at intervals. */
  readonly chores: readonly Chore[]
}

interface Chore {
  readonly work: () => Promise<unknown>
  readonly everyMs: number
}

interface PaymentsOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly offer: Offer
  readonly recipients: Recipients
  readonly facilitator: Facilitator
  readonly challenges: Challenges
  readonly receipts: Receipts
  readonly exposure: Exposure
  readonly refundAccount: LocalAccount | undefined
  /** Told of transactions that were found on the chain: one of our accounts may have paid their gas. */
  readonly noteGas?: (transaction: Hex, purpose: 'settlement' | 'refund') => Promise<void>
  /** Public address of the paid endpoints. */
  readonly paymentsBaseUrl: string
  readonly whyNotReady: () => string | undefined
  readonly settlementTimeoutMs: number
  readonly maxReplyBytes: number
  /** Payments are verified, and no money is taken. */
  readonly isDryRun: boolean
  readonly log: Log
}

/** How long a copy of a payment that is being settled waits for its outcome. */
const patienceMs = 15_000

export function createPayments(options: PaymentsOptions): Payments {
  const { books, client, offer, facilitator, settlementTimeoutMs, noteGas, log } = options
  const { network } = offer
  const leaseMs = settleLeaseMs(settlementTimeoutMs)

  const account = options.refundAccount
  const refunds = createRefunds({ books, client, network, facilitator, account, noteGas, leaseMs, log })
  const recovery: Recovery = createRecovery({
    books,
    client,
    network,
    facilitator,
    refunds,
    noteGas,
    leaseMs,
    log,
  })
  const finality = createFinality({ books, client, network, log })
  const reconciliation = createReconciliation({ books, client, offer, finality, recovery, log })
  const admissions = new Admissions(options)
  const signIns = createSignIns({ ...options, network, clock: books.clock })
  const proofs = createPayerProofs(network, signIns)
  const replays = new Replays({ ...options, network, recovery, admissions, proofs, patienceMs })
  const check = createCheck({ ...options, clock: books.clock })
  const door = options.isDryRun
    ? createDryRunDoor({ ...options, check, clock: books.clock })
    : createPaymentDoor({ ...options, check, admissions, replays, patienceMs })

  return {
    door,
    refunds,
    reconciliation,
    proofs,
    // A dry run neither serves nor charges what the books hold.
    recall: options.isDryRun ? async () => undefined : createRecall(books, offer),
    adoptions: createAdoptions({ books, client, network, reconciliation, refunds, log }),
    chores: [
      { work: () => recovery.sweep(), everyMs: 5_000 },
      { work: () => reconciliation.advance(), everyMs: 30_000 },
      { work: () => forgetReplies(books, options.maxReplyBytes), everyMs: 60_000 },
    ],
  }
}
