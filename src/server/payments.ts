import type { Hex, LocalAccount, PublicClient } from 'viem'
import type { Log } from '../core/log.ts'
import { findPayment } from '../doors/ledger/find-payment.ts'
import { forgetReplies } from '../doors/ledger/replies.ts'
import type { LeftToOthers } from '../doors/ledger/unfinished.ts'
import { forgetUnpaid } from '../doors/ledger/unpaid/forget-unpaid.ts'
import { forgetPayers } from '../doors/ledger/unpaid/payers.ts'
import { forgetRuns } from '../doors/ledger/unpaid/released-runs.ts'
import { forgetWalletRecords } from '../doors/ledger/wallets/wallet-records.ts'
import { Admissions } from '../doors/x402/door/admissions/admissions.ts'
import { RunningStreams } from '../doors/x402/door/admissions/running-streams.ts'
import { RecordedPayments } from '../doors/x402/door/answers/recorded.ts'
import { Replays } from '../doors/x402/door/answers/replay.ts'
import { UnpaidAnswers } from '../doors/x402/door/answers/unpaid-answers.ts'
import { createCheck } from '../doors/x402/door/check.ts'
import { createDryRunDoor } from '../doors/x402/door/dry-run.ts'
import { createCompare, createFirstLook } from '../doors/x402/door/first-look.ts'
import { guardDoor } from '../doors/x402/door/guarded-door.ts'
import { ListingTurns } from '../doors/x402/door/listing/listing-turns.ts'
import { createPayerProofs, type PayerProofs } from '../doors/x402/door/payer-proofs.ts'
import { createPaymentDoor, type Exposure, type PaymentDoor } from '../doors/x402/door/payment.ts'
import { createPurchase, idOf, settleLeaseMs } from '../doors/x402/door/purchase.ts'
import { createRecall, type Recall } from '../doors/x402/door/recall.ts'
import type { PaymentRecipients } from '../doors/x402/door/recipients.ts'
import { RefusalGuard } from '../doors/x402/door/refusal-guard.ts'
import type { RefusedPayments } from '../doors/x402/door/refused-payments.ts'
import { createFailedRuns } from '../doors/x402/door/repeats/failed-runs.ts'
import { KeptRefusals } from '../doors/x402/door/repeats/kept-refusals.ts'
import { createScreen } from '../doors/x402/door/turns/screen.ts'
import { createVerificationSlots } from '../doors/x402/door/verification-slots.ts'
import { createSignIns } from '../doors/x402/evidence/sign-in.ts'
import { createReadPayerSignature } from '../doors/x402/evidence/signature.ts'
import { type Adoptions, createAdoptions } from '../doors/x402/recovery/adopt.ts'
import { collectFailed } from '../doors/x402/recovery/collect.ts'
import { createFinality } from '../doors/x402/recovery/finality.ts'
import { createReconciliation, type Reconciliation } from '../doors/x402/recovery/reconcile.ts'
import { createRecovery, type Recovery } from '../doors/x402/recovery/recovery.ts'
import { createRefunds, type Refunds } from '../doors/x402/recovery/refund.ts'
import type { Challenges } from '../doors/x402/wire/challenge.ts'
import type { Facilitator } from '../doors/x402/wire/facilitator.ts'
import type { Receipts } from '../doors/x402/wire/receipt.ts'
import type { Offer } from '../doors/x402/wire/requirements.ts'
import type { Books } from '../platform/store/books.ts'
import type { ListingSettlement } from './listing.ts'

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
  readonly recipients: PaymentRecipients
  /** What our recovery leaves to gateways that hold other accounts. */
  readonly leftToOthers?: (() => LeftToOthers) | undefined
  readonly facilitator: Facilitator
  /** Undefined where none is listed. */
  readonly listing?: ListingSettlement
  readonly challenges: Challenges
  readonly receipts: Receipts
  readonly exposure: Exposure
  readonly refused: RefusedPayments
  /** How many runs of one payer may fail at a time by the payer's making, without being charged. */
  readonly maxFailedRuns: number
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

const noBytes = new Uint8Array()

/** How long a copy of a payment that is being settled waits for its outcome. */
const patienceMs = 15_000

export function createPayments(options: PaymentsOptions): Payments {
  const { books, client, offer, facilitator, settlementTimeoutMs, noteGas, leftToOthers, log } = options
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
    leftToOthers,
    leaseMs,
    log,
  })
  const finality = createFinality({ books, client, network, log })
  const reconciliation = createReconciliation({ books, client, offer, finality, recovery, log })
  const streams = new RunningStreams(client, network.usdc.address, log)
  const listingTurns =
    options.listing && new ListingTurns({ ...options, ...options.listing, chainId: network.chainId })
  const admissions = new Admissions({ ...options, streams, listingTurns })
  const failedRuns = createFailedRuns({ books, maxRuns: options.maxFailedRuns, log })
  const signIns = createSignIns({ ...options, network, clock: books.clock })
  const proofs = createPayerProofs(network, signIns)
  const replays = new Replays({ ...options, network, recovery, admissions, failedRuns, proofs, patienceMs })
  const recorded = new RecordedPayments({ ...options, network, recovery, replays, proofs })
  const refusals = new KeptRefusals(books.clock)
  const answers = new UnpaidAnswers({ ...options, recorded, refusals })
  const readPayerSignature = createReadPayerSignature(network)
  const runVerification = createVerificationSlots({ readPayerSignature })
  const { clock } = books
  const compare = createCompare({ offer, clock, settlementTimeoutMs })
  const firstLook = createFirstLook({ compare, refusals, whyNotReady: options.whyNotReady })
  const guard = new RefusalGuard({
    refused: options.refused,
    readPayerSignature,
    // As the door compares it: a payment may also name an account that another gateway asks for, or did just now.
    async fits(call) {
      const purchase = createPurchase(
        { ...call, body: noBytes },
        await options.recipients.offerFor(call.payment),
      )
      return compare(purchase) === undefined
    },
    isRecorded: async ({ payment }) => (await findPayment(books, idOf(payment, network))) !== undefined,
  })
  const check = createCheck({ firstLook, facilitator, refusals, runVerification, guard, clock, log })
  const screen = createScreen({ firstLook, refusals, readPayerSignature, facilitator, clock })
  const open = options.isDryRun
    ? createDryRunDoor({ ...options, check, clock })
    : createPaymentDoor({
        ...{ ...options, check, screen, refusals, admissions, replays, answers, failedRuns, patienceMs },
      })
  const door = guardDoor(open, guard)

  /** A payment is forgotten only when its transfer would have been found. */
  const compareAndForget = async () => {
    if (!(await reconciliation.advance())) return
    await forgetUnpaid(books, { chainId: network.chainId, asset: network.usdc.address.toLowerCase() })
  }

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
      { work: () => collectFailed({ books, client, network, recovery, log }), everyMs: 5_000 },
      // Two blocks of Base.
      { work: () => streams.look(), everyMs: 4_000 },
      { work: compareAndForget, everyMs: 30_000 },
      { work: () => forgetRuns(books), everyMs: 60_000 },
      { work: () => forgetReplies(books, options.maxReplyBytes), everyMs: 60_000 },
      { work: () => forgetWalletRecords(books), everyMs: 60_000 },
      { work: () => forgetPayers(books), everyMs: 3_600_000 },
    ],
  }
}
