import type { PublicClient } from 'viem'
import { GatewayError } from '../../../core/errors.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'

interface Sources {
  readonly books: Pick<Books, 'clock'>
  readonly client: PublicClient
}

/**
 * Refuses a refund while the chain may still drop the payment. A refund is a transfer of its own: when a
 * reorganization drops the payment and its payer spends the money elsewhere, the refund stays out, and we have
 * paid twice.
 * @throws GatewayError PAYMENT_NOT_FINAL with the blocks and the time to wait.
 */
export async function requireFinal(row: PaymentRow, { books, client }: Sources): Promise<void> {
  const { state, blockNumber, settledAt, updatedAt } = row
  // Any other state is final, or has no money to give back, which the refund itself says.
  if (state !== 'paid' && state !== 'settled') return
  const [finalized, latest] = await Promise.all([
    client.getBlock({ blockTag: 'finalized', includeTransactions: false }),
    client.getBlock({ blockTag: 'latest', includeTransactions: false }),
  ])
  if (blockNumber !== null && blockNumber <= finalized.number) return
  const ageSeconds = (books.clock.now() - (settledAt ?? updatedAt).getTime()) / 1000
  // The payment's block becomes final after about the time by which the finalized block is behind.
  const behindSeconds = Number(latest.timestamp - finalized.timestamp)
  const seconds = Math.max(leastSeconds, Math.ceil(behindSeconds - ageSeconds))
  throw new GatewayError(
    'PAYMENT_NOT_FINAL',
    {
      block: blockNumber === null ? null : Number(blockNumber),
      finalized_block: Number(finalized.number),
      blocks_to_wait: blockNumber === null ? null : Number(blockNumber - finalized.number),
      retry_after_seconds: seconds,
    },
    { headers: { 'retry-after': String(seconds) } },
  )
}

/** A block of Base. */
const leastSeconds = 2
