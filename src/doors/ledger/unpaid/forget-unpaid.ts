import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import type { Currency } from '../totals.ts'

/** How long a payment is kept after its signature has expired. */
const retentionMs = 86_400_000
/** Older versions took payments of any validity. No signature is waited for longer than this. */
const longestWaitMs = 30 * 86_400_000
const atOnce = 1_000

/**
 * Deletes payments that never took money, some of them at a time: released ones, failed ones, and those whose
 * worker died before it served anything. Without it each failed call would leave a row for ever, and a caller
 * can have any number of them for nothing.
 *
 * A row stays while its transfer may still arrive: until a day after its validity has ended. It also stays for
 * a day after its last change, because failures count that long. To be called only when the transfers up to
 * now are compared with the books: the transfer of a deleted payment would be unmatched.
 * @returns the number of deleted payments.
 */
export async function forgetUnpaid({ queries, clock }: Books, { chainId, asset }: Currency): Promise<number> {
  const now = clock.now()
  const kept = new Date(now - retentionMs)
  const validUntil = Math.floor((now - retentionMs) / 1000)
  // No payment is forgettable that was made after `kept`, so this reads the oldest rows of the index
  // payments_not_received, and locks what it found: a payment that is claimed again meanwhile stays.
  const { numAffectedRows } = await sql`
    delete from payments where id in (
      select id from payments
      where settled_at is null and created_at < ${kept}::timestamptz and updated_at < ${kept}::timestamptz
        and chain_id = ${chainId} and asset = ${asset}
        and (state in ('released', 'failed') or (state = 'claimed' and lease_until < ${kept}::timestamptz))
        and (valid_before::numeric < ${validUntil}
          or updated_at < ${new Date(now - longestWaitMs)}::timestamptz)
      order by created_at limit ${atOnce} for update skip locked
    )`.execute(queries)
  return Number(numAffectedRows ?? 0n)
}
