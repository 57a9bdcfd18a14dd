import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  checkL2ForOpenAPI,
  getOpenAPI,
  getWarningsForOpenAPI,
  isOpenApiParseFailure,
} from '@agentcash/discovery'
import {
  auth,
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { Validator } from '@seriousme/openapi-schema-validator'
import { discoveryRequest, processDiscoveryResponse, processResourceDiscoveryResponse } from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { shownKeySchema } from '../../../src/edge/handlers/operator/replies.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { scanOwnPages } from '../../support/scans/scan-own-pages.ts'

/** What programs find that know only our address, judged by the libraries that they are built with. */

const base = 'https://api.example.com'
const payments = 'https://pay.example.com'

let chain: TestChain
let gateway: TestGateway
let key: Readonly<Record<string, string>>

beforeAll(async () => {
  chain = await startTestChain()
  // The shipped catalog: all that we offer is described.
  gateway = await startGateway(chain.rpcUrl, {
    CATALOG_FILE: 'pricing/catalog.yaml',
    TRUST_PROXY: '1',
  })
  key = { 'x-mcp-api-key': (await makeKey('pro')).key }
})
afterAll(async () => {
  await gateway?.close()
  await chain?.close()
})

async function makeKey(tier: string) {
  const made = await fetch(`${gateway.url}/operator/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tier }),
  })
  return shownKeySchema.parse(await made.json())
}

/** Asks the gateway in place of one of its addresses. */
function ask(address: string, init: RequestInit = {}): Promise<Response> {
  const { pathname, search } = new URL(address, base)
  return fetch(`${gateway.url}${pathname}${search}`, init)
}

/** Path and media type, to the letter. */
const documents = [
  ['/.well-known/agent-card.json', 'application/json'],
  ['/.well-known/agent.json', 'application/json'],
  ['/.well-known/ai-plugin.json', 'application/json'],
  ['/.well-known/mcp/server-card.json', 'application/mcp-server-card+json'],
  ['/.well-known/mcp/server-card', 'application/mcp-server-card+json'],
  ['/.well-known/mcp', 'application/mcp-server-card+json'],
  ['/mcp/server-card', 'application/mcp-server-card+json'],
  ['/mcp', 'application/mcp-server-card+json'],
  ['/.well-known/ai-catalog.json', 'application/ai-catalog+json'],
  ['/.well-known/agent-skills/index.json', 'application/json'],
  ['/.well-known/agent-skills/scan-website/SKILL.md', 'text/markdown; charset=utf-8'],
  ['/.well-known/oauth-authorization-server', 'application/json; charset=utf-8'],
  ['/.well-known/openid-configuration', 'application/json; charset=utf-8'],
  ['/.well-known/oauth-protected-resource', 'application/json; charset=utf-8'],
  ['/.well-known/oauth-protected-resource/.well-known/mcp', 'application/json'],
  ['/.well-known/oauth-protected-resource/mcp', 'application/json'],
  ['/.well-known/api-catalog', 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
  ['/.well-known/llms.txt', 'text/markdown; charset=utf-8'],
  ['/.well-known/pricing.md', 'text/markdown; charset=utf-8'],
  ['/llms.txt', 'text/markdown; charset=utf-8'],
  ['/llms-full.txt', 'text/markdown; charset=utf-8'],
  ['/api/llms.txt', 'text/markdown; charset=utf-8'],
  ['/docs/llms.txt', 'text/markdown; charset=utf-8'],
  ['/pricing.md', 'text/markdown; charset=utf-8'],
  ['/agents.md', 'text/markdown; charset=utf-8'],
  ['/index.md', 'text/markdown; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs.md', 'text/markdown; charset=utf-8'],
  ['/openapi.json', 'application/vnd.oai.openapi+json;version=3.1'],
  ['/payments/openapi.json', 'application/vnd.oai.openapi+json;version=3.1'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/sitemap.xml', 'application/xml'],
  ['/favicon.svg', 'image/svg+xml'],
  ['/.well-known/jwks.json', 'application/json; charset=utf-8'],
  ['/.well-known/http-message-signatures-directory', 'application/http-message-signatures-directory+json'],
] as const

describe.each(documents)('%s', (path, mediaType) => {
  test('has its media type, an ETag that spares a second copy, and is open to pages of any origin', async () => {
    const reply = await ask(path, { headers: key })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, mediaType])
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('cache-control')).toMatch(
      path === '/openapi.json' ? /^private, no-cache$/ : /^public, max-age=\d+$/,
    )
    const etag = reply.headers.get('etag') ?? ''
    const again = await ask(path, { headers: { ...key, 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await ask(path, { method: 'HEAD', headers: key })
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
    expect((await ask(path, { method: 'OPTIONS' })).status).toBe(204)
    expect((await ask(path, { method: 'DELETE', headers: key })).status).toBe(405)
  })

  test('names our configured addresses, whatever host a request names', async () => {
    const plain = await (await ask(path, { headers: key })).text()
    const forged = { ...key, 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
    expect(await (await ask(path, { headers: forged })).text()).toBe(plain)
    expect(plain).not.toContain('127.0.0.1')
  })
})

test.each([
  ['/', '/index.md', 'application/json; charset=utf-8'],
  ['/docs', '/docs.md', 'text/html; charset=utf-8'],
  ['/pricing', '/pricing.md', 'application/json; charset=utf-8'],
])(
  '%s is markdown for a caller that prefers it, as at %s, and %s for one without a preference',
  async (path, twin, usual) => {
    const type = 'text/markdown; charset=utf-8'
    const reply = await ask(path, { headers: { accept: 'text/markdown, text/html;q=0.5' } })
    expect([reply.headers.get('content-type'), reply.headers.get('vary')]).toEqual([type, 'Accept'])
    expect(await reply.text()).toBe(await (await ask(twin)).text())
    for (const [accept, expected] of [
      ['*/*', usual],
      ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
    ] as const) {
      const other = await ask(path, { headers: { accept } })
      expect([other.headers.get('content-type'), other.headers.get('vary')]).toEqual([expected, 'Accept'])
      expect(other.headers.get('etag')).not.toBe(reply.headers.get('etag'))
    }
  },
)

test('the reference as markdown names every operation of the page, with its fields', async () => {
  const page = await (await ask('/docs')).text()
  const markdown = await (await ask('/docs.md')).text()
  const operations = [...page.matchAll(/<h3><code>([A-Z]+ [^<]+)<\/code>/g)].map(([, name = '']) => name)
  expect(operations.length).toBeGreaterThan(30)
  for (const operation of operations) expect(markdown).toContain(`### ${operation}\n`)
  expect(markdown).toContain('- `businessName`: string, required (body)')
  expect((await ask('/docs')).headers.get('link')).toContain(
    `<${base}/docs.md>; rel="alternate"; type="text/markdown"`,
  )
})

test('an open document is the same for every caller, and by a link that says where it was followed', async () => {
  const plain = await ask('/agents.md')
  const text = await plain.text()
  for (const headers of [
    { 'x-mcp-api-key': 'tgk_wrong' },
    { authorization: 'Bearer wrong', 'x-mcp-api-key': 'tgk_wrong' },
    { 'payment-signature': 'no payment' },
  ]) {
    const reply = await ask('/agents.md', { headers })
    expect([reply.status, await reply.text()]).toEqual([200, text])
    expect(reply.headers.get('x-request-id')).not.toBe(plain.headers.get('x-request-id'))
  }
  const followed = await ask('/agents.md?utm_source=chatgpt.com')
  expect([followed.status, await followed.text()]).toEqual([200, text])
  const withKey = await ask('/openapi.json?utm_source=chatgpt.com', { headers: key })
  expect(withKey.status).toBe(200)
})

/** Every address in a text, with the method before it. A reader takes an address without a method for a page. */
function addressesIn(text: string): { readonly method: string; readonly url: string }[] {
  const found = text.matchAll(
    /(?:\b(GET|POST|DELETE)\s+'?)?(https:\/\/(?:api|pay)\.example\.com[^\s"'`<>)\]}\\,;]*)/g,
  )
  return [...found].flatMap(([, method = 'GET', url]) =>
    url === undefined || url.includes('{') ? [] : [{ method, url: url.replace(/[.:]$/, '') }],
  )
}

test('every address that a document, a page or a Link header names is answered', async () => {
  const paths = documents.map(([path]) => path)
  const texts = await Promise.all(
    ['/', '/pricing', '/api/health', '/api/webhooks/subscribe', ...paths].map(async (path) => {
      const reply = await ask(path, { headers: { ...key, accept: '*/*' } })
      return `${await reply.text()}\n${reply.headers.get('link') ?? ''}`
    }),
  )
  const wanted = new Map(
    texts.flatMap(addressesIn).map((address) => [`${address.method} ${address.url}`, address]),
  )
  expect(wanted.size).toBeGreaterThan(40)
  const dead: string[] = []
  for (const [name, { method, url }] of wanted) {
    const { status } = await ask(url, {
      method,
      ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body: '{}' }),
    })
    // What stands at the address may be asked for by another method, or want input.
    const isThere = status < 300 || [400, 401, 402].includes(status) || (status === 405 && isBase(url))
    if (!isThere) dead.push(`${status} ${name}`)
  }
  expect(dead).toEqual([])
})

/** A token endpoint takes POST alone. */
function isBase(url: string): boolean {
  return /\/oauth\/token$/.test(url)
}

test('every link of the texts for language models opens as it stands', async () => {
  const texts = await Promise.all(
    ['/llms.txt', '/api/llms.txt', '/docs/llms.txt', '/llms-full.txt', '/agents.md', '/index.md'].map(
      async (path) => await (await ask(path)).text(),
    ),
  )
  const links = new Set(
    texts.flatMap((text) => [...text.matchAll(/\]\((\S+)\)/g)].map(([, url = '']) => url)),
  )
  expect([...links]).toContain(`${payments}/mcp`)
  expect([...links].some((url) => url.startsWith(`${base}/ask?query=`))).toBe(true)
  for (const url of links) {
    const { status } = await ask(url)
    // The whole description wants a key, and says so.
    expect([url, status]).toEqual([url, url === `${base}/openapi.json` ? 401 : 200])
  }
})

test('each MCP server has a card at its address, which says what the server says and is in every catalog', async () => {
  const [catalog, apis, agents] = await Promise.all(
    ['ai-catalog.json', 'api-catalog', 'agent-card.json'].map(
      async (name) => await (await ask(`/.well-known/${name}`)).text(),
    ),
  )
  for (const [url, card] of [
    [`${base}/.well-known/mcp`, `${base}/.well-known/mcp/server-card`],
    [`${payments}/mcp`, `${payments}/mcp/server-card`],
  ] as const) {
    const said = z
      .looseObject({ title: z.string(), websiteUrl: z.string(), capabilities: z.looseObject({}) })
      .parse(await (await ask(card)).json())
    expect(said).toMatchObject({ remotes: [{ url }], description: expect.stringMatching(/^.{1,100}$/) })
    expect(await (await ask(url)).json()).toEqual(said)
    expect((await ask(url, { headers: { accept: 'text/event-stream' } })).status).toBe(405)
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: viaGateway }))
    const { title, websiteUrl } = client.getServerVersion() ?? {}
    expect({ title, websiteUrl }).toEqual({ title: said.title, websiteUrl: said.websiteUrl })
    expect(Object.keys(client.getServerCapabilities() ?? {}).toSorted()).toEqual(
      Object.keys(said.capabilities).toSorted(),
    )
    await client.close()
    expect(catalog).toContain(`"${card}"`)
    expect(apis).toContain(`"${card}"`)
    expect(agents).toContain(`"${url}"`)
  }
})

describe.each([
  ['/openapi.json', 'all'],
  ['/payments/openapi.json', 'payments'],
] as const)('%s', (path, scope) => {
  test('is OpenAPI 3.1 by its schema, and every reference in it resolves', async () => {
    const document = pathsSchema.parse(await (await ask(path, { headers: key })).json())
    const validator = new Validator()
    const { valid, errors } = await validator.validate(document)
    expect(errors ?? []).toEqual([])
    expect([valid, validator.version]).toEqual([true, '3.1'])
    validator.resolveRefs()
    const ids = operationsOf(document).map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('analyzeBusiness')
    expect(ids.includes('triggerScan')).toBe(scope === 'all')
  })
})

const operationSchema = z.looseObject({ operationId: z.string() })
const pathsSchema = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) })

function operationsOf(document: unknown) {
  return Object.values(pathsSchema.parse(document).paths).flatMap((methods) => Object.values(methods))
}

test('the description of everything needs a key, and the host of the payments side describes what is paid without one', async () => {
  const refused = await ask('/openapi.json')
  expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'API_KEY_REQUIRED' }])
  expect(refused.headers.get('www-authenticate')).toBe(
    `Bearer realm="tollgate", resource_metadata="${base}/.well-known/oauth-protected-resource"`,
  )
  expect(refused.headers.get('link')).toBe(`<${base}/.well-known/api-catalog>; rel="api-catalog"`)
  expect(refused.headers.get('access-control-expose-headers')).toMatch(/\bWWW-Authenticate\b.*\bLink\b/)
  const open = await (await ask('/payments/openapi.json')).text()
  const atPayments = await fromHost('pay.example.com', '/openapi.json')
  expect(atPayments).toEqual({ status: 200, body: open })
  expect((await fromHost('api.example.com', '/openapi.json')).status).toBe(401)
})

/** fetch would not send another Host. */
async function fromHost(host: string, path: string): Promise<{ status: number; body: string }> {
  const { request } = await import('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  request(`${gateway.url}${path}`, { headers: { host } }, (reply) => {
    const chunks: Buffer[] = []
    reply.on('data', (chunk: Buffer) => chunks.push(chunk))
    reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
  })
    .on('error', reject)
    .end()
  return promise
}

test('a directory of paid services finds each paid operation with its price, and has nothing to warn of', async () => {
  const source = await getOpenAPI(
    gateway.url,
    {},
    undefined,
    `${gateway.url}/payments/openapi.json`,
  ).unwrapOr(null)
  if (source === null || isOpenApiParseFailure(source)) throw new Error(JSON.stringify(source))
  expect(getWarningsForOpenAPI(source).filter(({ severity }) => severity !== 'info')).toEqual([])
  const { routes } = checkL2ForOpenAPI(source)
  const prices = Object.fromEntries(
    routes.map(({ path, authMode, price, protocols }) => [path, [authMode, price, protocols]]),
  )
  expect(prices).toMatchObject({
    '/api/analyze': ['paid', '0.10 USD', ['x402']],
    '/api/leads/research': ['paid', '0.25 USD', ['x402']],
    '/api/content/blog': ['paid', '1.00 USD', ['x402']],
  })
})

test('OAuth libraries accept the metadata of the server and of the resource', async () => {
  const issuer = new URL(base)
  for (const algorithm of ['oauth2', 'oidc'] as const) {
    const reply = await ask((await discoveryUrl(issuer, algorithm)).pathname)
    expect(await processDiscoveryResponse(issuer, reply)).toMatchObject({
      token_endpoint: `${base}/oauth/token`,
    })
  }
  const resource = await ask('/.well-known/oauth-protected-resource')
  expect(await processResourceDiscoveryResponse(issuer, resource)).toMatchObject({
    authorization_servers: [base],
  })
})

/** What the clients of MCP do by themselves, sent to the gateway in place of our addresses. */
const viaGateway = (address: string | URL, init?: RequestInit) => ask(`${address}`, init)

test.each(['trial', 'starter', 'pro'])(
  'the official MCP client finds our tokens by itself, gets one for a key of the tier %s, and another when it is refused',
  async (tier) => {
    const { keyId: clientId, key: clientSecret } = await makeKey(tier)
    for (const [serverUrl, tool] of [
      [`${base}/.well-known/mcp`, 'list_scans'],
      [`${payments}/mcp`, 'analyze_business'],
    ] as const) {
      const authProvider = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: base })
      expect(await auth(authProvider, { serverUrl, fetchFn: viaGateway })).toBe('AUTHORIZED')
      const issued = authProvider.tokens()?.access_token
      authProvider.saveTokens({ access_token: 'a.token.refused', token_type: 'Bearer', issuer: base })
      const refused = await ask(serverUrl, {
        method: 'POST',
        headers: { authorization: 'Bearer a.token.refused', 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      })
      expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'TOKEN_INVALID' }])
      const [, metadata = ''] =
        /^Bearer realm="tollgate", error="invalid_token", resource_metadata="(.*)"$/.exec(
          refused.headers.get('www-authenticate') ?? '',
        ) ?? []
      expect(await (await ask(metadata)).json()).toMatchObject({
        resource: serverUrl,
        authorization_servers: [base],
      })
      const client = new Client({ name: 'test', version: '1.0.0' })
      await client.connect(
        new StreamableHTTPClientTransport(new URL(serverUrl), { authProvider, fetch: viaGateway }),
      )
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain(tool)
      await client.close()
      expect([undefined, 'a.token.refused', issued]).not.toContain(authProvider.tokens()?.access_token)
    }
  },
)

/** The address that the library asks. */
async function discoveryUrl(issuer: URL, algorithm: 'oauth2' | 'oidc'): Promise<URL> {
  const { promise, resolve } = Promise.withResolvers<URL>()
  const noted = async (url: string) => {
    resolve(new URL(url))
    return new Response('{}')
  }
  const { customFetch } = await import('oauth4webapi')
  await discoveryRequest(issuer, { algorithm, [customFetch]: noted })
  return promise
}

test('each skill has the digest of its file as it is served, and a head that agrees with the index', async () => {
  const index = z
    .object({
      skills: z.array(
        z.object({
          name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
          type: z.literal('skill-md'),
          description: z.string().max(1024),
          url: z.url(),
          digest: z.string(),
        }),
      ),
    })
    .parse(await (await ask('/.well-known/agent-skills/index.json')).json())
  expect(index.skills.map(({ name }) => name)).toEqual([
    'scan-website',
    'read-scan-results',
    'find-in-directory',
    'pay-per-use',
  ])
  for (const { name, description, url, digest } of index.skills) {
    const bytes = Buffer.from(await (await ask(url)).arrayBuffer())
    expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest)
    const [, head = ''] = /^---\n(.*?)\n---\n/s.exec(bytes.toString()) ?? []
    expect(parse(head)).toEqual({ name, description })
  }
  expect((await ask('/.well-known/agent-skills/constructor/SKILL.md')).status).toBe(404)
})

const named = z.looseObject({
  name: z.string().optional(),
  title: z.string().optional(),
  version: z.string().optional(),
  description: z.string().optional(),
  info: z.object({ title: z.string(), version: z.string() }).optional(),
})

test('the same name and version stand in every document', async () => {
  const read = async (path: string) => named.parse(await (await ask(path, { headers: key })).json())
  const [card, old, server, api, health] = await Promise.all([
    read('/.well-known/agent-card.json'),
    read('/.well-known/agent.json'),
    read('/.well-known/mcp/server-card.json'),
    read('/openapi.json'),
    read('/api/health'),
  ])
  expect(new Set([card.version, old.version, server.version, api.info?.version, health.version]).size).toBe(1)
  expect(new Set([card.name, old.name, server.title, api.info?.title]).size).toBe(1)
  expect(server.name).toMatch(/^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/)
  expect(server.description).toMatch(/^.{1,100}$/)
  // The 1.0 schema refuses the fields of 0.3.
  expect(card).not.toHaveProperty('url')
  expect(old).toMatchObject({ protocolVersion: '0.3.0', url: `${base}/` })
})

test('robots.txt signals how texts may be used, and the most particular llms.txt differs from the one of the root', async () => {
  expect(await (await ask('/robots.txt')).text()).toMatch(
    /^User-agent: \*\nContent-Signal: search=yes, ai-input=yes, ai-train=no$/m,
  )
  const texts = await Promise.all(
    ['/llms.txt', '/.well-known/llms.txt', '/api/llms.txt', '/docs/llms.txt'].map(
      async (path) => await (await ask(path)).text(),
    ),
  )
  const [root, wellKnown] = texts
  expect(root).toBe(wellKnown)
  expect(new Set(texts).size).toBe(3)
  for (const text of texts) {
    expect(text).toMatch(/^# \S/)
    expect(text.length).toBeLessThanOrEqual(50_000)
  }
})

test('the home page is markdown for a reader who prefers it', async () => {
  const reply = await ask('/', { headers: { accept: 'text/markdown, text/html;q=0.9' } })
  expect([reply.headers.get('content-type'), reply.headers.get('vary')]).toEqual([
    'text/markdown; charset=utf-8',
    'Accept',
  ])
  expect(await reply.text()).toBe(await (await ask('/index.md')).text())
  const links = reply.headers.get('link') ?? ''
  expect(links).toContain(`<${base}/.well-known/api-catalog>; rel="api-catalog"`)
  expect(links).toContain(`<${base}/index.md>; rel="alternate"; type="text/markdown"`)
})

test.each(['/.well-known/nothing', '/.well-known/x402', '/.well-known/security.txt', '/docs/nothing'])(
  '%s, which there is none of, is a JSON 404 and never a page',
  async (path) => {
    const reply = await ask(path, { headers: { accept: 'text/html' } })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=utf-8',
    ])
    expect(await reply.json()).toMatchObject({ code: 'NOT_FOUND' })
  },
)

/** What an operator says of itself, and its own pages at our address. */
const operator = {
  about:
    'Hafen Labs runs this gateway. We are four engineers in Hamburg, and have scanned websites for small businesses since 2021. We sell the same analyses to agents, by the call.',
  address: 'Hafenstrasse 12, 20457 Hamburg, Germany',
  phone: '+49 40 5550187',
  contact: 'mailto:hello@hafenlabs.de',
  profiles: ['https://github.com/hafenlabs', 'https://www.linkedin.com/company/hafenlabs'],
  terms: `${base}/terms`,
  privacy: `${base}/privacy`,
}
const pageOf = (title: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav><a href="/">Home</a></nav><main><h1>${title}</h1><p>What applies here.</p></main></body></html>`

test('our own scanner gives our pages an AEO score of at least 90 once the operator has said who runs them', async () => {
  const { folder, remove } = await temporaryFolder()
  const shipped = z
    .looseObject({ provider: z.looseObject({}) })
    .parse(parse(readFileSync('pricing/catalog.yaml', 'utf8')))
  const catalog = { ...shipped, provider: { ...shipped.provider, ...operator } }
  writeFileSync(join(folder, 'catalog.yaml'), stringify(catalog))
  const own = await startGateway(chain.rpcUrl, { CATALOG_FILE: join(folder, 'catalog.yaml') })
  try {
    const pages = { '/terms': pageOf('Terms'), '/privacy': pageOf('Privacy') }
    const { analysis, faults } = await scanOwnPages(own.url, [base, payments], pages)
    expect(faults).toEqual([])
    expect(analysis.report.aeoScore).toBeGreaterThanOrEqual(90)
    const found = analysis.challenges.filter(({ severity }) => severity !== 'unmeasured')
    // Each with its reason in src/edge/discovery/README.md.
    expect(found.map(({ id }) => id).sort()).toEqual([
      'content-answerability/evidence',
      'freshness-index/lastmod',
      'security-safety/hsts',
    ])
  } finally {
    await own.close()
    await remove()
  }
})
