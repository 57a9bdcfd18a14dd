import { randomUUID } from 'node:crypto'
import {
  extractReceiptFromResponse,
  isEIP712SignedReceipt,
  verifyReceiptSignatureEIP712,
} from '@x402/extensions/offer-receipt'
import type { Hex } from 'viem'
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
  type Reply,
  startClient,
} from '../../support/clients/client-process.ts'
import { installClients } from '../../support/clients/install.ts'
import { openRelayScene, type RelayScene } from '../../support/gateways/relay-scene.ts'

/**
 * Published x402 clients, unmodified and each in its own process, buy from a whole gateway. Their authors read the
 * protocol in different ways, and a 402 or a receipt that one of them cannot read loses its users.
 */

const secret = 'sk-of-the-upstream'
const receiptKey = generatePrivateKey()
const signer = privateKeyToAccount(receiptKey).address
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
  getPricing: { access: open, description: The prices. }
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
    { UPSTREAM_MODEL_KEY: secret, RECEIPT_KEY: receiptKey },
  )
})

afterAll(async () => {
  await scene?.close()
  await model?.close()
  await chain?.close()
})

const analysis = { path: '/api/analyze', body: { businessName: 'Bright Smile Dental' } }
const sales = [
  { ...analysis, usdc: '0.10', amount: 100_000n },
  {
    path: '/api/leads/research',
    usdc: '0.25',
    amount: 250_000n,
    body: { companyName: 'Northwind Logistics' },
  },
  { path: '/api/content/blog', usdc: '1.00', amount: 1_000_000n, body: { topic: 'Cutting no-shows' } },
]
const key = { path: '/api/keys', body: { tier: 'starter' } }
const chat = {
  path: '/llm/v1/chat/completions',
  body: { model: modelName, messages: [{ role: 'user', content: 'How do we cut missed appointments?' }] },
}

/** What a client does for an empty wallet, by the payments that it signs. */
const onRefusal = {
  0: 'signs nothing for an empty wallet',
  1: 'gives up after one refused payment of an empty wallet',
  3: 'gives up after three refused payments of an empty wallet',
}

describe.each(await installClients())('$name', (client) => {
  const { limit, isCommand = false, metered, x402, attempts } = client
  const privateKey = generatePrivateKey()
  const payer = privateKeyToAccount(privateKey).address
  let running: ClientProcess

  beforeAll(async () => {
    await chain.mint(payer, 30_000_000n)
    running = await startClient(client.path)
  })
  afterAll(() => running?.close())

  /** Calls with a limit that allows all prices here, if the client has one. */
  function call(
    { path, body }: { path: string; body?: object },
    change: Partial<Order> = {},
  ): Promise<Outcome> {
    return running.call({
      method: body ? 'POST' : 'GET',
      url: `${scene.gateway.url}${path}`,
      body: body && JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      privateKey,
      rpcUrl: chain.rpcUrl,
      limitUsdc: limit && '9',
      ...change,
    })
  }

  function named(name: string): Pick<Order, 'headers'> {
    return { headers: { 'content-type': 'application/json', 'idempotency-key': name } }
  }

  /** Makes calls, and finds what the chain moved to the operator because of them. */
  async function spend(
    calls: () => Promise<unknown>,
  ): Promise<readonly { transaction: Hex; value: bigint }[]> {
    const before = await scene.account.transfers(payer, scene.account.address)
    await calls()
    return (await scene.account.transfers(payer, scene.account.address)).slice(before.length)
  }

  function receiptOf({ headers }: Reply) {
    return receipt.parse(decode(headers[x402 === 2 ? 'payment-response' : 'x-payment-response']))
  }

  test('calls what is free without paying', async () => {
    const [transfers, requests] = await counted(() =>
      spend(async () => replyOf(await call({ path: '/pricing' }))),
    )
    expect([transfers, requests]).toEqual([[], [200]])
  })

  test.each(sales)(
    'pays $usdc USDC for $path, and gets the reply with the receipt of the transfer',
    async (sale) => {
      let reply: Reply | undefined
      const transfers = await spend(async () => {
        reply = replyOf(await call(sale))
      })
      expect(transfers.map(({ value }) => value)).toEqual([sale.amount])
      expect(JSON.parse(reply?.body ?? '')).toMatchObject({ success: true })
      if (reply && !isCommand) {
        const network = x402 === 2 ? 'eip155:84532' : 'base-sepolia'
        expect(receiptOf(reply)).toMatchObject({ transaction: transfers[0]?.transaction, network, payer })
      }
      if (reply && !isCommand && x402 === 2) {
        const signed = extractReceiptFromResponse(new Response(null, { headers: reply.headers }))
        if (!signed || !isEIP712SignedReceipt(signed)) throw new Error('no receipt signed by EIP-712')
        expect((await verifyReceiptSignatureEIP712(signed)).signer).toBe(signer)
        expect(signed.payload).toMatchObject({ payer, transaction: transfers[0]?.transaction })
      }
    },
  )

  test('pays for each of two equal calls', async () => {
    const transfers = await spend(async () => {
      replyOf(await call(analysis))
      replyOf(await call(analysis))
    })
    expect(transfers.map(({ value }) => value)).toEqual([100_000n, 100_000n])
  })

  if (isCommand) {
    test('cannot name its purchase, so it buys no key and pays nothing', async () => {
      const transfers = await spend(async () => {
        expect(textOf(await call(key))).toContain('Idempotency-Key')
      })
      expect(transfers).toEqual([])
    })
  } else {
    test('buys a key for 9.00 USDC, and gets it again under the same name without paying again', async () => {
      const name = named(randomUUID())
      const replies: Reply[] = []
      const transfers = await spend(async () => {
        replies.push(replyOf(await call(key, name)))
        replies.push(replyOf(await call(key, name)))
      })
      expect(transfers.map(({ value }) => value)).toEqual([9_000_000n])
      expect(replies.map(({ status }) => status)).toEqual([201, 201])
      expect(replies[1]?.body).toBe(replies[0]?.body)
    })
  }

  if (limit) {
    const limits = [
      { whose: 'its user’s', limitUsdc: '0.05', sale: analysis },
      { whose: 'its own', limitUsdc: undefined, sale: key },
    ]
    test.each(limits.slice(0, limit.own === 'none' ? 1 : 2))(
      'signs nothing above $whose limit',
      async ({ limitUsdc, sale }) => {
        const [transfers, requests] = await counted(() =>
          spend(async () => {
            const outcome = await call(sale, { ...named(randomUUID()), limitUsdc })
            expect(textOf(outcome)).toMatch(limit.refusal)
          }),
        )
        expect([transfers, requests]).toEqual([[], [402]])
      },
    )
  }

  test(`${onRefusal[attempts]}, and says why`, async () => {
    const [outcome, requests] = await counted(() => call(analysis, { privateKey: generatePrivateKey() }))
    expect(textOf(outcome)).toMatch(client.refused)
    expect(requests).toEqual(Array(Math.max(1, 2 * attempts)).fill(402))
  })

  if (metered === 'confused') {
    test('signs the offer of scheme upto as if it were exact, is refused, and pays nothing', async () => {
      const [transfers, requests] = await counted(() =>
        spend(async () => {
          expect(textOf(await call(chat))).toContain('Payment was rejected by the server')
        }),
      )
      expect([transfers, requests]).toEqual([[], [402, 402]])
    })
  } else {
    test(`pays for a metered call ${metered === 'upto' ? 'what it used, by upto' : 'its maximum, by exact'}`, async () => {
      let reply: Reply | undefined
      const transfers = await spend(async () => {
        reply = replyOf(await call(chat, metered === 'upto' ? { scheme: 'upto' } : {}))
      })
      expect(JSON.parse(reply?.body ?? '')).toMatchObject({ object: 'chat.completion' })
      const [transfer, ...more] = transfers
      expect(more).toEqual([])
      if (metered === 'upto' && reply) {
        expect(transfer?.value).toBeLessThan(10_000n)
        const amount = transfer?.value.toString()
        expect(receiptOf(reply)).toMatchObject({ transaction: transfer?.transaction, amount })
      } else {
        expect(transfer?.value).toBe(10_000n)
      }
    })
  }
})

const receipt = z.looseObject({ success: z.literal(true), transaction: z.string() })

function replyOf(outcome: Outcome): Reply {
  if ('error' in outcome) throw new Error(outcome.error)
  return outcome.reply
}

/** What the client’s user reads of a call that failed. */
function textOf(outcome: Outcome): string {
  return 'error' in outcome ? outcome.error : `status ${outcome.reply.status}`
}

const logLine = z.looseObject({ msg: z.string(), status: z.int().optional() })

/** Runs something, and lists the statuses of the gateway's replies meanwhile. */
async function counted<T>(run: () => Promise<T>): Promise<[T, (number | undefined)[]]> {
  const from = scene.gateway.logged.length
  const result = await run()
  const lines = scene.gateway.logged.slice(from).map((line) => logLine.parse(JSON.parse(line)))
  return [result, lines.filter(({ msg }) => msg === 'call').map(({ status }) => status)]
}
