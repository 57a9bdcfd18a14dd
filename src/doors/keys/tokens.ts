import { hash, randomUUID } from 'node:crypto'
import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { type Clock, unixNow } from '../../core/clock.ts'
import { type ApiKey, isInGrace } from './keys.ts'
import { type SigningKeys, tokenLifeMs } from './signing-keys.ts'
import type { KeyVerifier } from './verify.ts'

/**
 * Access tokens of our own (RFC 9068): the holder of an API key gets one for an hour and hands it to a
 * program that should not see the key. A token opens what its scopes name and no more than its key does,
 * and the key is looked up at each call: without that, the tokens of a stolen key would outlive it.
 */
export interface Tokens {
  /** @param key one that was verified just now, as it was returned: the token is bound to the secret that was sent. @param scopes operation ids. */
  issue(order: {
    readonly key: ApiKey
    readonly scopes: readonly string[]
  }): Promise<{ readonly token: string; readonly expiresInSeconds: number }>
  /** @throws GatewayError QUOTAS_UNAVAILABLE when keys cannot be looked up. */
  verify(token: string): Promise<Bearer | RefusedToken>
}

interface Bearer {
  readonly kind: 'bearer'
  readonly key: ApiKey
  readonly scopes: readonly string[]
}

interface RefusedToken {
  readonly kind: 'refused'
  readonly code: 'TOKEN_INVALID' | 'TOKEN_EXPIRED' | 'API_KEY_EXPIRED' | 'API_KEY_REVOKED'
}

/** More is not parsed, whoever sends it. Ours take about one kilobyte. */
export const maxTokenBytes = 8_192

const algorithm = 'RS256'
const type = 'at+jwt'
const maxRemembered = 10_000

const claimsSchema = z.object({
  sub: z.string(),
  scope: z.string(),
  generation: z.int(),
  iat: z.int(),
  exp: z.int(),
})

/** What a signature has proven of a token; true for as long as its signing key is in use. */
interface Proven {
  readonly kid: string
  readonly keyId: string
  readonly scopes: readonly string[]
  readonly generation: number
  readonly expiresAtMs: number
}

/** @param issuer the base address, which is also the `audience`: tokens are taken where they are given out. */
export function createTokens({
  signingKeys,
  issuer,
  audience,
  findKey,
  clock,
}: {
  readonly signingKeys: SigningKeys
  readonly issuer: string
  readonly audience: string
  readonly findKey: KeyVerifier['find']
  readonly clock: Clock
}): Tokens {
  /** By the token's hash, so that no token lies in memory. */
  const remembered = new LRUCache<string, Proven>({ max: maxRemembered })

  async function prove(token: string): Promise<Proven | RefusedToken> {
    const digest = hash('sha256', token)
    const known = remembered.get(digest)
    if (known && (await signingKeys.publicKey(known.kid))) return known
    try {
      const { payload, protectedHeader } = await jwtVerify(token, publicKeyOf, {
        algorithms: [algorithm],
        typ: type,
        issuer,
        audience,
        currentDate: new Date(clock.now()),
      })
      const proven = provenBy(payload, kidOf(protectedHeader))
      remembered.set(digest, proven)
      return proven
    } catch (error) {
      remembered.delete(digest)
      if (error instanceof errors.JWTExpired) return refused('TOKEN_EXPIRED')
      if (error instanceof errors.JOSEError) return refused('TOKEN_INVALID')
      throw error
    }
  }

  /** Keys come from the store by their name alone: what a header brings along (`jwk`, `jku`, `x5c`) is never looked at. */
  async function publicKeyOf(header: JWTHeaderParameters) {
    const key = await signingKeys.publicKey(kidOf(header))
    if (!key) throw new errors.JWKSNoMatchingKey()
    return key
  }

  return {
    async issue({ key, scopes }) {
      const { kid, privateKey } = await signingKeys.signer()
      const issuedAt = unixNow(clock)
      const keyEnds = key.expiresAt ? Math.floor(key.expiresAt.getTime() / 1000) : Number.POSITIVE_INFINITY
      const expiresAt = Math.min(issuedAt + tokenLifeMs / 1000, Math.max(keyEnds, issuedAt))
      const token = await new SignJWT({
        client_id: key.id,
        scope: scopes.join(' '),
        generation: key.generation,
      })
        .setProtectedHeader({ alg: algorithm, typ: type, kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(key.id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .setJti(randomUUID())
        .sign(privateKey)
      return { token, expiresInSeconds: expiresAt - issuedAt }
    },
    async verify(token) {
      if (token.length > maxTokenBytes) return refused('TOKEN_INVALID')
      const proven = await prove(token)
      if ('kind' in proven) return proven
      if (proven.expiresAtMs <= clock.now()) return refused('TOKEN_EXPIRED')
      const found = await findKey(proven.keyId)
      switch (found.kind) {
        case 'key':
          return isBacked(proven, found.key, clock.now())
            ? { kind: 'bearer', key: found.key, scopes: proven.scopes }
            : refused('TOKEN_INVALID')
        case 'refused':
          return refused(keyRefusals[found.code])
      }
    },
  }
}

/**
 * Whether the secret that the token was got with is still taken. A secret is replaced because it leaked, and
 * whoever has it would keep what they got with it for another hour.
 */
function isBacked({ generation }: Proven, key: ApiKey, now: number): boolean {
  return generation === key.generation || (generation === key.generation - 1 && isInGrace(key, now))
}

type KeyRefusal = Extract<Awaited<ReturnType<KeyVerifier['find']>>, { kind: 'refused' }>['code']

const keyRefusals: Record<KeyRefusal, RefusedToken['code']> = {
  API_KEY_UNKNOWN: 'TOKEN_INVALID',
  API_KEY_EXPIRED: 'API_KEY_EXPIRED',
  API_KEY_REVOKED: 'API_KEY_REVOKED',
}

function kidOf({ kid }: { readonly kid?: string }): string {
  if (typeof kid !== 'string') throw new errors.JWTInvalid('names no key')
  return kid
}

function provenBy(payload: unknown, kid: string): Proven {
  const claims = claimsSchema.safeParse(payload)
  if (!claims.success) throw new errors.JWTInvalid('claims of another shape', { cause: claims.error })
  const { sub, scope, generation, iat, exp } = claims.data
  return {
    kid,
    keyId: sub,
    scopes: scope.split(' ').filter((word) => word !== ''),
    generation,
    // Whoever got hold of a signing key could write any end into a token.
    expiresAtMs: Math.min(exp * 1000, iat * 1000 + tokenLifeMs),
  }
}

function refused(code: RefusedToken['code']): RefusedToken {
  return { kind: 'refused', code }
}
