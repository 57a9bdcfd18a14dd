import type { Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../core/clock.ts'
import { comeBack } from '../../core/errors.ts'
import type { Queries } from '../../platform/store/database.ts'
import type { KeyRow } from '../../platform/store/schema.ts'
import { type ApiKey, isOfNetwork } from './keys.ts'

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

const maxReads = 10_000

/** Reads keys from the store, and shares each read with the calls that need the same key shortly after. */
export class KeyReads {
  readonly #queries: Queries
  readonly #clock: Clock
  readonly #chainId: number
  readonly #reads = new LRUCache<string, KeyRead>({ max: maxReads })

  /** @param chainId the network in use: a key of another one is unknown. */
  constructor(queries: Queries, clock: Clock, chainId: number) {
    this.#queries = queries
    this.#clock = clock
    this.#chainId = chainId
  }

  /**
   * The last read of this key if it began less than `maxAgeMs` ago, else a new read.
   * @throws GatewayError QUOTAS_UNAVAILABLE, as the rejection of `reading`, when the store does not reply.
   */
  read(id: string, maxAgeMs: number): KeyRead {
    const now = this.#clock.now()
    const last = this.#reads.get(id)
    // If the clock is set back, a revoked key must not stay valid.
    if (last && now >= last.startedAtMs && now - last.startedAtMs < maxAgeMs) return last
    const read: KeyRead = { startedAtMs: now, reading: this.#readStore(id) }
    this.#reads.set(id, read)
    read.reading.then(
      (stored) => {
        read.done = { stored }
      },
      () => {
        // The calls that wait get the error. The next call reads the store again.
        if (this.#reads.peek(id) === read) this.#reads.delete(id)
      },
    )
    return read
  }

  /** The next call reads the key again. A running read goes on for the calls that wait for it. */
  forget(id: string): void {
    this.#reads.delete(id)
  }

  async #readStore(id: string): Promise<StoredKey | undefined> {
    let row: Selectable<KeyRow> | undefined
    try {
      row = await this.#queries.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst()
    } catch (cause) {
      throw comeBack('QUOTAS_UNAVAILABLE', cause)
    }
    if (!row || !isOfNetwork(row, this.#chainId)) return undefined
    const { hash, previousHash, ...key } = row
    return {
      accepted: { kind: 'key', key },
      hash: Buffer.from(hash, 'hex'),
      previousHash: previousHash === null ? undefined : Buffer.from(previousHash, 'hex'),
    }
  }
}
