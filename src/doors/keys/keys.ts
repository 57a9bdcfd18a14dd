import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { isBehind, microsecondTime, type Page, type Position, pageOf } from '../../platform/store/page.ts'
import type { KeyRow } from '../../platform/store/rows/callers.ts'
import type { KeyState } from './key-state.ts'
import { createKeyText } from './key-text.ts'

/**
 * An API key in the store. Each change of a key is one statement that names the state it starts from, so that
 * two operators who revoke, rotate or renew a key at the same time cannot undo each other's change. The
 * hashes, by which a key is recognized, leave the store only in `key-reads.ts`.
 */
export type ApiKey = Pick<Selectable<KeyRow>, (typeof keyColumns)[number]>

export const keyColumns = [
  'id',
  'generation',
  'previousUntil',
  'tier',
  'owner',
  'label',
  'paymentId',
  'chainId',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
] as const satisfies readonly (keyof KeyRow)[]

/** What the usage of a key is counted for. */
export function subjectOfKey(id: string): string {
  return `key:${id}`
}

/** Whether the secret before the last rotation is still accepted. */
export function isInGrace({ previousUntil }: ApiKey, now: number): boolean {
  return previousUntil !== null && now < previousUntil.getTime()
}

export interface NewKey {
  readonly tier: string
  readonly owner: string
  readonly label: string
  /** Null for a key that never expires. */
  readonly expiresAt: Date | null
}

/** A new key of the operator's; a payment brings its own network. */
export interface OwnKey extends NewKey {
  readonly chainId: number
}

/** A key with its text. The text is known only when it is made. */
export interface ShownKey {
  readonly key: ApiKey
  readonly text: string
}

/** Makes a key for the operator, without a payment. */
export async function createKey({ queries, clock }: Books, wanted: OwnKey): Promise<ShownKey> {
  const { tier, owner, label, chainId, expiresAt } = wanted
  const { id, text, hash } = createKeyText()
  const row = { id, hash, tier, owner, label, chainId, createdAt: new Date(clock.now()), expiresAt }
  const key = await queries.insertInto('keys').values(row).returning(keyColumns).executeTakeFirstOrThrow()
  return { key, text }
}

export interface KeyFilter {
  readonly tier?: string | undefined
  readonly owner?: string | undefined
  readonly state?: KeyState | undefined
}

/** Lists one page of the keys, the newest first. */
export async function listKeys(
  { queries, clock }: Books,
  { tier, owner, state }: KeyFilter,
  after: Position | undefined,
  limit: number,
): Promise<Page<ApiKey, Position>> {
  const now = new Date(clock.now())
  let query = queries
    .selectFrom('keys')
    .select(keyColumns)
    .select(microsecondTime('createdAt').as('position'))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
  if (tier !== undefined) query = query.where('tier', '=', tier)
  if (owner !== undefined) query = query.where('owner', '=', owner)
  if (state) query = query.where('revokedAt', state === 'revoked' ? 'is not' : 'is', null)
  if (state === 'expired') query = query.where('expiresAt', '<=', now)
  if (state === 'active') {
    query = query.where((key) => key.or([key('expiresAt', 'is', null), key('expiresAt', '>', now)]))
  }
  if (after) query = query.where(isBehind(['createdAt', 'id'], 'newest first', after))
  return pageOf(await query.limit(limit + 1).execute(), limit, ({ position, id }): Position => [position, id])
}

/**
 * Whether a key opens doors on a network. What was bought with test money must not open doors where the money
 * is real.
 */
export function isOfNetwork({ chainId }: Pick<ApiKey, 'chainId'>, network: number): boolean {
  return chainId === null || chainId === network
}

/** Finds a key; undefined when there is none with this id. */
export async function findKey({ queries }: Pick<Books, 'queries'>, id: string): Promise<ApiKey | undefined> {
  return queries.selectFrom('keys').select(keyColumns).where('id', '=', id).executeTakeFirst()
}

/**
 * Revokes a key permanently. A key that was revoked before keeps its first revocation time.
 * @returns
 * undefined when there is no such key.
 */
export async function revokeKey({ queries, clock }: Books, id: string): Promise<ApiKey | undefined> {
  return queries
    .updateTable('keys')
    .set({ revokedAt: sql<Date>`coalesce(revoked_at, ${new Date(clock.now())}::timestamptz)` })
    .where('id', '=', id)
    .returning(keyColumns)
    .executeTakeFirst()
}

/** What an operator may change of a key; what is left out stays. */
export interface KeyChange {
  readonly tier?: string | undefined
  readonly label?: string | undefined
  /** Null for a key that shall never expire. */
  readonly expiresAt?: Date | null | undefined
}

/** Why a key was not changed. */
export type Unchanged = 'revoked' | { readonly otherNetwork: number }

/**
 * Changes a key. Its secret, its id and its usage stay.
 * @param network where the key must open doors; undefined for any.
 * @returns undefined when there is no such key.
 */
export async function updateKey(
  books: Pick<Books, 'queries'>,
  id: string,
  { tier, label, expiresAt }: KeyChange,
  network?: number,
): Promise<ApiKey | Unchanged | undefined> {
  const key = await books.queries
    .updateTable('keys')
    .set({
      ...(tier === undefined ? {} : { tier }),
      ...(label === undefined ? {} : { label }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where(onNetwork(network))
    .returning(keyColumns)
    .executeTakeFirst()
  return key ?? whyUnchanged(books, id, network)
}

/**
 * Gives a key a new secret. Its id stays, and with it its usage and its expiry. The last secret is accepted
 * for `graceMs` more; older secrets are not.
 * @param network where the key must open doors; undefined for any.
 * @returns undefined when there is no such key.
 */
export async function rotateKey(
  books: Books,
  id: string,
  graceMs: number,
  network?: number,
): Promise<ShownKey | Unchanged | undefined> {
  const { text, hash } = createKeyText(id)
  const key = await books.queries
    .updateTable('keys')
    .set((row) => ({
      hash,
      generation: row('generation', '+', 1),
      previousHash: row.ref('hash'),
      // Null ends the old secret in every process. With the time `now`, a process whose clock is behind would
      // still accept it.
      previousUntil: graceMs === 0 ? null : new Date(books.clock.now() + graceMs),
    }))
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where(onNetwork(network))
    .returning(keyColumns)
    .executeTakeFirst()
  return key ? { key, text } : whyUnchanged(books, id, network)
}

/** A condition on a row of `keys`, as `isOfNetwork`. */
function onNetwork(network: number | undefined): RawBuilder<SqlBool> {
  return network === undefined ? sql`true` : sql`(chain_id is null or chain_id = ${network})`
}

/**
 * The reason for what the statement has decided. It cannot have changed meanwhile: keys are never deleted, revocations
 * are final, and a key that has a network keeps it.
 */
async function whyUnchanged(
  books: Pick<Books, 'queries'>,
  id: string,
  network: number | undefined,
): Promise<Unchanged | undefined> {
  const key = await findKey(books, id)
  if (!key) return undefined
  const { chainId } = key
  return network === undefined || chainId === null || chainId === network
    ? 'revoked'
    : { otherNetwork: chainId }
}
