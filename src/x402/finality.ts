import type { PublicClient } from 'viem'
import type { Network } from '../chain/networks.ts'
import type { Log } from '../core/log.ts'
import { type Block, locate, markFinal, openBlocks, reopen, settledNowhere } from '../ledger/finality.ts'
import type { Books } from '../ledger/payments.ts'
import { findEvidence } from './evidence.ts'
import { readRow } from './payment-row.ts'

/**
 * Watches the blocks that bear payments until the chain calls them final. A reorganisation may drop a
 * block after its payments were served; they are open again then, and the recovery finds the transfer
 * in its new place or sends it once more.
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

/** The blocks of one check: as many as Base makes in half an hour, twice its usual time to finality. */
const blocksAtOnce = 900
const rowsAtOnce = 100

export function createFinality({ books, client, network, log }: FinalityOptions): Finality {
  async function isCanonical({ number, hash }: Block): Promise<boolean> {
    const block = await client.getBlock({ blockNumber: number, includeTransactions: false })
    return block.hash === hash
  }

  async function check(): Promise<void> {
    for (const row of await settledNowhere(books, rowsAtOnce)) {
      const { payment } = readRow(row, network)
      const evidence = await findEvidence(client, network.usdc.address, payment.authorization)
      if (evidence.kind === 'transferred') await locate(books, row, { ...evidence, at: row.updated_at })
    }

    const blocks = await openBlocks(books, blocksAtOnce)
    if (blocks.length === 0) return
    const [finalized, head] = await Promise.all([
      client.getBlock({ blockTag: 'finalized', includeTransactions: false }),
      client.getBlock({ blockTag: 'latest', includeTransactions: false }),
    ])
    // A node that lags has not seen the newest blocks yet, and says nothing about them.
    const seen = blocks.filter(({ number }) => number <= head.number)
    const canonical = await Promise.all(seen.map(isCanonical))
    const final = seen.filter(({ number }, index) => canonical[index] && number <= finalized.number)
    const count = await markFinal(books, final)
    if (count > 0) log.debug({ payments: count }, 'payments are final')
    for (const block of seen.filter((_, index) => !canonical[index])) {
      const payments = await reopen(books, block)
      if (payments.length > 0) log.error({ block: block.number, payments }, 'the chain has dropped a block')
    }
  }

  return { check }
}
