import { decodeJwt, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { comeBack } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { OidcConfig } from '../../platform/config/config.ts'
import { createOidcKeys } from './oidc-keys.ts'
import { maxTokenBytes } from './tokens.ts'

/**
 * Access tokens of another OpenID Connect issuer, whose claims name the tier of their holder. A token can
 * only be verified with the issuer's keys, so its tokens are refused while the keys cannot be fetched.
 */
export interface Oidc {
  /**
   * Verifies a token.
   * @throws GatewayError QUOTAS_UNAVAILABLE when the issuer's keys are needed and cannot be fetched.
   */
  verify(token: string): Promise<Member | RefusedToken>
}

interface Member {
  readonly kind: 'member'
  /** Unique at the issuer. */
  readonly subject: string
  /** The tier as the token names it; the catalog may not have a tier of this name. */
  readonly tier: string
  /** Undefined for a token without scopes. */
  readonly scopes: readonly string[] | undefined
}

interface RefusedToken {
  readonly kind: 'refused'
  readonly code: 'TOKEN_INVALID' | 'TOKEN_EXPIRED'
}

/**
 * Signatures that only the issuer can make. With HS256 a reader of the issuer's public key could make them
 * too.
 */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']
/** Other tokens of the issuer, such as logout tokens, are not access tokens. */
const tokenTypes: readonly unknown[] = [undefined, 'jwt', 'application/jwt', 'at+jwt', 'application/at+jwt']
const toleranceSeconds = 5

const words = z.union([z.string().transform((text) => text.split(' ').filter(Boolean)), z.array(z.string())])
const claimsSchema = z.object({
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  scope: words.optional(),
  /** The name that some issuers use for `scope`. */
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
  /** Longest wait for the issuer's keys. */
  readonly timeoutMs?: number
}): Oidc {
  const keys = createOidcKeys(issuer, { clock, log, timeoutMs })
  return {
    async verify(token) {
      if (token.length > maxTokenBytes) return refused('TOKEN_INVALID')
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keys, {
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
 * Reads which issuer a token names; undefined for a text that is not a token. This proves nothing: it only selects the
 * verifier.
 */
export function issuerOf(token: string): string | undefined {
  if (token.length > maxTokenBytes) return undefined
  try {
    const { iss } = decodeJwt(token)
    return typeof iss === 'string' ? iss : undefined
  } catch (error) {
    // It is not a token, and is refused as such later.
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

const tokenFaults = [
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
]

/**
 * Whether the token caused the error. All other errors come from the issuer or from us, and say nothing about
 * it.
 */
function isTokensFault(error: unknown): boolean {
  return tokenFaults.some((fault) => error instanceof fault)
}

function refused(code: RefusedToken['code']): RefusedToken {
  return { kind: 'refused', code }
}
