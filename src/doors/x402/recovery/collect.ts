import type { PublicClient } from 'viem'
import { unixNow } from '../../../core/clock.ts'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import { freeIdempotencyKey } from '../../ledger/reconciling/inbound.ts'
import {
  dueCollections,
  endCollection,
  postponeCollection,
  reopenFailed,
} from '../../ledger/unpaid/collections.ts'
import { readUptoFunds, type UptoFunds } from '../evidence/upto-funds.ts'
import { readRow } from './payment-row.ts'
import type { Recovery } from './recovery.ts'

interface CollectionOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly network: Network
  readonly recovery: Pick<Recovery, 'finish'>
  readonly log: Log
}

const maxPerSweep = 100

/**
 * Takes the money for delivered streams after their settlement failed. The payer has the output, and the
 * authorization stays valid for a while: without this a payer who moves the money away for a minute has it for
 * nothing. All due payments are read in one call to the node, and only those whose wallet holds the amount are
 * settled.
 */
export async function collectFailed(options: CollectionOptions): Promise<void> {
  const { books, client, network } = options
  const due = await dueCollections(books, network.chainId, maxPerSweep)
  const now = BigInt(unixNow(books.clock))
  const [valid, expired] = [due.filter(isValidAt(now)), due.filter((row) => !isValidAt(now)(row))]
  await endCollection(books, expired)
  if (valid.length === 0) return
  const payments = valid.map((row) => {
    const { payment } = readRow(row, network)
    const { from, nonce } = payment.authorization
    return { payer: from, nonce, permit: payment.permit }
  })
  const { funds } = await readUptoFunds(client, network.usdc.address, payments)
  const chosen = choose(valid, funds)
  await postponeCollection(
    books,
    valid.filter((row) => !chosen.includes(row)),
  )
  await Promise.all(chosen.map((row) => settle(row, options)))
}

/** The payments that can be settled now, each payer's oldest first; the others do not get its money twice. */
function choose(rows: readonly PaymentRow[], funds: readonly UptoFunds[]): PaymentRow[] {
  const taken = new Map<string, bigint>()
  return rows.filter((row, index) => {
    const shown = funds[index]
    if (!shown) return false
    // A used nonce has an outcome on the chain, which the recovery finds.
    if (shown.isUsed) return true
    const sum = (taken.get(row.payer) ?? 0n) + row.amount
    if (sum > shown.balance || sum > shown.movable) return false
    taken.set(row.payer, sum)
    return true
  })
}

async function settle(row: PaymentRow, { books, recovery, log }: CollectionOptions): Promise<void> {
  // The version before sold something else under the same key meanwhile.
  await freeIdempotencyKey(books, row.id)
  if (!(await reopenFailed(books, row))) return
  log.info({ payment: row.id }, 'the money for a delivered stream is asked for again')
  await recovery.finish(row.id, 'sweep')
}

const isValidAt =
  (now: bigint) =>
  ({ validBefore }: PaymentRow): boolean =>
    BigInt(validBefore) >= now
