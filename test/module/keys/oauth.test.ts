import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { bind } from '../../../src/core/endpoint.ts'
import type { Reply } from '../../../src/core/reply.ts'
import { revokeKey, type ShownKey } from '../../../src/doors/keys/keys.ts'
import { oauthDocuments } from '../../../src/edge/discovery/authorization-server.ts'
import { oauthHandlers, oauthRows } from '../../../src/edge/handlers/keys/oauth.ts'
import { createIssueToken, tokenRequest } from '../../../src/edge/handlers/keys/token.ts'
import { contextOf } from '../../support/gateways/context.ts'
import { baseUrl, openTokens, type TokenParts } from '../../support/gateways/tokens.ts'
import { type Opened, openServer } from '../../support/stores/ledger.ts'

const clock = { time: Date.UTC(2026, 10, 21), now: () => clock.time }

describe('POST /oauth/token', () => {
  const covered: Readonly<Record<string, readonly string[]>> = {
    pro: ['researchLead', 'writeBlog'],
    empty: [],
  }
  let opened: Opened
  let gateway: TokenParts
  let holder: ShownKey
  let issueToken: ReturnType<typeof createIssueToken>

  beforeAll(async () => {
    opened = await openServer()
    gateway = openTokens(opened.one.queries, clock)
    holder = await gateway.makeKey()
    issueToken = createIssueToken(parts())
  })
  afterAll(() => opened.close())

  function parts() {
    const { tokens, signingKeys, verifier } = gateway
    const scopesOf = (tier: string) => covered[tier] ?? []
    const scopes = () => Object.values(covered).flat()
    const documents = oauthDocuments({ baseUrl, scopes, oidcIssuer: 'https://login.example' })
    const catalog = () => covered
    return { tokens, signingKeys, verifyKey: verifier.verify, scopesOf, catalog, documents }
  }

  const grant = { grant_type: 'client_credentials' }
  const basic = (id: string, secret: string, encode: (text: string) => string = encodeURIComponent) =>
    `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`
  const inBody = ({ key, text } = holder) => ({ ...grant, client_id: key.id, client_secret: text })
  const jsonOf = (reply: Reply): unknown => JSON.parse(new TextDecoder().decode(reply.body))
  const tokenSchema = z.strictObject({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.literal(3_600),
    scope: z.string(),
  })
  const granted = (reply: Reply) => {
    expect(reply.status).toBe(200)
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    return tokenSchema.parse(jsonOf(reply))
  }
  function expectRefused(reply: Reply, status: number, error: string, code: string): void {
    expect([reply.status, jsonOf(reply)]).toEqual([
      status,
      expect.objectContaining({ error, code, message: expect.any(String) }),
    ])
    // The characters that RFC 6749 section 5.2 allows.
    expect(jsonOf(reply)).toMatchObject({
      error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
    })
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers['www-authenticate']).toEqual(
      status === 401 ? expect.stringMatching(/^Basic realm="/) : undefined,
    )
  }

  test('a key in HTTP Basic or in the body gets a token that the gateway accepts', async () => {
    for (const reply of [
      await issueToken(grant, basic(holder.key.id, holder.text)),
      await issueToken(grant, basic(holder.key.id, holder.text).replace('Basic', 'basic')),
      await issueToken({ ...grant, client_id: holder.key.id }, basic(holder.key.id, holder.text)),
      await issueToken(inBody(), undefined),
    ]) {
      const { access_token, scope } = granted(reply)
      expect(scope).toBe('researchLead writeBlog')
      expect(await gateway.tokens.verify(access_token)).toMatchObject({
        kind: 'bearer',
        key: { id: holder.key.id },
        scopes: ['researchLead', 'writeBlog'],
      })
    }
  })

  test('HTTP Basic credentials are form-decoded', async () => {
    const everyByte = (text: string) =>
      [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    granted(await issueToken(grant, basic(holder.key.id, holder.text, everyByte)))
    const extended = basic(holder.key.id, `${holder.text}&secret=x`, (text) => text)
    expectRefused(await issueToken(grant, extended), 401, 'invalid_client', 'API_KEY_MALFORMED')
  })

  test('a token has only the requested scopes', async () => {
    const { access_token, scope } = granted(
      await issueToken({ ...inBody(), scope: 'writeBlog writeBlog' }, undefined),
    )
    expect(scope).toBe('writeBlog')
    expect(await gateway.tokens.verify(access_token)).toMatchObject({ scopes: ['writeBlog'] })
  })

  test('empty parameters count as left out, and unknown ones are ignored', async () => {
    const body = { ...grant, client_id: '', client_secret: '', scope: '', resource: baseUrl }
    granted(await issueToken(body, basic(holder.key.id, holder.text)))
  })

  test.each([
    [{}, 'invalid_request'],
    [{ grant_type: '' }, 'invalid_request'],
    [{ grant_type: ['client_credentials', 'client_credentials'] }, 'invalid_request'],
    [{ ...grant, scope: ['researchLead', 'writeBlog'] }, 'invalid_request'],
    [{ grant_type: 'authorization_code' }, 'unsupported_grant_type'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
  ])('a request with %j is refused as %s', async (body, error) => {
    const reply = await issueToken(body, basic(holder.key.id, holder.text))
    expectRefused(reply, 400, error, 'VALIDATION_ERROR')
  })

  test('a client with two sets of credentials is refused', async () => {
    const authorization = basic(holder.key.id, holder.text)
    expectRefused(await issueToken(inBody(), authorization), 400, 'invalid_request', 'VALIDATION_ERROR')
    const another = { ...grant, client_id: 'another' }
    expectRefused(await issueToken(another, authorization), 400, 'invalid_request', 'VALIDATION_ERROR')
  })

  test('a client without valid credentials is refused', async () => {
    const { key, text } = holder
    const other = await gateway.makeKey()
    const cases: [body: object, authorization: string | undefined, code: string][] = [
      [grant, undefined, 'API_KEY_REQUIRED'],
      [{ ...grant, client_id: key.id }, undefined, 'API_KEY_REQUIRED'],
      [{ ...grant, client_secret: text }, undefined, 'API_KEY_REQUIRED'],
      [{ ...inBody(), client_id: other.key.id }, undefined, 'API_KEY_UNKNOWN'],
      [grant, basic(other.key.id, text), 'API_KEY_UNKNOWN'],
      [grant, basic('', text), 'API_KEY_UNKNOWN'],
      [grant, basic(key.id, text.slice(0, -1)), 'API_KEY_MALFORMED'],
      [grant, basic(key.id, '%zz'), 'API_KEY_MALFORMED'],
      [grant, `Bearer ${text}`, 'API_KEY_MALFORMED'],
      [grant, 'Basic', 'API_KEY_MALFORMED'],
      [grant, 'Basic ====', 'API_KEY_MALFORMED'],
      [grant, `Basic ${Buffer.from(text).toString('base64')}`, 'API_KEY_MALFORMED'],
    ]
    for (const [body, authorization, code] of cases) {
      expectRefused(await issueToken(body, authorization), 401, 'invalid_client', code)
    }
  })

  test('an expired or revoked key gets no token, and the reason', async () => {
    const revoked = await gateway.makeKey()
    await revokeKey({ queries: opened.one.queries, clock }, revoked.key.id)
    expectRefused(await issueToken(inBody(revoked), undefined), 401, 'invalid_client', 'API_KEY_REVOKED')
    const over = await gateway.makeKey({ expiresAt: new Date(clock.time) })
    expectRefused(await issueToken(inBody(over), undefined), 401, 'invalid_client', 'API_KEY_EXPIRED')
  })

  test('a scope of which the key covers a part gets a token for that part, and the reply names it', async () => {
    const wanted = { ...inBody(), scope: 'listScans writeBlog everything researchLead writeBlog' }
    const { access_token, scope } = granted(await issueToken(wanted, undefined))
    expect(scope).toBe('researchLead writeBlog')
    expect(await gateway.tokens.verify(access_token)).toMatchObject({ scopes: ['researchLead', 'writeBlog'] })
  })

  test.each(['everything', 'researchlead', ' ', 'researchLead,writeBlog'])(
    'the scope "%s" is refused, with the list of valid scopes',
    async (scope) => {
      const reply = await issueToken({ ...inBody(), scope }, undefined)
      expectRefused(reply, 400, 'invalid_scope', 'VALIDATION_ERROR')
      expect(jsonOf(reply)).toMatchObject({ details: { scopes: covered.pro } })
    },
  )

  test.each(['empty', 'gone'])('a key whose tier is %s gets no token', async (tier) => {
    const keyOfTier = await gateway.makeKey({ tier })
    expectRefused(await issueToken(inBody(keyOfTier), undefined), 400, 'invalid_scope', 'VALIDATION_ERROR')
  })

  describe('besides POST /oauth/token', () => {
    async function call(id: string, input: { body?: unknown } = {}): Promise<Reply> {
      const found = bind(oauthRows, oauthHandlers(parts())).find((row) => row.id === id)
      if (!found) throw new Error(`no endpoint ${id}`)
      const reply = await found.prepare(input)(contextOf())
      if (reply.status === 200) found.response.parse(jsonOf(reply))
      return reply
    }
    const paths = () => bind(oauthRows, oauthHandlers(parts())).map(({ method, path }) => `${method} ${path}`)

    test('the token endpoint accepts a form body with any content', async () => {
      granted(await call('issueToken', { body: inBody() }))
      expect(tokenRequest.safeParse({ grant_type: ['a', 'b'], x: 1 }).success).toBe(true)
      expectRefused(await call('issueToken'), 400, 'invalid_request', 'VALIDATION_ERROR')
    })

    test('GET /.well-known/jwks.json has the keys that verify a token', async () => {
      const reply = await call('getJwks')
      expect(jsonOf(reply)).toEqual(await gateway.signingKeys.jwks())
      expect(reply.headers['cache-control']).toBe('public, max-age=300')
    })

    test('the metadata name this issuer, its algorithm, and only addresses that exist', async () => {
      const server = jsonOf(await call('getAuthorizationServer'))
      expect(server).toEqual({
        issuer: baseUrl,
        authorization_endpoint: `${baseUrl}/oauth/authorize`,
        token_endpoint: `${baseUrl}/oauth/token`,
        jwks_uri: `${baseUrl}/.well-known/jwks.json`,
        response_types_supported: ['none'],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        scopes_supported: ['researchLead', 'writeBlog'],
      })
      expect(jsonOf(await call('getOpenIdConfiguration'))).toEqual({
        ...z.record(z.string(), z.unknown()).parse(server),
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
      expect(paths()).toEqual([
        'POST /oauth/token',
        'GET /.well-known/jwks.json',
        'GET /.well-known/oauth-authorization-server',
        'GET /.well-known/openid-configuration',
        'GET /.well-known/oauth-protected-resource',
      ])
    })

    test('the protected resource names both issuers whose tokens are accepted', async () => {
      expect(jsonOf(await call('getProtectedResource'))).toEqual({
        resource: baseUrl,
        authorization_servers: [baseUrl, 'https://login.example'],
        bearer_methods_supported: ['header'],
        scopes_supported: ['researchLead', 'writeBlog'],
      })
      const bare = oauthDocuments({ baseUrl, scopes: () => [], oidcIssuer: undefined })
      expect(bare.protectedResource()).toEqual({
        resource: baseUrl,
        authorization_servers: [baseUrl],
        bearer_methods_supported: ['header'],
      })
    })
  })
})
