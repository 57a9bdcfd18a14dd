import { createHash, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { keyThumbprint } from '../../../../src/platform/net/bot-signature.ts'
import { agentProtocols } from '../../../../src/products/scan/agents/agent-protocols/agent-protocols.ts'
import type { Outcome } from '../../../../src/products/scan/findings/check.ts'
import { type Entries, type Entry, type ReplyEntry, site } from '../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../support/scans/checks.ts'

const home = 'https://site.example/'
const shell = '<!doctype html><html><body><div id="root"></div></body></html>'
const brochure = '<main>Hello</main>'
const ofApi = `${brochure}<a href="/api">API</a>`
const ofShop = `${brochure}<a href="/cart">Cart</a>`
const ofApp = `${brochure}<a href="/login">Log in</a><a href="/signup">Sign up</a>`
const ofBlog = `${brochure}<a href="/blog">Blog</a>`

function run(id: string, entries: Entries): Outcome {
  return runCheck(agentProtocols, id, site(entries))
}

/** Runs a check on a site with one document for agents. */
function ofDocument(id: string, page: string, path: string, entry: Exclude<Entry, string>): Outcome {
  return run(id, { [home]: page, [`https://site.example${path}`]: { ...entry, purpose: 'well-known' } })
}

const json = (value: unknown): ReplyEntry => ({
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
})
const gone: ReplyEntry = { status: 404 }

/** Documents that have one place each; the tests below hold for all of them. */
const singlePlaces = [
  { id: 'openapi', path: '/openapi.json', page: ofApi, missing: 'fail' },
  { id: 'mcp', path: '/.well-known/mcp/server-card.json', page: ofApi, missing: 'warn' },
  { id: 'mcp', path: '/.well-known/mcp.json', page: ofApp, missing: 'warn' },
  { id: 'api-catalog', path: '/.well-known/api-catalog', page: ofApi, missing: 'fail' },
  {
    id: 'a2a',
    path: '/.well-known/agent-card.json',
    page: `${brochure}<a href="/.well-known/agent-card.json">Our agent</a>`,
    missing: 'fail',
  },
  {
    id: 'skills',
    path: '/.well-known/agent-skills/index.json',
    page: `${brochure}<a href="/.well-known/agent-skills/index.json">Skills</a>`,
    missing: 'fail',
  },
  { id: 'oauth-meta', path: '/.well-known/oauth-authorization-server', page: ofApp, missing: 'fail' },
]

test('the agent-protocols checks keep their ids and weights', () => {
  expect(agentProtocols.checks.map(({ id, weight }) => `${id} ${weight}`).join(', ')).toBe(
    'link-header 3, openapi 3, mcp 3, api-catalog 2, a2a 2, skills 2, ai-catalog 1, ai-catalog-announced 1, signature-directory 1, webmcp 2, oauth-meta 1, no-fake-200 2, commerce 0',
  )
})

describe.each(singlePlaces)('$id at $path', ({ id, path, page, missing }) => {
  test(`a site that needs ${id} gets ${missing} and its one place when it is missing at ${path}`, () => {
    const outcome = ofDocument(id, page, path, gone)
    expect(outcome).toMatchObject({
      result: missing,
      reason: expect.stringContaining(`was not found at ${path}`),
    })
    expect(quotesOf(outcome)).toBe('status 404')
  })

  test(`${id} does not apply to other sites`, () => {
    expect(ofDocument(id, brochure, path, gone).result).toBe('na')
    expect(run(id, { [home]: brochure }).result).toBe('na')
  })

  test(`a web page at ${path} does not count for ${id}`, () => {
    for (const headers of [{ 'content-type': 'text/html' }, { 'content-type': 'application/json' }]) {
      expect(quotesOf(ofDocument(id, page, path, { body: shell, headers }))).toContain('a web page')
      expect(ofDocument(id, brochure, path, { body: shell, headers }).result).toBe('na')
    }
  })

  test(`a broken document at ${path} fails ${id}, needed or not`, () => {
    for (const body of [
      '{"a": ',
      '[]',
      '"x"',
      '{}',
      'null',
      '[[['.repeat(100_000),
      '{"paths":'.repeat(50_000),
    ]) {
      const headers = { 'content-type': 'application/json' }
      expect(ofDocument(id, brochure, path, { body, headers }).result).toBe('fail')
    }
  })

  test.each<Exclude<Entry, string>>([
    { status: 401 },
    { status: 503 },
    { failed: 'timeout' },
    { skipped: 'budget' },
    { body: '{"a": ', isCut: true, headers: { 'content-type': 'application/json' } },
  ])(`${id} is unmeasured at ${path} for %j`, (entry) => {
    expect(ofDocument(id, page, path, entry).result).toBe('unmeasured')
  })
})

describe('link-header', () => {
  test.each<[string, string, string]>([
    ['pass', brochure, '</.well-known/api-catalog>; rel="api-catalog"'],
    ['pass', brochure, '</a>; rel=preload, </openapi.json>; rel="foo service-desc"'],
    ['na', ofApi, '</style.css>; rel=preload'],
    ['na', ofShop, ''],
    ['na', ofBlog, ''],
    ['na', brochure, ''],
  ])('link-header is %s for %j with %j where no document for agents was seen', (result, body, link) => {
    expect(run('link-header', { [home]: { body, headers: { link } } }).result).toBe(result)
  })

  test('the header that link-header proposes leads to a document that is present', () => {
    const described = json({ openapi: '3.1.0', paths: { '/pets': {} } })
    const documents: Entries = {
      'https://site.example/llms.txt': '# Pets',
      'https://site.example/swagger.json': { ...gone, purpose: 'well-known' },
      'https://site.example/openapi.json': { ...described, purpose: 'well-known' },
    }
    const outcome = run('link-header', { [home]: ofApi, ...documents })
    expect(outcome).toMatchObject({
      result: 'fail',
      fix: expect.stringContaining('Link: </openapi.json>; rel="service-desc"'),
    })
    expect(JSON.stringify(outcome)).not.toContain('once')
    const llms = { 'https://site.example/llms.txt': '# Shop' }
    expect(run('link-header', { [home]: ofShop, ...llms })).toMatchObject({
      result: 'fail',
      fix: expect.stringContaining('Link: </llms.txt>; rel="describedby"'),
    })
  })

  test('link-header fails a blog that does not name its llms.txt', () => {
    const llms = { 'https://site.example/llms.txt': '# Blog' }
    expect(run('link-header', { [home]: ofBlog, ...llms })).toMatchObject({
      result: 'fail',
      fix: expect.stringContaining('describedby'),
    })
    expect(run('link-header', { [home]: brochure, ...llms })).toMatchObject({
      result: 'na',
      reason: expect.stringMatching(/^The site has \/llms\.txt\. .+ is asked only of sites with an API/),
    })
  })
})

describe('openapi', () => {
  const described = { openapi: '3.1.0', paths: { '/pets': {} } }
  const yaml = (body: string): ReplyEntry => ({ body, headers: { 'content-type': 'application/yaml' } })
  test.each<[string, ReplyEntry]>([
    ['pass', json(described)],
    ['pass', json({ swagger: '2.0', paths: { '/pets': {} } })],
    ['pass', yaml('openapi: 3.0.3\npaths:\n  /pets:\n    get: {}\n')],
    ['fail', json({ ...described, paths: {} })],
    ['fail', json({ ...described, paths: { pets: {} } })],
    ['fail', json({ ...described, openapi: '1.0' })],
    ['fail', json({ ...described, openapi: 3 })],
    ['fail', yaml('openapi: 3.0.3\npaths:\n')],
    ['fail', yaml('openapi: 3.0.3\npaths: {}')],
    ['fail', yaml('info:\n  openapi: 3.0.3\npaths:\n  /pets:\n')],
    ['fail', yaml('openapi: 3.0.3\npaths:\n  pets:\n    /inner: x\ninfo:\n  /a: b\n')],
    ['pass', yaml('# Pets\n"openapi": "3.1.0" # new\r\n\npaths: # all\r\n  # one\r\n    "/pets":\r\n')],
    ['unmeasured', yaml('openapi: 3.0.3\npaths: {/pets: {}}')],
    ['unmeasured', yaml(`openapi: 3.0.3\npaths: ${'['.repeat(20_000)}`)],
  ])('openapi is %s for %o', (result, entry) => {
    expect(ofDocument('openapi', brochure, '/openapi.yaml', entry).result).toBe(result)
  })

  test('a megabyte of YAML anchors is judged by the beginnings of its lines', () => {
    const body = `openapi: 3.0.3\npaths:\n  /pets: ${'&a !!x '.repeat(150_000)}`
    expect(ofDocument('openapi', brochure, '/openapi.yaml', yaml(body)).result).toBe('pass')
  })

  test('openapi passes for a description at any address that the page names', () => {
    const outcome = run('openapi', {
      [home]: brochure,
      'https://site.example/v2/spec': { ...json(described), purpose: 'service-desc' },
    })
    expect(outcome).toMatchObject({ result: 'pass', evidence: [{ value: 'OpenAPI 3.1.0, 1 path' }] })
  })
})

describe('mcp', () => {
  const remotes = [{ type: 'streamable-http', url: 'https://site.example/mcp' }]
  test.each<[string, string, unknown]>([
    ['pass', '/.well-known/mcp/server-card.json', { name: 'example.site/bikes', remotes }],
    ['pass', '/.well-known/mcp.json', { serverInfo: { name: 'Bikes' }, transport: { endpoint: '/mcp' } }],
    ['pass', '/.well-known/mcp.json', { mcpServers: { bikes: { url: 'https://site.example/mcp' } } }],
    ['fail', '/.well-known/mcp/server-card.json', { remotes }],
    ['fail', '/.well-known/mcp/server-card.json', { name: 'example.site/bikes' }],
    ['fail', '/.well-known/mcp.json', { name: 'Bikes', remotes: [{ url: 'javascript:alert(1)' }] }],
    ['fail', '/.well-known/mcp.json', { mcpServers: { bikes: { command: 'npx' } } }],
  ])('mcp is %s for %s with %j', (result, path, value) => {
    expect(ofDocument('mcp', brochure, path, json(value)).result).toBe(result)
  })

  test.each<[string, object]>([
    ['pass', { type: 'application/mcp-server-card+json', url: 'https://site.example/card' }],
    ['pass', { mediaType: 'application/mcp-server-card+json', data: { remotes } }],
    ['fail', { type: 'application/mcp-server-card+json' }],
    ['na', { type: 'application/ai-skill+md', url: 'https://site.example/SKILL.md' }],
  ])('mcp is %s for the catalog entry %j', (result, entry) => {
    const catalogue = json({ specVersion: '1.0', entries: [{ displayName: 'Bikes', ...entry }] })
    expect(ofDocument('mcp', brochure, '/.well-known/ai-catalog.json', catalogue).result).toBe(result)
  })

  test('mcp is unmeasured when one of its places was not seen', () => {
    const places = (entry: Exclude<Entry, string>): Entries => ({
      [home]: ofApi,
      [`${home}.well-known/mcp.json`]: gone,
      [`${home}.well-known/mcp`]: entry,
    })
    expect(run('mcp', places({ skipped: 'deadline', purpose: 'well-known' })).result).toBe('unmeasured')
    expect(run('mcp', places(gone))).toMatchObject({
      result: 'warn',
      reason: expect.stringContaining('none of 2 places'),
      evidence: [{}, {}],
    })
    expect(run('mcp', places(json({ name: 'Bikes', remotes }))).result).toBe('pass')
  })
})

describe('api-catalog', () => {
  const linkset = [{ anchor: home, 'service-desc': [{ href: `${home}openapi.json` }] }]
  const typed = (value: unknown, type: string): ReplyEntry => ({
    ...json(value),
    headers: { 'content-type': type },
  })
  test.each<[string, ReplyEntry]>([
    [
      'pass',
      typed({ linkset }, 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'),
    ],
    ['warn', typed({ linkset }, 'application/json')],
    ['fail', typed({ linkset: [] }, 'application/linkset+json')],
    ['fail', typed({ linkset: [{ anchor: home }] }, 'application/linkset+json')],
    ['fail', typed({ linkset: [{ 'service-desc': [] }] }, 'application/linkset+json')],
    ['fail', typed({ linkset: [{ 'service-desc': [{ url: home }] }] }, 'application/linkset+json')],
  ])('api-catalog is %s for %j', (result, entry) => {
    expect(ofDocument('api-catalog', brochure, '/.well-known/api-catalog', entry).result).toBe(result)
  })
})

test('a2a and skills do not apply to a site that links no agent and no skills', () => {
  for (const body of [
    ofShop,
    ofApp,
    ofApi,
    `${ofShop}<a href="https://other.example/.well-known/agent.json">x</a>`,
  ]) {
    expect(ofDocument('a2a', body, '/.well-known/agent-card.json', gone).result).toBe('na')
    expect(ofDocument('skills', body, '/.well-known/agent-skills/index.json', gone).result).toBe('na')
  }
  expect(ofDocument('mcp', ofShop, '/.well-known/mcp.json', gone).result).toBe('na')
})

test('a2a applies when llms.txt names an agent', () => {
  const named: Entries = {
    'https://site.example/.well-known/agent.json#named': { ...gone, purpose: 'llms-link' },
  }
  const card: Entries = { 'https://site.example/.well-known/agent-card.json': gone }
  expect(run('a2a', { [home]: brochure, ...named, ...card })).toMatchObject({
    result: 'fail',
    reason: expect.stringContaining('although the site links to one'),
  })
  const broken: Entries = { 'https://site.example/.well-known/agent-card.json': json({}) }
  expect(run('a2a', { [home]: brochure, ...broken })).toMatchObject({
    reason: expect.not.stringContaining('links'),
  })
})

describe('a2a', () => {
  const card = {
    name: 'Bikes',
    description: 'Repairs',
    version: '1.0.0',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'repair', name: 'Repair', description: 'Repairs a bike', tags: ['bike'] }],
  }
  const supportedInterfaces = [{ url: `${home}a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }]
  const older = { ...card, protocolVersion: '0.3.0', url: `${home}a2a` }
  test.each<[string, string, object]>([
    ['pass', 'A2A 1.0', { ...card, supportedInterfaces }],
    ['pass', 'A2A 0.3', older],
    ['fail', 'A2A 0.2', { ...older, protocolVersion: '0.2.5' }],
    ['fail', 'no interface', { ...card, supportedInterfaces: [] }],
    ['fail', 'no binding', { ...card, supportedInterfaces: [{ url: home }] }],
    ['fail', 'a skill without tags', { ...older, skills: [{ id: 'a', name: 'a', description: 'a' }] }],
  ])('a2a is %s for %s', (result, _, value) => {
    expect(ofDocument('a2a', brochure, '/.well-known/agent-card.json', json(value)).result).toBe(result)
  })

  test('a2a names the missing fields', () => {
    const outcome = ofDocument('a2a', brochure, '/.well-known/agent.json', json({ ...older, url: undefined }))
    expect(outcome).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('missing or wrong: url.'),
    })
  })
})

describe('skills', () => {
  const index = 'https://site.example/.well-known/agent-skills/index.json'
  const file = 'https://site.example/.well-known/agent-skills/repair/SKILL.md'
  const text = '---\nname: repair\n---\nRepair bikes – well.\n'
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`
  const skill = { name: 'repair', type: 'skill-md', description: 'Repairs', url: 'repair/SKILL.md', digest }
  const indexOf = (one: object, $schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json') =>
    json({ $schema, skills: [one] })
  const judge = (entry: ReplyEntry, more: Entries) =>
    run('skills', { [home]: brochure, [index]: entry, ...more }).result

  test.each<[string, string, ReplyEntry, Entries]>([
    ['pass', 'a digest that matches', indexOf(skill), { [file]: { body: text, purpose: 'skill' } }],
    ['fail', 'another file', indexOf(skill), { [file]: { body: `${text}!`, purpose: 'skill' } }],
    ['fail', 'a file that is gone', indexOf(skill), { [file]: { status: 404, purpose: 'skill' } }],
    ['unmeasured', 'a file that was refused', indexOf(skill), { [file]: { status: 403, purpose: 'skill' } }],
    [
      'unmeasured',
      'a file that was cut',
      indexOf(skill),
      { [file]: { body: 'a', isCut: true, purpose: 'skill' } },
    ],
    [
      'unmeasured',
      'bytes that are no text',
      indexOf(skill),
      { [file]: { body: 'a', bytes: 9, purpose: 'skill' } },
    ],
    ['unmeasured', 'a file that was not fetched', indexOf(skill), {}],
    [
      'fail',
      'another version',
      indexOf(skill, 'https://schemas.agentskills.io/discovery/0.1.0/schema.json'),
      {},
    ],
    ['fail', 'no digest', indexOf({ ...skill, digest: undefined }), {}],
    ['fail', 'a digest in capitals', indexOf({ ...skill, digest: digest.toUpperCase() }), {}],
    ['fail', 'a name with two hyphens', indexOf({ ...skill, name: 're--pair' }), {}],
    [
      'fail',
      'no skills',
      json({ $schema: 'https://schemas.agentskills.io/discovery/0.2.0/', skills: [] }),
      {},
    ],
  ])('skills is %s for %s', (result, _, entry, more) => {
    expect(judge(entry, more)).toBe(result)
  })

  test('the digest of a skill includes its byte order mark', () => {
    const marked = `sha256:${createHash('sha256').update(`\uFEFF${text}`).digest('hex')}`
    const seen: Entries = { [file]: { body: text, bytes: Buffer.byteLength(text) + 3, purpose: 'skill' } }
    expect(judge(indexOf({ ...skill, digest: marked }), seen)).toBe('pass')
    expect(judge(indexOf(skill), seen)).toBe('fail')
  })
})

describe('webmcp', () => {
  const form = (name: string, attributes = '') =>
    `<form action="/${name}" ${attributes}><input name="${name}"></form>`
  const tool = (name: string) => form(name, `toolname="${name}" tooldescription="Does ${name}"`)
  const script = (body: string): Entries => ({
    'https://site.example/app.js': {
      body,
      purpose: 'script',
      headers: { 'content-type': 'text/javascript' },
    },
  })
  const tools = (good: number, all: number) =>
    Array.from({ length: all }, (_, at) => (at < good ? tool(`f${at}`) : form(`f${at}`))).join('')
  test.each<[string, string, string, Entries]>([
    ['pass', 'forms that are tools', `${brochure}${tool('book')}`, {}],
    ['pass', '4 of 5 forms', `${brochure}${tools(4, 5)}`, {}],
    ['warn', '3 of 4 forms', `${brochure}${tools(3, 4)}`, {}],
    ['fail', 'no tool in a shop', `${ofShop}${form('buy')}`, {}],
    ['fail', 'a name without description', `${ofShop}${form('buy', 'toolname="buy"')}`, {}],
    ['na', 'no tool on a small site', `${brochure}${form('ask')}`, {}],
    ['na', 'no form and no script', ofShop, {}],
    [
      'na',
      'a form with nothing to fill in',
      `${ofShop}<form action="/cart/add"><input type="hidden" name="id"><button>Add</button></form>`,
      {},
    ],
    ['pass', 'a script', ofShop, script('navigator.modelContext?.registerTool({})')],
    ['pass', 'an inline script', `${ofShop}<script>document.modelContext.registerTool(t)</script>`, {}],
    ['fail', 'another script', `${ofShop}${form('buy')}`, script('modelContext.unregisterTool()')],
    [
      'unmeasured',
      'a script that failed',
      `${ofShop}${form('buy')}`,
      { 'https://site.example/app.js': { failed: 'timeout', purpose: 'script' } },
    ],
    [
      'unmeasured',
      'a script that was not fetched',
      `${ofShop}${form('buy')}<script src="/app.js"></script>`,
      {},
    ],
  ])('webmcp is %s for %s', (result, _, body, more) => {
    expect(run('webmcp', { [home]: body, ...more }).result).toBe(result)
  })

  test('webmcp speaks of one form in the singular', () => {
    expect(run('webmcp', { [home]: `${ofShop}${form('buy')}` })).toMatchObject({
      reason: expect.stringContaining('0 of 1 form has toolname'),
    })
  })

  test('webmcp counts a form on every page once', () => {
    const outcome = run('webmcp', {
      [home]: `${ofShop}${form('search')}${tool('buy')}`,
      'https://site.example/about': form('search'),
    })
    expect(outcome).toMatchObject({ result: 'warn', reason: expect.stringContaining('1 of 2 forms') })
  })
})

describe('oauth-meta', () => {
  const at = (path: string, value: object, more: Partial<ReplyEntry> = {}) =>
    ofDocument('oauth-meta', brochure, `/.well-known/${path}`, { ...json(value), ...more }).result
  test.each<[string, string, object]>([
    ['pass', 'oauth-authorization-server', { issuer: 'https://site.example' }],
    ['pass', 'oauth-authorization-server', { issuer: 'https://site.example/' }],
    ['pass', 'openid-configuration', { issuer: 'https://site.example' }],
    ['pass', 'oauth-protected-resource', { resource: 'https://site.example' }],
    ['pass', 'oauth-protected-resource/mcp', { resource: 'https://site.example/mcp' }],
    ['fail', 'oauth-protected-resource/mcp', { resource: 'https://site.example' }],
    ['fail', 'oauth-authorization-server', { issuer: 'https://login.example' }],
    ['fail', 'oauth-authorization-server', { issuer: 'http://site.example' }],
    ['fail', 'oauth-protected-resource', { issuer: 'https://site.example' }],
  ])('oauth-meta is %s for %s with %j', (result, path, value) => {
    expect(at(path, value)).toBe(result)
  })

  test('oauth-meta accepts metadata for the address it was redirected to', () => {
    const finalUrl = 'https://login.example/.well-known/openid-configuration'
    expect(at('openid-configuration', { issuer: 'https://login.example' }, { finalUrl })).toBe('pass')
  })

  test('oauth-meta fails one wrong document beside a good one', () => {
    const outcome = run('oauth-meta', {
      [home]: brochure,
      [`${home}.well-known/oauth-authorization-server`]: json({ issuer: 'https://site.example' }),
      [`${home}.well-known/openid-configuration`]: json({ issuer: 'https://evil.example' }),
    })
    expect(outcome).toMatchObject({ result: 'fail', evidence: [{ value: 'issuer: https://evil.example' }] })
  })
})

describe('no-fake-200', () => {
  test.each<[string, Exclude<Entry, string>]>([
    ['pass', gone],
    ['pass', json({})],
    ['fail', { body: shell }],
    ['fail', { body: ` \n${shell}`, headers: { 'content-type': 'application/json' } }],
    ['fail', { body: 'x', headers: { 'content-type': 'text/html' } }],
    ['unmeasured', { status: 403 }],
    ['unmeasured', { failed: 'timeout' }],
  ])('no-fake-200 is %s for %j', (result, entry) => {
    expect(ofDocument('no-fake-200', brochure, '/.well-known/agent.json', entry).result).toBe(result)
  })

  test('no-fake-200 quotes at most five pages', () => {
    const many = Object.fromEntries(
      Array.from({ length: 7 }, (_, at): [string, Entry] => [
        `${home}.well-known/${at}.json`,
        { body: shell },
      ]),
    )
    const outcome = run('no-fake-200', { [home]: brochure, ...many })
    expect(outcome).toMatchObject({ reason: expect.stringContaining('7 of 7'), evidence: { length: 5 } })
  })
})

describe('commerce', () => {
  test.each<[string, string, Exclude<Entry, string>]>([
    ['pass', '/.well-known/x402', json({ version: 1, resources: [] })],
    ['pass', '/.well-known/ap2.json', json({})],
    ['na', '/.well-known/ucp', gone],
    ['na', '/.well-known/ucp', { body: shell }],
    ['na', '/.well-known/ucp', { body: 'hello' }],
    ['unmeasured', '/.well-known/ucp', { skipped: 'budget' }],
  ])('commerce is %s for %s with %j', (result, path, entry) => {
    expect(ofDocument('commerce', ofShop, path, entry).result).toBe(result)
  })
})

describe('ai-catalog', () => {
  const at = 'https://site.example/.well-known/ai-catalog.json'
  const elsewhere = 'https://site.example/catalogue.json'
  const robots = { 'https://site.example/robots.txt': `User-agent: *\nAllow: /\nAgentmap: ${elsewhere}` }
  const entry = { displayName: 'Tools', type: 'application/mcp-server-card+json', url: '/card' }
  const catalog = (...entries: object[]) => json({ specVersion: '1.0', entries })
  const wellKnown = (one: ReplyEntry) => ({
    [home]: brochure,
    [at]: { ...one, purpose: 'well-known' as const },
  })

  test.each<[string, string, ReplyEntry]>([
    ['pass', 'an entry with an address', catalog(entry)],
    ['pass', 'an entry with its document inside', catalog({ ...entry, url: undefined, data: {} })],
    ['pass', 'the older name of the type', catalog({ ...entry, type: undefined, mediaType: 'a/b' })],
    ['fail', 'an entry with both', catalog({ ...entry, data: {} })],
    ['fail', 'an entry with neither', catalog({ ...entry, url: undefined })],
    ['fail', 'an entry without a type', catalog({ ...entry, type: undefined })],
    ['fail', 'no version', json({ entries: [entry] })],
    ['fail', 'what is not JSON', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['na', 'no catalogue', gone],
  ])('ai-catalog is %s for %s', (result, _, one) => {
    expect(run('ai-catalog', wellKnown(one)).result).toBe(result)
  })

  test('a catalogue that robots.txt announces and that is missing fails, and one that is there passes', () => {
    const announced = (one: ReplyEntry): Entries => ({
      [home]: brochure,
      ...robots,
      [elsewhere]: { ...one, purpose: 'ai-catalog' },
    })
    expect(run('ai-catalog', announced(gone))).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('was not found at /catalogue.json, although the site announces one'),
    })
    expect(run('ai-catalog', announced(catalog(entry))).result).toBe('pass')
    expect(quotesOf(run('ai-catalog-announced', announced(catalog(entry))))).toBe(`Agentmap: ${elsewhere}`)
    expect(run('mcp', announced(catalog(entry))).result).toBe('pass')
  })

  test.each<[string, Entry]>([
    ['a Link header', { body: brochure, headers: { link: `<${at}>; rel="ai-catalog"` } }],
    ['the head of the page', `<link rel="ai-catalog" href="/.well-known/ai-catalog.json">${brochure}`],
  ])('%s announces a catalogue', (_, page) => {
    const entries = { ...wellKnown(catalog(entry)), [home]: page }
    expect(run('ai-catalog-announced', entries).result).toBe('pass')
  })

  test('a catalogue without an announcement is advice, and no catalogue needs none', () => {
    expect(run('ai-catalog-announced', wellKnown(catalog(entry)))).toMatchObject({
      result: 'fail',
      fix: `Add the line "Agentmap: ${at}" to https://site.example/robots.txt.`,
    })
    expect(run('ai-catalog-announced', wellKnown(gone)).result).toBe('na')
    expect(run('ai-catalog-announced', wellKnown(catalog({}))).result).toBe('na')
  })
})

describe('signature-directory', () => {
  const path = '/.well-known/http-message-signatures-directory'
  const type = 'application/http-message-signatures-directory+json'
  const { publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const key = { kty: 'OKP', crv: 'Ed25519', x, kid: keyThumbprint(publicKey) }
  const example = { ...key, x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs', kid: undefined }
  const directory = (keys: object[], headers: Record<string, string> = {}): ReplyEntry => ({
    body: JSON.stringify({ keys }),
    headers: { 'content-type': type, signature: 'binding0=:AA==:', ...headers },
  })
  const unsigned: ReplyEntry = { body: JSON.stringify({ keys: [key] }), headers: { 'content-type': type } }

  test.each<[string, string, ReplyEntry]>([
    ['pass', 'a key under its thumbprint', directory([key])],
    [
      'pass',
      'a key without a kid beside one of another kind',
      directory([{ ...key, kid: undefined }, { kty: 'RSA' }]),
    ],
    ['warn', 'a media type with a charset', directory([key], { 'content-type': `${type}; charset=utf-8` })],
    ['warn', 'JSON as its media type', directory([key], { 'content-type': 'application/json' })],
    ['warn', 'a reply that is not signed', unsigned],
    ['fail', 'a key under another name', directory([{ ...key, kid: 'bot' }])],
    ['fail', 'the example key of RFC 9421', directory([example])],
    ['fail', 'no Ed25519 key', directory([{ kty: 'RSA', n: 'a', e: 'AQAB' }])],
    ['fail', 'a key that is too short', directory([{ ...key, x: 'abc', kid: undefined }])],
    ['fail', 'a document of another kind', directory([], {})],
    ['na', 'no directory', gone],
  ])('signature-directory is %s for %s', (result, _, entry) => {
    expect(ofDocument('signature-directory', brochure, path, entry).result).toBe(result)
  })
})
