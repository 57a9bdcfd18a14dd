import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devPayers } from '../../src/chain/dev-accounts.ts'
import { startTestChain, type TestChain } from '../support/chain.ts'
import { answers, type FarEnd, startFarEnd, usage, words } from '../support/far-end.ts'
import { operatorToken } from '../support/gateway.ts'
import { asked, type KeptPayment, paymentFor } from '../support/payment-for.ts'
import { openRelayScene, type RelayScene } from '../support/relay-scene.ts'
import { decode, signPayment, v1Header } from '../support/wallet.ts'

/** What wallets pay for what an upstream did: when the money moves, how much of it, and what they have for it. */

let chain: TestChain
let far: FarEnd
let scene: RelayScene

const [one, two] = devPayers.map(({ privateKey }) => privateKeyToAccount(privateKey))
if (!one || !two) throw new Error('there are no wallets')

beforeAll(async () => {
  chain = await startTestChain()
  far = await startFarEnd()
  scene = await openRelayScene(
    chain,
    `
upstreams:
  far: { prefix: /far, targets: ["${far.url}"], private: true, retries: 0, first_byte_seconds: 0.3, max_request_bytes: 2000 }
operations:
  askModel:
    access: price
    upstream: far
    route: POST /model/*
    description: By the token.
    price: { per: tokens, input: "0.000001", output: "0.000002", max: "0.01" }
  fetchFile: { access: price, upstream: far, route: "GET,POST /files/*", price: "0.02", description: At a fixed price. }
  fetchDear: { access: price, upstream: far, route: GET /dear/*, price: "0.03", settle: before, description: Paid first. }
  drawPictures:
    access: price
    upstream: far
    route: POST /pictures/*
    description: By how many are asked for.
    price: { per: request, count: body.n, each: "0.005", max: "0.05" }
`,
    { SETTLE_FIRST_AFTER: '1000' },
  )
})

afterAll(async () => {
  await scene?.close()
  await far?.close()
  await chain?.close()
})

const at = (path: string) => `${scene.gateway.url}/far${path}`
const question = { model: 'm', messages: [{ role: 'user', content: 'Well?' }] }

function post(path: string, body: unknown = question, headers: Readonly<Record<string, string>> = {}) {
  return { url: at(path), method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
}
const get = (path: string) => ({ url: at(path), method: 'GET', headers: {}, body: undefined })
type Call = ReturnType<typeof post> | ReturnType<typeof get>

function send({ url, method, headers, body }: Call, payment?: KeptPayment, signal?: AbortSignal) {
  return fetch(url, {
    method,
    headers: { ...headers, ...payment?.headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
}
const sign = async (call: Call, wallet = one, scheme: 'upto' | 'exact' = 'upto') =>
  paymentFor(await send(call), wallet, scheme)

const rowOf = ({ signature }: KeptPayment) =>
  scene.gateway.services.queries
    .selectFrom('payments')
    .selectAll()
    .where('signature', '=', signature)
    .executeTakeFirst()
const stateOf = async (payment: KeptPayment) => (await rowOf(payment))?.state
const received = () => scene.till.balanceOf(scene.till.address)
/** What came in meanwhile. */
async function receives() {
  const before = await received()
  return async () => (await received()) - before
}
const receiptOf = (reply: Response) => decode(reply.headers.get('payment-response'))
const codeOf = async (reply: Response) => [reply.status, (await reply.json()).code]
const settled = expect.stringMatching(/^(settled|final)$/)

test('an unpaid call is told its maximum: by upto first and by exact, in the v1 body and in X-Payment', async () => {
  const reply = await send(post('/model/unpaid'))
  expect(reply.status).toBe(402)
  expect(asked(reply).accepts.map(({ scheme, amount }) => [scheme, amount])).toEqual([
    ['upto', '10000'],
    ['exact', '10000'],
  ])
  expect(reply.headers.get('x-payment')).toContain('0.01')
  const { accepts } = await reply.json()
  expect(accepts).toEqual([expect.objectContaining({ scheme: 'exact', maxAmountRequired: '10000' })])
  expect(far.heard('/model/unpaid')).toEqual([])
})

test('a wallet of x402 v1, or one that knows only exact, pays the maximum and has its reply stored', async () => {
  far.on('/model/exact', answers(10, 20))
  const call = post('/model/exact')
  const signed = await signPayment(one, 10_000n, { to: scene.till.address })
  const v1 = { headers: { 'x-payment': v1Header(signed) }, signature: signed.signature }
  for (const payment of [v1, await sign(call, one, 'exact')]) {
    const taken = await receives()
    const reply = await send(call, payment)
    expect([reply.status, (await reply.json()).usage]).toEqual([200, { prompt_tokens: 10, completion_tokens: 20 }])
    expect(await taken()).toBe(10_000n)
    const again = await send(call, payment)
    expect(again.headers.get('payment-response')).toBe(reply.headers.get('payment-response'))
    expect((await again.json()).usage.completion_tokens).toBe(20)
    expect(await taken()).toBe(10_000n)
  }
  expect(far.heard('/model/exact')).toHaveLength(2)
})

describe('by upto', () => {
  test('a reply in one piece costs what was used, its receipt says so, and the same payment gets it again', async () => {
    far.on('/model/one', answers(100, 50))
    const call = post('/model/one')
    const payment = await sign(call)
    const taken = await receives()
    const reply = await send(call, payment)
    expect(reply.status).toBe(200)
    expect(receiptOf(reply)).toMatchObject({ success: true, amount: '200' })
    expect(await taken()).toBe(200n)
    expect(await rowOf(payment)).toMatchObject({ state: settled, amount: 200n, authorized: 10_000n })

    const again = await send(call, payment)
    expect([again.status, await again.text()]).toEqual([200, await reply.text()])
    expect(receiptOf(again)).toEqual(receiptOf(reply))
    const other = await send(post('/model/one', { ...question, n: 9 }), payment)
    expect(await codeOf(other)).toEqual([409, 'PAYMENT_REPLAYED'])
    expect(await taken()).toBe(200n)
    expect(far.heard('/model/one')).toHaveLength(1)
  })

  test('twenty copies of a payment at once run the upstream once and are charged once', async () => {
    far.on('/model/copies', answers(5, 5))
    const call = post('/model/copies')
    const payment = await sign(call)
    const taken = await receives()
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(call, payment)))
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(await Promise.all(replies.map((reply) => reply.text()))).size).toBe(1)
    expect(await taken()).toBe(15n)
    expect(far.heard('/model/copies')).toHaveLength(1)
  })

  test('the first event of a stream comes before the upstream has ended, and it is settled for its usage afterwards', async () => {
    const rest = Promise.withResolvers<void>()
    far.on('/model/stream', async (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write(words('First'))
      await rest.promise
      res.end(words('last') + usage(30, 10) + 'data: [DONE]\n\n')
    })
    const call = post('/model/stream', { ...question, stream: true })
    const payment = await sign(call)
    const taken = await receives()
    const reply = await send(call, payment)
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('First')
    expect([await stateOf(payment), await taken()]).toEqual(['claimed', 0n])
    expect(await codeOf(await send(post('/model/stream', { ...question, n: 2 }), payment))).toEqual([
      409,
      'PAYMENT_REPLAYED',
    ])
    rest.resolve()
    let text = ''
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value
    expect(text).toContain('[DONE]')
    await scene.idle()
    expect(await taken()).toBe(50n)
    expect(await rowOf(payment)).toMatchObject({ state: settled, amount: 50n })
    expect(await codeOf(await send(call, payment))).toEqual([409, 'PAYMENT_REPLAYED'])
    expect(far.heard('/model/stream')).toHaveLength(1)
  })

  test('a caller that leaves in the middle pays for what it was given, and the upstream’s work ends', async () => {
    const gone = Promise.withResolvers<void>()
    far.on('/model/left', (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write(words('Ten words and then some more of them, no less.'))
      res.once('close', () => gone.resolve())
    })
    const call = post('/model/left', { ...question, stream: true })
    const payment = await sign(call)
    const leaving = new AbortController()
    const taken = await receives()
    const reply = await send(call, payment, leaving.signal)
    await reply.body?.getReader().read()
    leaving.abort()
    await gone.promise
    await expect.poll(async () => stateOf(payment)).toEqual(settled)
    const row = await rowOf(payment)
    expect(row?.amount).toBeGreaterThan(15n)
    expect(row?.amount).toBeLessThan(100n)
    expect(await taken()).toBe(row?.amount)
    await scene.idle()
    const [noted] = await scene.gateway.services.queries
      .selectFrom('meterings')
      .selectAll()
      .where('payment_id', '=', row?.id ?? '')
      .execute()
    expect(noted).toMatchObject({ outcome: 'left', is_estimate: true, amount: row?.amount })
  })

  test('an upstream that claims an absurd usage costs the maximum, in one piece and streamed', async () => {
    far.on('/model/absurd', answers(1e15, 1e15))
    far.on('/model/absurd-stream', (res) =>
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end(words('Hi') + usage(-5, 1e300)),
    )
    for (const path of ['/model/absurd', '/model/absurd-stream']) {
      const call = post(path, { ...question, stream: path.endsWith('stream') })
      const payment = await sign(call)
      const reply = await send(call, payment)
      expect(reply.status).toBe(200)
      await reply.text()
      await scene.idle()
      const { amount = -1n, authorized } = (await rowOf(payment)) ?? {}
      expect([amount > 0n && amount <= 10_000n, authorized]).toEqual([true, 10_000n])
    }
  })
})

describe('a streamed reply at a fixed price', () => {
  const piece = 'x'.repeat(1_000)

  test.each(['/files', '/dear'])(
    'under %s: the money moves before the first byte, and who lost it to a broken upstream is served again for nothing',
    async (folder) => {
      const path = `${folder}/broken`
      const call = get(path)
      const payment = await sign(call, two, 'exact')
      const taken = await receives()
      let breakOff = () => {}
      far.on(path, (res) => {
        res.writeHead(200, { 'content-type': 'text/plain' }).write(piece)
        breakOff = () => res.destroy()
      })
      const price = folder === '/files' ? 20_000n : 30_000n
      const reply = await send(call, payment)
      expect([reply.status, await taken(), await stateOf(payment)]).toEqual([200, price, 'paid'])
      const reader = reply.body?.getReader()
      await reader?.read()
      breakOff()
      await expect(reader?.read()).rejects.toThrow()
      await scene.idle()
      expect(await stateOf(payment)).toBe('paid')

      far.on(path, (res) => {
        res.writeHead(200, { 'content-type': 'text/plain' }).write(piece)
        res.end('whole')
      })
      const again = await send(call, payment)
      expect([again.status, await again.text()]).toEqual([200, `${piece}whole`])
      await scene.idle()
      expect([await stateOf(payment), await taken()]).toEqual([settled, price])
      expect(await codeOf(await send(call, payment))).toEqual([409, 'PAYMENT_REPLAYED'])
      expect(far.heard(path)).toHaveLength(2)
    },
  )

  test('that broke off can be refunded in the place of another try', async () => {
    far.on('/files/refunded', (res) => {
      res.writeHead(200).write(piece, () => res.destroy())
    })
    const call = get('/files/refunded')
    const payment = await sign(call, two, 'exact')
    const before = await scene.till.balanceOf(two.address)
    await (await send(call, payment)).text().catch(() => undefined)
    await scene.idle()
    const row = await rowOf(payment)
    expect(row?.state).toBe('paid')
    const refund = await fetch(`${scene.gateway.url}/operator/payments/${row?.id}/refund`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}` },
    })
    expect([refund.status, (await refund.json()).state]).toEqual([200, 'refunded'])
    expect(await scene.till.balanceOf(two.address)).toBe(before)
  })

  test('that its caller leaves has been bought', async () => {
    far.on('/files/left', (res) => void res.writeHead(200).write(piece))
    const call = get('/files/left')
    const payment = await sign(call, two, 'exact')
    const leaving = new AbortController()
    const reply = await send(call, payment, leaving.signal)
    await reply.body?.getReader().read()
    leaving.abort()
    await expect.poll(async () => stateOf(payment)).toEqual(settled)
    expect(await codeOf(await send(call, payment))).toEqual([409, 'PAYMENT_REPLAYED'])
  })
})
