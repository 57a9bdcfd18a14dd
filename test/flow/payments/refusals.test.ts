import request from 'supertest'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { decode, encode, freshWallet, signPayment, v1Header, v2Header } from '../../support/chain/wallet.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'

let chain: TestChain
let gateway: TestGateway
const payer = privateKeyToAccount(devPayers[1].privateKey)
const price = 100_000n
const body = { businessName: 'Acme Dental' }

beforeAll(async () => {
  chain = await startTestChain()
  gateway = await startGateway(chain.rpcUrl)
})

afterAll(async () => {
  await gateway.close()
  await chain.close()
})

const claimed = () => gateway.services.queries.selectFrom('payments').select('id').execute()
const now = () => BigInt(Math.floor(Date.now() / 1000))

describe('a payment that does not fit gets 402 with its own reason, and nothing is claimed', () => {
  const other = `0x${'99'.repeat(20)}` as const
  const base = { ...networks.base, name: 'base-sepolia', chainId: 8453 } as const
  const cases: [string, string, () => Promise<string>][] = [
    ['an unreadable header', 'invalid_payload', async () => 'garbage'],
    ['another protocol version', 'invalid_x402_version', async () => encode({ x402Version: 9 })],
    [
      'another scheme',
      'unsupported_scheme',
      async () => v2Header(await signPayment(payer, price), { scheme: 'upto' }),
    ],
    [
      'another network in v2',
      'invalid_network',
      async () => v2Header(await signPayment(payer, price), { network: 'eip155:8453' }),
    ],
    [
      'another network in v1',
      'invalid_network',
      async () => v1Header(await signPayment(payer, price), { network: 'base' }),
    ],
    [
      'another asset',
      'invalid_payment_requirements',
      async () => v2Header(await signPayment(payer, price), { asset: other }),
    ],
    [
      'another validity',
      'invalid_payment_requirements',
      async () => v2Header(await signPayment(payer, price), { maxTimeoutSeconds: 9999 }),
    ],
    [
      'another token name',
      'invalid_payment_requirements',
      async () => v2Header(await signPayment(payer, price), { extra: { name: 'USD Coin', version: '2' } }),
    ],
    [
      'an accepted recipient that is not ours',
      'invalid_exact_evm_payload_recipient_mismatch',
      async () => v2Header(await signPayment(payer, price), { payTo: other }),
    ],
    [
      'an accepted amount that is not the price',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      async () => v2Header(await signPayment(payer, price), { amount: '1' }),
    ],
    [
      'a signed recipient that is not ours',
      'invalid_exact_evm_payload_recipient_mismatch',
      async () => v1Header(await signPayment(payer, price, { to: other })),
    ],
    [
      'an amount below the price',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      async () => v1Header(await signPayment(payer, price - 1n)),
    ],
    [
      'an amount above the price',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      async () => v1Header(await signPayment(payer, price + 1n)),
    ],
    [
      'the signature of a more expensive call',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      async () => v2Header(await signPayment(payer, 1_000_000n), { amount: '100000' }),
    ],
    [
      'an expired authorization',
      'invalid_exact_evm_payload_authorization_valid_before',
      async () => v1Header(await signPayment(payer, price, { validBefore: now() - 1n })),
    ],
    [
      'an authorization that expires before the call may end',
      'invalid_exact_evm_payload_authorization_valid_before',
      async () => v1Header(await signPayment(payer, price, { validBefore: now() + 60n })),
    ],
    [
      'an authorization that is not valid yet',
      'invalid_exact_evm_payload_authorization_valid_after',
      async () => v1Header(await signPayment(payer, price, { validAfter: now() + 600n })),
    ],
    [
      'a signature of another account',
      'invalid_exact_evm_payload_signature',
      async () => v1Header(await signPayment(freshWallet(), price, { from: payer.address })),
    ],
    [
      'a signature for the real Base',
      'invalid_exact_evm_payload_signature',
      async () => v1Header(await signPayment(payer, price, {}, base as never)),
    ],
    [
      'a signature of zeros',
      'invalid_exact_evm_payload_signature',
      async () => v1Header({ ...(await signPayment(payer, price)), signature: `0x${'00'.repeat(65)}` }),
    ],
    ['an empty wallet', 'insufficient_funds', async () => v1Header(await signPayment(freshWallet(), price))],
  ]

  test.each(cases)('a payment with %s gets 402: %s', async (_label, reason, header) => {
    const reply = await request(gateway.url)
      .post('/api/analyze')
      .set('PAYMENT-SIGNATURE', await header())
      .send(body)
    expect(reply.status).toBe(402)
    expect(reply.body).toMatchObject({
      error: 'payment_required',
      code: 'PAYMENT_INVALID',
      details: { reason },
    })
    // The client can continue: the same 402 says again what to pay.
    expect(decode(reply.headers['payment-required'])).toMatchObject({
      error: reason,
      accepts: [{ amount: price.toString() }],
    })
    expect(await claimed()).toEqual([])
  })

  test('two different payments in one request get 400', async () => {
    const reply = await request(gateway.url)
      .post('/api/analyze')
      .set('PAYMENT-SIGNATURE', v2Header(await signPayment(payer, price)))
      .set('X-PAYMENT', v1Header(await signPayment(payer, price)))
      .send(body)
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ error: 'bad_request', code: 'CONFLICTING_PAYMENTS' })
    expect(await claimed()).toEqual([])
  })
})

describe('a paid call with a faulty body is refused and costs nothing', () => {
  const cases: [string, string, string, string | undefined, number, string][] = [
    ['a missing field', '/api/analyze', '{}', 'application/json', 400, 'VALIDATION_ERROR'],
    ['a blank name', '/api/analyze', '{"businessName":"  "}', 'application/json', 400, 'VALIDATION_ERROR'],
    [
      'a number for a name',
      '/api/analyze',
      '{"businessName":7}',
      'application/json',
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a name that is too long',
      '/api/analyze',
      JSON.stringify({ businessName: 'x'.repeat(201) }),
      'application/json',
      400,
      'VALIDATION_ERROR',
    ],
    [
      'an unknown field',
      '/api/analyze',
      '{"businessName":"A","x":1}',
      'application/json',
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a website that is none',
      '/api/analyze',
      '{"businessName":"A","website":"not a site"}',
      'application/json',
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a website of another scheme',
      '/api/analyze',
      '{"businessName":"A","website":"file:///etc/passwd"}',
      'application/json',
      400,
      'VALIDATION_ERROR',
    ],
    ['a list for a body', '/api/analyze', '[]', 'application/json', 400, 'VALIDATION_ERROR'],
    ['no body', '/api/analyze', '', 'application/json', 400, 'MALFORMED_JSON'],
    ['malformed JSON', '/api/analyze', '{"businessName":', 'application/json', 400, 'MALFORMED_JSON'],
    [
      'bytes that are no UTF-8',
      '/api/analyze',
      '{"businessName":"\xff"}',
      'application/json',
      400,
      'MALFORMED_JSON',
    ],
    [
      'a form',
      '/api/analyze',
      'businessName=A',
      'application/x-www-form-urlencoded',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['XML', '/api/analyze', '<a/>', 'application/xml', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'more than 100 kB',
      '/api/analyze',
      JSON.stringify({ businessName: 'x'.repeat(100_000) }),
      'application/json',
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'no company',
      '/api/leads/research',
      '{"website":"a.example"}',
      'application/json',
      400,
      'VALIDATION_ERROR',
    ],
    ['no topic', '/api/content/blog', '{"tone":"friendly"}', 'application/json', 400, 'VALIDATION_ERROR'],
  ]
  test.each(cases)('%s', async (_label, path, content, type, status, code) => {
    const reply = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: {
        'x-payment': v1Header(await signPayment(payer, price)),
        ...(type ? { 'content-type': type } : {}),
      },
      body: content === '' ? null : Buffer.from(content, 'latin1'),
    })
    expect(reply.status).toBe(status)
    const answer: unknown = await reply.json()
    expect(answer).toMatchObject({
      code,
      error: expect.any(String),
      message: expect.stringMatching(/\. |\.$/),
    })
    expect(await claimed()).toEqual([])
  })

  test('a 400 names every faulty field', async () => {
    const reply = await request(gateway.url)
      .post('/api/analyze')
      .set('X-PAYMENT', v1Header(await signPayment(payer, price)))
      .send({ businessName: 1, question: 2, extra: 3 })
    const { details } = reply.body as { details: { issues: { field: string }[] } }
    expect(details.issues.map(({ field }) => field).sort()).toEqual(['businessName', 'extra', 'question'])
  })
})

describe('an unpaid call gets its 402 before its input is checked', () => {
  test.each([
    ['an empty probe', undefined, undefined],
    ['a faulty body', '{"x":', 'application/json'],
    ['another content type', '<a/>', 'application/xml'],
    ['a body beyond the limit', 'x'.repeat(150_000), 'application/json'],
  ])('%s', async (_label, content, type) => {
    const reply = await fetch(`${gateway.url}/api/analyze`, {
      method: 'POST',
      ...(content ? { body: content } : {}),
      ...(type ? { headers: { 'content-type': type } } : {}),
    })
    expect(reply.status).toBe(402)
    await reply.arrayBuffer()
  })
})

test('an unknown path and a wrong method get errors in the common form', async () => {
  const missing = await request(gateway.url).get('/nothing')
  expect([missing.status, missing.body.code]).toEqual([404, 'NOT_FOUND'])
  const wrong = await request(gateway.url).delete('/api/analyze')
  expect([wrong.status, wrong.body.code, wrong.headers.allow]).toEqual([
    405,
    'METHOD_NOT_ALLOWED',
    'POST, OPTIONS',
  ])
})

test('a browser may send every payment header and read every receipt', async () => {
  const preflight = await request(gateway.url).options('/api/analyze').set('Origin', 'https://app.example')
  expect(preflight.status).toBe(204)
  const allowed = preflight.headers['access-control-allow-headers']?.toLowerCase().split(', ') ?? []
  expect(allowed).toEqual(
    expect.arrayContaining([
      'content-type',
      'payment-signature',
      'x-payment',
      'x-payment-signature',
      'x-mcp-api-key',
      'authorization',
      'idempotency-key',
      'sign-in-with-x',
      'access-control-expose-headers',
    ]),
  )
  const unpaid = await request(gateway.url).post('/api/analyze').set('Origin', 'https://app.example')
  expect(unpaid.headers['access-control-allow-origin']).toBe('*')
  expect(unpaid.headers['access-control-expose-headers']?.toLowerCase()).toContain('payment-required')
})
