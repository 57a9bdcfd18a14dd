import type { PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import {
  type Block,
  markFinal,
  openBlocks,
  recordInclusion,
  reopenPayments,
  settledWithoutBlock,
} from '../../ledger/finality.ts'
import { type RefundedPayment, refundsAround, reopenRefund } from '../../ledger/refunds.ts'
import { arrivalOf, findAuthorizationState } from '../evidence/authorization-state.ts'
import { readRow } from './payment-row.ts'
import { refundAuthorization } from './refund-authorization.ts'

/**
 * Watches the blocks that hold payments until the chain calls them final. A reorganization may drop a block
 * after its payments were served. Its payments are then reopened, and the recovery finds each transfer in its
 * new block or sends it again. The same goes for refunds.
 */
export interface Finality {
  check(): Promise<void>
}

interface FinalityOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly network: Network
  readonly log: Log
}

export function createFinality(options: FinalityOptions): Finality {
  return new BlockWatch(options)
}

/** How many blocks, or payments, are read at a time. */
const pageSize = 100

class BlockWatch implements Finality {
  readonly #options: FinalityOptions
  /** The finalized block of the last check; unknown after a start. */
  #finalTo = -1n

  constructor(options: FinalityOptions) {
    this.#options = options
  }

  async check(): Promise<void> {
    const { books, client, network } = this.#options
    const { chainId } = network
    await this.#findMissingBlocks()
    const [finalized, head] = await Promise.all([
      client.getBlock({ blockTag: 'finalized', includeTransactions: false }),
      client.getBlock({ blockTag: 'latest', includeTransactions: false }),
    ])
    let after: Block = { number: -1n, hash: '' }
    for (;;) {
      const blocks = await openBlocks(books, { chainId, after, finalTo: this.#finalTo, limit: pageSize })
      await this.#checkBlocks(blocks, finalized.number, head.number)
      const last = blocks.at(-1)
      if (!last || blocks.length < pageSize) break
      after = last
    }
    this.#finalTo = finalized.number
    for (const refund of await refundsAround(books, chainId, finalized.timestamp)) {
      await this.#checkRefund(refund)
    }
  }

  /** Finds the blocks of settled payments that an older version recorded without one. */
  async #findMissingBlocks(): Promise<void> {
    const { books, client, network } = this.#options
    for (const row of await settledWithoutBlock(books, network.chainId, pageSize)) {
      const { payment } = readRow(row, network)
      const state = await findAuthorizationState(client, network.usdc.address, payment.authorization)
      const arrival = arrivalOf(state, row.amount)
      if (arrival) await recordInclusion(books, row, { ...arrival, at: row.updatedAt })
    }
  }

  async #checkBlocks(blocks: readonly Block[], finalized: bigint, head: bigint): Promise<void> {
    const { books, log } = this.#options
    // A node that lags behind does not have the newest blocks yet, and cannot say whether they were dropped.
    const seen = blocks.filter(({ number }) => number <= head)
    const canonical = await Promise.all(seen.map((block) => this.#isCanonical(block)))
    const final = seen.filter(({ number }, index) => canonical[index] && number <= finalized)
    const count = await markFinal(books, final)
    if (count > 0) log.debug({ payments: count }, 'payments are final')
    for (const block of seen.filter((_, index) => !canonical[index])) {
      const payments = await reopenPayments(books, block)
      if (payments.length > 0) log.error({ block: block.number, payments }, 'the chain has dropped a block')
    }
  }

  async #isCanonical({ number, hash }: Block): Promise<boolean> {
    const block = await this.#options.client.getBlock({ blockNumber: number, includeTransactions: false })
    return block.hash === hash
  }

  /**
   * Reopens a refund that the chain does not show. The finalized block is later than the refund, so a node
   * that does not show it has not merely failed to see it yet: the chain has dropped it.
   */
  async #checkRefund(refund: RefundedPayment): Promise<void> {
    const { books, client, network, log } = this.#options
    const { id, refundFrom, refundUntil } = refund
    if (refundFrom === null || refundUntil === null) return
    const authorization = refundAuthorization(refund, refundFrom, refundUntil)
    const { kind } = await findAuthorizationState(client, network.usdc.address, authorization)
    if (kind !== 'unused' || !(await reopenRefund(books, refund))) return
    log.error({ payment: id }, 'the chain has dropped a refund')
  }
}
