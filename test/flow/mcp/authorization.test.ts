import {
  Client,
  ClientCredentialsProvider,
  type ClientCredentialsProviderOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { shownKeySchema } from '../../../src/edge/handlers/operator/replies.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'

/** How clients of the MCP servers come to an access token: by statuses and challenges, as OAuth libraries read them. */

const base = 'https://api.example.com'
const server = `${base}/.well-known/mcp`
const metadata = `${base}/.well-known/oauth-protected-resource/.well-known/mcp`
const exchangesCredentials = 'io.modelcontextprotocol/oauth-client-credentials'

let gateway: TestGateway
let key: z.infer<typeof shownKeySchema>

beforeAll(async () => {
  gateway = await startGateway('http://127.0.0.1:9', {
    CATALOG_FILE: 'pricing/catalog.yaml',
    RPC_TIMEOUT_MS: '500',
  })
  key = shownKeySchema.parse(
    await (
      await fetch(`${gateway.url}/operator/keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tier: 'pro' }),
      })
    ).json(),
  )
})
afterAll(() => gateway?.close())

/** Asks the gateway in place of its address. */
function ask(address: string | URL, init?: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(address)
  return fetch(`${gateway.url}${pathname}${search}`, init)
}

/** The official client, with a key to exchange for tokens. */
async function connect(
  scope: Pick<ClientCredentialsProviderOptions, 'scope'>,
  extensions: Readonly<Record<string, object>>,
) {
  const authProvider = new ClientCredentialsProvider({
    clientId: key.keyId,
    clientSecret: key.key,
    expectedIssuer: base,
    ...scope,
  })
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: { extensions: Object.fromEntries(Object.keys(extensions).map((name) => [name, {}])) },
    },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(server), { authProvider, fetch: ask }))
  return { client, authProvider }
}

const listScans = { name: 'list_scans', arguments: {} }
const listDirectory = { name: 'list_directory', arguments: {} }

describe('no credential', () => {
  test('a client that exchanges credentials gets itself a token at the first tool that needs one, and none before', async () => {
    const { client, authProvider } = await connect({}, { [exchangesCredentials]: {} })
    expect(client.getServerCapabilities()?.extensions).toHaveProperty([exchangesCredentials])
    expect(await client.callTool(listDirectory)).not.toHaveProperty('isError')
    expect(authProvider.tokens()).toBeUndefined()
    expect(await client.callTool(listScans)).toMatchObject({ structuredContent: { scans: [] } })
    expect(authProvider.tokens()?.scope).toContain('listScans')
    await client.close()
  })

  test('its 401 names the metadata of the server, and holds the error that HTTP has', async () => {
    const reply = await call(listScans, {}, [exchangesCredentials])
    expect([reply.status, await reply.json()]).toMatchObject([401, { code: 'API_KEY_REQUIRED' }])
    expect(reply.headers.get('www-authenticate')).toBe(
      `Bearer realm="tollgate", resource_metadata="${metadata}"`,
    )
  })

  test('any other client gets a tool error that says how to send a key, because no browser could get it a token', async () => {
    const reply = await call(listScans)
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([200, null])
    expect(await reply.json()).toMatchObject({
      result: { isError: true, structuredContent: { code: 'API_KEY_REQUIRED' } },
    })
  })

  test('a key that is not valid is a tool error for every client: no exchange would make it valid', async () => {
    const reply = await call(listScans, { 'x-mcp-api-key': 'tgk_unknown' }, [exchangesCredentials])
    expect([reply.status, await reply.json()]).toMatchObject([200, { result: { isError: true } }])
  })
})

describe('a token whose scope does not cover the tool', () => {
  test('is refused with the scope that is missing, and the client gets itself a wider one', async () => {
    const { client, authProvider } = await connect({ scope: 'listDirectory' }, { [exchangesCredentials]: {} })
    authProvider.saveTokens({ ...(await tokenFor('listDirectory')), issuer: base })
    expect(await client.callTool(listDirectory)).not.toHaveProperty('isError')
    expect(await client.callTool(listScans)).toMatchObject({ structuredContent: { scans: [] } })
    expect(authProvider.tokens()?.scope?.split(' ').toSorted()).toEqual(['listDirectory', 'listScans'])
    await client.close()
  })

  test.each(['2026-07-28', 'an older one'])(
    'is HTTP 403 with the challenge, in protocol %s',
    async (version) => {
      const { access_token: token } = await tokenFor('listDirectory')
      const headers = { authorization: `Bearer ${token}` }
      const reply = await (version === '2026-07-28' ? call(listScans, headers) : callOld(listScans, headers))
      expect([reply.status, await reply.json()]).toMatchObject([
        403,
        { code: 'SCOPE_INSUFFICIENT', details: { scope: 'listScans' } },
      ])
      expect(reply.headers.get('www-authenticate')).toBe(
        `Bearer realm="tollgate", error="insufficient_scope", scope="listScans", resource_metadata="${metadata}"`,
      )
    },
  )

  test('names the metadata of the paid server for a paid tool', async () => {
    const { access_token: token } = await tokenFor('listDirectory')
    const headers = { authorization: `Bearer ${token}` }
    const reply = await post('/mcp', { name: 'analyze_business', arguments: { businessName: 'A' } }, headers)
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer realm="tollgate", error="insufficient_scope", scope="analyzeBusiness", resource_metadata="https://pay.example.com/.well-known/oauth-protected-resource/mcp"`,
    ])
  })

  test('is a tool error within a batch, whose other calls are answered', async () => {
    const { access_token: token } = await tokenFor('listDirectory')
    const batch = [listScans, listDirectory].map((params, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params,
    }))
    const reply = await ask(server, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify(batch),
    })
    const text = await reply.text()
    expect([reply.status, text]).toEqual([200, expect.stringContaining('SCOPE_INSUFFICIENT')])
    expect(text).toContain('"listings"')
  })
})

test.each(['Bearer', 'Bearer ', 'Basic ', 'Basic dXNlcjpwYXNz', 'Digest username="a"'])(
  'the Authorization header "%s" is refused as over HTTP, whatever the request holds',
  async (authorization) => {
    const http = await ask(`${base}/api/directory`, { headers: { authorization } })
    for (const reply of [
      await call(listDirectory, { authorization }),
      await callOld(listDirectory, { authorization }),
    ]) {
      expect([reply.status, await reply.json()]).toMatchObject([http.status, { code: 'TOKEN_INVALID' }])
      expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"')
    }
    expect(await http.json()).toMatchObject({ code: 'TOKEN_INVALID' })
  },
)

const json = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

/** Calls a tool in the current protocol. */
function call(
  params: { readonly name: string; readonly arguments: object },
  headers: Readonly<Record<string, string>> = {},
  extensions: readonly string[] = [],
): Promise<Response> {
  return post('/.well-known/mcp', params, headers, extensions)
}

function post(
  path: string,
  params: { readonly name: string; readonly arguments: object },
  headers: Readonly<Record<string, string>>,
  extensions: readonly string[] = [],
): Promise<Response> {
  const version = '2026-07-28'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {
      extensions: Object.fromEntries(extensions.map((name) => [name, {}])),
    },
  }
  const of = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': params.name }
  return ask(`${base}${path}`, {
    method: 'POST',
    headers: { ...json, ...of, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } }),
  })
}

/** The same in an older protocol. */
function callOld(params: object, headers: Readonly<Record<string, string>>): Promise<Response> {
  return ask(server, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
}

const tokenSchema = z.object({ access_token: z.string(), token_type: z.string(), scope: z.string() })

async function tokenFor(scope: string): Promise<z.infer<typeof tokenSchema>> {
  const reply = await ask(`${base}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: key.keyId,
      client_secret: key.key,
      scope,
    }),
  })
  return tokenSchema.parse(await reply.json())
}
