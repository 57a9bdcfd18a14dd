import { hash, type KeyObject, randomUUID } from 'node:crypto'
import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { type Clock, unixNow, unixSeconds } from '../../core/clock.ts'
import { type ApiKey, isInGrace } from './keys.ts'
import { tokenLifeMs } from './signing-key.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { Confirm, KeyVerifier } from './verify.ts'

/**
 * Access tokens (RFC 9068). The holder of an API key gets a token for an hour and gives it to a program that
 * should not see the key. A token covers the operations that its scopes name, and no more than its key does.
 * Its key is looked up at each call: otherwise the tokens of a stolen key would stay valid after the key was
 * revoked.
 */
export interface Tokens {
  /**
   * Issues a token.
   * @param order.key a key as the verifier has just returned it: the token is bound to the secret that was
   *   sent.
   * @param order.scopes operation ids.
   */
  issue(order: {
    readonly key: ApiKey
    readonly scopes: readonly string[]
  }): Promise<{ readonly token: string; readonly expiresInSeconds: number }>
  /**
   * Verifies a token.
   * @throws GatewayError QUOTAS_UNAVAILABLE when keys cannot be looked up.
   */
  verify(token: string): Promise<Bearer | RefusedToken>
}

interface Bearer {
  readonly kind: 'bearer'
  readonly key: ApiKey
  readonly scopes: readonly string[]
  /** Set while the store does not reply: see `KeyVerifier`. */
  readonly confirm?: Confirm
}

interface RefusedToken {
  readonly kind: 'refused'
  readonly code: 'TOKEN_INVALID' | 'TOKEN_EXPIRED' | 'API_KEY_EXPIRED' | 'API_KEY_REVOKED'
}

/** A longer token is refused without parsing it. Ours take about one kilobyte. */
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

/** What the signature of a token has proven. It holds as long as the signing key is in use. */
interface ProvenToken {
  readonly kind: 'proven'
  readonly kid: string
  readonly keyId: string
  readonly scopes: readonly string[]
  readonly generation: number
  readonly expiresAtMs: number
}

interface TokensOptions {
  readonly signingKeys: SigningKeys
  /** The base address, which is also the `audience`: a token is valid where it was issued. */
  readonly issuer: string
  readonly audience: string
  readonly findKey: KeyVerifier['find']
  readonly clock: Clock
}

export function createTokens(options: TokensOptions): Tokens {
  return new SignedTokens(options)
}

class SignedTokens implements Tokens {
  readonly #options: TokensOptions
  /** Tokens that were proven before, by their hash, so that no token stays in memory. */
  readonly #proven = new LRUCache<string, ProvenToken>({ max: maxRemembered })

  constructor(options: TokensOptions) {
    this.#options = options
  }

  async issue({ key, scopes }: Parameters<Tokens['issue']>[0]) {
    const { signingKeys, issuer, audience, clock } = this.#options
    const { kid, privateKey } = await signingKeys.signer()
    const issuedAt = unixNow(clock)
    const keyEnd = key.expiresAt ? unixSeconds(key.expiresAt) : Number.POSITIVE_INFINITY
    const expiresAt = Math.min(issuedAt + tokenLifeMs / 1000, Math.max(keyEnd, issuedAt))
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
  }

  async verify(token: string): Promise<Bearer | RefusedToken> {
    if (token.length > maxTokenBytes) return refused('TOKEN_INVALID')
    const result = await this.#prove(token)
    switch (result.kind) {
      case 'refused':
        return result
      case 'proven':
        return this.#findBearer(result)
    }
  }

  async #findBearer(proven: ProvenToken): Promise<Bearer | RefusedToken> {
    const { clock, findKey } = this.#options
    if (proven.expiresAtMs <= clock.now()) return refused('TOKEN_EXPIRED')
    const verdict = await findKey(proven.keyId)
    switch (verdict.kind) {
      case 'key': {
        const { key, confirm } = verdict
        if (!isBacked(proven, key, clock.now())) return refused('TOKEN_INVALID')
        const bearer = { kind: 'bearer', key, scopes: proven.scopes } as const
        if (!confirm) return bearer
        const confirmToken = async () => {
          const confirmed = await confirm()
          return confirmed && isBacked(proven, confirmed, clock.now()) ? confirmed : undefined
        }
        return { ...bearer, confirm: confirmToken }
      }
      case 'refused':
        return refused(keyRefusals[verdict.code])
    }
  }

  async #prove(token: string): Promise<ProvenToken | RefusedToken> {
    const { signingKeys, issuer, audience, clock } = this.#options
    const digest = hash('sha256', token)
    const before = this.#proven.get(digest)
    if (before && (await signingKeys.publicKey(before.kid))) return before
    try {
      const { payload, protectedHeader } = await jwtVerify(token, (header) => this.#publicKeyOf(header), {
        algorithms: [algorithm],
        typ: type,
        issuer,
        audience,
        currentDate: new Date(clock.now()),
      })
      const proven = provenBy(payload, kidOf(protectedHeader))
      this.#proven.set(digest, proven)
      return proven
    } catch (error) {
      this.#proven.delete(digest)
      if (error instanceof errors.JWTExpired) return refused('TOKEN_EXPIRED')
      if (error instanceof errors.JOSEError) return refused('TOKEN_INVALID')
      throw error
    }
  }

  /**
   * Keys come from the store, by name. Keys that a token's header carries (`jwk`, `jku`, `x5c`) are ignored.
   */
  async #publicKeyOf(header: JWTHeaderParameters): Promise<KeyObject> {
    const key = await this.#options.signingKeys.publicKey(kidOf(header))
    if (!key) throw new errors.JWKSNoMatchingKey()
    return key
  }
}

/**
 * Whether the secret that the token was issued for is still accepted. A secret is replaced because it leaked,
 * and the tokens that were got with it must end with it.
 */
function isBacked({ generation }: ProvenToken, key: ApiKey, now: number): boolean {
  return generation === key.generation || (generation === key.generation - 1 && isInGrace(key, now))
}

type KeyRefusal = Extract<Awaited<ReturnType<KeyVerifier['find']>>, { kind: 'refused' }>['code']

const keyRefusals: Record<KeyRefusal, RefusedToken['code']> = {
  API_KEY_UNKNOWN: 'TOKEN_INVALID',
  API_KEY_EXPIRED: 'API_KEY_EXPIRED',
  API_KEY_REVOKED: 'API_KEY_REVOKED',
}

function kidOf({ kid }: { readonly kid?: string }): string {
  if (typeof kid !== 'string') throw new errors.JWTInvalid('the header has no kid')
  return kid
}

function provenBy(payload: unknown, kid: string): ProvenToken {
  const claims = claimsSchema.safeParse(payload)
  if (!claims.success) throw new errors.JWTInvalid('the claims have another shape', { cause: claims.error })
  const { sub, scope, generation, iat, exp } = claims.data
  return {
    kind: 'proven',
    kid,
    keyId: sub,
    scopes: scope.split(' ').filter((word) => word !== ''),
    generation,
    // A thief of a signing key could write any expiry into a token.
    expiresAtMs: Math.min(exp * 1000, iat * 1000 + tokenLifeMs),
  }
}

function refused(code: RefusedToken['code']): RefusedToken {
  return { kind: 'refused', code }
}
