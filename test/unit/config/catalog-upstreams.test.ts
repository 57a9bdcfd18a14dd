import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countUnits } from '../../../src/core/catalog/expression.ts'
import { costOf } from '../../../src/core/catalog/metering.ts'
import { priceText } from '../../../src/core/catalog/priced-operation.ts'
import { ownEndpoints, table } from '../../../src/edge/handlers/table.ts'
import { checkCatalog } from '../../../src/platform/config/catalog-file.ts'
import { projectRoot } from '../../support/gateways/process.ts'

/** Upstreams and prices per unit in a catalog: how they are read, and what is refused. */

const head = `provider: { name: Example, description: Sells examples. }
upstreams:
  llm:
    prefix: /llm
    targets: ["https://llm.example"]
`

function check(rest: string) {
  const result = checkCatalog(head + rest, {
    ...ownEndpoints,
    operationIds: ['analyzeBusiness', 'getHealth'],
  })
  return 'faults' in result
    ? { faults: result.faults.map(({ line, path, message }) => `${line} [${path}] ${message}`) }
    : result
}

function faults(rest: string): readonly string[] {
  const result = check(rest)
  return 'faults' in result ? result.faults : []
}

const chat = (price: string, more = '') => `operations:
  chat:
    access: optional
    upstream: llm
    route: POST /v1/chat/completions
    description: Answers.
    rate: 60/minute
    price: ${price}
${more}`

test('an operation of an upstream has an id of the operator’s choice, and its price per unit is read with its defaults', () => {
  const result = check(
    chat('{ per: tokens, output: "0.01", max: "1.00", max_units: 500 }', '    free: 5000 tokens/day\n'),
  )
  const operation = 'catalog' in result ? result.catalog.operations.chat : undefined
  expect(operation).toMatchObject({
    route: { methods: ['POST'], path: '/v1/chat/completions' },
    free: { limit: 5000, unit: 'tokens', per: 'day' },
    priced: {
      price: '1.00',
      settle: 'metered',
      meter: { per: 'tokens', units: 1, output: '0.01', max: '1.00', maxUnits: 500 },
    },
  })
  expect(operation?.priced && priceText(operation.priced)).toBe('up to $1.00: $0.01 per output token')
})

describe('a catalog is refused with the place of the fault:', () => {
  test.each([
    [
      'an upstream that is not there',
      chat('"0.10"').replace('upstream: llm', 'upstream: none'),
      '9 [operations.chat.upstream] there is no upstream with this name; there are: llm',
    ],
    [
      'a route without an upstream',
      chat('"0.10"').replace('    upstream: llm\n', ''),
      '9 [operations.chat.route] upstream is missing: upstream and route go together',
    ],
    ['a price that is a number', chat('0.10'), '13 [operations.chat.price] must be in quotes: write "0.10"'],
    [
      'a maximum that is a number',
      chat('{ per: tokens, output: "0.01", max: 1.00 }'),
      '13 [operations.chat.price.max] must be in quotes: write "1.00"',
    ],
    [
      'a price per unit without one',
      chat('{ per: bytes, max: "1.00" }'),
      '13 [operations.chat.price.output] needs a price: input, output or both',
    ],
    [
      'input where none is counted',
      chat('{ per: seconds, input: "0.01", max: "1.00" }'),
      '13 [operations.chat.price.input] only tokens and bytes can be counted in a request',
    ],
    [
      'items without a path',
      chat('{ per: items, output: "0.01", max: "1.00" }'),
      '13 [operations.chat.price.items] is missing: per: items needs a JSONPath to what is counted, like $.data[*]',
    ],
    [
      'a path where nothing is counted by it',
      chat('{ per: bytes, items: "$.data[*]", output: "0.01", max: "1.00" }'),
      '13 [operations.chat.price.items] is only for per: items',
    ],
    [
      'an unknown unit',
      chat('{ per: token, output: "0.01", max: "1.00" }'),
      '13 [operations.chat.price.per] must be tokens, bytes, seconds, items or request',
    ],
    [
      'an id that is no camelCase word, which alone would otherwise be told by nobody',
      chat('"0.10"').replace('chat:', 'create-chat:'),
      '7 [operations.create-chat] operation ids are camelCase words',
    ],
    [
      'a path that is none',
      chat('{ per: items, items: "data[", output: "0.01", max: "1.00" }'),
      '13 [operations.chat.price.items] must be a JSONPath of RFC 9535, like $.data[*]',
    ],
    [
      'an expression that is none',
      chat('{ per: request, count: "body.n *", each: "0.01", max: "1.00" }'),
      '13 [operations.chat.price.count] must be an expression of CEL over body, query, params and length, like int(body.n) * 2',
    ],
    [
      'a condition that is a number',
      chat('{ per: request, count: "1", each: "0.01", max: "1.00", free_when: "1 + length" }'),
      '13 [operations.chat.price.free_when] must be a condition of CEL over body, query, params and length, like body.method == "initialize"',
    ],
    [
      'settle before',
      chat('{ per: tokens, output: "0.01", max: "1.00" }', '    settle: before\n'),
      '14 [operations.chat.settle] a metered call is settled at its end: leave settle out, or write before_for_new_payers',
    ],
    [
      'a charge for failed calls above the maximum',
      chat('{ per: tokens, output: "0.01", max: "1.00" }', '    charge_failed: "1.01"\n'),
      '14 [operations.chat.charge_failed] must not be above max (1.00)',
    ],
    [
      'a charge for failed calls that is a part of a fixed price',
      chat('"1.00"', '    charge_failed: "0.50"\n'),
      '14 [operations.chat.charge_failed] must be `price`: a payment of a fixed amount moves all of it',
    ],
    [
      'a quota in units without their most',
      chat('{ per: tokens, output: "0.01", max: "1.00" }', '    free: 100 tokens/day\n'),
      '14 [operations.chat.free] counts tokens, so the price of the operation needs max_units',
    ],
    [
      'a tier in other units',
      chat(
        '{ per: tokens, output: "0.01", max: "1.00", max_units: 9 }',
        'tiers: { team: { description: T., operations: { chat: 9 bytes/day } } }\n',
      ),
      '14 [tiers.team.operations.chat] counts bytes, and the price of this operation is not per bytes',
    ],
    [
      'a price per unit of our own',
      `operations:\n  analyzeBusiness: { access: price, description: A., price: { per: tokens, output: "0.01", max: "1.00" } }\n`,
      '7 [operations.analyzeBusiness.price] only an operation of an upstream can have a price per unit',
    ],
    [
      'an id of our own with a route',
      `operations:\n  getHealth: { access: open, description: A., upstream: llm, route: GET /x }\n`,
      '7 [operations.getHealth] is one of our own operations, which no upstream can serve: choose another id',
    ],
    [
      'one route twice',
      `operations:\n  one: { access: open, description: A., upstream: llm, route: "GET /a/{x}" }\n  two: { access: open, description: A., upstream: llm, route: "GET,POST /a/{y}" }\n`,
      '8 [operations.two.route] one has the same route',
    ],
    [
      'a route that climbs',
      `operations:\n  one: { access: open, description: A., upstream: llm, route: "GET /a/../b" }\n`,
      '7 [operations.one.route] must not hold . or .. as a segment',
    ],
    [
      'a parameter in the spelling of other programs, which would be taken for a name',
      `operations:\n  one: { access: open, description: A., upstream: llm, route: "GET /a/:id" }\n`,
      '7 [operations.one.route] a parameter is written {name}, not :name',
    ],
  ])('%s', (_what, text, fault) => {
    expect(faults(text)).toContain(fault)
  })

  test.each([
    ['prefix and host', 'host: a.example', 'upstreams.two.prefix] needs prefix or host, and not both'],
    [
      'a target with credentials',
      'targets: ["https://me:pass@a.example"]',
      'upstreams.two.targets.0] must be an address without credentials',
    ],
    ['a prefix within another', 'prefix: /llm/two', 'upstreams.two.prefix] overlaps with the prefix of llm'],
    [
      'a client certificate without its key',
      'tls: { cert_file: a.pem }',
      'cert_file and key_file go together',
    ],
    [
      'a header that names a setting of ours, whose very text would otherwise be sent',
      `inject: { authorization: "Bearer \${SETTLER_KEY}" }`,
      'upstreams.two.inject.authorization] only settings whose name begins with UPSTREAM_ can be named',
    ],
    [
      'a target that is no list, and nothing besides',
      'targets: "https://a-long-name.example.com"',
      'upstreams.two.targets] must be a list: write ["https://a-long-name.example.com"]',
    ],
    [
      'a target that is no address',
      'targets: ["my server"]',
      'upstreams.two.targets.0] must be an http or https address',
    ],
    ...['/api', '/api/insights/scan', '/operator', '/operator/keys/mine', '/pricing'].map((prefix) => [
      `a prefix in the way of what is ours, ${prefix}`,
      `prefix: ${prefix}`,
      'upstreams.two.prefix] would hide our own paths, such as /',
    ]),
    ...['http://127.0.0.1:8000', 'http://localhost:8000', 'http://10.0.0.7', 'http://[::1]:8000'].map(
      (target) => [
        `a target in a private network, ${target}, where that is not allowed`,
        `targets: ["${target}"]`,
        'upstreams.two.targets.0] is on this machine or in a private network, which needs private: true',
      ],
    ),
    ['a misspelt key', 'privat: true', 'upstreams.two.privat] is not a known key'],
  ])('%s', (_what, line, fault) => {
    const two = `  two:\n    prefix: /two\n    targets: ["https://a.example"]\n`
    const key = line.split(':')[0] ?? ''
    const changed = two.includes(`    ${key}:`)
      ? two.replace(new RegExp(`    ${key}:.*`), `    ${line}`)
      : `${two}    ${line}\n`
    expect(faults(`${changed}operations: {}\n`).join('\n')).toContain(fault)
  })
})

test('the examples of upstreams in the READMEs are valid catalogs', () => {
  const provider = 'provider: { name: Example, description: Sells examples. }\n'
  const examples = (file: string) =>
    [...readFileSync(join(projectRoot, file), 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms)]
      .map(([, yaml = '']) => yaml)
      .filter((yaml) => /upstreams?:/.test(yaml))
  const isWhole = (yaml: string) => /^upstreams:/m.test(yaml) && /^operations:/m.test(yaml)
  const shown = ['pricing/README.md', 'README.md'].flatMap(examples)
  const parts = shown.filter((yaml) => !isWhole(yaml))
  const wholes = shown.filter(isWhole)
  expect([parts.length, wholes.length]).toEqual([2, 2])
  for (const text of [parts.join(''), ...wholes]) {
    expect(
      checkCatalog(provider + text, { operationIds: [], prefixes: ownEndpoints.prefixes }),
    ).toHaveProperty('catalog')
  }
})

test('no upstream can lie at, above or below the path of an endpoint of ours', () => {
  const paths = Object.values(table).map(({ path }) => path.replace(/\{\w+\}/g, 'x'))
  expect(paths.length).toBeGreaterThan(40)
  for (const prefix of paths.filter((path) => path !== '/')) {
    expect(faults(`  two: { prefix: ${prefix}, targets: ["https://a.example"] }\noperations: {}\n`)).toEqual([
      expect.stringContaining('[upstreams.two.prefix] would hide our own paths'),
    ])
  }
  expect(faults('  two: { prefix: /api/shop, targets: ["https://a.example"] }\noperations: {}\n')).toEqual([])
})

describe('a preset', () => {
  const kinds = `  gpt: { preset: openai, prefix: /gpt, targets: ["https://a.example"], response_headers: [x-own] }
  claude: { preset: anthropic, prefix: /claude, targets: ["https://b.example"] }
  tools: { preset: mcp, prefix: /tools, targets: ["https://c.example"] }
`
  const sold = (upstream: string, price: string) =>
    `{ access: price, description: D., upstream: ${upstream}, price: ${price} }`

  test('sets the headers, times, route and unit that its kind needs, and no price', () => {
    const result = check(`${kinds}operations:
  chat: ${sold('gpt', '{ input: "0.50", output: "2.00", max: "0.05" }')}
  message: ${sold('claude', '{ output: "2.00", max: "0.05" }')}
  call: ${sold('tools', '"0.01"')}
  free: { access: open, description: D., upstream: tools, route: "GET,DELETE /mcp" }
`)
    if (!('catalog' in result)) throw new Error(JSON.stringify(result))
    const { upstreams, operations } = result.catalog
    expect(upstreams.gpt).toMatchObject({
      firstByteSeconds: 180,
      responseHeaders: ['openai-*', 'retry-after-ms', 'x-should-retry', 'x-own'],
    })
    expect(upstreams.claude?.responseHeaders).toContain('request-id')
    expect(upstreams.tools).toMatchObject({
      requestHeaders: ['mcp-*', 'last-event-id'],
      responseHeaders: ['mcp-*'],
      idleSeconds: 300,
    })
    const tokens = { per: 'tokens', units: 1_000_000, output: '2.00', max: '0.05' }
    expect(operations).toMatchObject({
      chat: { route: { path: '/v1/chat/completions' }, deadlineSeconds: 180, priced: { meter: tokens } },
      message: { route: { path: '/v1/messages' }, priced: { meter: tokens } },
      call: { route: { methods: ['POST'], path: '/mcp' }, priced: { price: '0.01' } },
      free: { route: { methods: ['GET', 'DELETE'], path: '/mcp' } },
    })
    expect(faults(`${kinds}operations:\n  chat: ${sold('gpt', '')}\n`)).toEqual([
      '10 [operations.chat.price] is empty',
    ])
  })

  test('yields to every key that the file writes', () => {
    const result =
      check(`  gpt: { preset: openai, prefix: /gpt, targets: ["https://a.example"], first_byte_seconds: 7 }
operations:
  embed:
    access: price
    description: D.
    upstream: gpt
    route: POST /v1/embeddings
    deadline_seconds: 20
    price: { per: bytes, input: "0.01", max: "0.05" }
  embedMore: { access: price, description: D., upstream: gpt, price: { per: tokens, units: 1000, input: "0.01", max: "0.05" } }
`)
    if (!('catalog' in result)) throw new Error(JSON.stringify(result))
    const { upstreams, operations } = result.catalog
    expect(upstreams.gpt).toMatchObject({ firstByteSeconds: 7, idleSeconds: 120 })
    expect(operations.embed).toMatchObject({
      route: { path: '/v1/embeddings' },
      deadlineSeconds: 20,
      priced: { meter: { per: 'bytes', units: 1 } },
    })
    expect(operations.embedMore?.priced?.meter).toMatchObject({ per: 'tokens', units: 1_000 })
  })

  test('does not hide a misspelt upstream, nor a route that is taken, behind what it would have filled in', () => {
    expect(
      faults(`${kinds}operations:
  chat: ${sold('gtp', '{ input: "0.50", max: "0.05" }')}
  call: ${sold('tools', '"0.01"')}
  same: ${sold('tools', '{ input: "0.50", max: "0.05" }')}
`),
    ).toEqual([
      '10 [operations.chat.upstream] there is no upstream with this name; there are: llm, gpt, claude, tools',
      '10 [operations.chat.price.per] must be tokens, bytes, seconds, items or request',
      '12 [operations.same.route] call has the same route',
      '12 [operations.same.price.per] must be tokens, bytes, seconds, items or request',
    ])
  })

  test('that does not exist is refused, and without one a price per unit has to say what it counts', () => {
    expect(faults(`${kinds.replace('openai', 'openapi')}operations: {}\n`)).toEqual([
      '6 [upstreams.gpt.preset] must be mcp, openai or anthropic',
    ])
    expect(faults(chat('{ input: "0.50", max: "0.05" }'))).toEqual([
      '13 [operations.chat.price.per] must be tokens, bytes, seconds, items or request',
    ])
  })
})

test('a value of the wrong type is reported once', () => {
  const upstream = '  two:\n    prefix: /two\n    targets: "https://a-long-name.example.com"\n'
  expect(faults(`${upstream}operations: {}\n`)).toEqual([
    '8 [upstreams.two.targets] must be a list: write ["https://a-long-name.example.com"]',
  ])
})

test('a target in a private network is accepted with private: true, and a host name is not resolved', () => {
  const two = '  two: { prefix: /two, targets: ["http://127.0.0.1:1"], private: true }\n'
  const three = '  three: { prefix: /three, targets: ["http://localhost.example:1", "http://8.8.8.8"] }\n'
  expect(faults(`${two}${three}operations: {}\n`)).toEqual([])
})

test('a metered amount is rounded up once, never above the maximum, and the base when nothing was counted', () => {
  const result = check(
    chat('{ per: tokens, units: 1000000, base: "0.000002", input: "0.15", output: "0.60", max: "0.01" }'),
  )
  const operation = 'catalog' in result ? result.catalog.operations.chat : undefined
  const meter = operation?.priced?.meter
  if (!meter) throw new Error('the price is not per unit')
  const cost = (input: number, output: number) => costOf(meter, { input, output, isEstimate: false }).amount
  // 7 × 0.15 + 3 × 0.60 = 2.85 millionths, and two for the base.
  expect(cost(7, 3)).toBe(5n)
  expect(cost(1, 0)).toBe(3n)
  expect(cost(1_000_000, 1_000_000)).toBe(10_000n)
  expect(cost(0, 0)).toBe(2n)
})

test('an expression counts whole numbers exactly, and has no result when it cannot be evaluated', () => {
  const count = (text: string, body: unknown) =>
    countUnits(text, { body, query: { n: '4' }, params: {}, length: 1_500 })
  expect(count('body.n * 2', { n: 3 })).toBe(6n)
  expect(count('size(body.parts) + length / 1000', { parts: [1, 2] })).toBe(3n)
  expect(count('int(query.n)', null)).toBe(4n)
  expect(count('double(body.n) * 0.5', { n: 3 })).toBe(2n)
  expect(count('body.n', { n: 9_007_199_254_740_991 })).toBeUndefined()
  expect(count('body.n', { n: -1 })).toBeUndefined()
  expect(count('body.n', {})).toBeUndefined()
  expect(count('body.n', { n: 'three' })).toBeUndefined()
})
