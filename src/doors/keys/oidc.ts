import { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { comeBack } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { OidcConfig } from '../../platform/config/config.ts'
import { readResponseText } from '../../platform/net/response-text.ts'
import { maxTokenBytes } from './tokens.ts'

/**
 * Access tokens of somebody else's OpenID Connect issuer, whose claims name the tier of their holder.
 * Without the issuer's keys nothing can be proven, so when they cannot be had nobody is let in.
 */
export interface Oidc {
  /** @throws GatewayError QUOTAS_UNAVAILABLE when the issuer's keys are needed and cannot be had. */
  verify(token: string): Promise<Member | RefusedToken>
}

interface Member {
  readonly kind: 'member'
  /** Unique at the issuer. */
  readonly subject: string
  /** As the token says it; no tier of the catalogue may have this name. */
  readonly tier: string
  /** Undefined when the token does not say what it is limited to. */
  readonly scopes: readonly string[] | undefined
}

interface RefusedToken {
  readonly kind: 'refused'
  readonly code: 'TOKEN_INVALID' | 'TOKEN_EXPIRED'
}

/** Signatures that only the issuer can make; with HS256 whoever reads its public key could. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']
/** Logout tokens and others of the same issuer prove something else. */
const tokenTypes: readonly unknown[] = [undefined, 'jwt', 'application/jwt', 'at+jwt', 'application/at+jwt']
const toleranceSeconds = 5

/** How long the issuer may be away before its tokens count no more, and a key it withdrew is still believed. */
const keysKeptMs = 600_000
/** Tokens that name unknown keys make us ask the issuer no more often. */
const cooldownMs = 30_000
/** An issuer that did not answer is given a moment, and callers in it need not wait for the deadline. */
const pauseMs = 1_000
const maxBytes = 1_000_000

const words = z.union([z.string().transform((text) => text.split(' ').filter(Boolean)), z.array(z.string())])
const claimsSchema = z.object({
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  scope: words.optional(),
  /** What some issuers call it. */
  scp: words.optional(),
})
const tierSchema = z.string().min(1).max(100)

export function createOidc({
  issuer,
  audience,
  tierClaim,
  clock,
  log,
  timeoutMs = 5_000,
}: OidcConfig & {
  readonly clock: Clock
  readonly log: Log
  /** Longest wait for the issuer's keys, all in all. */
  readonly timeoutMs?: number
}): Oidc {
  let pausedUntilMs = 0

  /** Where the keys are is asked again each time, because an issuer may move them. */
  const keySet = createRemoteJWKSet(new URL(issuer), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: keysKeptMs,
    [customFetch]: async (_url, { signal }) => {
      if (clock.now() < pausedUntilMs) throw new Error('the issuer has failed a moment ago')
      try {
        return Response.json(await fetchKeySet(issuer, signal))
      } catch (error) {
        pausedUntilMs = clock.now() + pauseMs
        log.warn({ err: error }, 'the keys of OIDC_ISSUER cannot be had')
        throw error
      }
    },
  })

  return {
    async verify(token) {
      if (token.length > maxTokenBytes) return refused('TOKEN_INVALID')
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keySet, {
          algorithms,
          issuer,
          audience,
          requiredClaims: ['exp', 'sub'],
          clockTolerance: toleranceSeconds,
          currentDate: new Date(clock.now()),
        })
        if (!tokenTypes.includes(protectedHeader.typ?.toLowerCase())) return refused('TOKEN_INVALID')
        const claims = claimsSchema.safeParse(payload)
        const tier = tierSchema.safeParse(payload[tierClaim])
        if (!claims.success || !tier.success) return refused('TOKEN_INVALID')
        const { sub, scope, scp } = claims.data
        return { kind: 'member', subject: sub, tier: tier.data, scopes: scope ?? scp }
      } catch (error) {
        if (error instanceof errors.JWTExpired) return refused('TOKEN_EXPIRED')
        if (isTokensFault(error)) return refused('TOKEN_INVALID')
        throw comeBack('QUOTAS_UNAVAILABLE', error, 2)
      }
    },
  }
}

/**
 * Asks an OpenID Connect issuer for its public keys (OpenID Connect Discovery 1.0, section 4). Whoever
 * could put other keys in their place could make tokens for any tier, so an issuer must name itself
 * exactly, follows nobody elsewhere, and has a deadline and a size like any server that is not ours.
 * @param issuer exactly as its tokens name it, with or without a trailing slash.
 * @throws Error when there is no answer of the expected shape.
 */
async function fetchKeySet(issuer: string, signal: AbortSignal): Promise<KeySet> {
  const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const { issuer: named, jwks_uri } = configurationSchema.parse(await fetchJson(discovery, signal))
  if (named !== issuer) throw new Error(`${discovery} is about another issuer`)
  if (issuer.startsWith('https:') && !jwks_uri.startsWith('https:')) {
    throw new Error(`${discovery} names keys that are not behind https`)
  }
  return keySetSchema.parse(await fetchJson(jwks_uri, signal))
}

const configurationSchema = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })
const keySetSchema = z.object({ keys: z.array(z.record(z.string(), z.unknown())) })

type KeySet = z.infer<typeof keySetSchema>

async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'error', signal })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${url} answers ${response.status}`)
  }
  return JSON.parse(await readResponseText(response, maxBytes))
}

/**
 * Who claims to have issued a token; undefined when it is none. Nothing is proven by it: it only tells
 * which verifier to ask.
 */
export function issuerOf(token: string): string | undefined {
  if (token.length > maxTokenBytes) return undefined
  try {
    const { iss } = decodeJwt(token)
    return typeof iss === 'string' ? iss : undefined
  } catch (error) {
    // Whatever else it is, it is no token, and is refused as such.
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

const faultsOfTokens = [
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
]

/** All else is the issuer's fault or ours, and says nothing about the token. */
function isTokensFault(error: unknown): boolean {
  return faultsOfTokens.some((fault) => error instanceof fault)
}

function refused(code: RefusedToken['code']): RefusedToken {
  return { kind: 'refused', code }
}
