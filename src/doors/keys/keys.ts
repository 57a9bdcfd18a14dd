import { type Selectable, type SqlBool, sql } from 'kysely'
import type { PaidRun } from '../../core/endpoint.ts'
import type { Books } from '../../platform/store/books.ts'
import { cut, exactTime, type Page, type Position } from '../../platform/store/page.ts'
import type { KeyRow } from '../../platform/store/schema.ts'
import type { KeyState } from './key-state.ts'
import { createKeyText } from './key-text.ts'

/**
 * API keys in the store. Each change is one statement that names what it starts from, so that of two
 * people who revoke, rotate or renew at the same moment none undoes what the other did. What recognises
 * a key, its hashes, leaves the store in `verify.ts` alone.
 */
export type ApiKey = Pick<Selectable<KeyRow>, (typeof shown)[number]>

const shown = [
  'id',
  'generation',
  'previousUntil',
  'tier',
  'owner',
  'label',
  'paymentId',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
] as const satisfies readonly (keyof KeyRow)[]

/** Whether the secret before the last rotation is still taken. */
export function isInGrace({ previousUntil }: ApiKey, now: number): boolean {
  return previousUntil !== null && now < previousUntil.getTime()
}

export interface NewKey {
  readonly tier: string
  readonly owner: string
  readonly label: string
  /** Null: never. */
  readonly expiresAt: Date | null
}

/** A key at the only moment when its text is known. */
export interface ShownKey {
  readonly key: ApiKey
  readonly text: string
}

/** Makes a key that nobody pays for. */
export async function createKey({ queries, clock }: Books, wanted: NewKey): Promise<ShownKey> {
  const { tier, owner, label, expiresAt } = wanted
  const { id, text, hash } = createKeyText()
  const row = { id, hash, tier, owner, label, createdAt: new Date(clock.now()), expiresAt }
  const key = await queries.insertInto('keys').values(row).returning(shown).executeTakeFirstOrThrow()
  return { key, text }
}

/**
 * Makes the key that a payment buys. One payment has one key: a purchase that is served again, because the
 * gateway died before its reply was written down, replaces the key that nobody was given. A run that was
 * given up comes too late to replace the key of a later one, which its buyer holds.
 * @returns undefined for a run that was given up, or whose payment is being refunded.
 */
export async function sellKey(
  { queries, clock }: Books,
  { tier, owner, label, expiresAt }: NewKey,
  run: PaidRun,
): Promise<ShownKey | undefined> {
  const { id, text, hash } = createKeyText()
  const { rows } = await sql<ApiKey>`
    with run as (${lockRun(run)})
    insert into keys (id, hash, tier, owner, label, payment_id, created_at, expires_at)
    select ${id}::text, ${hash}::text, ${tier}::text, ${owner}::text, ${label}::text, run.id,
      ${new Date(clock.now())}::timestamptz, ${expiresAt}::timestamptz from run
    on conflict (payment_id) do update set id = excluded.id, hash = excluded.hash, tier = excluded.tier,
      owner = excluded.owner, label = excluded.label, created_at = excluded.created_at,
      expires_at = excluded.expires_at, generation = 1, previous_hash = null, previous_until = null, revoked_at = null,
      last_used_at = null
    returning ${sql.join(shown.map((column) => sql.ref(`keys.${column}`)))}
  `.execute(queries)
  const [key] = rows
  return key && { key, text }
}

/** The payment, if this run is still the one to serve it; nobody else takes it up before the statement is done. */
function lockRun({ id, attempt }: PaidRun) {
  return sql`select id from payments where id = ${id} and attempt = ${attempt} and state = 'paid' for share`
}

export interface KeyFilter {
  readonly tier?: string | undefined
  readonly owner?: string | undefined
  readonly state?: KeyState | undefined
}

/** One page of the keys, the newest first; it begins behind a key, so that keys made meanwhile hide none. */
export async function listKeys(
  { queries, clock }: Books,
  { tier, owner, state }: KeyFilter,
  after: Position | undefined,
  limit: number,
): Promise<Page<ApiKey, Position>> {
  const now = new Date(clock.now())
  let query = queries
    .selectFrom('keys')
    .select(shown)
    .select(exactTime('createdAt').as('position'))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
  if (tier !== undefined) query = query.where('tier', '=', tier)
  if (owner !== undefined) query = query.where('owner', '=', owner)
  if (state) query = query.where('revokedAt', state === 'revoked' ? 'is not' : 'is', null)
  if (state === 'expired') query = query.where('expiresAt', '<=', now)
  if (state === 'active') {
    query = query.where((key) => key.or([key('expiresAt', 'is', null), key('expiresAt', '>', now)]))
  }
  if (after) query = query.where(sql<SqlBool>`(created_at, id) < (${after[0]}::timestamptz, ${after[1]})`)
  return cut(await query.limit(limit + 1).execute(), limit, ({ position, id }): Position => [position, id])
}

/** One key, or undefined when there is none with this id. */
export async function findKey({ queries }: Pick<Books, 'queries'>, id: string): Promise<ApiKey | undefined> {
  return queries.selectFrom('keys').select(shown).where('id', '=', id).executeTakeFirst()
}

/** Ends a key for good; one that was revoked before keeps its time. @returns undefined when there is none. */
export async function revokeKey({ queries, clock }: Books, id: string): Promise<ApiKey | undefined> {
  return queries
    .updateTable('keys')
    .set({ revokedAt: sql<Date>`coalesce(revoked_at, ${new Date(clock.now())}::timestamptz)` })
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirst()
}

/**
 * Gives a key another secret. Its id stays, and with it what it has used and when it ends. The secret
 * before is taken for `graceMs` more, the ones before that no longer.
 * @returns undefined when there is no such key.
 */
export async function rotateKey(
  books: Books,
  id: string,
  graceMs: number,
): Promise<ShownKey | 'revoked' | undefined> {
  const { text, hash } = createKeyText(id)
  const key = await books.queries
    .updateTable('keys')
    .set((row) => ({
      hash,
      generation: row('generation', '+', 1),
      previousHash: row.ref('hash'),
      // Nothing to compare with a clock, which in another process may be a little behind.
      previousUntil: graceMs === 0 ? null : new Date(books.clock.now() + graceMs),
    }))
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning(shown)
    .executeTakeFirst()
  if (key) return { key, text }
  // The statement has decided; this only tells why. No key ever goes away, or comes back once revoked.
  return (await findKey(books, id)) && 'revoked'
}

/**
 * Lets a key last so many days (of 24 hours) longer, from its expiry on, or from now when that has passed;
 * one that never expires stays so. A payment renews once: served again, it changes nothing, and neither does a
 * run of it that was given up.
 * @returns undefined when there is no such key, or it was revoked.
 */
export async function renewKey(
  { queries, clock }: Books,
  id: string,
  days: number,
  run: PaidRun,
): Promise<ApiKey | undefined> {
  const now = new Date(clock.now())
  await sql`
    with run as (${lockRun(run)}),
    renewed as (
      insert into key_renewals (payment_id, key_id, days, created_at)
      select run.id, keys.id, ${days}::integer, ${now}::timestamptz from run, keys
        where keys.id = ${id} and revoked_at is null
      on conflict (payment_id) do nothing
      returning key_id, days
    )
    update keys set expires_at = greatest(expires_at, ${now}::timestamptz) + renewed.days * interval '24 hours'
    from renewed where keys.id = renewed.key_id and expires_at is not null
  `.execute(queries)
  const key = await findKey({ queries }, id)
  return key?.revokedAt === null ? key : undefined
}
