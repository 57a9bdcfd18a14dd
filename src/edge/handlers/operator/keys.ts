import { z } from 'zod'
import type { Tier } from '../../../core/catalog/catalog.ts'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { faultyField, GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import { keyStates, stateOf } from '../../../doors/keys/key-state.ts'
import {
  type ApiKey,
  createKey,
  findKey,
  listKeys,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../../doors/keys/keys.ts'
import type { KeyVerifier } from '../../../doors/keys/verify.ts'
import { caip2Of, type Network, nameOfNetwork } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import { dayMs, keyId, shortText } from '../keys/key-fields.ts'
import { instant, operatorOperation, word } from './fields.ts'
import { exactTime, pageQuery, showPage } from './page.ts'
import { keyListSchema, keySchema, shownKeySchema } from './replies.ts'

export interface KeyParts {
  readonly books: Books
  readonly keys: Pick<KeyVerifier, 'forget'>
  readonly network: Pick<Network, 'chainId'>
  /** Read at each call: the catalog can change while the gateway runs. */
  readonly tiers: () => Readonly<Record<string, Tier>>
}

/** API keys for the operator: created, listed, shown, changed, revoked, and given another secret. */
export const operatorKeyRows = {
  /** The key lasts until a time, for a number of days, or forever when the request names neither. */
  createKey: {
    ...noInput,
    method: 'POST',
    path: '/operator/keys',
    operation: operatorOperation('Creates an API key of a tier and shows it once.'),
    body: z.strictObject({
      tier: word,
      owner: shortText.default(''),
      label: shortText.default(''),
      expires: instant.optional(),
      days: z.int().min(1).max(3_660).optional(),
    }),
    response: shownKeySchema,
  },
  listKeys: {
    ...noInput,
    method: 'GET',
    path: '/operator/keys',
    operation: operatorOperation('The API keys, the newest first.'),
    query: pageQuery(z.tuple([exactTime, keyId]), {
      tier: word.optional(),
      owner: shortText.optional(),
      state: z.enum(keyStates).optional(),
    }),
    response: keyListSchema,
  },
  showKey: {
    ...noInput,
    method: 'GET',
    path: '/operator/keys/{keyId}',
    operation: operatorOperation('One API key, without the key itself.'),
    params: z.object({ keyId }),
    response: keySchema,
  },
  /**
   * What the body leaves out stays. In effect on every replica within a second; usage stays counted, so a
   * smaller tier may have nothing left today.
   */
  updateKey: {
    ...noInput,
    method: 'POST',
    path: '/operator/keys/{keyId}/update',
    operation: operatorOperation('Changes the tier, the expiry or the label of an API key.'),
    params: z.object({ keyId }),
    body: z
      .strictObject({
        tier: word.optional(),
        label: shortText.optional(),
        expires: instant.nullish().describe('null: never'),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must name what to change: tier, label or expires',
      }),
    response: keySchema,
  },
  /** Permanent, and in effect on every replica within a second. */
  revokeKey: {
    ...noInput,
    method: 'POST',
    path: '/operator/keys/{keyId}/revoke',
    operation: operatorOperation('Revokes an API key permanently.'),
    params: z.object({ keyId }),
    response: keySchema,
  },
  /** Without a grace the old secret, which may have leaked, is refused from now on. */
  rotateKey: {
    ...noInput,
    method: 'POST',
    path: '/operator/keys/{keyId}/rotate',
    operation: operatorOperation('Gives an API key another secret and shows it once.'),
    params: z.object({ keyId }),
    body: z.strictObject({ graceSeconds: z.int().min(0).max(2_592_000).default(0) }),
    response: shownKeySchema,
  },
} satisfies EndpointRows

export function operatorKeyHandlers({
  books,
  keys,
  network: { chainId },
  tiers,
}: KeyParts): Handlers<typeof operatorKeyRows> {
  return {
    async createKey({ body: { tier, owner, label, expires, days } }) {
      checkTier(tier)
      if (expires && days !== undefined)
        throw faultyField('days', 'cannot stand beside expires: send one of them')
      const now = books.clock.now()
      checkExpiry(expires, now)
      const expiresAt = days === undefined ? (expires ?? null) : new Date(now + days * dayMs)
      const { key, text } = await createKey(books, { tier, owner, label, chainId, expiresAt })
      const shown: z.infer<typeof shownKeySchema> = { ...describeKey(key, now), key: text }
      return json(201, shown)
    },

    async listKeys({ query: { cursor, limit, ...filter } }) {
      const page = await listKeys(books, filter, cursor, limit)
      const now = books.clock.now()
      const { shown, nextCursor } = showPage(page, (key) => describeKey(key, now))
      return json(200, { keys: shown, nextCursor } satisfies z.infer<typeof keyListSchema>)
    },

    async showKey({ params }) {
      const key = await findKey(books, params.keyId)
      if (!key) throw notFound()
      return json(200, describeKey(key, books.clock.now()))
    },

    async updateKey({ params, body: { tier, label, expires } }) {
      const now = books.clock.now()
      if (tier !== undefined) checkTier(tier)
      checkExpiry(expires, now)
      const key = await updateKey(books, params.keyId, { tier, label, expiresAt: expires }, chainId)
      if (!key) throw notFound()
      if (key === 'revoked')
        throw faultyField('keyId', 'names a revoked key, which cannot be changed: create a new one')
      if ('otherNetwork' in key) throw ofOtherNetwork(key.otherNetwork)
      keys.forget(key.id)
      return json(200, describeKey(key, now))
    },

    async revokeKey({ params }) {
      const { keyId } = params
      // Also when the store does not confirm it: then it may be done, and the key must not go on by an earlier read.
      const key = await revokeKey(books, keyId).finally(() => keys.forget(keyId))
      if (!key) throw notFound()
      return json(200, describeKey(key, books.clock.now()))
    },

    async rotateKey({ params, body: { graceSeconds } }) {
      const { keyId } = params
      const rotated = await rotateKey(books, keyId, graceSeconds * 1000, chainId).finally(() =>
        keys.forget(keyId),
      )
      if (!rotated) throw notFound()
      if (rotated === 'revoked')
        throw faultyField('keyId', 'names a revoked key, which cannot be used again: create a new one')
      if ('otherNetwork' in rotated) throw ofOtherNetwork(rotated.otherNetwork)
      const shown: z.infer<typeof shownKeySchema> = {
        ...describeKey(rotated.key, books.clock.now()),
        key: rotated.text,
      }
      return json(200, shown)
    },
  }

  function checkTier(tier: string): void {
    const known = tiers()
    if (!Object.hasOwn(known, tier)) throw faultyField('tier', tierProblem(Object.keys(known)))
  }
}

function checkExpiry(expires: Date | null | undefined, now: number): void {
  if (expires && expires.getTime() <= now) throw faultyField('expires', 'must lie in the future')
}

export function describeKey(key: ApiKey, now: number): z.infer<typeof keySchema> {
  const seconds = (time: Date | null) => time && unixSeconds(time)
  return {
    keyId: key.id,
    state: stateOf(key, now),
    tier: key.tier,
    owner: key.owner,
    label: key.label,
    paymentId: key.paymentId,
    network: key.chainId === null ? null : caip2Of(key.chainId),
    createdAt: unixSeconds(key.createdAt),
    expiresAt: seconds(key.expiresAt),
    revokedAt: seconds(key.revokedAt),
    lastUsedAt: seconds(key.lastUsedAt),
    previousUntil: seconds(key.previousUntil),
  }
}

function tierProblem(names: readonly string[]): string {
  return names.length === 0 ? 'is unknown: the catalog names no tiers' : `must be one of ${names.join(', ')}`
}

function ofOtherNetwork(chainId: number): GatewayError {
  const network = nameOfNetwork(chainId)
  return new GatewayError('KEY_OF_OTHER_NETWORK', { network }, { hint: `Its network is ${network}.` })
}

function notFound(): GatewayError {
  return new GatewayError('KEY_NOT_FOUND', { field: 'keyId' })
}
