import { z } from 'zod'
import type { Reply } from '../../core/reply.ts'

/**
 * Decides which refusals of a tool call become the answer to the whole request, with their HTTP status and challenge.
 * Clients get themselves an access token, or a wider one, by HTTP 401 and 403 alone, and never by a tool error
 * (https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#error-handling).
 *
 * A missing scope is always told so: the client has a token already, and knows how to get another.
 *
 * A missing credential is told so only to a client that declares the extension below. Most tools are free, and tokens are
 * issued here in exchange for an API key, never through a browser. A client that knows browsers alone would take a 401
 * for an invitation to sign in, fail, and often give the free tools up as well. Its model can act on the tool error,
 * which says how to send a key. A tool with a price answers with the price, and never asks for a token.
 * @param envelope what the client says of itself in `_meta` of the request; older protocols have none.
 */
export function isForRequest({ status, headers }: Reply, envelope: unknown): boolean {
  const challenge = status === 401 || status === 403 ? headers['www-authenticate'] : undefined
  if (challenge === undefined) return false
  // RFC 6750 section 3: the challenge names an error only if a credential came.
  const error = /\berror="(\w+)"/.exec(challenge)?.[1]
  if (error === undefined) return exchanging.safeParse(envelope).success
  return error === 'insufficient_scope'
}

/** The client exchanges credentials of its own for tokens: https://modelcontextprotocol.io/extensions/auth/oauth-client-credentials */
export const clientCredentials = 'io.modelcontextprotocol/oauth-client-credentials'

const exchanging = z.object({
  'io.modelcontextprotocol/clientCapabilities': z.object({
    extensions: z.object({ [clientCredentials]: z.object({}) }),
  }),
})
