import { z } from 'zod'
import { type ErrorCode, type ErrorDetails, errorKind } from '../../../core/errors.ts'
import { json, type Reply } from '../../../core/reply.ts'
import type { Tokens } from '../../../doors/keys/tokens.ts'
import type { KeyVerifier } from '../../../doors/keys/verify.ts'

/**
 * Issues access tokens for API keys (client credentials, RFC 6749 section 4.4). The callers are OAuth
 * libraries, so errors have OAuth's form.
 */

export interface TokenParts {
  readonly tokens: Pick<Tokens, 'issue'>
  readonly verifyKey: KeyVerifier['verify']
  /** The ids of the operations that a tier covers; none for a tier that is not in the catalog. */
  readonly scopesOf: (tier: string) => readonly string[]
}

/** The handler checks the values, because only its refusals have OAuth's form. */
const unchecked = (description: string) => z.unknown().optional().meta({ type: 'string', description })

export const tokenRequest = z.object({
  grant_type: unchecked('client_credentials'),
  scope: unchecked(
    'Operation ids, separated by spaces; all that the key covers when left out. What the key does not cover is left out of the token.',
  ),
  client_id: unchecked('The id of the API key, unless HTTP Basic says it.'),
  client_secret: unchecked('The API key, unless HTTP Basic says it.'),
})

/** A parameter without a value counts as left out (RFC 6749 section 3.2). */
const parameter = z
  .string()
  .transform((text) => (text === '' ? undefined : text))
  .optional()
const parameters = z.object({
  grant_type: parameter,
  scope: parameter,
  client_id: parameter,
  client_secret: parameter,
})

export const tokenSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('seconds'),
  scope: z.string().describe('operation ids, separated by spaces'),
})

/**
 * Creates the function that answers token requests.
 * @param authorization the Authorization header as it came.
 * @throws GatewayError QUOTAS_UNAVAILABLE when keys cannot be looked up.
 */
export function createIssueToken({ tokens, verifyKey, scopesOf }: TokenParts) {
  return async (body: unknown, authorization: string | undefined): Promise<Reply> => {
    const request = parameters.safeParse(body)
    if (!request.success) return refuse('invalid_request', 'Send each parameter once, as text.')
    const { grant_type, scope } = request.data
    if (grant_type === undefined) return refuse('invalid_request', 'Send grant_type=client_credentials.')
    if (grant_type !== 'client_credentials') {
      return refuse('unsupported_grant_type', 'The only grant_type here is client_credentials.')
    }
    const client = clientOf(request.data, authorization)
    if (client.kind === 'refused') return client.reply
    const verified = await verifyKey(client.secret)
    if (verified.kind === 'refused') return refuseClient(verified.code)
    const { key } = verified
    if (key.id !== client.id)
      return refuseClient('API_KEY_UNKNOWN', 'The client_id is not the id of the API key.')

    const covered = scopesOf(key.tier)
    // A client may ask for everything that the metadata names, as those of MCP do. It gets the part that the key
    // covers, and the reply names that part (RFC 6749 section 3.3).
    const granted = scope === undefined ? covered : coveredPart(scope, covered)
    if (granted.length === 0) {
      const problem =
        'The key covers nothing of this scope. Ask for some of those in details.scopes, or for none.'
      return refuse('invalid_scope', problem, { scopes: covered })
    }
    const { token, expiresInSeconds } = await tokens.issue({ key, scopes: granted })
    const issued: z.infer<typeof tokenSchema> = {
      access_token: token,
      token_type: 'Bearer',
      expires_in: expiresInSeconds,
      scope: granted.join(' '),
    }
    return json(200, issued, neverStored)
  }
}

function coveredPart(scope: string, covered: readonly string[]): readonly string[] {
  const wanted = new Set(scope.split(' '))
  return covered.filter((one) => wanted.has(one))
}

const neverStored = { 'cache-control': 'no-store', pragma: 'no-cache' }

type Client =
  | { readonly kind: 'client'; readonly id: string; readonly secret: string }
  | { readonly kind: 'refused'; readonly reply: Reply }

/** Reads the client's credentials, which stand in exactly one of two places (RFC 6749 section 2.3.1). */
function clientOf(body: z.output<typeof parameters>, authorization: string | undefined): Client {
  const { client_id: id, client_secret: secret } = body
  if (authorization === undefined) {
    if (id !== undefined && secret !== undefined) return { kind: 'client', id, secret }
    return { kind: 'refused', reply: refuseClient('API_KEY_REQUIRED', howToAuthenticate) }
  }
  const basic = readBasic(authorization)
  if (!basic) {
    return { kind: 'refused', reply: refuseClient('API_KEY_MALFORMED', howToAuthenticate) }
  }
  if (secret !== undefined || (id !== undefined && id !== basic.id)) {
    const problem = 'Send the credentials once: in the Authorization header or in the body.'
    return { kind: 'refused', reply: refuse('invalid_request', problem) }
  }
  return { kind: 'client', ...basic }
}

/** Both halves are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function readBasic(authorization: string): { readonly id: string; readonly secret: string } | undefined {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  if (id === undefined || secret === undefined) return undefined
  // As values of a form, so that they are decoded like those; & is escaped first, or a half could name a
  // field.
  const form = new URLSearchParams(`id=${id.replaceAll('&', '%26')}&secret=${secret.replaceAll('&', '%26')}`)
  return { id: form.get('id') ?? '', secret: form.get('secret') ?? '' }
}

type OAuthError = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'

const howToAuthenticate =
  'Send the id of the API key and the key itself: as user and password of HTTP Basic, or as client_id and client_secret.'

function refuseClient(code: ErrorCode, description = errorKind(code).message): Reply {
  return refusal('invalid_client', code, description)
}

function refuse(
  error: Exclude<OAuthError, 'invalid_client'>,
  description: string,
  details?: ErrorDetails,
): Reply {
  return refusal(error, 'VALIDATION_ERROR', description, details)
}

/** OAuth's error body (RFC 6749 section 5.2) and the specification's (part 7) in one. */
function refusal(error: OAuthError, code: ErrorCode, message: string, details?: ErrorDetails): Reply {
  const body = { error, error_description: message, message, code, ...(details ? { details } : {}) }
  if (error !== 'invalid_client') return json(400, body, neverStored)
  return json(401, body, {
    ...neverStored,
    'www-authenticate': 'Basic realm="access tokens", charset="UTF-8"',
  })
}
