import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint } from 'jose'
import type { Clock } from '../../core/clock.ts'
import { comeBack } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { Queries } from '../../platform/store/database.ts'
import { isUsable, OutageReads } from './outage-reads.ts'
import {
  isOfRow,
  isSpent,
  type PublicJwk,
  publicJwk,
  readSigningKey,
  type SigningKey,
  signsFromMs,
} from './signing-key.ts'

/**
 * The key pairs that sign access tokens. All gateways on one store share them, so a token of one gateway is
 * valid at every other. They are rotated: otherwise a key that leaked unnoticed could forge tokens forever.
 *
 * A key is published some time before it signs, so that readers of the published keys have it by then. It
 * stays published until the last token that it signed has expired.
 */
export interface SigningKeys {
  /** The key that signs now. Makes one when there is none, and a new one when the newest is old. */
  signer(): Promise<{ readonly kid: string; readonly privateKey: KeyObject }>
  /**
   * Finds the public key with this name; undefined when no key in use has it. While the store does not reply, the
   * keys that were read in the last five minutes are used.
   */
  publicKey(kid: string): Promise<KeyObject | undefined>
  /** All public keys in use, as a JSON Web Key Set (RFC 7517). */
  jwks(): Promise<{ readonly keys: readonly PublicJwk[] }>
  /**
   * Makes a new key, unless the newest does not sign yet.
   * @returns the newest key.
   */
  rotate(): Promise<{ readonly kid: string; readonly signsFrom: Date }>
}

interface SigningKeysOptions {
  readonly queries: Queries
  readonly clock: Clock
  readonly log: Log
  readonly rotateAfterMs?: number
}

/** @throws GatewayError QUOTAS_UNAVAILABLE, from each method, when the store does not reply. */
export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  return new StoredSigningKeys(options)
}

/** How long a read of the store is reused. */
const maxAgeMs = 10_000
/** For an unknown name. A client that invents names does not make us read the store each time. */
const maxAgeUnknownMs = 1_000
const monthMs = 30 * 86_400_000

class StoredSigningKeys implements SigningKeys {
  readonly #queries: Queries
  readonly #clock: Clock
  readonly #rotateAfterMs: number
  readonly #outageReads: OutageReads
  #loaded: { readonly atMs: number; readonly keys: readonly SigningKey[] } | undefined
  #reading: Promise<readonly SigningKey[]> | undefined
  #making: Promise<void> | undefined

  constructor({ queries, clock, log, rotateAfterMs = monthMs }: SigningKeysOptions) {
    this.#queries = queries
    this.#clock = clock
    this.#rotateAfterMs = rotateAfterMs
    this.#outageReads = new OutageReads(clock, log)
  }

  async signer(): Promise<SigningKey> {
    let keys = await this.#inUse()
    const { turn, createdAtMs } = newestOf(keys)
    if (this.#clock.now() - createdAtMs >= this.#rotateAfterMs) {
      await this.#add(turn + 1)
      keys = await this.#inUse()
    }
    const [first, ...others] = keys
    return others.findLast((key) => signsFromMs(key) <= this.#clock.now()) ?? first
  }

  async publicKey(kid: string): Promise<KeyObject | undefined> {
    const isNamed = (key: SigningKey) => key.kid === kid
    const known = this.#loaded && isUsable(this.#loaded.atMs, this.#clock) ? this.#loaded.keys : undefined
    const { value: keys, failure } = await this.#outageReads.get(() => this.#load(maxAgeMs), known)
    const key = keys.find(isNamed)
    if (key) return key.publicKey
    // Only the store can tell whether there is such a key by now.
    if (failure) throw failure.cause
    return (await this.#load(maxAgeUnknownMs)).find(isNamed)?.publicKey
  }

  async jwks(): Promise<{ readonly keys: readonly PublicJwk[] }> {
    return { keys: (await this.#inUse()).map(publicJwk) }
  }

  async rotate(): Promise<{ readonly kid: string; readonly signsFrom: Date }> {
    const before = await this.#read()
    const last = before.at(-1)
    // Two operators at once, or one who repeats the command, get one new key.
    const isPending = last && before.length > 1 && signsFromMs(last) > this.#clock.now()
    if (last && !isPending) await this.#add(last.turn + 1)
    const keys = await this.#inUse()
    const newest = newestOf(keys)
    const signsFrom = new Date(keys.length === 1 ? newest.createdAtMs : signsFromMs(newest))
    return { kid: newest.kid, signsFrom }
  }

  /** The keys in use. Makes the first key when there is none. */
  async #inUse(): Promise<readonly [SigningKey, ...SigningKey[]]> {
    const [first, ...others] = await this.#load(maxAgeMs)
    if (first) return [first, ...others]
    const [made, ...further] = await this.#add(1)
    if (!made) throw new Error('a signing key was made and is not in the store')
    return [made, ...further]
  }

  async #load(ageLimitMs: number): Promise<readonly SigningKey[]> {
    const ageMs = this.#loaded ? this.#clock.now() - this.#loaded.atMs : -1
    if (this.#loaded && ageMs >= 0 && ageMs < ageLimitMs) return this.#loaded.keys
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return await this.#reading
  }

  async #read(): Promise<readonly SigningKey[]> {
    const atMs = this.#clock.now()
    const rows = await this.#queries.selectFrom('signingKeys').selectAll().execute().catch(unavailable)
    const all = rows
      .map((row) => this.#loaded?.keys.find(isOfRow(row)) ?? readSigningKey(row))
      .sort((one, other) => one.turn - other.turn)
    const spent = all.filter((_, index) => isSpent(all[index + 1], atMs)).map(({ turn }) => String(turn))
    // A key that is no longer needed can only be stolen.
    if (spent.length > 0) {
      await this.#queries.deleteFrom('signingKeys').where('id', 'in', spent).execute().catch(unavailable)
    }
    const keys = all.filter(({ turn }) => !spent.includes(String(turn)))
    if (!this.#loaded || atMs >= this.#loaded.atMs) this.#loaded = { atMs, keys }
    return keys
  }

  /**
   * Makes the key with this number, unless another gateway has made it.
   * @returns the keys in use, with that
   * key.
   */
  async #add(turn: number): Promise<readonly SigningKey[]> {
    this.#making ??= this.#insert(turn).finally(() => {
      this.#making = undefined
    })
    await this.#making
    return await this.#read()
  }

  /** The number is the primary key: of several gateways that insert it at the same time, one succeeds. */
  async #insert(turn: number): Promise<void> {
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
    const jwk = privateKey.export({ format: 'jwk' })
    const kid = await calculateJwkThumbprint(privateKey)
    await this.#queries
      .insertInto('signingKeys')
      .values({
        id: String(turn),
        privateJwk: JSON.stringify({ ...jwk, kid }),
        createdAt: new Date(this.#clock.now()),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
      .catch(unavailable)
  }
}

function newestOf([first, ...others]: readonly [SigningKey, ...SigningKey[]]): SigningKey {
  return others.at(-1) ?? first
}

function unavailable(cause: unknown): never {
  throw comeBack('QUOTAS_UNAVAILABLE', cause, 1)
}
