import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Queries } from '../../platform/store/database.ts'
import { KeyReads, type StoredKey } from './key-reads.ts'
import { type KeyState, stateOf } from './key-state.ts'
import { parseKeyText } from './key-text.ts'
import { KeyUses } from './key-uses.ts'
import { type ApiKey, isInGrace } from './keys.ts'
import { OutageReads } from './outage-reads.ts'

/**
 * Finds the key that a call is made with. What the store says about a key is reused for less than a second.
 * So a busy key costs one read a second instead of one a call, and every process refuses a call that comes a
 * second after a revocation. Only a caller with the right secret learns that a key has expired or was
 * revoked.
 *
 * While the store does not reply, a key that was read in the last five minutes is found by that read. It may have been
 * revoked elsewhere since, so it opens only what needs no count, until `confirm` finds it in the store.
 */
export interface KeyVerifier {
  /**
   * Verifies a key that a caller sent.
   * @returns the key, with the generation of the secret that was sent.
   * @throws GatewayError QUOTAS_UNAVAILABLE when the store does not reply, and the key is not known from before.
   */
  verify(text: string): Promise<Verdict<'API_KEY_MALFORMED' | KeyRefusal>>
  /**
   * Finds a key for a caller who has proven ownership in another way.
   * @throws GatewayError like `verify`.
   */
  find(id: string): Promise<Verdict<KeyRefusal>>
  /** Makes the next call read this key again, after this process has changed it. */
  forget(id: string): void
  /** Writes when keys were last used. To be called once a minute; never rejects. */
  writeUses(): Promise<void>
  /** Writes the last uses that are not written yet. */
  close(): Promise<void>
}

type KeyRefusal = 'API_KEY_UNKNOWN' | 'API_KEY_EXPIRED' | 'API_KEY_REVOKED'

/**
 * Asks the store for a key that was found by an earlier read.
 * @returns undefined when the key is not valid any more.
 * @throws GatewayError QUOTAS_UNAVAILABLE while the store does not reply.
 */
export type Confirm = () => Promise<ApiKey | undefined>

type Verdict<Code extends string> =
  | { readonly kind: 'key'; readonly key: ApiKey; readonly confirm?: Confirm }
  | { readonly kind: 'refused'; readonly code: Code }

/**
 * How long a read of the store is reused. It counts from the start of the read, so that a slow read does not
 * make a revoked key valid for longer.
 */
const maxAgeMs = 900
/**
 * A refused key is read again after this time, so that a client that repeats a refused key does not read each
 * time.
 */
const maxAgeRefusedMs = 50

export function createKeyVerifier({
  queries,
  clock,
  chainId,
  log,
}: {
  readonly queries: Queries
  readonly clock: Clock
  /** The network in use: keys of another one are unknown. */
  readonly chainId: number
  readonly log: Log
}): KeyVerifier {
  const reads = new KeyReads(queries, clock, chainId)
  const uses = new KeyUses(queries, log)
  const outageReads = new OutageReads(clock, log)
  const sentLately = new LRUCache<string, SentKey>({ max: 1_000, ttl: 60_000, ttlResolution: 1_000 })

  /**
   * Returns a resolved promise for a key that was read shortly before, as most are: such a call waits for
   * nothing.
   */
  function decide(
    id: string,
    judge: (stored: StoredKey) => Verdict<KeyRefusal>,
  ): Promise<Verdict<KeyRefusal>> {
    const stored = reads.recent(id, maxAgeMs)?.done?.stored
    const verdict = stored && judge(stored)
    return verdict?.kind === 'key' ? Promise.resolve(verdict) : decideSlowly(id, judge)
  }

  async function decideSlowly(
    id: string,
    judge: (stored: StoredKey) => Verdict<KeyRefusal>,
  ): Promise<Verdict<KeyRefusal>> {
    const read = () => reads.read(id, maxAgeMs)
    const { value: stored, failure } = await outageReads.get(read, reads.known(id))
    if (stored === undefined) return unknownKey
    const verdict = judge(stored)
    if (verdict.kind === 'key' && failure) return { ...verdict, confirm: () => confirm(read, judge) }
    if (verdict.kind === 'key') return verdict
    // Only the store can tell whether the key was renewed or rotated since.
    if (failure) throw failure.cause
    // Another process may just have renewed the key, or given it the secret that was sent.
    const newer = await reads.read(id, maxAgeRefusedMs)
    return newer === undefined ? unknownKey : judge(newer)
  }

  async function confirm(
    read: () => Promise<StoredKey | undefined>,
    judge: (stored: StoredKey) => Verdict<KeyRefusal>,
  ): Promise<ApiKey | undefined> {
    const { value: stored } = await outageReads.get(read, undefined)
    const verdict = stored && judge(stored)
    return verdict?.kind === 'key' ? verdict.key : undefined
  }

  function judgeSecret({ accepted, hash, previousHash }: StoredKey, sent: Buffer): Verdict<KeyRefusal> {
    if (timingSafeEqual(sent, hash)) return judgeState(accepted)
    if (previousHash === undefined || !timingSafeEqual(sent, previousHash)) return unknownKey
    if (!isInGrace(accepted.key, clock.now())) return refusals.revoked
    const { key } = accepted
    return judgeState({ kind: 'key', key: { ...key, generation: key.generation - 1 } })
  }

  /** Compares the expiry with the clock at each call, because the key may expire while a read is reused. */
  function judgeState(accepted: StoredKey['accepted']): Verdict<KeyRefusal> {
    const now = clock.now()
    const state = stateOf(accepted.key, now)
    if (state !== 'active') return refusals[state]
    uses.note(accepted.key.id, now)
    return accepted
  }

  /** A busy key is sent thousands of times a second, and to check and hash its text takes a tenth of a call. */
  function parse(text: string): SentKey | undefined {
    const parsed = parseKeyText(text)
    if (!parsed) return undefined
    const sent = { id: parsed.id, hash: Buffer.from(parsed.hash, 'hex') }
    sentLately.set(text, sent)
    return sent
  }

  return {
    verify(text) {
      const sent = sentLately.get(text) ?? parse(text)
      if (!sent) return Promise.resolve(malformed)
      return decide(sent.id, (stored) => judgeSecret(stored, sent.hash))
    },
    find: (id) => decide(id, ({ accepted }) => judgeState(accepted)),
    forget: (id) => reads.forget(id),
    writeUses: () => uses.write(),
    close: () => uses.write(),
  }
}

interface SentKey {
  readonly id: string
  readonly hash: Buffer
}

const malformed = { kind: 'refused', code: 'API_KEY_MALFORMED' } as const
const unknownKey = { kind: 'refused', code: 'API_KEY_UNKNOWN' } as const
const refusals = {
  expired: { kind: 'refused', code: 'API_KEY_EXPIRED' },
  revoked: { kind: 'refused', code: 'API_KEY_REVOKED' },
} as const satisfies Record<Exclude<KeyState, 'active'>, Verdict<KeyRefusal>>
