import type { Books } from '../../../platform/store/books.ts'

/**
 * Forgets what payers left unpaid more than 30 days ago. Anyone can make wallets that never pay, so without an
 * end the table would grow for ever; by then such a payer is worth no more and no less than a new one.
 */
export async function forgetPayers({ queries, clock }: Books): Promise<void> {
  await queries
    .deleteFrom('payers')
    .where('unpaidAt', '<', new Date(clock.now() - retentionMs))
    .execute()
}

const retentionMs = 30 * 86_400_000
