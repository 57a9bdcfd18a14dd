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
import { refundAuthorization } from './refund.ts'

/**
 * Watches the blocks that bear payments until the chain calls them final. A reorganisation may drop a
 * block after its payments were served; they are open again then, and the recovery finds the transfer
 * in its new place or sends it once more. The same goes for what was given back.
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

/** So many are asked for at the same time. */
const blocksAtOnce = 100
const rowsAtOnce = 100

export function createFinality({ books, client, network, log }: FinalityOptions): Finality {
  const { chainId } = network
  /** Learnt anew at every start. */
  let finalTo = -1n

  async function check(): Promise<void> {
    for (const row of await settledWithoutBlock(books, chainId, rowsAtOnce)) {
      const { payment } = readRow(row, network)
      const evidence = await findAuthorizationState(client, network.usdc.address, payment.authorization)
      const arrival = arrivalOf(evidence, row.amount)
      if (arrival) await recordInclusion(books, row, { ...arrival, at: row.updatedAt })
    }

    const [finalized, head] = await Promise.all([
      client.getBlock({ blockTag: 'finalized', includeTransactions: false }),
      client.getBlock({ blockTag: 'latest', includeTransactions: false }),
    ])
    let after: Block = { number: -1n, hash: '' }
    for (;;) {
      const blocks = await openBlocks(books, { chainId, after, finalTo, limit: blocksAtOnce })
      await look(blocks, finalized.number, head.number)
      const last = blocks.at(-1)
      if (!last || blocks.length < blocksAtOnce) break
      after = last
    }
    finalTo = finalized.number
    for (const refund of await refundsAround(books, chainId, finalized.timestamp)) await lookAfter(refund)
  }

  /**
   * What the chain calls final is later than this refund, so a node that does not show it has not just
   * failed to see it yet: it was dropped, and is due as long as nothing shows it.
   */
  async function lookAfter(refund: RefundedPayment): Promise<void> {
    const { id, refundFrom, refundUntil } = refund
    if (refundFrom === null || refundUntil === null) return
    const authorization = refundAuthorization(refund, refundFrom, refundUntil)
    const { kind } = await findAuthorizationState(client, network.usdc.address, authorization)
    if (kind !== 'unused' || !(await reopenRefund(books, refund))) return
    log.error({ payment: id }, 'the chain has dropped a refund')
  }

  async function look(blocks: readonly Block[], finalized: bigint, head: bigint): Promise<void> {
    // A node that lags has not seen the newest blocks yet, and says nothing about them.
    const seen = blocks.filter(({ number }) => number <= head)
    const canonical = await Promise.all(seen.map(isCanonical))
    const final = seen.filter(({ number }, index) => canonical[index] && number <= finalized)
    const count = await markFinal(books, final)
    if (count > 0) log.debug({ payments: count }, 'payments are final')
    for (const block of seen.filter((_, index) => !canonical[index])) {
      const payments = await reopenPayments(books, block)
      if (payments.length > 0) log.error({ block: block.number, payments }, 'the chain has dropped a block')
    }
  }

  async function isCanonical({ number, hash }: Block): Promise<boolean> {
    const block = await client.getBlock({ blockNumber: number, includeTransactions: false })
    return block.hash === hash
  }

  return { check }
}
