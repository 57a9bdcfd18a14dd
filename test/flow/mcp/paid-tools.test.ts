import type { Client } from '@modelcontextprotocol/client'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import request from 'supertest'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import {
  decode,
  encode,
  freshWallet,
  type SignedPayment,
  signPayment,
  v2Header,
} from '../../support/chain/wallet.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { idOf } from '../../support/gateways/shop.ts'
import { connect, modes } from '../../support/mcp/mcp-client.ts'
import { type Model, startModel } from '../../support/servers/model.ts'

/** Tools that are paid by x402 over MCP: with the same claim, replay and ledger as over HTTP. */

let chain: TestChain
let model: Model
let gateway: TestGateway
let client: Client
let payer: LocalAccount & { readonly address: `0x${string}` }

beforeAll(async () => {
  chain = await startTestChain()
  model = await startModel()
  gateway = await startGateway(chain.rpcUrl, model.settings)
  client = await connect(`${gateway.url}/mcp`)
  payer = freshWallet()
  await chain.mint(payer.address, 10_000_000n)
})
beforeEach(() => {
  model.answer = 'research'
})
afterAll(async () => {
  await client?.close()
  await gateway?.close()
  await model?.close()
  await chain?.close()
})

const balance = () =>
  chain.client.readContract({
    address: networks['base-sepolia'].usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [payer.address],
  })

const lead = { companyName: 'Acme Dental', industry: 'retail' }
const price = 250_000n
const paymentOf = (payment: SignedPayment) => z.looseObject({}).parse(decode(v2Header(payment)))
const receiptSchema = z.looseObject({ success: z.boolean(), transaction: z.string(), payer: z.string() })

/** @param payment the field `x402/payment`; left out for an unpaid call. */
const buy = (
  payment?: unknown,
  args: Record<string, unknown> = lead,
  name = 'research_lead',
  by: Client = client,
) =>
  by.callTool({
    name,
    arguments: args,
    ...(payment === undefined ? {} : { _meta: { 'x402/payment': payment } }),
  })

test.each(modes)('a wallet buys with a client in mode %s, as the price asks', async (mode) => {
  const buyer = await connect(`${gateway.url}/mcp`, { mode })
  const { tools } = await buyer.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['analyze_business', 'research_lead', 'generate_blog'])
  const args = { companyName: 'Acme Dental', industry: mode }

  const unpaid = await buy(undefined, args, 'research_lead', buyer)
  expect(unpaid).toMatchObject({
    isError: true,
    structuredContent: {
      code: 'PAYMENT_REQUIRED',
      message: expect.stringContaining('_meta["x402/payment"]'),
    },
  })
  expect(unpaid.content).toEqual([{ type: 'text', text: JSON.stringify(unpaid.structuredContent) }])
  PaymentRequiredV2Schema.parse(unpaid.structuredContent)
  const required = decodePaymentRequiredHeader(encode(unpaid.structuredContent))
  expect(required).toMatchObject({ x402Version: 2, resource: { url: 'https://pay.example.com/mcp' } })

  const wallet = new x402Client().register('eip155:*', new ExactEvmScheme(payer))
  const paid = await buy(await wallet.createPaymentPayload(required), args, 'research_lead', buyer)
  expect(paid.isError).toBeUndefined()
  expect(paid.structuredContent).toMatchObject({ success: true, lead: { company: 'Acme Dental' } })
  const receipt = receiptSchema.parse(paid._meta?.['x402/payment-response'])
  expect(receipt).toMatchObject({ success: true, payer: payer.address, network: 'eip155:84532' })
  expect(receipt.transaction).toMatch(/^0x[0-9a-f]{64}$/)
  await buyer.close()
})

test('a payment that comes twenty times at once runs the tool once and is charged once', async () => {
  const asked = model.asked
  const before = await balance()
  const payment = paymentOf(await signPayment(payer, price))
  const results = await Promise.all(Array.from({ length: 20 }, () => buy(payment)))
  expect(model.asked - asked).toBe(1)
  expect(before - (await balance())).toBe(price)
  const served = results.filter(({ isError }) => !isError)
  expect(new Set(served.map((result) => JSON.stringify(result.structuredContent))).size).toBe(1)
  expect(served.length).toBe(20)
})

test('a payment of a tool call is the payment of the same call over HTTP: it gets the stored reply', async () => {
  const asked = model.asked
  const payment = await signPayment(payer, price)
  const bought = await buy(paymentOf(payment), { industry: 'retail', companyName: 'Acme Dental' })
  const again = await request(gateway.url)
    .post('/api/leads/research')
    .set('payment-signature', v2Header(payment))
    .send(lead)
  expect([again.status, again.body]).toEqual([200, bought.structuredContent])
  expect(model.asked - asked).toBe(1)
  const shown = await request(gateway.url)
    .get(`/payments/${idOf(payment)}`)
    .set('payment-signature', v2Header(payment))
  expect(shown.body).toMatchObject({ state: 'settled', amount: '0.25' })
})

test('a payment for one tool does not buy another, and a used one buys nothing else', async () => {
  const asked = model.asked
  const signed = await signPayment(payer, price)
  const payment = paymentOf(signed)
  expect(await buy(payment, { topic: 'Tea' }, 'generate_blog')).toMatchObject({
    isError: true,
    structuredContent: {
      code: 'PAYMENT_INVALID',
      error: 'invalid_exact_evm_payload_authorization_value_mismatch',
      resource: { url: 'https://pay.example.com/mcp' },
    },
  })
  expect(model.asked).toBe(asked)
  expect(await buy(payment)).not.toHaveProperty('isError', true)
  expect(await buy(payment, { companyName: 'Other Dental' })).toMatchObject({
    isError: true,
    structuredContent: { code: 'PAYMENT_REPLAYED' },
  })
  expect(model.asked - asked).toBe(1)
})

test('a payment that somebody else has signed, or changed, buys nothing', async () => {
  const asked = model.asked
  const mine = await signPayment(payer, price)
  const stranger = freshWallet()
  const forged = { ...mine, authorization: { ...mine.authorization, from: stranger.address } }
  for (const payment of [paymentOf(forged), paymentOf(await signPayment(stranger, price))]) {
    expect(await buy(payment)).toMatchObject({
      isError: true,
      structuredContent: { code: 'PAYMENT_INVALID' },
    })
  }
  expect(model.asked).toBe(asked)
})

test('a payment that cannot be read is refused with a reason, whatever it is', async () => {
  const deep = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`)
  for (const payment of ['text', 7, null, [], {}, { x402Version: 3 }, encode({}), deep]) {
    const { isError, structuredContent } = await buy(payment)
    expect([isError, structuredContent]).toMatchObject([true, { x402Version: 2, code: 'PAYMENT_INVALID' }])
  }
})

test('a faulty call with a payment is a 400, and the payment stays usable', async () => {
  const payment = paymentOf(await signPayment(payer, price))
  expect(await buy(payment, { company: 'Acme' })).toMatchObject({
    isError: true,
    structuredContent: { code: 'VALIDATION_ERROR' },
  })
  expect(await buy(payment)).not.toHaveProperty('isError', true)
})

test('a tool that fails after its payment was claimed costs nothing', async () => {
  const before = await balance()
  model.answer = 'error'
  const payment = paymentOf(await signPayment(payer, price))
  const failed = await buy(payment)
  model.answer = 'research'
  expect(failed).toMatchObject({ isError: true, structuredContent: { error: expect.any(String) } })
  expect(await balance()).toBe(before)
  expect(await buy(payment)).not.toHaveProperty('isError', true)
})
