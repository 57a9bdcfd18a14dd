import { once } from 'node:events'
import { request as httpRequest, IncomingMessage } from 'node:http'
import { validatePaymentRequiredDetailed } from '@agentcash/discovery'
import { extractDiscoveryInfoV1, validateDiscoveryExtension } from '@x402/extensions/bazaar'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkListing } from '../../../src/cli/listing/check-listing.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'

/** What catalogs of paid services read, and whether calls of all kinds end as the API description says. */

let chain: TestChain
let gateway: TestGateway

beforeAll(async () => {
  chain = await startTestChain()
  gateway = await startGateway(chain.rpcUrl, {
    CATALOG_FILE: 'pricing/catalog.yaml',
    // Each call of the fuzz comes from a client of its own, so that none meets the limit of another.
    TRUST_PROXY: '1',
    BUILDER_CODE: 'bc_tollgate',
    RECEIPT_KEY: generatePrivateKey(),
  })
})
afterAll(async () => {
  await gateway?.close()
  await chain?.close()
})

const sold = [
  ['/api/analyze', 'analyzeBusiness'],
  ['/api/leads/research', 'researchLead'],
  ['/api/content/blog', 'writeBlog'],
  ['/api/keys', 'buyKey'],
  ['/api/keys/renew', 'renewKey'],
] as const

const headerSchema = z.looseObject({
  resource: z.looseObject({ serviceName: z.string(), tags: z.array(z.string()), iconUrl: z.string() }),
  extensions: z.looseObject({
    bazaar: z.looseObject({ info: z.looseObject({ input: z.looseObject({}) }), schema: z.looseObject({}) }),
  }),
})

async function priceOf(path: string) {
  const reply = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const header = reply.headers.get('payment-required') ?? ''
  return { header, required: headerSchema.parse(JSON.parse(Buffer.from(header, 'base64').toString())) }
}

/** Bytes of the status line and all header lines, as a proxy counts them. */
async function headSizeOf(path: string): Promise<number> {
  const asked = httpRequest(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  asked.end('{}')
  const [reply] = z.tuple([z.instanceof(IncomingMessage)]).parse(await once(asked, 'response'))
  reply.resume()
  const { httpVersion, statusCode, statusMessage, rawHeaders } = reply
  expect(statusCode).toBe(402)
  const separators = rawHeaders.length * ': '.length
  return (
    `HTTP/${httpVersion} ${statusCode} ${statusMessage}\r\n`.length +
    rawHeaders.join('').length +
    separators +
    '\r\n'.length
  )
}

describe.each(sold)('%s', (path, operation) => {
  test('declares an example that fits its own schema, and its request schema', async () => {
    const { required } = await priceOf(path)
    const { bazaar } = required.extensions
    const declared = z.custom<Parameters<typeof validateDiscoveryExtension>[0]>().parse(bazaar)
    expect(validateDiscoveryExtension(declared)).toEqual({ valid: true })
    expect(bazaar.info.input).toMatchObject({ type: 'http', method: 'POST', bodyType: 'json' })
    // The schema says something: a request without its body does not fit it.
    const { body: _, ...bodiless } = bazaar.info.input
    const broken = { ...declared, info: { ...declared.info, input: bodiless } }
    expect(validateDiscoveryExtension(z.custom<typeof declared>().parse(broken)).valid).toBe(false)
  })

  test('says in version 1, too, how it is called and what it replies', async () => {
    const reply = await fetch(`${gateway.url}${path}`, { method: 'POST' })
    const body = z
      .looseObject({ accepts: z.tuple([z.looseObject({ outputSchema: z.unknown() })]) })
      .parse(await reply.json())
    const [requirement] = body.accepts
    const { issues } = validatePaymentRequiredDetailed({ x402Version: 1, accepts: body.accepts })
    expect(issues.map(({ code }) => code)).not.toContain('SCHEMA_INPUT_MISSING')
    expect(issues.map(({ code }) => code)).not.toContain('SCHEMA_OUTPUT_MISSING')
    const { input } = (await priceOf(path)).required.extensions.bazaar.info
    const known = z.object({ body: z.record(z.string(), z.unknown()) }).parse(input)
    const read = extractDiscoveryInfoV1(
      z.custom<Parameters<typeof extractDiscoveryInfoV1>[0]>().parse(requirement),
    )
    expect(read).toMatchObject({
      input: { type: 'http', method: 'POST', bodyType: 'json' },
      output: { type: 'json' },
    })
    const fields = z.object({
      input: z.object({ body: z.record(z.string(), z.object({ type: z.string(), required: z.boolean() })) }),
    })
    expect(Object.keys(fields.parse(read).input.body)).toEqual(
      expect.arrayContaining(Object.keys(known.body)),
    )
  })

  test('has a 402 that directories accept, with name, tags and icon', async () => {
    const { required } = await priceOf(path)
    const { valid, issues } = validatePaymentRequiredDetailed(required)
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(valid).toBe(true)
    expect(required.resource).toMatchObject({
      serviceName: 'tollgate',
      tags: ['website scan', 'ai readiness', 'business analysis', 'lead research', 'x402'],
      iconUrl: 'https://api.example.com/favicon.svg',
    })
  })

  // nginx answers 502 for a head that exceeds its buffer, which is a page of 4 KB unless it is told otherwise.
  test('has a 402 whose whole head, with signed offers and all extensions, fits into 4 KB', async () => {
    const size = await headSizeOf(path)
    expect([operation, size, size < 4_096]).toEqual([operation, size, true])
    const { required } = await priceOf(path)
    expect(Object.keys(required.extensions).toSorted()).toEqual([
      'bazaar',
      'builder-code',
      'offer-receipt',
      'payment-identifier',
      'replay',
    ])
  })
})

test('tollgate listing check finds every paid operation and every paid tool fit to be listed', async () => {
  const checks = await checkListing(gateway.url)
  const tools = ['analyze_business', 'generate_blog', 'research_lead']
  const named = [...sold.map(([, id]) => id), ...tools, 'openapi.json']
  expect(checks.map(({ operation }) => operation).toSorted()).toEqual(named.toSorted())
  const addresses = Object.fromEntries(checks.map(({ operation, address }) => [operation, address]))
  expect(tools.map((tool) => addresses[tool])).toEqual(tools.map(() => 'https://pay.example.com/mcp'))
  expect(checks.flatMap(({ problems }) => problems)).toEqual([])
})

test('tollgate listing check tells an operator whose addresses are local, and whose payments have no host of their own', async () => {
  const local = await startGateway(chain.rpcUrl, {
    CATALOG_FILE: 'pricing/catalog.yaml',
    BASE_URL: 'http://localhost:8402',
    PAYMENTS_BASE_URL: 'http://localhost:8402',
  })
  const checks = await checkListing(local.url).finally(() => local.close())
  const isLocal = 'its address is of this machine: set BASE_URL, or PAYMENTS_BASE_URL'
  const needsHost = expect.stringMatching(/answers 401: .* a host of their own by PAYMENTS_BASE_URL$/)
  for (const { operation, problems } of checks)
    expect([operation, problems]).toEqual([
      operation,
      expect.arrayContaining([operation === 'openapi.json' ? needsHost : isLocal]),
    ])
  const named = checks.map(({ operation }) => operation)
  expect(named).toEqual(expect.arrayContaining(['analyzeBusiness', 'analyze_business', 'openapi.json']))
})

const jsonContent = z.looseObject({ schema: z.looseObject({}).optional() })
const described = z.looseObject({
  components: z.looseObject({}),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        parameters: z
          .array(z.looseObject({ name: z.string(), in: z.string(), schema: z.looseObject({}) }))
          .optional(),
        requestBody: z.looseObject({ content: z.record(z.string(), jsonContent) }).optional(),
        responses: z.record(
          z.string(),
          z.looseObject({ content: z.record(z.string(), jsonContent).optional() }),
        ),
      }),
    ),
  ),
})

test('calls of all kinds end with a documented status and a body that fits its schema, and none fails inside', async () => {
  const document = described.parse(await fullDocument())
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'api', components: document.components })
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  expect(operations.length).toBeGreaterThan(50)
  let client = 0
  for (const { path, method, operation } of operations) {
    const word = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom('', '0', '-1', '1', '20', 'true', 'null', '../x', '%00', 'example.com', '7d'),
      fc.uuid(),
    )
    const call = fc.record({
      params: fc.array(word, { minLength: 3, maxLength: 3 }),
      query: fc.dictionary(
        fc.constantFrom(
          'x',
          ...(operation.parameters ?? []).filter((one) => one.in === 'query').map((one) => one.name),
        ),
        word,
        { maxKeys: 3 },
      ),
      body: fc.oneof(
        fc.json({ maxDepth: 2 }),
        fc
          .dictionary(fc.constantFrom(...fieldsOf(operation.requestBody), 'x'), fc.jsonValue({ maxDepth: 1 }))
          .map((value) => JSON.stringify(value)),
        fc.constantFrom('', '{', 'null', '[]'),
      ),
    })
    await fc.assert(
      fc.asyncProperty(call, async ({ params, query, body }) => {
        let next = 0
        const target = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(params[next++ % 3] || 'x'))
        client += 1
        const reply = await fetch(`${gateway.url}${target}?${new URLSearchParams(query)}`, {
          method,
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': `198.51.${Math.floor(client / 250)}.${client % 250}`,
          },
          ...(operation.requestBody && { body }),
        })
        const text = await reply.text()
        const told = `${method} ${target} with ${body}: ${reply.status} ${text.slice(0, 300)}`
        // A segment may be `.` or `..`, which leads to another path.
        if (reply.status === 404 && text.includes('"NOT_FOUND"')) return
        expect(reply.status, told).toBeLessThan(500)
        const response = operation.responses[reply.status]
        expect(response, told).toBeDefined()
        const schema =
          response?.content?.[(reply.headers.get('content-type') ?? '').split(';')[0] ?? '']?.schema
        if (!schema || !text.startsWith('{')) return
        const validate = ajv.compile(referring(schema))
        expect(validate(JSON.parse(text)) || validate.errors, told).toBe(true)
      }),
      { numRuns: 8, seed: 20_260_501, endOnFailure: true },
    )
  }
})

function fieldsOf(
  body: { readonly content: Readonly<Record<string, { readonly schema?: object | undefined }>> } | undefined,
): string[] {
  const schema = z
    .looseObject({ properties: z.looseObject({}).optional() })
    .parse(body?.content['application/json']?.schema ?? {})
  return Object.keys(schema.properties ?? {})
}

/** References lead into the document. */
function referring(schema: object): object {
  return z
    .looseObject({})
    .parse(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')))
}

async function fullDocument(): Promise<unknown> {
  const { operatorToken } = await import('../../support/gateways/gateway.ts')
  const made = await fetch(`${gateway.url}/operator/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tier: 'pro' }),
  })
  const { key } = z.looseObject({ key: z.string() }).parse(await made.json())
  return await (await fetch(`${gateway.url}/openapi.json`, { headers: { 'x-mcp-api-key': key } })).json()
}
