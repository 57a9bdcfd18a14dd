import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'

/**
 * Forgets stored replies: those whose payment was settled longer than a day ago, and of the younger
 * ones the oldest when together they take more room than there is. A reply whose money is still open
 * is never forgotten; the row of the payment stays for ever.
 * @param maxBytes room for all stored bodies.
 * @returns how many were forgotten.
 */
export async function forgetReplies({ queries, clock }: Books, maxBytes: number): Promise<number> {
  const oldest = new Date(clock.now() - keptMs)
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

const keptMs = 86_400_000
