import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'

/**
 * The leases of the accounts that settlements are sent from. Two gateways that send from one account would take
 * each other's nonces, so each account has one owner at a time. Every statement compares with the store's own
 * clock.
 */

type Store = Pick<Books, 'queries'>

/** A gateway process, and the accounts whose keys it has, in lower-case hex. */
export interface SettlingGateway {
  readonly gateway: string
  readonly chainId: number
  readonly accounts: readonly OwnAccount[]
}

interface OwnAccount {
  readonly address: string
  readonly gas: 'enough' | 'low' | 'out'
}

/** An account as every gateway sees it. */
export interface SharedAccount {
  readonly address: string
  /** The gateway whose lease has not ended; null when there is none. */
  readonly owner: string | null
  readonly gas: 'enough' | 'low' | 'out'
  /** Whether a running gateway has its key. */
  readonly hasKeeper: boolean
}

/** Records that a gateway runs and which accounts it could send from. */
export async function noteGateway(store: Store, known: SettlingGateway, leaseMs: number): Promise<void> {
  const { gateway, chainId } = known
  const addresses = known.accounts.map(({ address }) => address)
  await sql`
    insert into settling_gateways (gateway, chain_id, accounts, live_until)
    values (${gateway}, ${chainId}, ${addresses}::text[], now() + ${lasting(leaseMs)})
    on conflict (gateway) do update set accounts = excluded.accounts, live_until = excluded.live_until
  `.execute(store.queries)
  await sql`
    insert into settling_accounts (chain_id, address, lease_until, gas)
    select ${chainId}, address, to_timestamp(0), 'enough'
    from unnest(${addresses}::text[]) with ordinality as own(address, place)
    where not exists (select from settling_accounts known
      where known.chain_id = ${chainId} and known.address = own.address)
    order by place
    on conflict do nothing
  `.execute(store.queries)
}

/**
 * Renews the leases of a gateway, and takes every account whose key it has and whose lease has ended. The
 * statement waits for a gateway that changes the same row, and then compares with what that one has written.
 * @returns the addresses that are this gateway's for `leaseMs`, counted from before the call.
 */
export async function holdAccounts(
  store: Store,
  { gateway, chainId, accounts }: SettlingGateway,
  leaseMs: number,
): Promise<string[]> {
  const addresses = accounts.map(({ address }) => address)
  const gas = accounts.map((account) => account.gas)
  const { rows } = await sql<{ address: string }>`
    update settling_accounts as held
    set owner = ${gateway}, lease_until = now() + ${lasting(leaseMs)}, gas = own.gas
    from unnest(${addresses}::text[], ${gas}::text[]) as own(address, gas)
    where held.chain_id = ${chainId} and held.address = own.address
      and (held.owner = ${gateway} or held.lease_until < now())
    returning held.address
  `.execute(store.queries)
  return rows.map(({ address }) => address)
}

/** Lists all accounts that ever were registered for a chain, in the order of their registration. */
export async function sharedAccounts({ queries }: Store, chainId: number): Promise<SharedAccount[]> {
  const { rows } = await sql<SharedAccount>`
    select address, case when lease_until > now() then owner end as owner, gas,
      exists (select from settling_gateways g
        where g.chain_id = a.chain_id and g.live_until > now() and a.address = any(g.accounts)) as has_keeper
    from settling_accounts a where chain_id = ${chainId} order by position
  `.execute(queries)
  return rows
}

/** Lists the running gateways of a chain with the accounts whose keys they have. */
export async function runningGateways(
  { queries }: Store,
  chainId: number,
): Promise<{ readonly gateway: string; readonly accounts: readonly string[] }[]> {
  const { rows } = await sql<{ gateway: string; accounts: string[] }>`
    select gateway, accounts from settling_gateways
    where chain_id = ${chainId} and live_until > now() order by gateway
  `.execute(queries)
  return rows
}

/** Gives an account to another gateway, which learns of it when it renews its leases. */
export async function giveAccount(
  { queries }: Store,
  { chainId, address, from, to }: { chainId: number; address: string; from: string; to: string },
  leaseMs: number,
): Promise<void> {
  await sql`
    update settling_accounts set owner = ${to}, lease_until = now() + ${lasting(leaseMs)}
    where chain_id = ${chainId} and address = ${address} and owner = ${from}
  `.execute(queries)
}

/** Ends the leases of a gateway that stops, so that the others need not wait for their end. */
export async function leaveAccounts({ queries }: Store, gateway: string): Promise<void> {
  await sql`
    update settling_accounts set owner = null, lease_until = to_timestamp(0) where owner = ${gateway}
  `.execute(queries)
  await sql`
    update settling_gateways set live_until = to_timestamp(0) where gateway = ${gateway}
  `.execute(queries)
}

/** Forgets handed-over payments that no gateway waits for any more. */
export async function forgetHandovers({ queries }: Store): Promise<void> {
  await sql`delete from handovers where created_at < now() - interval '1 hour'`.execute(queries)
}

function lasting(milliseconds: number) {
  return sql`${milliseconds}::double precision * interval '1 millisecond'`
}
