import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type DemoModel, modelName, startDemoModel } from '../../../src/demo/model.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { decode } from '../../support/chain/wallet.ts'
import {
  type ClientProcess,
  type Order,
  type Outcome,
  startClient,
} from '../../support/clients/client-process.ts'
import { installClients } from '../../support/clients/install.ts'
import { openRelayScene, type RelayScene } from '../../support/gateways/relay-scene.ts'

/**
 * Published x402 clients, unmodified and each in its own process, buy from a whole gateway. Their authors read the
 * protocol in different ways, and a 402 or a receipt that one of them cannot read loses its users.
 */

const secret = 'sk-of-the-upstream'
let chain: TestChain
let model: DemoModel
let scene: RelayScene

beforeAll(async () => {
  chain = await startTestChain()
  model = await startDemoModel(secret)
  scene = await openRelayScene(
    chain,
    `
upstreams:
  llm:
    prefix: /llm
    targets: ["http://127.0.0.1:${model.port}"]
    private: true
    inject: { authorization: "Bearer \${UPSTREAM_MODEL_KEY}" }
operations:
  analyzeBusiness: { access: price, price: "0.10", description: An analysis. }
  researchLead: { access: price, price: "0.25", description: A lead. }
  writeBlog: { access: price, price: "1.00", description: An article. }
  triggerScan: { access: optional, free: 100/day, description: A scan. }
  buyKey: { access: tier, description: A key. }
  createChatCompletion:
    access: price
    upstream: llm
    route: POST /v1/chat/completions
    description: An answer.
    price: { per: tokens, units: 1000000, base: "0.000010", input: "0.50", output: "2.00", max: "0.01", max_units: 900 }
tiers:
  starter: { price: "9.00", days: 30, description: For a month., operations: { analyzeBusiness: 20/day } }
`,
    { UPSTREAM_MODEL_KEY: secret },
  )
})

afterAll(async () => {
  await scene?.close()
  await model?.close()
  await chain?.close()
})

const analysis = { path: '/api/analyze', amount: 100_000n, body: { businessName: 'Bright Smile Dental' } }
const sales = [
  analysis,
  { path: '/api/leads/research', amount: 250_000n, body: { companyName: 'Northwind Logistics' } },
  { path: '/api/content/blog', amount: 1_000_000n, body: { topic: 'Cutting no-shows with reminders' } },
]
const key = { path: '/api/keys', amount: 9_000_000n, body: { tier: 'starter' } }
const chat = {
  path: '/llm/v1/chat/completions',
  body: { model: modelName, messages: [{ role: 'user', content: 'How do we cut missed appointments?' }] },
}

const receipt = z.looseObject({
  success: z.literal(true),
  transaction: z.string(),
  network: z.string(),
  payer: z.string(),
})

describe.each(await installClients())('$name', (client) => {
  const privateKey = generatePrivateKey()
  const payer = privateKeyToAccount(privateKey).address
  let running: ClientProcess

  beforeAll(async () => {
    await chain.mint(payer, 30_000_000n)
    running = await startClient(client.path)
  })
  afterAll(() => running?.close())

  /** With a limit that allows the call, for clients that have one. */
  function call(path: string, body: object, change: Partial<Order> = {}): Promise<Outcome> {
    return running.call({
      url: `${scene.gateway.url}${path}`,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      privateKey,
      rpcUrl: chain.rpcUrl,
      ...(client.limit ? { limitUsdc: '9' } : {}),
      ...change,
    })
  }
  const named = (name: string) => ({
    headers: { 'content-type': 'application/json', 'idempotency-key': name },
  })
  const paid = () => scene.account.transfers(payer, scene.account.address)

  test.each(sales)(
    'pays $amount for $path, and gets the reply with a receipt of that transfer',
    async ({ path, amount, body }) => {
      const before = await paid()
      const { reply } = served(await call(path, body))
      const [transfer, ...more] = (await paid()).slice(before.length)
      expect([transfer?.value, more]).toEqual([amount, []])
      expect(JSON.parse(reply.body)).toMatchObject({ success: true })
      if (!client.isCommand) {
        const header = client.x402 === 2 ? 'payment-response' : 'x-payment-response'
        expect(receipt.parse(decode(reply.headers[header]))).toMatchObject({
          transaction: transfer?.transaction,
          network: client.x402 === 2 ? 'eip155:84532' : 'base-sepolia',
          payer,
        })
      }
    },
  )
})

function served(outcome: Outcome) {
  if ('error' in outcome) throw new Error(outcome.error)
  return outcome
}
