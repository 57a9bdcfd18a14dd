import { timingSafeEqual } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../core/clock.ts'
import { comeBack } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { Queries } from '../../platform/store/database.ts'
import type { KeyRow } from '../../platform/store/schema.ts'
import { type KeyState, stateOf } from './key-state.ts'
import { parseKeyText } from './key-text.ts'
import { type ApiKey, isInGrace } from './keys.ts'

/**
 * Tells whose key a call bears. What the store says of a key is kept for less than a second, so a busy key
 * costs one read a second instead of one a call, and a call that comes a second after a revocation is
 * refused by every process. Only whoever has the secret learns that a key has expired or was revoked.
 */
export interface KeyVerifier {
  /**
   * The key as it stands, with the generation of the secret that was sent.
   * @throws GatewayError QUOTAS_UNAVAILABLE when the store cannot answer; never for what the caller sent.
   */
  verify(text: string): Promise<Verdict<'API_KEY_MALFORMED' | KeyRefusal>>
  /** For whoever has proven in another way that this key is theirs. @throws like `verify`. */
  find(id: string): Promise<Verdict<KeyRefusal>>
  /** This process has changed the key: its next call reads it again. */
  forget(id: string): void
  /** Writes down when keys were last used, in one statement for all of them. To be done once a minute; never rejects. */
  writeUses(): Promise<void>
  /** Writes down what is still noted. */
  close(): Promise<void>
}

type KeyRefusal = 'API_KEY_UNKNOWN' | 'API_KEY_EXPIRED' | 'API_KEY_REVOKED'

type Verdict<Code extends string> =
  | { readonly kind: 'key'; readonly key: ApiKey }
  | { readonly kind: 'refused'; readonly code: Code }

/** A read of the store, under way or done. */
interface Lookup {
  readonly begunAtMs: number
  readonly reading: Promise<Known | undefined>
  /** What was read; a key that is not there is remembered as well, or guesses would cost a read each. */
  done?: { readonly known: Known | undefined }
}

interface Known {
  readonly accepted: { readonly kind: 'key'; readonly key: ApiKey }
  readonly hash: Buffer
  readonly previousHash: Buffer | undefined
}

/** Counted from before the read begins: what a call is told was true that long before it, however slow the read. */
const keptMs = 900
/** A key that is refused is read again soon, and yet no client that repeats itself reads it all the time. */
const refusalKeptMs = 50
const maxKept = 10_000

export function createKeyVerifier({
  queries,
  clock,
  log,
}: {
  readonly queries: Queries
  readonly clock: Clock
  readonly log: Log
}): KeyVerifier {
  const lookups = new LRUCache<string, Lookup>({ max: maxKept })
  let uses = new Map<string, number>()

  /** The last read of this key if it is that young, else a new one. Calls for the same key share it. */
  function look(id: string, freshMs: number): Lookup {
    const now = clock.now()
    const kept = lookups.get(id)
    // A clock that was set back must not keep a revoked key alive.
    if (kept && now >= kept.begunAtMs && now - kept.begunAtMs < freshMs) return kept
    const lookup: Lookup = { begunAtMs: now, reading: read(id) }
    lookups.set(id, lookup)
    lookup.reading.then(
      (known) => {
        lookup.done = { known }
      },
      () => {
        // Whoever waits for it is told. The next call asks the store again.
        if (lookups.peek(id) === lookup) lookups.delete(id)
      },
    )
    return lookup
  }

  async function read(id: string): Promise<Known | undefined> {
    let row: Selectable<KeyRow> | undefined
    try {
      row = await queries.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst()
    } catch (cause) {
      throw comeBack('QUOTAS_UNAVAILABLE', cause)
    }
    if (!row) return undefined
    const { hash, previousHash, ...key } = row
    return {
      accepted: { kind: 'key', key },
      hash: Buffer.from(hash, 'hex'),
      previousHash: previousHash === null ? undefined : Buffer.from(previousHash, 'hex'),
    }
  }

  function decide(id: string, judged: (known: Known) => Verdict<KeyRefusal>): Promise<Verdict<KeyRefusal>> {
    const lookup = look(id, keptMs)
    const known = lookup.done?.known
    const verdict = known && judged(known)
    // Most calls are with a key that was read a moment ago, and wait for nothing.
    return verdict?.kind === 'key' ? Promise.resolve(verdict) : decideAnew(id, lookup, judged)
  }

  async function decideAnew(id: string, lookup: Lookup, judged: (known: Known) => Verdict<KeyRefusal>) {
    const known = lookup.done ? lookup.done.known : await lookup.reading
    if (known === undefined) return unknownKey
    const verdict = judged(known)
    if (verdict.kind === 'key') return verdict
    // The key may have been renewed, or given the secret that was sent, a moment ago by another process.
    const newer = await look(id, refusalKeptMs).reading
    return newer === undefined ? unknownKey : judged(newer)
  }

  function judgeSecret({ accepted, hash, previousHash }: Known, given: Buffer): Verdict<KeyRefusal> {
    if (timingSafeEqual(given, hash)) return judge(accepted)
    if (previousHash === undefined || !timingSafeEqual(given, previousHash)) return unknownKey
    if (!isInGrace(accepted.key, clock.now())) return refusals.revoked
    const { key } = accepted
    return judge({ kind: 'key', key: { ...key, generation: key.generation - 1 } })
  }

  /** Expiry is asked of the clock at each call: it comes while what was read is kept. */
  function judge(accepted: Known['accepted']): Verdict<KeyRefusal> {
    const now = clock.now()
    const state = stateOf(accepted.key, now)
    if (state !== 'active') return refusals[state]
    uses.set(accepted.key.id, now)
    return accepted
  }

  async function writeUses(): Promise<void> {
    if (uses.size === 0) return
    const noted = uses
    uses = new Map()
    const seen = Array.from(noted, ([id, at]) => ({ id, at: new Date(at).toISOString() }))
    try {
      // Rows are locked in one order everywhere: two processes never wait for each other.
      await sql`
        with seen as (
          select keys.id, used.at
          from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as used(id text, at timestamptz)
            join keys on keys.id = used.id
          order by keys.id for update of keys
        )
        update keys set last_used_at = greatest(keys.last_used_at, seen.at) from seen where keys.id = seen.id
      `.execute(queries)
    } catch (error) {
      log.warn({ err: error }, 'when keys were last used could not be written down; it is tried again')
      uses = new Map([...noted, ...uses])
    }
  }

  return {
    verify(text) {
      const parsed = parseKeyText(text)
      if (!parsed) return Promise.resolve(malformed)
      const given = Buffer.from(parsed.hash, 'hex')
      return decide(parsed.id, (known) => judgeSecret(known, given))
    },
    find: (id) => decide(id, ({ accepted }) => judge(accepted)),
    // A read under way is left to those who wait for it: what it finds is kept for nobody else.
    forget: (id) => void lookups.delete(id),
    writeUses,
    close: writeUses,
  }
}

const malformed = { kind: 'refused', code: 'API_KEY_MALFORMED' } as const
const unknownKey = { kind: 'refused', code: 'API_KEY_UNKNOWN' } as const
const refusals = {
  expired: { kind: 'refused', code: 'API_KEY_EXPIRED' },
  revoked: { kind: 'refused', code: 'API_KEY_REVOKED' },
} as const satisfies Record<Exclude<KeyState, 'active'>, Verdict<KeyRefusal>>
