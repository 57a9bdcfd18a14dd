import { setTimeout as pause } from 'node:timers/promises'
import { type Hex, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Fees, GasPrice } from './gas-price.ts'
import type { ContractCall, Sender, Signed } from './sender.ts'

/**
 * What one account has sent and has not seen mined. The chain takes an account's transactions in the order
 * of their nonces, so one that is stuck, or that the node has lost, holds up all behind it for ever: here
 * it is sent again, or replaced by the same call at a better price, until it or another one with its nonce
 * is in a block. One question tells how far the chain has come with all of them: the account's count.
 */
export interface Outbox {
  /** Watches over a transaction that was handed to the node. */
  add(transaction: Outgoing): Sent
  /** How many the chain has still to take. */
  readonly size: number
  /** The first nonce after those in here; undefined when there are none. */
  readonly nextNonce: number | undefined
  /** For how long the chain has not taken the next one, in milliseconds; 0 when there is none. */
  waitedMs(): number
  /** Looks no further; what is in here stays unanswered. */
  close(): void
}

interface Outgoing {
  readonly nonce: number
  readonly call: ContractCall
  readonly gas: bigint
  readonly signed: Signed
}

export interface Sent {
  /** Of the version that was sent last. */
  readonly hash: Hex
  /** The receipt of whichever version was mined; undefined when somebody else's transaction took the nonce. */
  readonly mined: Promise<TransactionReceipt | undefined>
}

interface OutboxOptions {
  readonly client: PublicClient
  readonly sender: Sender
  readonly gasPrice: GasPrice
  /** How long a transaction may wait to be mined before it is replaced. */
  readonly replaceAfterMs: number
  /** Called when one has left, or the chain has come further. */
  readonly onChange: () => void
  readonly onReplaced: () => void
  readonly log: Log
}

interface Waiting extends Omit<Outgoing, 'signed'> {
  /** The version the node took last. */
  newest: Signed
  /** Of all other versions: nodes may have passed them on, so each of them can still be the one. */
  readonly otherHashes: Hex[]
  /** What was last offered for it, whether the node took it or not. */
  offered: Fees
  readonly conclude: (receipt: TransactionReceipt | undefined) => void
  /** Since when its nonce is known to be used and no node shows a receipt of it. */
  passedAt: number | undefined
}

/** Where the chain stands with this account. */
interface Front {
  /** The nonce that it takes next. */
  readonly nonce: number
  readonly since: number
  /** When something was last done about it. */
  touchedAt: number
  /** What was last offered in the place of a transaction that is not ours. */
  offered: Fees | undefined
}

/** Nodes do not tell when they drop a transaction. Asked this seldom it costs little, and a gap is closed within a block or two. */
const looksPerCheck = 5
const gasOfNothing = 21_000n

export function createOutbox(options: OutboxOptions): Outbox {
  const { client, sender, gasPrice, replaceAfterMs, onChange, onReplaced, log } = options
  const { address } = sender
  const waiting = new Set<Waiting>()
  let front = begin(0)
  /** Since when the node counts less than another one has before. */
  let behindSince: number | undefined
  let isWatching = false
  let isClosed = false

  const ahead = () => [...waiting].filter(({ nonce }) => nonce >= front.nonce)

  const add: Outbox['add'] = ({ nonce, call, gas, signed }) => {
    const { promise: mined, resolve: conclude } = Promise.withResolvers<TransactionReceipt | undefined>()
    const transaction: Waiting = {
      nonce,
      call,
      gas,
      newest: signed,
      otherHashes: [],
      offered: signed.fees,
      conclude,
      passedAt: undefined,
    }
    if (ahead().length === 0) front = begin(front.nonce)
    waiting.add(transaction)
    void firstLook(transaction)
    void watch()
    return {
      get hash() {
        return transaction.newest.hash
      },
      mined,
    }
  }

  /** A node that mines at once has the receipt by now. Whatever this look meets, the watch has time to see it pass. */
  async function firstLook(transaction: Waiting): Promise<void> {
    try {
      await findReceipt(transaction)
    } catch (error) {
      log.debug({ err: error }, 'the node did not tell what was mined')
    }
  }

  async function watch(): Promise<void> {
    if (isWatching) return
    isWatching = true
    behindSince = undefined
    for (let looks = 1; waiting.size > 0; looks += 1) {
      await pause(client.pollingInterval, undefined, { ref: false })
      if (isClosed) return
      try {
        await look(looks % looksPerCheck === 0)
        onChange()
      } catch (error) {
        log.debug({ err: error }, 'the node did not tell what was mined')
      }
    }
    isWatching = false
  }

  async function look(isCheck: boolean): Promise<void> {
    moveFront(await client.getTransactionCount({ address, blockTag: 'latest' }))
    await Promise.all([...waiting].filter(({ nonce }) => nonce < front.nonce).map(findPassed))
    const transactions = ahead()
    if (transactions.length === 0) return
    const own = transactions.find(({ nonce }) => nonce === front.nonce)
    const isDue = performance.now() - front.touchedAt >= replaceAfterMs
    if (!own) {
      if (isDue && performance.now() - front.since >= 2 * replaceAfterMs) await unblock(front)
    } else if (isDue) {
      front.touchedAt = performance.now()
      await replace(own)
    } else if (isCheck) {
      const known = await client.getTransactionCount({ address, blockTag: 'pending' })
      for (const transaction of transactions) {
        if (transaction.nonce >= known) await sendAgain(transaction)
      }
    }
  }

  /** Behind one address there may be nodes that have seen less; that all of them have is a reorganisation. */
  function moveFront(counted: number): void {
    if (counted >= front.nonce) behindSince = undefined
    else behindSince ??= performance.now()
    const isReorganised = behindSince !== undefined && performance.now() - behindSince >= 2 * replaceAfterMs
    if (counted > front.nonce || isReorganised) front = begin(counted)
  }

  /** Looks for the receipt of a transaction whose nonce is used. The node that is asked may not have that block yet. */
  async function findPassed(transaction: Waiting): Promise<void> {
    if (await findReceipt(transaction)) return
    transaction.passedAt ??= performance.now()
    if (performance.now() - transaction.passedAt >= replaceAfterMs) conclude(transaction, undefined)
  }

  async function findReceipt(transaction: Waiting): Promise<boolean> {
    const hashes = [transaction.newest.hash, ...transaction.otherHashes]
    const receipts = await Promise.all(hashes.map((hash) => receiptOf(client, hash)))
    const receipt = receipts.find((found) => found !== undefined)
    if (receipt) conclude(transaction, receipt)
    return receipt !== undefined
  }

  function conclude(transaction: Waiting, receipt: TransactionReceipt | undefined): void {
    if (!waiting.delete(transaction)) return
    if (transaction.nonce >= front.nonce) front = begin(transaction.nonce + 1)
    transaction.conclude(receipt)
    onChange()
  }

  /** The same call with the same nonce at a better price; where none is allowed, the same bytes again. */
  async function replace(transaction: Waiting): Promise<void> {
    const { nonce, call, gas, newest, otherHashes } = transaction
    try {
      const fees = await gasPrice.raise(transaction.offered)
      if (!fees) return await sendAgain(transaction)
      const signed = await sender.sign(call, { nonce, gas, fees })
      transaction.offered = fees
      otherHashes.push(signed.hash)
      const answer = await sender.broadcast(signed)
      const about = { replaced: newest.hash, transaction: signed.hash, nonce }
      if (answer.kind === 'refused') {
        log.warn({ err: answer.cause, ...about }, 'the node does not let a stuck settlement be replaced')
        return
      }
      otherHashes.push(newest.hash)
      transaction.newest = signed
      log.warn(about, 'a stuck settlement is replaced')
      onReplaced()
    } catch (error) {
      log.error({ err: error, transaction: newest.hash, nonce }, 'a stuck settlement cannot be replaced')
      await sendAgain(transaction)
    }
  }

  async function sendAgain({ nonce, newest }: Waiting): Promise<void> {
    const answer = await sender.broadcast(newest)
    if (answer.kind === 'taken') return
    log.warn(
      { err: answer.cause, transaction: newest.hash, nonce },
      'the node does not take a settlement again',
    )
  }

  /**
   * What the chain waits for is not ours: a process that died has sent it, or another gateway, and it has
   * had its time. An empty transaction takes its nonce so that ours can follow; the payments that were in
   * it are found unpaid and go out anew.
   */
  async function unblock(blocked: Front): Promise<void> {
    const { nonce } = blocked
    blocked.touchedAt = performance.now()
    const fees = await gasPrice.raise(blocked.offered ?? (await gasPrice.offer()))
    if (!fees) return
    blocked.offered = fees
    const call = { to: address, data: '0x' } as const
    const signed = await sender.sign(call, { nonce, gas: gasOfNothing, fees })
    const answer = await sender.broadcast(signed)
    log.warn(
      { transaction: signed.hash, nonce, answer: answer.kind },
      'a nonce of somebody else holds up settlements',
    )
    if (answer.kind !== 'refused') add({ nonce, call, gas: gasOfNothing, signed })
  }

  return {
    add,
    get size() {
      return ahead().length
    },
    get nextNonce() {
      return waiting.size > 0 ? Math.max(...[...waiting].map(({ nonce }) => nonce)) + 1 : undefined
    },
    waitedMs: () => (ahead().length > 0 ? performance.now() - front.since : 0),
    close() {
      isClosed = true
    },
  }
}

function begin(nonce: number): Front {
  const now = performance.now()
  return { nonce, since: now, touchedAt: now, offered: undefined }
}

async function receiptOf(client: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}
