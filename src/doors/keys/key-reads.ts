import type { Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../core/clock.ts'
import { comeBack } from '../../core/errors.ts'
import type { Queries } from '../../platform/store/database.ts'
import { grouped } from '../../platform/store/group.ts'
import type { KeyRow } from '../../platform/store/rows/callers.ts'
import { type ApiKey, isOfNetwork } from './keys.ts'
import { isUsable } from './outage-reads.ts'

/** A key as the store has it, with the hashes that recognize its secrets. */
export interface StoredKey {
  readonly accepted: { readonly kind: 'key'; readonly key: ApiKey }
  readonly hash: Buffer
  readonly previousHash: Buffer | undefined
}

/** One read of a key, running or finished. */
interface KeyRead {
  readonly startedAtMs: number
  readonly reading: Promise<StoredKey | undefined>
  /** The finished read. An unknown key is remembered too: otherwise every guess would read the store. */
  done?: { readonly stored: StoredKey | undefined }
}

interface KnownKey {
  readonly stored: StoredKey
  readonly readAtMs: number
}

const maxReads = 10_000

/**
 * Reads keys from the store, and shares each read with the calls that need the same key shortly after. What was read of
 * a key is kept for a time in which the store does not reply.
 */
export class KeyReads {
  readonly #queries: Queries
  readonly #clock: Clock
  readonly #chainId: number
  readonly #reads = new LRUCache<string, KeyRead>({ max: maxReads })
  readonly #known = new LRUCache<string, KnownKey>({ max: maxReads })

  /** @param chainId the network in use: a key of another one is unknown. */
  constructor(queries: Queries, clock: Clock, chainId: number) {
    this.#queries = queries
    this.#clock = clock
    this.#chainId = chainId
  }

  /** The last read of this key, if it began less than `maxAgeMs` ago. */
  recent(id: string, maxAgeMs: number): KeyRead | undefined {
    const last = this.#reads.get(id)
    const ageMs = last ? this.#clock.now() - last.startedAtMs : -1
    // If the clock is set back, a revoked key must not stay valid.
    return ageMs >= 0 && ageMs < maxAgeMs ? last : undefined
  }

  /**
   * Finds a key by the last read that began less than `maxAgeMs` ago, else by a new one.
   * @throws GatewayError QUOTAS_UNAVAILABLE when the store does not reply.
   */
  read(id: string, maxAgeMs: number): Promise<StoredKey | undefined> {
    const recent = this.recent(id, maxAgeMs)
    if (recent) return recent.reading
    const read: KeyRead = { startedAtMs: this.#clock.now(), reading: this.#readStore(id) }
    this.#reads.set(id, read)
    read.reading.then(
      (stored) => {
        read.done = { stored }
        // A key that this process has changed meanwhile is not known by this read.
        if (this.#reads.peek(id) !== read) return
        if (stored) this.#known.set(id, { stored, readAtMs: read.startedAtMs })
        else this.#known.delete(id)
      },
      () => {
        // The calls that wait get the error. The next call reads the store again.
        if (this.#reads.peek(id) === read) this.#reads.delete(id)
      },
    )
    return read.reading
  }

  /** The key as it was read last, for an outage of the store. */
  known(id: string): StoredKey | undefined {
    const known = this.#known.get(id)
    return known && isUsable(known.readAtMs, this.#clock) ? known.stored : undefined
  }

  /**
   * The next call reads the key again, also in an outage. A running read goes on for the calls that wait for
   * it.
   */
  forget(id: string): void {
    this.#reads.delete(id)
    this.#known.delete(id)
  }

  async #readStore(id: string): Promise<StoredKey | undefined> {
    const row = await readRow(this.#queries, id).catch((cause: unknown) => {
      throw comeBack('QUOTAS_UNAVAILABLE', cause)
    })
    if (!row || !isOfNetwork(row, this.#chainId)) return undefined
    const { hash, previousHash, ...key } = row
    return {
      accepted: { kind: 'key', key },
      hash: Buffer.from(hash, 'hex'),
      previousHash: previousHash === null ? undefined : Buffer.from(previousHash, 'hex'),
    }
  }
}

/**
 * Reads that come together share a statement. Anybody can make texts that look like keys, and only the store
 * knows that they are none.
 */
const readRow = grouped<string, Selectable<KeyRow> | null>({
  isRead: true,
  keyOf: (id) => id,
  sizeOf: () => 200,
  async run(queries, ids) {
    const rows = await queries.selectFrom('keys').selectAll().where('id', 'in', ids).execute()
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.map((id) => byId.get(id) ?? null)
  },
})
