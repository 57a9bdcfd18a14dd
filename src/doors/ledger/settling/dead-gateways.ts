import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'

/**
 * Ends the leases of the payments that dead gateways hold: a gateway is dead when it has not renewed its own
 * lease in time, or has stopped. Without this, a payer whose call ran in a gateway that was killed would have to
 * wait until the lease of the payment ends, which is as long as a handler or a settlement may take.
 *
 * One statement forgets a gateway and ends its leases, so this happens once for each. It only ends leases: which
 * worker takes a payment over is decided as for any other lease that has ended. A gateway that was only stopped
 * for a while finds that it holds these payments as long as no other worker has begun them.
 * @returns the ids of the payments.
 */
export async function endLeasesOfDead({ queries, clock }: Books, chainId: number): Promise<string[]> {
  const now = clock.now()
  const { rows } = await sql<{ id: string }>`
    with dead as (
      delete from settling_gateways where chain_id = ${chainId} and live_until < now() returning gateway
    ),
    held as (
      select payments.id from payments join dead on payments.holder = dead.gateway
      where state in ('claimed', 'served', 'settling', 'paid') and lease_until >= ${new Date(now)}::timestamptz
      -- A row that is being moved is not abandoned.
      for update of payments skip locked
    )
    update payments set lease_until = ${new Date(now - 1)}::timestamptz from held where payments.id = held.id
    returning payments.id
  `.execute(queries)
  return rows.map(({ id }) => id)
}
