import { z } from 'zod'
import type { Tier } from '../../../core/catalog/catalog.ts'
import { unixSeconds } from '../../../core/clock.ts'
import { type Endpoint, endpointWith, noBody, noParams, noQuery } from '../../../core/endpoint.ts'
import { faultyField, GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import { keyStates, stateOf } from '../../../doors/keys/key-state.ts'
import { type ApiKey, createKey, findKey, listKeys, revokeKey, rotateKey } from '../../../doors/keys/keys.ts'
import type { KeyVerifier } from '../../../doors/keys/verify.ts'
import type { Books } from '../../../platform/store/books.ts'
import { dayMs, given, keyId } from '../keys/key-fields.ts'
import { cursorOf, exactTime, instant, limit, operatorOperation, word, writeCursor } from './fields.ts'
import { keyListSchema, keySchema, shownKeySchema } from './replies.ts'

export interface KeyParts {
  readonly books: Books
  readonly keys: Pick<KeyVerifier, 'forget'>
  /** Asked at each call: the catalogue can change while the gateway runs. */
  readonly tiers: () => Readonly<Record<string, Tier>>
}

/** API keys as the operator tends them: made, looked at, given another secret, and ended. */
export function operatorKeyEndpoints(parts: KeyParts): Endpoint[] {
  return [
    createEndpoint(parts),
    listEndpoint(parts),
    showEndpoint(parts),
    revokeEndpoint(parts),
    rotateEndpoint(parts),
  ]
}

/** POST /operator/keys: a key that lasts until a time, for so many days, or, when neither is given, for ever. */
function createEndpoint({ books, tiers }: KeyParts): Endpoint {
  return endpointWith({
    id: 'createKey',
    method: 'POST',
    path: '/operator/keys',
    operation: operatorOperation('Makes an API key of a tier and tells it, this once.'),
    params: noParams,
    query: noQuery,
    body: z.strictObject({
      tier: z.string(),
      owner: given.default(''),
      label: given.default(''),
      expires: instant.optional(),
      days: z.int().min(1).max(3_660).optional(),
    }),
    response: shownKeySchema,
    async handle({ body: { tier, owner, label, expires, days } }) {
      const known = tiers()
      if (!Object.hasOwn(known, tier)) throw faultyField('tier', tiersThereAre(Object.keys(known)))
      if (expires && days !== undefined)
        throw faultyField('days', 'cannot stand beside expires: send one of them')
      const now = books.clock.now()
      if (expires && expires.getTime() <= now) throw faultyField('expires', 'must lie in the future')
      const expiresAt = days === undefined ? (expires ?? null) : new Date(now + days * dayMs)
      const { key, text } = await createKey(books, { tier, owner, label, expiresAt })
      const shown: z.infer<typeof shownKeySchema> = { ...describe(key, now), key: text }
      return json(201, shown)
    },
  })
}

/** GET /operator/keys, the newest first. */
function listEndpoint({ books }: KeyParts): Endpoint {
  return endpointWith({
    id: 'listKeys',
    method: 'GET',
    path: '/operator/keys',
    operation: operatorOperation('The API keys, the newest first.'),
    params: noParams,
    query: z.strictObject({
      tier: word.optional(),
      owner: given.optional(),
      state: z.enum(keyStates).optional(),
      cursor: cursorOf(z.tuple([exactTime, keyId])),
      limit,
    }),
    body: noBody,
    response: keyListSchema,
    async handle({ query: { cursor, limit, ...filter } }) {
      const { rows, next } = await listKeys(books, filter, cursor, limit)
      const now = books.clock.now()
      const list: z.infer<typeof keyListSchema> = {
        keys: rows.map((row) => describe(row, now)),
        nextCursor: next ? writeCursor(next) : null,
      }
      return json(200, list)
    },
  })
}

/** GET /operator/keys/{keyId}. */
function showEndpoint({ books }: KeyParts): Endpoint {
  return endpointWith({
    id: 'showKey',
    method: 'GET',
    path: '/operator/keys/{keyId}',
    operation: operatorOperation('One API key, without the key itself.'),
    params: z.object({ keyId }),
    query: noQuery,
    body: noBody,
    response: keySchema,
    async handle({ params }) {
      const key = await findKey(books, params.keyId)
      if (!key) throw notFound()
      return json(200, describe(key, books.clock.now()))
    },
  })
}

/** POST /operator/keys/{keyId}/revoke: for good, and in every process within a second. */
function revokeEndpoint({ books, keys }: KeyParts): Endpoint {
  return endpointWith({
    id: 'revokeKey',
    method: 'POST',
    path: '/operator/keys/{keyId}/revoke',
    operation: operatorOperation('Ends an API key for good.'),
    params: z.object({ keyId }),
    query: noQuery,
    body: noBody,
    response: keySchema,
    async handle({ params }) {
      const key = await revokeKey(books, params.keyId)
      if (!key) throw notFound()
      keys.forget(key.id)
      return json(200, describe(key, books.clock.now()))
    },
  })
}

/** POST /operator/keys/{keyId}/rotate: without a grace the old secret, which may have leaked, stops at once. */
function rotateEndpoint({ books, keys }: KeyParts): Endpoint {
  return endpointWith({
    id: 'rotateKey',
    method: 'POST',
    path: '/operator/keys/{keyId}/rotate',
    operation: operatorOperation('Gives an API key another secret and tells it, this once.'),
    params: z.object({ keyId }),
    query: noQuery,
    body: z.strictObject({ graceSeconds: z.int().min(0).max(2_592_000).default(0) }),
    response: shownKeySchema,
    async handle({ params, body: { graceSeconds } }) {
      const rotated = await rotateKey(books, params.keyId, graceSeconds * 1000)
      if (!rotated) throw notFound()
      if (rotated === 'revoked')
        throw faultyField('keyId', 'names a revoked key, which stays so: make a new one')
      keys.forget(rotated.key.id)
      const shown: z.infer<typeof shownKeySchema> = {
        ...describe(rotated.key, books.clock.now()),
        key: rotated.text,
      }
      return json(200, shown)
    },
  })
}

function describe(key: ApiKey, now: number): z.infer<typeof keySchema> {
  const seconds = (time: Date | null) => time && unixSeconds(time)
  return {
    keyId: key.id,
    state: stateOf(key, now),
    tier: key.tier,
    owner: key.owner,
    label: key.label,
    paymentId: key.paymentId,
    createdAt: unixSeconds(key.createdAt),
    expiresAt: seconds(key.expiresAt),
    revokedAt: seconds(key.revokedAt),
    lastUsedAt: seconds(key.lastUsedAt),
    previousUntil: seconds(key.previousUntil),
  }
}

function tiersThereAre(names: readonly string[]): string {
  return names.length === 0
    ? 'cannot be any yet: the catalogue names no tiers'
    : `must be one of ${names.join(', ')}`
}

function notFound(): GatewayError {
  return new GatewayError('KEY_NOT_FOUND', { field: 'keyId' })
}
