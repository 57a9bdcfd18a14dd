import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  verifyReceiptMatchesOffer,
} from '@x402/extensions/offer-receipt'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { decode, signPayment, v1Header } from '../../support/chain/wallet.ts'
import { operatorToken } from '../../support/gateways/gateway.ts'
import {
  asked,
  codeOf,
  createBuyers,
  get,
  named,
  post,
  settled,
  walletOf,
} from '../../support/gateways/payment-for.ts'
import { openRelayScene, type RelayScene } from '../../support/gateways/relay-scene.ts'
import {
  answers,
  type Behavior,
  type FarEnd,
  says,
  startFarEnd,
  usage,
  words,
} from '../../support/servers/far-end.ts'

/** What wallets pay for an upstream's work: when the payment settles, its amount, and the reply they get. */

let chain: TestChain
let far: FarEnd
let scene: RelayScene
let buyers: ReturnType<typeof createBuyers>

const one = walletOf(0)
const two = walletOf(1)

beforeAll(async () => {
  chain = await startTestChain()
  far = await startFarEnd()
  scene = await openRelayScene(
    chain,
    `
upstreams:
  far: { prefix: /far, targets: ["${far.url}"], private: true, retries: 0, first_byte_seconds: 0.3, max_request_bytes: 2000 }
operations:
  getPricing: { access: open, description: The prices. }
  getPricingMarkdown: { access: open, description: The prices as text. }
  askModel:
    access: price
    upstream: far
    route: POST /model/*
    description: By the token.
    price: { per: tokens, input: "0.000001", output: "0.000002", max: "0.01" }
  fetchFile: { access: price, upstream: far, route: "GET,POST /files/*", price: "0.02", description: At a fixed price. }
  fetchDear: { access: price, upstream: far, route: GET /dear/*, price: "0.03", settle: before, description: Paid first. }
  lookUp: { access: price, upstream: far, route: GET /records/*, price: "0.02", charge_failed: price, description: Failed calls cost the price. }
  lookUpFirst: { access: price, upstream: far, route: GET /first/*, price: "0.02", settle: before, charge_failed: price, description: Paid first. }
  askDear:
    access: price
    upstream: far
    route: POST /asked/*
    description: Failed calls cost at least something.
    price: { per: tokens, input: "0.000001", output: "0.000002", max: "0.01" }
    charge_failed: "0.001"
  listRecords:
    access: price
    upstream: far
    route: GET /listed/*
    description: By the item.
    price: { per: items, items: "$.data[*]", base: "0.001", output: "0.002", max: "0.01" }
  drawPictures:
    access: price
    upstream: far
    route: POST /pictures/*
    description: By how many are asked for.
    price: { per: request, count: body.n, each: "0.005", max: "0.05" }
`,
    { SETTLE_FIRST_AFTER: '1000', REFUND_KEY: devPayTo.privateKey, RECEIPT_KEY: generatePrivateKey() },
  )
  buyers = createBuyers(scene)
})

afterAll(async () => {
  await scene?.close()
  await far?.close()
  await chain?.close()
})

const question = { model: 'm', messages: [{ role: 'user', content: 'Well?' }] }
const ask = (path: string, more: object = {}) => post(`/far${path}`, { ...question, ...more })
const fetchIt = (path: string) => get(`/far${path}`)
const receiptOf = (reply: Response) => decode(reply.headers.get('payment-response'))

test('an unpaid call gets its maximum price: by upto and then by exact, in the v1 body and in X-Payment', async () => {
  const reply = await buyers.send(ask('/model/unpaid'))
  expect(reply.status).toBe(402)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  expect(asked(reply).accepts.map(({ scheme, amount }) => [scheme, amount])).toEqual([
    ['upto', '10000'],
    ['exact', '10000'],
  ])
  expect(reply.headers.get('x-payment')).toContain('0.01')
  expect(await reply.json()).toMatchObject({ accepts: [{ scheme: 'exact', maxAmountRequired: '10000' }] })
  expect(far.heard('/model/unpaid')).toEqual([])
})

test('the 402, its signed offer and the receipt name the address that was called, under the configured base', async () => {
  const call = fetchIt('/files/report?page=2&q=%C3%BC')
  const address = `https://pay.example.com${call.path}`
  far.on('/files/report', says({ pages: 3 }))
  const unpaid = await buyers.send(call)
  const required = asked(unpaid)
  expect(required.resource.url).toBe(address)
  expect(await unpaid.json()).toMatchObject({ accepts: [{ resource: address }] })
  const [offer] = decodeSignedOffers(extractOffersFromPaymentRequired(required))
  if (!offer) throw new Error('the 402 has no signed offer')
  expect(offer.resourceUrl).toBe(address)

  const paid = await buyers.send(call, await buyers.sign(call, one, 'exact'))
  expect(paid.status).toBe(200)
  const receipt = extractReceiptFromResponse(paid)
  if (!receipt) throw new Error('the reply has no signed receipt')
  expect(verifyReceiptMatchesOffer(receipt, offer, [one.address])).toBe(true)
})

test('a wallet of x402 v1, or one that knows only exact, pays the maximum, and its reply is stored', async () => {
  far.on('/model/exact', answers(10, 20))
  const signed = await signPayment(one, 10_000n, { to: scene.account.address })
  const v1 = { headers: { 'x-payment': v1Header(signed) }, signature: signed.signature }
  for (const payment of [v1, await buyers.sign(ask('/model/exact'), one, 'exact')]) {
    const call = named(ask('/model/exact'))
    const taken = await buyers.receives()
    const reply = await buyers.send(call, payment)
    expect(reply.status).toBe(200)
    expect(await taken()).toBe(10_000n)
    const again = await buyers.send(call, payment)
    expect(again.headers.get('payment-response')).toBe(reply.headers.get('payment-response'))
    expect(await again.text()).toBe(await reply.text())
    expect(await taken()).toBe(10_000n)
  }
  expect(far.heard('/model/exact')).toHaveLength(2)
})

const withoutItems: readonly (readonly [string, Partial<ReturnType<typeof get>>, Behavior])[] = [
  ['an empty list', {}, says({ data: [] })],
  ['HEAD', { method: 'HEAD' }, says({ data: [1, 2] })],
  ['204', {}, (res) => res.writeHead(204).end()],
  ['304', { headers: { 'if-none-match': '"e"' } }, (res) => res.writeHead(304, { etag: '"e"' }).end()],
]

describe('a reply without items costs its base by upto, the maximum by exact, and its payment buys no second call', () => {
  test.each(withoutItems)('%s', async (label, change, behavior) => {
    const path = `/listed/${label.replaceAll(' ', '-')}`
    far.on(path, behavior)
    for (const [scheme, amount] of [
      ['upto', 1_000n],
      ['exact', 10_000n],
    ] as const) {
      const call = named({ ...fetchIt(path), ...change })
      const payment = await buyers.sign(fetchIt(path), one, scheme)
      const taken = await buyers.receives()
      const reply = await buyers.send(call, payment)
      expect(reply.status).toBeLessThan(400)
      expect(receiptOf(reply)).toMatchObject({ success: true })
      expect(await taken()).toBe(amount)
      expect(await buyers.rowOf(payment)).toMatchObject({ state: settled, amount })
      expect((await buyers.send(fetchIt(`${path}?other`), payment)).status).toBe(409)
    }
    expect(far.heard(path)).toHaveLength(2)
  })
})

describe('by upto', () => {
  test('a reply in one piece costs its usage, its receipt shows the amount, and the same payment gets it again', async () => {
    far.on('/model/one', answers(100, 50))
    const call = named(ask('/model/one'))
    const payment = await buyers.sign(call, one)
    const taken = await buyers.receives()
    const reply = await buyers.send(call, payment)
    expect(reply.status).toBe(200)
    expect(receiptOf(reply)).toMatchObject({ success: true, amount: '200' })
    expect(await taken()).toBe(200n)
    expect(await buyers.rowOf(payment)).toMatchObject({ state: settled, amount: 200n, authorized: 10_000n })

    const again = await buyers.send(call, payment)
    expect([again.status, await again.text()]).toEqual([200, await reply.text()])
    expect(receiptOf(again)).toEqual(receiptOf(reply))
    // Without the name of the purchase, everybody could have read this payment on the chain.
    for (const other of [ask('/model/one'), ask('/model/one', { n: 9 }), ask('/model/one?x=1')]) {
      expect(await codeOf(await buyers.send(other, payment))).toEqual([409, 'PAYMENT_REPLAYED'])
    }
    expect(await taken()).toBe(200n)
    expect(far.heard('/model/one')).toHaveLength(1)
  })

  test('twenty concurrent copies of a payment run the upstream once and are charged once', async () => {
    far.on('/model/copies', answers(5, 5))
    const call = named(ask('/model/copies'))
    const payment = await buyers.sign(call, one)
    const taken = await buyers.receives()
    const replies = await Promise.all(Array.from({ length: 20 }, () => buyers.send(call, payment)))
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(await Promise.all(replies.map((reply) => reply.text()))).size).toBe(1)
    expect(await taken()).toBe(15n)
    expect(far.heard('/model/copies')).toHaveLength(1)
  })

  test('the first event of a stream arrives before the upstream has ended, and the payment settles for the usage afterwards', async () => {
    const rest = Promise.withResolvers<void>()
    far.on('/model/stream', async (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write(words('First'))
      await rest.promise
      res.end(`${words('last')}${usage(30, 10)}data: [DONE]\n\n`)
    })
    const call = ask('/model/stream', { stream: true })
    const payment = await buyers.sign(call, one)
    const taken = await buyers.receives()
    const reply = await buyers.send(call, payment)
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('First')
    expect([await buyers.stateOf(payment), await taken()]).toEqual(['claimed', 0n])
    expect(await codeOf(await buyers.send(ask('/model/stream', { n: 2 }), payment))).toEqual([
      409,
      'PAYMENT_REPLAYED',
    ])
    rest.resolve()
    let text = ''
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value
    expect(text).toContain('[DONE]')
    await scene.idle()
    expect(await taken()).toBe(50n)
    expect(await buyers.rowOf(payment)).toMatchObject({ state: settled, amount: 50n })
    expect(await codeOf(await buyers.send(call, payment))).toEqual([409, 'PAYMENT_REPLAYED'])
    expect(far.heard('/model/stream')).toHaveLength(1)
  })

  test('a caller that leaves in the middle pays for the delivered part, and the call at the upstream ends', async () => {
    const gone = Promise.withResolvers<void>()
    far.on('/model/left', (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write(words('Ten words and then some more of them, no less.'))
      res.once('close', () => gone.resolve())
    })
    const call = ask('/model/left', { stream: true })
    const payment = await buyers.sign(call, one)
    const leaving = new AbortController()
    const taken = await buyers.receives()
    const reply = await buyers.send(call, payment, leaving.signal)
    await reply.body?.getReader().read()
    leaving.abort()
    await gone.promise
    await expect.poll(async () => buyers.stateOf(payment)).toEqual(settled)
    const row = await buyers.rowOf(payment)
    expect(row?.amount).toBeGreaterThan(15n)
    expect(row?.amount).toBeLessThan(100n)
    expect(await taken()).toBe(row?.amount)
    await scene.idle()
    const [noted] = await scene.gateway.services.queries
      .selectFrom('meterings')
      .selectAll()
      .where('paymentId', '=', row?.id ?? '')
      .execute()
    expect(noted).toMatchObject({ outcome: 'left', isEstimate: true, amount: row?.amount })
  })

  test('a reply that reports an absurd usage costs the maximum, in one piece and streamed', async () => {
    far.on('/model/absurd', answers(1e9, 1e9))
    far.on('/model/absurd-stream', (res) =>
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end(words('Hi') + usage(1e9, 1e9)),
    )
    for (const path of ['/model/absurd', '/model/absurd-stream']) {
      const call = ask(path, { stream: path.endsWith('stream') })
      const payment = await buyers.sign(call, one)
      await (await buyers.send(call, payment)).text()
      await scene.idle()
      const row = await buyers.rowOf(payment)
      expect(row).toMatchObject({ state: settled, amount: 10_000n, authorized: 10_000n })
      const { queries } = scene.gateway.services
      const noted = queries
        .selectFrom('meterings')
        .select('amount')
        .where('paymentId', '=', row?.id ?? '')
      expect(await noted.execute()).toEqual([{ amount: 10_000n }])
    }
  })
})

describe('where a call is charged that fails by the caller’s making', () => {
  const noRecord = says({ problem: 'there is no such record' }, 404)

  test.each(['/records/404', '/first/404'])(
    'a payment of a fixed price pays for the reply of %s, which has a receipt and is stored',
    async (path) => {
      far.on(path, noRecord)
      const call = named(fetchIt(path))
      const payment = await buyers.sign(call, one, 'exact')
      const taken = await buyers.receives()
      const reply = await buyers.send(call, payment)
      expect([reply.status, await reply.json()]).toEqual([404, { problem: 'there is no such record' }])
      expect(receiptOf(reply)).toMatchObject({ success: true })
      expect(await taken()).toBe(20_000n)
      expect(await buyers.stateOf(payment)).toEqual(settled)
      expect((await buyers.send(call, payment)).status).toBe(404)
      expect(far.heard(path)).toHaveLength(1)
      expect(await taken()).toBe(20_000n)
    },
  )

  test('a payment by upto costs the least amount, and by exact the whole price', async () => {
    far.on('/asked/wrong', says({ error: 'the prompt is too long' }, 400))
    const call = ask('/asked/wrong')
    for (const [scheme, amount] of [
      ['upto', 1_000n],
      ['exact', 10_000n],
    ] as const) {
      const payment = await buyers.sign(call, two, scheme)
      const taken = await buyers.receives()
      const reply = await buyers.send(call, payment)
      expect(reply.status).toBe(400)
      expect(receiptOf(reply)).toMatchObject({ success: true })
      expect(await taken()).toBe(amount)
    }
  })

  test.each([401, 403, 408, 429, 500, 503])(
    'a call that the upstream answers with %d is free',
    async (status) => {
      far.on('/records/free', says({}, status))
      const call = fetchIt('/records/free')
      const payment = await buyers.sign(call, two, 'exact')
      const taken = await buyers.receives()
      expect((await buyers.send(call, payment)).status).toBe(status)
      expect(await taken()).toBe(0n)
      expect(await buyers.stateOf(payment)).toBe('released')
    },
  )

  test('the 402 and the price list say what such a call costs', async () => {
    const fixed = await buyers.send(fetchIt('/records/any'))
    expect(asked(fixed).extensions).toMatchObject({ failedCalls: { info: { exact: 'price' } } })
    expect(await fixed.json()).toMatchObject({
      details: { failedCalls: expect.stringContaining('costs the whole price') },
    })
    const dear = await buyers.send(ask('/asked/any'))
    expect(asked(dear).extensions).toMatchObject({ failedCalls: { info: { upto: '0.001', exact: 'price' } } })
    const sentence = 'costs at least 0.001 USDC by the scheme upto, and the whole price by exact'
    for (const path of ['/pricing', '/pricing.md']) {
      expect(await (await fetch(`${scene.gateway.url}${path}`)).text()).toContain(sentence)
    }
    const silent = await buyers.send(fetchIt('/files/any'))
    expect(asked(silent).extensions).not.toHaveProperty('failedCalls')
  })
})

describe('a payer whose calls fail by its own making', () => {
  const wrong = says({ problem: 'no such file' }, 404)

  test('has the upstream called six times for nothing, then waits, and still gets the reply that it has paid', async () => {
    const wallet = walletOf(4)
    far.on('/files/bought', says({ pages: 3 }))
    const bought = named(fetchIt('/files/bought'))
    const paid = await buyers.sign(bought, wallet, 'exact')
    expect((await buyers.send(bought, paid)).status).toBe(200)

    far.on('/files/wrong', wrong)
    const call = fetchIt('/files/wrong')
    const replies: number[] = []
    let last: Response | undefined
    for (let sent = 0; sent < 12; sent += 1) {
      last = await buyers.send(call, await buyers.sign(call, wallet, 'exact'))
      replies.push(last.status)
    }
    expect(replies.slice(0, 6)).toEqual(Array(6).fill(404))
    expect(new Set(replies.slice(7))).toEqual(new Set([429]))
    expect(far.heard('/files/wrong').length).toBeLessThanOrEqual(7)
    if (!last) throw new Error('nothing was sent')
    expect(Number(last.headers.get('retry-after'))).toBeLessThanOrEqual(10)
    expect(await codeOf(last)).toEqual([429, 'TOO_MANY_FAILURES'])

    expect(await (await buyers.send(bought, paid)).json()).toEqual({ pages: 3 })
    const other = await buyers.send(bought, await buyers.sign(bought, walletOf(5), 'exact'))
    expect(other.status).toBe(200)
  })

  test('pays first for the fourth run of one payment', async () => {
    far.on('/files/again', wrong)
    const call = fetchIt('/files/again')
    const payment = await buyers.sign(call, walletOf(3), 'exact')
    const taken = await buyers.receives()
    for (let run = 0; run < 3; run += 1) expect((await buyers.send(call, payment)).status).toBe(404)
    expect(await taken()).toBe(0n)
    const owed = await buyers.send(call, payment)
    // The caller sees why, although its money was taken.
    expect([owed.status, await owed.json()]).toMatchObject([
      502,
      { code: 'PAID_NOT_SERVED', details: { answer: { status: 404, text: '{"problem":"no such file"}' } } },
    ])
    expect(await taken()).toBe(20_000n)
  })
})

describe('a streamed reply at a fixed price', () => {
  const piece = 'x'.repeat(1_000)

  test.each(['/files', '/dear'])(
    'under %s: the payment settles before the first byte, and buys another try when the upstream breaks off',
    async (folder) => {
      const path = `${folder}/broken`
      const call = fetchIt(path)
      const payment = await buyers.sign(call, two, 'exact')
      const taken = await buyers.receives()
      let breakOff = () => {}
      far.on(path, (res) => {
        res.writeHead(200, { 'content-type': 'text/plain' }).write(piece)
        breakOff = () => res.destroy()
      })
      const price = folder === '/files' ? 20_000n : 30_000n
      const reply = await buyers.send(call, payment)
      expect([reply.status, await taken(), await buyers.stateOf(payment)]).toEqual([200, price, 'paid'])
      const reader = reply.body?.getReader()
      await reader?.read()
      breakOff()
      await expect(reader?.read()).rejects.toThrow()
      await scene.idle()
      expect(await buyers.stateOf(payment)).toBe('paid')

      far.on(path, (res) => {
        res.writeHead(200, { 'content-type': 'text/plain' }).write(piece)
        res.end('whole')
      })
      const again = await buyers.send(call, payment)
      expect([again.status, await again.text()]).toEqual([200, `${piece}whole`])
      await scene.idle()
      expect([await buyers.stateOf(payment), await taken()]).toEqual([settled, price])
      expect(await codeOf(await buyers.send(call, payment))).toEqual([409, 'PAYMENT_REPLAYED'])
      expect(far.heard(path)).toHaveLength(2)
    },
  )

  test('that broke off can be refunded instead of another try', async () => {
    far.on('/files/refunded', (res) => {
      res.writeHead(200).write(piece, () => res.destroy())
    })
    const call = fetchIt('/files/refunded')
    const payment = await buyers.sign(call, two, 'exact')
    const before = await scene.account.balanceOf(two.address)
    await (await buyers.send(call, payment)).text().catch(() => undefined)
    await scene.idle()
    const row = await buyers.rowOf(payment)
    expect(row?.state).toBe('paid')
    const refund = await fetch(`${scene.gateway.url}/operator/payments/${row?.id}/refund`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ beforeFinal: true }),
    })
    expect(await refund.json()).toMatchObject({ state: 'refunded' })
    expect(await scene.account.balanceOf(two.address)).toBe(before)
  })

  test('whose caller leaves is paid for', async () => {
    far.on('/files/left', (res) => void res.writeHead(200).write(piece))
    const call = fetchIt('/files/left')
    const payment = await buyers.sign(call, two, 'exact')
    const leaving = new AbortController()
    const reply = await buyers.send(call, payment, leaving.signal)
    await reply.body?.getReader().read()
    leaving.abort()
    await expect.poll(async () => buyers.stateOf(payment)).toEqual(settled)
    expect(await codeOf(await buyers.send(call, payment))).toEqual([409, 'PAYMENT_REPLAYED'])
  })

  describe('to a request for a WebSocket', () => {
    /** Asks for a WebSocket, as fetch cannot. */
    async function askUpgrade(path: string, payment: Awaited<ReturnType<typeof buyers.sign>>) {
      const sending = request(`${scene.gateway.url}/far${path}`, {
        headers: { connection: 'Upgrade', upgrade: 'websocket', ...payment.headers },
      })
      const [reply]: IncomingMessage[] = await once(sending.end(), 'response')
      if (!reply) throw new Error('no reply came')
      return reply
    }

    test('is delivered whole when the upstream refuses the upgrade, and is owed when it breaks off', async () => {
      const whole = randomBytes(1_000_000)
      const call = fetchIt('/files/refused')
      const payment = await buyers.sign(call, two, 'exact')
      far.on('/files/refused', (res) => {
        res.writeHead(200, { 'content-length': whole.length })
        res.write(whole.subarray(0, 700_000), () => res.destroy())
      })
      const cut = await askUpgrade('/files/refused', payment)
      expect(cut.statusCode).toBe(200)
      await expect(buffer(cut)).rejects.toThrow()
      await scene.idle()
      expect(await buyers.stateOf(payment)).toBe('paid')

      far.on('/files/refused', (res) => res.writeHead(200, { 'content-length': whole.length }).end(whole))
      const again = await askUpgrade('/files/refused', payment)
      expect((await buffer(again)).equals(whole)).toBe(true)
      await scene.idle()
      expect(await buyers.stateOf(payment)).toEqual(settled)
      expect(far.heard('/files/refused')).toHaveLength(2)
    })
  })
})
