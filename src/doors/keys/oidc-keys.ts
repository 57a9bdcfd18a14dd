import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Dependency } from '../../core/outages.ts'
import { readResponseText } from '../../platform/net/response-text.ts'

/** How long we trust the keys of an issuer that cannot be reached, and a key that it has withdrawn. */
const keysKeptMs = 600_000
/** Tokens with unknown key names make us ask the issuer at most this often. */
const cooldownMs = 30_000
/**
 * After a failure the issuer is not asked for this long, so that calls fail without waiting for the timeout.
 */
const pauseMs = 1_000
const maxBytes = 1_000_000

const oidcIssuer: Dependency = {
  name: 'OIDC_ISSUER',
  means: 'calls with its tokens are refused with 503',
}

/**
 * Gets the public keys of an OpenID Connect issuer, as they are needed.
 * @param issuer exactly as its tokens name it.
 * @param options.timeoutMs longest wait for the keys, for all requests together.
 */
export function createOidcKeys(
  issuer: string,
  { clock, log, timeoutMs }: { readonly clock: Clock; readonly log: Log; readonly timeoutMs: number },
): JWTVerifyGetKey {
  let pausedUntilMs = 0
  return createRemoteJWKSet(new URL(issuer), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: keysKeptMs,
    // Asks for the address of the keys each time, because an issuer may move them.
    [customFetch]: async (_url, { signal }) => {
      try {
        if (clock.now() < pausedUntilMs) throw new Error('the issuer failed less than a second ago')
        const keySet = await fetchKeySet(issuer, signal).catch((error: unknown) => {
          pausedUntilMs = clock.now() + pauseMs
          throw error
        })
        log.outages.works(oidcIssuer)
        return Response.json(keySet)
      } catch (error) {
        log.outages.failed(oidcIssuer, error)
        throw error
      }
    },
  })
}

/**
 * Asks an OpenID Connect issuer for its public keys (OpenID Connect Discovery 1.0, section 4). An attacker
 * who could replace the keys could make tokens for any tier. So the issuer must name itself exactly,
 * redirects are not followed, and the requests have a deadline and a size limit.
 * @param issuer with or without a trailing slash, as its tokens name it.
 * @throws Error when there is no reply of the expected shape.
 */
async function fetchKeySet(issuer: string, signal: AbortSignal): Promise<KeySet> {
  const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const { issuer: named, jwks_uri } = configurationSchema.parse(await fetchJson(discovery, signal))
  if (named !== issuer) throw new Error(`${discovery} names another issuer`)
  if (issuer.startsWith('https:') && !jwks_uri.startsWith('https:')) {
    throw new Error(`${discovery} names keys that are not served over https`)
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
    throw new Error(`${url} replied with status ${response.status}`)
  }
  return JSON.parse(await readResponseText(response, maxBytes))
}
