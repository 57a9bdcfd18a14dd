import type { Hex, TransactionReceipt } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { GasPurpose } from '../../../platform/store/rows/settlement.ts'
import type { Fees, GasPrice } from './gas-price.ts'
import type { ContractCall, Sender, SignedTransaction } from './sender.ts'

/**
 * Resends or replaces a transaction that is not mined. Without it, all later transactions of the account
 * would wait forever.
 */

/** A transaction that was just handed to the node. */
export interface OutgoingTransaction {
  readonly nonce: number
  readonly call: ContractCall
  readonly gas: bigint
  readonly purpose: GasPurpose
  readonly signed: SignedTransaction
}

export interface PendingTransaction extends Omit<OutgoingTransaction, 'signed'> {
  /** The version that the node took last. */
  newest: SignedTransaction
  /** Of all other versions: nodes may have passed them on, so each of them can still be mined. */
  readonly otherHashes: Hex[]
  /** The last offer made for it, whether the node took it or not. */
  offered: Fees
  readonly conclude: (receipt: TransactionReceipt | undefined) => void
  /** Since when its nonce is known to be used while no node shows a receipt of it. */
  passedAt: number | undefined
}

/** The nonce that the chain takes next from this account. */
export interface NextNonce {
  readonly nonce: number
  readonly since: number
  /** When something was last done about it. */
  touchedAt: number
  /** What was last offered to take the nonce from a transaction that is not ours. */
  offered: Fees | undefined
}

export interface ResendTools {
  readonly sender: Sender
  readonly gasPrice: GasPrice
  /** Called when a transaction was replaced. */
  readonly onReplaced: () => void
  readonly log: Log
}

const gasOfEmptyTransaction = 21_000n

/**
 * Sends the same call with the same nonce at a higher price; where no higher price is allowed, the same bytes
 * again.
 */
export async function replaceStuck(transaction: PendingTransaction, tools: ResendTools): Promise<void> {
  const { sender, gasPrice, onReplaced, log } = tools
  const { nonce, call, gas, newest, otherHashes } = transaction
  try {
    const fees = await gasPrice.raise(transaction.offered)
    if (!fees) return await sendAgain(transaction, tools)
    const signed = await sender.sign(call, { nonce, gas, fees })
    transaction.offered = fees
    otherHashes.push(signed.hash)
    const broadcast = await sender.broadcast(signed)
    const about = { replaced: newest.hash, transaction: signed.hash, nonce }
    if (broadcast.kind === 'refused') {
      log.warn({ err: broadcast.cause, ...about }, 'the node refuses to replace a stuck settlement')
      return
    }
    otherHashes.push(newest.hash)
    transaction.newest = signed
    log.warn(about, 'a stuck settlement is replaced')
    onReplaced()
  } catch (error) {
    log.error({ err: error, transaction: newest.hash, nonce }, 'a stuck settlement cannot be replaced')
    await sendAgain(transaction, tools)
  }
}

/** Hands the same bytes to the node once more. */
export async function sendAgain(
  { nonce, newest }: PendingTransaction,
  { sender, log }: Pick<ResendTools, 'sender' | 'log'>,
): Promise<void> {
  const broadcast = await sender.broadcast(newest)
  if (broadcast.kind === 'accepted') return
  log.warn(
    { err: broadcast.cause, transaction: newest.hash, nonce },
    'the node refuses a settlement that was sent again',
  )
}

/**
 * Sends an empty transaction with a nonce that is not ours: a process that died has used it, or another
 * gateway, and its transaction is not mined. Once the nonce is taken ours can follow; payments that were in
 * the other transaction are found unpaid and settled again.
 * @returns the empty transaction; undefined when the node refuses it or no higher price is allowed.
 */
export async function fillGap(
  next: NextNonce,
  { sender, gasPrice, log }: Pick<ResendTools, 'sender' | 'gasPrice' | 'log'>,
): Promise<OutgoingTransaction | undefined> {
  const { nonce } = next
  next.touchedAt = performance.now()
  const fees = await gasPrice.raise(next.offered ?? (await gasPrice.offer()))
  if (!fees) return undefined
  next.offered = fees
  const call = { to: sender.address, data: '0x' } as const
  const signed = await sender.sign(call, { nonce, gas: gasOfEmptyTransaction, fees })
  const broadcast = await sender.broadcast(signed)
  log.warn(
    { transaction: signed.hash, nonce, broadcast: broadcast.kind },
    'an unknown transaction with our nonce blocks settlements',
  )
  return broadcast.kind === 'refused'
    ? undefined
    : { nonce, call, gas: gasOfEmptyTransaction, purpose: 'unblock', signed }
}
