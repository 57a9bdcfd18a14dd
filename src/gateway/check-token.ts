import type { Call } from '../core/call.ts'
import { GatewayError } from '../core/errors.ts'
import { type Credentials, keyChallenge, tokenOf } from './principal.ts'

/**
 * Checks the access token of a request that holds calls, before any of them is read. MCP asks for HTTP 401 to an invalid
 * or expired token, because a client gets itself a new one after that status alone: an error within the reply would
 * leave it with the old token. A request without a token passes, and so does one with an API key: no client
 * could get itself another key, and the error of its call says what is wrong.
 * @param metadata the address that tells where tokens for this resource are issued (RFC 9728 section 5.1).
 * @throws GatewayError with the challenge for a token that is not valid; QUOTAS_UNAVAILABLE when that cannot be told.
 */
export async function checkToken(
  header: Call['header'],
  { token }: Pick<Credentials, 'token'>,
  metadata: string,
): Promise<void> {
  const sent = tokenOf(header)
  const verdict = sent === undefined ? undefined : await token(sent)
  if (verdict?.kind !== 'refused') return
  const challenge = `${keyChallenge('invalid_token')}, resource_metadata="${metadata}"`
  throw new GatewayError(verdict.code, {}, { headers: { 'www-authenticate': challenge } })
}
