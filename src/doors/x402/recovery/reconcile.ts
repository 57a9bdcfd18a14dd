import type { Address, PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Books } from '../../../platform/store/books.ts'
import { findPayment } from '../../ledger/find-payment.ts'
import { type ReceivingAccount, receivingAccounts } from '../../ledger/receiving-accounts.ts'
import {
  type BookedPayment,
  markReconciled,
  type NewUnmatchedTransfer,
  openingBlock,
  paymentsBetween,
  reconciledTo,
  recordUnmatchedTransfers,
} from '../../ledger/reconciling/inbound.ts'
import { sumOpenBefore, type TransferTotal } from '../../ledger/reconciling/unmatched-transfers.ts'
import type { Currency } from '../../ledger/totals.ts'
import { type Inbound, readInbound } from '../evidence/transfers.ts'
import type { Offer } from '../wire/requirements.ts'
import { explainTransfers } from './explain-transfers.ts'
import type { Finality } from './finality.ts'
import { matchTransfers, type UnmatchedInbound } from './match-transfers.ts'
import { hex } from './payment-row.ts'
import type { Recovery } from './recovery.ts'

/**
 * Compares the books with the chain, for every account that the books ever received payments at. Every
 * incoming transfer must be a payment in the books, and every payment a transfer, to the atomic unit. This
 * finds payments that another account has submitted, and lists the transfers that belong to no payment for the
 * operator.
 */
export interface Reconciliation {
  /**
   * Checks the blocks of payments, then compares the blocks that have become final since the last time.
   * @returns whether all final blocks are compared now.
   */
  advance(): Promise<boolean>
  /**
   * Advances, then compares books and chain up to the newest block.
   * @param sinceSeconds the start, in Unix seconds; a day ago when left out.
   */
  reconcile(sinceSeconds: number | undefined): Promise<Report>
}

export interface ComparedSums {
  /** The first block that was compared; of several accounts the earliest. */
  readonly fromBlock: bigint
  readonly chain: { readonly transfers: number; readonly amount: bigint }
  readonly books: { readonly payments: number; readonly amount: bigint }
  /** On the chain, and of payments that are in the books: their own recovery books the transfer. */
  readonly pending: TransferTotal
  /** On the chain, and dismissed by the operator. */
  readonly dismissed: TransferTotal
  /** What nothing explains: the chain minus all of the above, in atomic units. */
  readonly difference: bigint
  /** Unmatched transfers that are still unexplained, in blocks before the first one that was compared. */
  readonly earlier: TransferTotal
}

/** The sums are of all accounts together. */
interface Report extends ComparedSums {
  readonly toBlock: bigint
  readonly finalizedBlock: bigint
  /** The account that payments go to now, then all former ones. */
  readonly accounts: readonly (ComparedSums & { readonly payTo: string })[]
  /** On the chain, in no payment and not dismissed. */
  readonly unmatched: readonly UnmatchedTransfer[]
  /** In the books and not on the chain. */
  readonly missing: readonly Pick<BookedPayment, 'id' | 'transaction' | 'amount'>[]
  /** Whether each transfer is explained and each payment is on the chain, to the atomic unit. */
  readonly closes: boolean
}

interface AccountComparison extends Pick<Report, 'unmatched' | 'missing' | 'closes'> {
  readonly payTo: string
  readonly sums: ComparedSums
}

type UnmatchedTransfer = UnmatchedInbound & { readonly payTo: string }

interface ReconciliationOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly offer: Offer
  readonly finality: Finality
  readonly recovery: Recovery
  readonly log: Log
}

export function createReconciliation(options: ReconciliationOptions): Reconciliation {
  return new ChainReconciliation(options)
}

const daySeconds = 86_400

class ChainReconciliation implements Reconciliation {
  readonly #options: ReconciliationOptions
  readonly #asset: Address
  readonly #currency: Currency

  constructor(options: ReconciliationOptions) {
    const { chainId, usdc } = options.offer.network
    this.#options = options
    this.#asset = usdc.address
    this.#currency = { chainId, asset: usdc.address.toLowerCase() }
  }

  async advance(): Promise<boolean> {
    const { client, finality } = this.#options
    await finality.check()
    const { number: finalized } = await client.getBlock({ blockTag: 'finalized', includeTransactions: false })
    let isComplete = true
    for (const account of await this.#accounts()) {
      if (!(await this.#advance(account, finalized))) isComplete = false
    }
    return isComplete
  }

  /** The account of the offer first. It is compared even before the books have it. */
  async #accounts(): Promise<readonly ReceivingAccount[]> {
    const { books, offer } = this.#options
    const current = { ...this.#currency, payTo: offer.payTo.toLowerCase() }
    const known = await receivingAccounts(books, this.#currency)
    return [current, ...known.filter(({ payTo }) => payTo !== current.payTo)]
  }

  async #advance(account: ReceivingAccount, finalized: bigint): Promise<boolean> {
    const { books, client } = this.#options
    const last = await reconciledTo(books, account)
    if (last === undefined) {
      // Transfers from before these books were opened do not belong to them.
      await markReconciled(books, account, await client.getBlockNumber({ cacheTime: 0 }))
      return true
    }
    for await (const { from, to, transfers } of this.#read(account, last + 1n, finalized)) {
      const payments = await paymentsBetween(books, account, from, to)
      const { unmatched } = await this.#match(transfers, payments)
      const reached = await this.#resolve(account, unmatched, to)
      await markReconciled(books, account, reached)
      if (reached < to) return false
    }
    return true
  }

  /**
   * Explains or records the unmatched transfers of a range of blocks up to `to`, in the chain's order.
   * @returns the last block that is done.
   */
  async #resolve(
    account: ReceivingAccount,
    unmatched: readonly UnmatchedInbound[],
    to: bigint,
  ): Promise<bigint> {
    const recorded: UnmatchedInbound[] = []
    let reached = to
    for (const transfer of unmatched) {
      const origin = await this.#findOrigin(account, transfer)
      if (origin === 'unmatched') recorded.push(transfer)
      if (origin !== 'open') continue
      // The next run looks at this transfer and all later ones again.
      reached = transfer.block.number - 1n
      break
    }
    if (recorded.length > 0) {
      const total = { transfers: recorded.length, amount: sum(recorded).toString() }
      this.#options.log.warn(
        { ...total, payTo: account.payTo, first: recorded[0]?.transaction },
        'transfers came in that belong to no payment',
      )
    }
    return reached
  }

  /**
   * Finds the payment of a transfer that the books do not have in its block, or records the transfer as
   * unmatched.
   * @returns `open` when that cannot be decided yet.
   */
  async #findOrigin(
    account: ReceivingAccount,
    transfer: UnmatchedInbound,
  ): Promise<'payment' | 'unmatched' | 'open'> {
    const { books, recovery } = this.#options
    const row = transfer.paymentId && (await findPayment(books, transfer.paymentId))
    if (row && row.amount === transfer.amount && row.payTo === account.payTo) {
      // Whether the running call is served is not known before its lease ends.
      if (row.state === 'claimed' && row.leaseUntil.getTime() >= books.clock.now()) return 'open'
      // A released or failed payment is owed from now on. In any other state its own recovery finds this
      // transfer.
      await recovery.noteArrival(row.id, transfer)
      return 'payment'
    }
    await recordUnmatchedTransfers(books, [this.#rowOf(account, transfer)])
    return 'unmatched'
  }

  async reconcile(sinceSeconds: number | undefined): Promise<Report> {
    const { books, client } = this.#options
    await this.advance()
    const [head, finalized] = await Promise.all([
      client.getBlock({ blockTag: 'latest', includeTransactions: false }),
      client.getBlock({ blockTag: 'finalized', includeTransactions: false }),
    ])
    const since = sinceSeconds ?? Math.floor(books.clock.now() / 1000) - daySeconds
    const wanted = await firstBlockSince(client, BigInt(since), head.number)
    const compared: AccountComparison[] = []
    for (const account of await this.#accounts()) {
      compared.push(await this.#compare(account, wanted, head.number))
    }
    return {
      ...compared.map(({ sums }) => sums).reduce(add),
      toBlock: head.number,
      finalizedBlock: finalized.number,
      accounts: compared.map(({ payTo, sums }) => ({ payTo, ...sums })),
      unmatched: compared.flatMap(({ unmatched }) => unmatched),
      missing: compared.flatMap(({ missing }) => missing),
      // What is too much at one account does not make up for what is missing at another.
      closes: compared.every(({ closes }) => closes),
    }
  }

  /**
   * Compares one account.
   * @param wanted the first block, unless the account belongs to these books only later.
   */
  async #compare(account: ReceivingAccount, wanted: bigint, head: bigint): Promise<AccountComparison> {
    const { books } = this.#options
    const opening = (await openingBlock(books, account)) ?? 0n
    const fromBlock = wanted > opening ? wanted : opening + 1n
    const chain = { transfers: 0, amount: 0n }
    const booked = { payments: 0, amount: 0n }
    const pending: UnmatchedInbound[] = []
    const dismissed: UnmatchedInbound[] = []
    const unmatched: UnmatchedInbound[] = []
    const missing: BookedPayment[] = []
    for await (const { from, to, transfers } of this.#read(account, fromBlock, head)) {
      const payments = await paymentsBetween(books, account, from, to)
      chain.transfers += transfers.length
      chain.amount += sum(transfers)
      booked.payments += payments.length
      booked.amount += sum(payments)
      const match = await this.#match(transfers, payments)
      const explained = await explainTransfers(books, account, match.unmatched)
      pending.push(...explained.pending)
      dismissed.push(...explained.dismissed)
      unmatched.push(...explained.unmatched)
      missing.push(...match.missing)
    }
    const earlier = await sumOpenBefore(books, account, fromBlock)
    const difference = chain.amount - booked.amount - sum(pending) - sum(dismissed)
    return {
      payTo: account.payTo,
      sums: {
        fromBlock,
        chain,
        books: booked,
        pending: { transfers: pending.length, amount: sum(pending) },
        dismissed: { transfers: dismissed.length, amount: sum(dismissed) },
        difference,
        earlier,
      },
      unmatched: unmatched.map((transfer) => ({ ...transfer, payTo: account.payTo })),
      missing,
      closes: difference === 0n && unmatched.length + earlier.transfers + missing.length === 0,
    }
  }

  #read({ payTo }: ReceivingAccount, from: bigint, to: bigint) {
    return readInbound(this.#options.client, this.#asset, hex(payTo), from, to)
  }

  #match(transfers: readonly Inbound[], payments: readonly BookedPayment[]) {
    const token = { chainId: this.#currency.chainId, asset: this.#asset }
    return matchTransfers(this.#options.client, token, transfers, payments)
  }

  #rowOf(account: ReceivingAccount, transfer: UnmatchedInbound): NewUnmatchedTransfer {
    return {
      ...account,
      transaction: transfer.transaction,
      logIndex: transfer.logIndex,
      blockNumber: transfer.block.number,
      blockHash: transfer.block.hash,
      payer: transfer.payer.toLowerCase(),
      amount: transfer.amount,
      nonce: transfer.nonce ?? null,
      seenAt: new Date(this.#options.books.clock.now()),
    }
  }
}

/** Adds up the accounts; there is at least one. */
function add(one: ComparedSums, other: ComparedSums): ComparedSums {
  const { fromBlock } = one.fromBlock < other.fromBlock ? one : other
  return {
    fromBlock,
    chain: addTransfers(one.chain, other.chain),
    books: {
      payments: one.books.payments + other.books.payments,
      amount: one.books.amount + other.books.amount,
    },
    pending: addTransfers(one.pending, other.pending),
    dismissed: addTransfers(one.dismissed, other.dismissed),
    difference: one.difference + other.difference,
    earlier: addTransfers(one.earlier, other.earlier),
  }
}

function addTransfers(one: TransferTotal, other: TransferTotal): TransferTotal {
  return { transfers: one.transfers + other.transfers, amount: one.amount + other.amount }
}

function sum(parts: readonly { readonly amount: bigint }[]): bigint {
  return parts.reduce((total, { amount }) => total + amount, 0n)
}

/** Finds the first block whose time is at or after `since`, by bisection; `head` when there is none. */
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
