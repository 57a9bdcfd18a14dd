import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { comeBack } from '../../core/errors.ts'
import type { Queries } from '../../platform/store/database.ts'

/**
 * The key pairs that sign access tokens, shared by all gateways of one store: a token that one of them
 * gives out opens all of them. Without rotation a key that leaked unnoticed would forge tokens for ever.
 *
 * A key is published for a while before it signs, so that whoever reads the published keys knows it by
 * then, and after its last signature for as long as the last token lives.
 */
export interface SigningKeys {
  /** The key that signs now. Made when there is none, followed by a new one when it is old. */
  signer(): Promise<{ readonly kid: string; readonly privateKey: KeyObject }>
  /** The public key of this name; undefined when none in use has it. */
  publicKey(kid: string): Promise<KeyObject | undefined>
  /** All public keys in use, as a JSON Web Key Set (RFC 7517). */
  jwks(): Promise<{ readonly keys: readonly PublicJwk[] }>
  /** Makes a new key, unless there is one that does not sign yet. @returns the newest key. */
  rotate(): Promise<{ readonly kid: string; readonly signsFrom: Date }>
}

type PublicJwk = z.infer<typeof publicJwkSchema>

/** No token lives longer. */
export const tokenLifeMs = 3_600_000

/** Longer than anybody may keep what was published, and than the clocks of two gateways differ. */
const publishedBeforeMs = 600_000
const marginMs = 600_000
const keptMs = 10_000
/** Whoever sends tokens with invented names of keys makes us read no more often. */
const leastKeptMs = 1_000
const month = 30 * 86_400_000

export const publicJwkSchema = z.object({
  kty: z.literal('RSA'),
  n: z.string(),
  e: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('RS256'),
})

const privateJwkSchema = z.object({
  kty: z.literal('RSA'),
  kid: z.string(),
  ...{ n: z.string(), e: z.string(), d: z.string() },
  ...{ p: z.string(), q: z.string(), dp: z.string(), dq: z.string(), qi: z.string() },
})

interface SigningKey {
  /** Its place among all that were ever made, from 1 on. */
  readonly turn: number
  readonly createdAtMs: number
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** @throws GatewayError QUOTAS_UNAVAILABLE, from each function, when the store does not answer. */
export function createSigningKeys({
  queries,
  clock,
  rotateAfterMs = month,
}: {
  readonly queries: Queries
  readonly clock: Clock
  readonly rotateAfterMs?: number
}): SigningKeys {
  let loaded: { readonly atMs: number; readonly keys: readonly SigningKey[] } | undefined
  let reading: Promise<readonly SigningKey[]> | undefined
  let making: Promise<void> | undefined

  async function load(maxAgeMs: number): Promise<readonly SigningKey[]> {
    const ageMs = loaded ? clock.now() - loaded.atMs : -1
    if (loaded && ageMs >= 0 && ageMs < maxAgeMs) return loaded.keys
    reading ??= read().finally(() => {
      reading = undefined
    })
    return await reading
  }

  async function read(): Promise<readonly SigningKey[]> {
    const atMs = clock.now()
    const rows = await queries.selectFrom('signingKeys').selectAll().execute().catch(unavailable)
    const all = rows
      .map((row) => loaded?.keys.find(isOf(row)) ?? signingKey(row))
      .sort((one, other) => one.turn - other.turn)
    const spent = all.filter((_, index) => isSpent(all[index + 1], atMs)).map(({ turn }) => String(turn))
    // What signs and proves nothing any more can only be stolen.
    if (spent.length > 0) {
      await queries.deleteFrom('signingKeys').where('id', 'in', spent).execute().catch(unavailable)
    }
    const keys = all.filter(({ turn }) => !spent.includes(String(turn)))
    if (!loaded || atMs >= loaded.atMs) loaded = { atMs, keys }
    return keys
  }

  /** The keys in use, of which there is at least one. */
  async function inUse(maxAgeMs: number): Promise<readonly [SigningKey, ...SigningKey[]]> {
    const [first, ...others] = await load(maxAgeMs)
    if (first) return [first, ...others]
    const [made, ...further] = await add(1)
    if (!made) throw new Error('a signing key was made and is not in the store')
    return [made, ...further]
  }

  /** @returns the keys in use, with that of this turn among them, whoever made it. */
  async function add(turn: number): Promise<readonly SigningKey[]> {
    making ??= insertKey(turn).finally(() => {
      making = undefined
    })
    await making
    return await read()
  }

  /** The turn is the primary key, so of any number of gateways whose turn it is one succeeds. */
  async function insertKey(turn: number): Promise<void> {
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
    const jwk = privateKey.export({ format: 'jwk' })
    const kid = await calculateJwkThumbprint(privateKey)
    await queries
      .insertInto('signingKeys')
      .values({
        id: String(turn),
        privateJwk: JSON.stringify({ ...jwk, kid }),
        createdAt: new Date(clock.now()),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
      .catch(unavailable)
  }

  return {
    async signer() {
      let keys = await inUse(keptMs)
      const { turn, createdAtMs } = newestOf(keys)
      if (clock.now() - createdAtMs >= rotateAfterMs) {
        await add(turn + 1)
        keys = await inUse(keptMs)
      }
      const [first, ...others] = keys
      return others.findLast((key) => signsFromMs(key) <= clock.now()) ?? first
    },
    async publicKey(kid) {
      const isNamed = (key: SigningKey) => key.kid === kid
      const key = (await load(keptMs)).find(isNamed) ?? (await load(leastKeptMs)).find(isNamed)
      return key?.publicKey
    },
    async jwks() {
      return { keys: (await inUse(keptMs)).map(publicJwk) }
    },
    async rotate() {
      const before = await read()
      const last = before.at(-1)
      // Two operators at once, or one who asks twice, get one new key.
      const isPending = last && before.length > 1 && signsFromMs(last) > clock.now()
      if (last && !isPending) await add(last.turn + 1)
      const keys = await inUse(keptMs)
      const newest = newestOf(keys)
      const signsFrom = new Date(keys.length === 1 ? newest.createdAtMs : signsFromMs(newest))
      return { kid: newest.kid, signsFrom }
    },
  }
}

function newestOf([first, ...others]: readonly [SigningKey, ...SigningKey[]]): SigningKey {
  return others.at(-1) ?? first
}

/** Of a key that has one before it: the first ever has nobody to wait for. */
function signsFromMs({ createdAtMs }: SigningKey): number {
  return createdAtMs + publishedBeforeMs
}

/** Whether the last token has died that was signed before `next` took over. */
function isSpent(next: SigningKey | undefined, nowMs: number): boolean {
  return next !== undefined && signsFromMs(next) + tokenLifeMs + marginMs <= nowMs
}

interface Row {
  readonly id: string
  readonly privateJwk: unknown
  readonly createdAt: Date
}

/** A key that was read before need not be parsed again. */
function isOf(row: Row): (key: SigningKey) => boolean {
  const named = z.object({ kid: z.string() }).safeParse(row.privateJwk)
  return ({ kid, turn }) => named.data?.kid === kid && row.id === String(turn)
}

function signingKey({ id, privateJwk, createdAt }: Row): SigningKey {
  const { kid, ...jwk } = privateJwkSchema.parse(privateJwk)
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const publicKey = createPublicKey(privateKey)
  return { turn: Number(id), createdAtMs: createdAt.getTime(), kid, privateKey, publicKey }
}

function publicJwk({ kid, publicKey }: SigningKey): PublicJwk {
  const jwk: JWK = publicKey.export({ format: 'jwk' })
  return publicJwkSchema.parse({ ...jwk, kid, use: 'sig', alg: 'RS256' })
}

function unavailable(cause: unknown): never {
  throw comeBack('QUOTAS_UNAVAILABLE', cause, 1)
}
