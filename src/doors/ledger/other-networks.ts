import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'

/** What the books hold of a network that is not in use. A gateway leaves all of it alone. */
export interface OtherNetwork {
  readonly chainId: number
  /** In any state. */
  readonly payments: number
  /** Payments whose calls are still owed. */
  readonly owed: number
  /** Payments and refunds whose outcome is open until a gateway of their network finishes them. */
  readonly open: number
  /** Keys that are neither revoked nor expired. */
  readonly keys: number
}

/**
 * Counts what the books hold of other networks. Books that never had another one are not counted through,
 * because that takes long for many payments.
 */
export async function otherNetworks({ queries, clock }: Books, chainId: number): Promise<OtherNetwork[]> {
  const { rows } = await sql<OtherNetwork>`
    with networks as (
      select chain_id from receiving_accounts where chain_id <> ${chainId}
      union
      select chain_id from keys where chain_id <> ${chainId}
    )
    select networks.chain_id,
      coalesce(paid.payments, 0)::integer as payments,
      coalesce(paid.owed, 0)::integer as owed,
      coalesce(paid.open, 0)::integer as open,
      (select count(*)::integer from keys where keys.chain_id = networks.chain_id and revoked_at is null
        and (expires_at is null or expires_at > ${new Date(clock.now())}::timestamptz)) as keys
    from networks left join (
      select chain_id, count(*) as payments, count(*) filter (where state = 'paid') as owed,
        count(*) filter (where state in ('claimed', 'served', 'settling', 'refunding')) as open
      from payments where chain_id in (select chain_id from networks)
      group by chain_id
    ) as paid on paid.chain_id = networks.chain_id
    order by networks.chain_id`.execute(queries)
  return rows
}

/** Counts the usable keys that are accepted on every network: the operator made them before keys had one. */
export async function keysOfAnyNetwork({ queries, clock }: Books): Promise<number> {
  const { keys } = await queries
    .selectFrom('keys')
    .select(({ fn }) => fn.countAll<bigint>().as('keys'))
    .where('chainId', 'is', null)
    .where('revokedAt', 'is', null)
    .where((key) => key.or([key('expiresAt', 'is', null), key('expiresAt', '>', new Date(clock.now()))]))
    .executeTakeFirstOrThrow()
  return Number(keys)
}
