import type { TransactionReceipt } from 'viem'
import type { Settlement } from '../wire/facilitator.ts'
import type { SentTransaction } from './pending-transactions.ts'
import type { SettlementRequest } from './settlement-call.ts'

/** A payment that is being settled and has no outcome yet. */
export interface OpenPayment extends SettlementRequest {
  readonly attempt: 'first' | 'again'
  readonly outcome: PromiseWithResolvers<Settlement>
  /** Set while its transaction is signed and handed to the node; never rejects. */
  sending: Promise<void> | undefined
  /** The transaction that carries it. */
  sent: SentTransaction | undefined
  /** The receipt of our transaction in which its transfer failed. */
  failedIn: TransactionReceipt | undefined
  /** Set once it was tried out to be sent alone. */
  trial: OwnTrial | undefined
}

/** What the trial of a payment that goes alone has shown. */
interface OwnTrial {
  /** Gas limit of its transaction. */
  readonly gas: bigint
  /** Of the wallet contract that pays; undefined for a plain wallet. */
  readonly kind: string | undefined
  readonly isHeavy: boolean
  /** Gives its place back. */
  readonly release: () => void
}

/** Outcome `unknown`, with the transaction that carries the payment or that it failed in. */
export function unknownOutcome({ sent, failedIn }: OpenPayment, cause: unknown): Settlement {
  const transaction = sent?.hash ?? failedIn?.transactionHash
  return { outcome: 'unknown', ...(transaction ? { transaction } : {}), cause }
}
