import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'

/**
 * Deletes stored replies whose payment was settled more than a day ago, and the oldest others while all
 * bodies together exceed `maxBytes`. A reply whose payment is not settled yet is never deleted, and the
 * payment's row always stays.
 * @returns the number of deleted replies.
 */
export async function forgetReplies({ queries, clock }: Books, maxBytes: number): Promise<number> {
  const oldest = new Date(clock.now() - retentionMs)
  const { numAffectedRows } = await sql`
    update payments set reply_status = null, reply_headers = null, reply_body = null
    where state in ('settled', 'final', 'refunding', 'refunded') and id in (
      select id from (
        select id, settled_at, sum(octet_length(reply_body)) over (order by settled_at desc, id) as bytes
        from payments where reply_body is not null and settled_at is not null
      ) as kept
      where settled_at < ${oldest} or bytes > ${maxBytes}
    )`.execute(queries)
  return Number(numAffectedRows ?? 0n)
}

const retentionMs = 86_400_000
