import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import type { WalletRecordRow } from '../../../platform/store/rows/settlement.ts'

/**
 * What payments of wallet contracts have come to. A contract can agree to every trial and burn the gas of the
 * transaction; without a record in the store it could do so again at each gateway and after each restart.
 */

/** A wallet contract. */
export interface Wallet {
  readonly chainId: number
  /** In lower-case hex. */
  readonly address: string
  /** The name of its code, the same for all wallets that behave alike. */
  readonly kind: string
}

export interface WalletRecord {
  /** The payments of this wallet that settled here, up to `maxCounted`. */
  readonly settled: number
  /** Its payments that failed at our cost, until they are forgotten. */
  readonly failures: number
  /** When this was read. */
  readonly at: Date
  /** Until when the wallet is refused; undefined when it is not. */
  readonly refusedUntil: Date | undefined
  /** Until when wallets of its kind are refused that have paid nothing here. */
  readonly kindRefusedUntil: Date | undefined
  /** Until when wallets are refused that take much gas and have paid nothing here. */
  readonly heavyRefusedUntil: Date | undefined
}

/** A wallet with more settled payments is trusted no further. */
const maxCounted = 10
/**
 * A kind with this many settled payments for each failed one is not refused. Wallets of popular code must
 * not be shut out by an attacker who uses the same code.
 */
const settledPerFailure = 10
const kindKeptMs = 30 * 86_400_000

/** Reads what is known of a wallet, in one statement. */
export async function readWalletRecord(
  { queries, clock }: Books,
  { chainId, address, kind }: Wallet,
): Promise<WalletRecord> {
  const now = new Date(clock.now())
  const { rows } = await sql<RecordRow>`
    select
      (select count(*)::integer from (
        select from payments
          where payer = ${address} and chain_id = ${chainId} and state in ('settled', 'final')
          limit ${sql.lit(maxCounted)}) as counted) as settled,
      coalesce(sum(failures) filter (where scope = 'wallet'), 0)::integer as failures,
      max(refused_until) filter (where scope = 'wallet') as refused_until,
      max(refused_until) filter (where scope = 'kind' and settled < ${sql.lit(settledPerFailure)} * failures)
        as kind_refused_until,
      max(refused_until) filter (where scope = 'heavy') as heavy_refused_until
    from wallet_records
    where chain_id = ${chainId} and kept_until > ${now}::timestamptz
      and ((scope = 'wallet' and subject = ${address}) or (scope = 'kind' and subject = ${kind})
        or (scope = 'heavy' and subject = ''))`.execute(queries)
  const [row] = rows
  if (!row) throw new Error('the store did not count the payments of a wallet')
  const future = (until: Date | null) => (until && until > now ? until : undefined)
  return {
    at: now,
    settled: row.settled,
    failures: row.failures,
    refusedUntil: future(row.refusedUntil),
    kindRefusedUntil: future(row.kindRefusedUntil),
    heavyRefusedUntil: future(row.heavyRefusedUntil),
  }
}

interface RecordRow extends Pick<WalletRecordRow, 'refusedUntil' | 'failures'> {
  readonly settled: number
  readonly kindRefusedUntil: Date | null
  readonly heavyRefusedUntil: Date | null
}

/**
 * Records a payment that was mined at our cost and moved no money. The wallet is refused for a minute, and
 * for twice as long after each further failure, up to a day. So are its kind and, if it took much gas, all
 * wallets that do, up to an hour: others have to be let in again. One statement, so that failures at two
 * gateways both count. A record is kept for a day after its refusal has ended.
 * @param isHeavy whether the payment took more gas than an ordinary wallet's.
 */
export async function noteWalletFailure(
  { queries, clock }: Books,
  { chainId, address, kind }: Wallet,
  isHeavy: boolean,
): Promise<void> {
  const now = new Date(clock.now())
  // In this order at every gateway, so that two statements cannot wait for each other.
  const subjects: Pick<WalletRecordRow, 'scope' | 'subject'>[] = [
    { scope: 'kind', subject: kind },
    { scope: 'wallet', subject: address },
  ]
  if (isHeavy) subjects.unshift({ scope: 'heavy', subject: '' })
  const rows = subjects.map(
    ({ scope, subject }) =>
      sql`(${chainId}::integer, ${scope}::text, ${subject}::text, 1, 0, ${now}::timestamptz + interval '1 minute',
        ${now}::timestamptz + interval '1 day 1 minute')`,
  )
  const refusedFor = sql`least(interval '1 minute' * power(2, least(known.failures, 20)),
    case known.scope when 'wallet' then interval '1 day' else interval '1 hour' end)`
  await sql`
    insert into wallet_records as known (chain_id, scope, subject, failures, settled, refused_until, kept_until)
    values ${sql.join(rows)}
    on conflict (chain_id, scope, subject) do update set
      failures = known.failures + 1,
      refused_until = greatest(known.refused_until, ${now}::timestamptz + ${refusedFor}),
      kept_until = greatest(known.kept_until, ${now}::timestamptz + ${refusedFor} + interval '1 day')`.execute(
    queries,
  )
}

/** Counts a settled payment for its kind, which is remembered for thirty days. */
export async function noteWalletSettled(
  { queries, clock }: Books,
  { chainId, kind }: Pick<Wallet, 'chainId' | 'kind'>,
): Promise<void> {
  const keptUntil = new Date(clock.now() + kindKeptMs)
  const counted = { failures: 0, settled: 1n, refusedUntil: null, keptUntil }
  await queries
    .insertInto('walletRecords')
    .values({ chainId, scope: 'kind', subject: kind, ...counted })
    .onConflict((conflict) =>
      conflict.columns(['chainId', 'scope', 'subject']).doUpdateSet({
        settled: sql<bigint>`wallet_records.settled + 1`,
        keptUntil: sql<Date>`greatest(wallet_records.kept_until, excluded.kept_until)`,
      }),
    )
    .execute()
}

/** Deletes records whose time is over. */
export async function forgetWalletRecords({ queries, clock }: Books): Promise<void> {
  await queries.deleteFrom('walletRecords').where('keptUntil', '<', new Date(clock.now())).execute()
}
