import type { Address, Hex, PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { UnmatchedTransferRow } from '../../../platform/store/schema.ts'
import { findPayment } from '../../ledger/find-payment.ts'
import {
  type BookedPayment,
  markReconciled,
  openingBlock,
  paymentsBetween,
  type ReceivingAccount,
  reconciledTo,
  recordUnmatchedTransfers,
} from '../../ledger/inbound.ts'
import { type Inbound, noncesIn, readInbound, type UsedNonce } from '../evidence/transfers.ts'
import { type Offer, paymentId } from '../wire/requirements.ts'
import type { Finality } from './finality.ts'
import type { Recovery } from './recovery.ts'

/**
 * Closes the books with the chain. Every transfer that came in must be a payment in the books and the
 * other way round, to the atomic unit; what somebody else carried out is found here, and what no
 * payment accounts for is listed for the operator.
 */
export interface Reconciliation {
  /** Checks the blocks of payments, then compares what has become final since the last time. */
  advance(): Promise<void>
  /**
   * Advances, then compares books and chain up to the newest block.
   * @param sinceSeconds from when on, in Unix seconds; the last day when left out.
   */
  reconcile(sinceSeconds: number | undefined): Promise<Report>
}

interface Report {
  readonly fromBlock: bigint
  readonly toBlock: bigint
  readonly finalizedBlock: bigint
  readonly chain: { readonly transfers: number; readonly amount: bigint }
  readonly books: { readonly payments: number; readonly amount: bigint }
  /** Chain minus books, in atomic units. */
  readonly difference: bigint
  /** On the chain and in no payment. */
  readonly strangers: readonly UnmatchedTransfer[]
  /** In the books and not on the chain. */
  readonly missing: readonly Pick<BookedPayment, 'id' | 'transaction' | 'amount'>[]
}

type UnmatchedTransfer = Pick<UnmatchedTransferRow, 'transaction' | 'payer' | 'amount' | 'nonce'> & {
  readonly blockNumber: bigint
}

interface ReconciliationOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly offer: Offer
  readonly finality: Finality
  readonly recovery: Recovery
  readonly log: Log
}

export function createReconciliation(options: ReconciliationOptions): Reconciliation {
  const { books, client, offer, finality, recovery, log } = options
  const asset = offer.network.usdc.address
  const till: ReceivingAccount = {
    chainId: offer.network.chainId,
    asset: asset.toLowerCase(),
    payTo: offer.payTo.toLowerCase(),
  }

  async function advance(): Promise<void> {
    await finality.check()
    const { number: finalized } = await client.getBlock({ blockTag: 'finalized', includeTransactions: false })
    const done = await reconciledTo(books, till)
    if (done === undefined) {
      // What came in before these books were opened is not theirs to account for.
      await markReconciled(books, till, await client.getBlockNumber({ cacheTime: 0 }))
      return
    }
    for await (const { from, to, transfers } of readInbound(
      client,
      asset,
      offer.payTo,
      done + 1n,
      finalized,
    )) {
      const { unmatched } = await compare(transfers, await paymentsBetween(books, till, from, to), bornBy)
      const strange: Unmatched[] = []
      let mark = to
      for (const transfer of unmatched) {
        const found = await account(transfer)
        if (found === 'stranger') strange.push(transfer)
        if (found !== 'open') continue
        // Its turn comes again, and that of all behind it.
        mark = transfer.block.number - 1n
        break
      }
      if (strange.length > 0) {
        const found = { transfers: strange.length, amount: sum(strange).toString() }
        log.warn({ ...found, first: strange[0]?.transaction }, 'money came in that no payment accounts for')
      }
      await markReconciled(books, till, mark)
      if (mark < to) return
    }
  }

  /**
   * Finds out what a transfer is that the books do not show in its block.
   * @returns `open` when that cannot be told yet.
   */
  async function account(transfer: Unmatched): Promise<'ours' | 'stranger' | 'open'> {
    const row = transfer.id && (await findPayment(books, transfer.id))
    if (row && row.amount === transfer.amount && row.payTo === till.payTo) {
      // Whether the call that runs for it comes to something is not known before its lease ends.
      if (row.state === 'claimed' && row.leaseUntil.getTime() >= books.clock.now()) return 'open'
      // Given up, it is owed from now on; in any other state its own recovery finds this very transfer.
      await recovery.noteArrival(row.id, transfer)
      return 'ours'
    }
    await recordUnmatchedTransfers(books, [strangerRow(transfer)])
    return 'stranger'
  }

  async function reconcile(sinceSeconds: number | undefined): Promise<Report> {
    await advance()
    const [head, finalized] = await Promise.all([
      client.getBlock({ blockTag: 'latest', includeTransactions: false }),
      client.getBlock({ blockTag: 'finalized', includeTransactions: false }),
    ])
    const since = sinceSeconds ?? Math.floor(books.clock.now() / 1000) - 86_400
    const opened = (await openingBlock(books, till)) ?? 0n
    const wanted = await firstBlockSince(client, BigInt(since), head.number)
    const fromBlock = wanted > opened ? wanted : opened + 1n
    const chain = { transfers: 0, amount: 0n }
    const counted = { payments: 0, amount: 0n }
    const strangers: UnmatchedTransfer[] = []
    const missing: BookedPayment[] = []
    for await (const { from, to, transfers } of readInbound(
      client,
      asset,
      offer.payTo,
      fromBlock,
      head.number,
    )) {
      const taken = await paymentsBetween(books, till, from, to)
      chain.transfers += transfers.length
      chain.amount += sum(transfers)
      counted.payments += taken.length
      counted.amount += sum(taken)
      const { unmatched, unseen } = await compare(transfers, taken, bornBy)
      strangers.push(...unmatched.map((one) => ({ ...strangerRow(one), blockNumber: one.block.number })))
      missing.push(...unseen)
    }
    return {
      fromBlock,
      toBlock: head.number,
      finalizedBlock: finalized.number,
      chain,
      books: counted,
      difference: chain.amount - counted.amount,
      strangers,
      missing,
    }
  }

  const bornBy: BornBy = {
    noncesOf: (transaction) => noncesIn(client, asset, transaction),
    idOf: (payer, { nonce, permit2 }) => paymentId(till.chainId, asset, payer, nonce, permit2),
  }

  function strangerRow(transfer: Unmatched): UnmatchedTransferRow {
    return {
      ...till,
      transaction: transfer.transaction,
      logIndex: transfer.logIndex,
      blockNumber: transfer.block.number,
      blockHash: transfer.block.hash,
      payer: transfer.payer.toLowerCase(),
      amount: transfer.amount,
      nonce: transfer.nonce ?? null,
      seenAt: new Date(books.clock.now()),
    }
  }

  return { advance, reconcile }
}

/** A transfer that no payment in its block accounts for, with the authorization that it carried out, if any. */
type Unmatched = Inbound & {
  readonly nonce: Hex | undefined
  /** Of the payment that this authorization is, whether the books know it or not. */
  readonly id: string | undefined
}

/** How it is found out which payments a transaction bears. */
interface BornBy {
  readonly noncesOf: (transaction: Hex) => Promise<ReadonlyMap<number, UsedNonce>>
  readonly idOf: (payer: Address, used: UsedNonce) => string
}

/**
 * Lays transfers and payments side by side. Those of one transaction, payer and amount are settled by
 * their number; only where it differs is the chain asked which authorization each transfer carried out,
 * since of two equal ones either may be the one that the books do not know.
 */
async function compare(
  transfers: readonly Inbound[],
  taken: readonly BookedPayment[],
  { noncesOf, idOf }: BornBy,
): Promise<{ unmatched: Unmatched[]; unseen: BookedPayment[] }> {
  const alike = ({ transaction, payer, amount }: Pick<BookedPayment, 'transaction' | 'payer' | 'amount'>) =>
    `${transaction} ${payer.toLowerCase()} ${amount}`
  const payments = Map.groupBy(taken, alike)
  const shown = Map.groupBy(transfers, alike)
  const differs = (key: string) => payments.get(key)?.length !== shown.get(key)?.length

  const nonces = new Map<Hex, ReadonlyMap<number, UsedNonce>>()
  const unmatched: Unmatched[] = []
  const seen = new Set<string>()
  for (const transfer of transfers) {
    const key = alike(transfer)
    if (!differs(key)) continue
    const { transaction, logIndex, payer } = transfer
    const known = nonces.get(transaction) ?? (await noncesOf(transaction))
    nonces.set(transaction, known)
    const used = known.get(logIndex)
    const id = used && idOf(payer, used)
    const payment = payments.get(key)?.find((one) => one.id === id)
    if (payment) seen.add(payment.id)
    else unmatched.push({ ...transfer, nonce: used?.nonce, id })
  }
  return { unmatched, unseen: taken.filter((one) => differs(alike(one)) && !seen.has(one.id)) }
}

function sum(parts: readonly { readonly amount: bigint }[]): bigint {
  return parts.reduce((total, { amount }) => total + amount, 0n)
}

/** The oldest block whose time is not before `since`, found by halving; `head` when there is none. */
async function firstBlockSince(client: PublicClient, since: bigint, head: bigint): Promise<bigint> {
  let low = 0n
  let high = head
  while (low < high) {
    const middle = (low + high) / 2n
    const { timestamp } = await client.getBlock({ blockNumber: middle, includeTransactions: false })
    if (timestamp < since) low = middle + 1n
    else high = middle
  }
  return low
}
