import { z } from 'zod'
import { type Endpoint, endpoint, noBody } from '../../../core/endpoint.ts'
import { type ErrorCode, type ErrorDetails, errorKind } from '../../../core/errors.ts'
import { json, type Reply } from '../../../core/reply.ts'
import { publicJwkSchema, type SigningKeys } from '../../../doors/keys/signing-keys.ts'
import type { Tokens } from '../../../doors/keys/tokens.ts'
import type { KeyVerifier } from '../../../doors/keys/verify.ts'

/**
 * Gives out access tokens for API keys (RFC 6749 section 4.4), and says where that is and which keys
 * prove them. The callers are OAuth libraries, so what goes wrong here is told in OAuth's words.
 */
export function oauthEndpoints(parts: OAuthParts): Endpoint[] {
  const { signingKeys, documents } = parts
  const issueToken = createIssueToken(parts)
  return [
    endpoint({
      id: 'issueToken',
      method: 'POST',
      path: '/oauth/token',
      body: tokenRequest,
      response: tokenSchema,
      isForm: true,
      handle: (body, { headers }) => issueToken(body, headers.authorization),
    }),
    endpoint({
      id: 'getJwks',
      method: 'GET',
      path: '/.well-known/jwks.json',
      body: noBody,
      response: jwksSchema,
      handle: async () => json(200, (await signingKeys.jwks()) satisfies z.input<typeof jwksSchema>, cached),
    }),
    endpoint({
      id: 'getAuthorizationServer',
      method: 'GET',
      path: '/.well-known/oauth-authorization-server',
      body: noBody,
      response: serverSchema,
      handle: () => json(200, documents.authorizationServer(), cached),
    }),
    endpoint({
      id: 'getOpenIdConfiguration',
      method: 'GET',
      path: '/.well-known/openid-configuration',
      body: noBody,
      response: openIdSchema,
      handle: () => json(200, documents.openIdConfiguration(), cached),
    }),
    endpoint({
      id: 'getProtectedResource',
      method: 'GET',
      path: '/.well-known/oauth-protected-resource',
      body: noBody,
      response: resourceSchema,
      handle: () => json(200, documents.protectedResource(), cached),
    }),
  ]
}

export interface OAuthParts {
  readonly tokens: Pick<Tokens, 'issue'>
  readonly signingKeys: Pick<SigningKeys, 'jwks' | 'rotate'>
  readonly verifyKey: KeyVerifier['verify']
  /** Ids of the operations that a tier covers; none for a tier that is not in the catalogue. */
  readonly scopesOf: (tier: string) => readonly string[]
  readonly documents: OAuthDocuments
}

/** The metadata, each made when it is asked for, from the catalogue as it is then. */
export interface OAuthDocuments {
  readonly authorizationServer: () => z.infer<typeof serverSchema>
  readonly openIdConfiguration: () => z.infer<typeof openIdSchema>
  readonly protectedResource: () => z.infer<typeof resourceSchema>
}

/** Half as long as a new key is published before it signs. */
const cached = { 'cache-control': 'public, max-age=300' }

/** What it holds is checked by the handler alone, because only there a refusal gets OAuth's form. */
const unchecked = (description: string) => z.unknown().optional().meta({ type: 'string', description })

export const tokenRequest = z.object({
  grant_type: unchecked('client_credentials'),
  scope: unchecked('Operation ids, separated by spaces; all that the key covers when left out.'),
  client_id: unchecked('The id of the API key, unless HTTP Basic says it.'),
  client_secret: unchecked('The API key, unless HTTP Basic says it.'),
})

/** A parameter without a value counts as left out (RFC 6749 section 3.2). */
const parameter = z
  .string()
  .transform((text) => (text === '' ? undefined : text))
  .optional()
const checkedRequest = z.object({
  grant_type: parameter,
  scope: parameter,
  client_id: parameter,
  client_secret: parameter,
})

const tokenSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  scope: z.string(),
})
const jwksSchema = z.object({ keys: z.array(publicJwkSchema).readonly() })
const scopes = { scopes_supported: z.array(z.string()).optional() }
const serverSchema = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  response_types_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  ...scopes,
})
const openIdSchema = serverSchema.extend({
  subject_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
})
const resourceSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  ...scopes,
})

/**
 * Answers a token request.
 * @param authorization the Authorization header as it came.
 * @throws GatewayError QUOTAS_UNAVAILABLE when keys cannot be looked up.
 */
export function createIssueToken({ tokens, verifyKey, scopesOf }: Omit<OAuthParts, 'documents'>) {
  return async (body: unknown, authorization: string | undefined): Promise<Reply> => {
    const request = checkedRequest.safeParse(body)
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
    const granted = scope === undefined ? covered : [...new Set(scope.split(' ').filter(Boolean))]
    if (granted.length === 0 || granted.some((one) => !covered.includes(one))) {
      const problem =
        'The key does not cover this scope. Ask for some of those in details.scopes, or for none.'
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

const neverStored = { 'cache-control': 'no-store', pragma: 'no-cache' }

type Client =
  | { readonly kind: 'client'; readonly id: string; readonly secret: string }
  | { readonly kind: 'refused'; readonly reply: Reply }

/** Who asks, told in exactly one of the two ways (RFC 6749 section 2.3.1). */
function clientOf(body: z.output<typeof checkedRequest>, authorization: string | undefined): Client {
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
    const problem = 'Say who you are once: in the Authorization header or in the body.'
    return { kind: 'refused', reply: refuse('invalid_request', problem) }
  }
  return { kind: 'client', ...basic }
}

/** Both halves are encoded as in a form before they are joined (RFC 6749 section 2.3.1). */
function readBasic(authorization: string): { readonly id: string; readonly secret: string } | undefined {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  if (id === undefined || secret === undefined) return undefined
  // The names are chosen here: neither can be misread as the other's.
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
