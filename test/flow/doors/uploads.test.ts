import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { decode, encode } from '../../support/chain/wallet.ts'
import { codeOf, createBuyers, named, post, settled, walletOf } from '../../support/gateways/payment-for.ts'
import { openRelayScene, type RelayScene } from '../../support/gateways/relay-scene.ts'
import { startFacilitator, type TestFacilitator } from '../../support/servers/facilitator.ts'
import { type FarEnd, says, startFarEnd } from '../../support/servers/far-end.ts'

/** Paid calls of an upstream whose bodies are too large to be read beside an unverified payment. */

let chain: TestChain
let far: FarEnd
let facilitator: TestFacilitator
let scene: RelayScene
let buyers: ReturnType<typeof createBuyers>

beforeAll(async () => {
  chain = await startTestChain()
  far = await startFarEnd()
  const bystander = devPayers[5].address
  const foreign = await chain.client.sendTransaction({ account: bystander, to: bystander })
  facilitator = await startFacilitator(chain.rpcUrl, foreign)
  const catalog = `
upstreams:
  far: { prefix: /far, targets: ["${far.url}"], private: true, max_request_bytes: 32000000 }
operations:
  storeFile: { access: price, upstream: far, route: POST /files/*, price: "0.02", description: At a fixed price. }
  storePublic: { access: price, upstream: far, route: POST /public/*, price: "0.02", replay: anyone_with_payment, description: For anyone. }
  askModel:
    access: optional
    upstream: far
    route: POST /chat
    free: 1000000 tokens/day
    description: A free body that is counted by tokens.
    price: { per: tokens, units: 1000000, input: "0.50", output: "2.00", max: "0.05", max_units: 50000 }
`
  scene = await openRelayScene(chain, catalog, {
    FACILITATOR_URL: facilitator.url,
    TRUST_PROXY: '1',
    MAX_WAITING_BODIES_MB: '40',
  })
  buyers = createBuyers(scene)
})

afterAll(async () => {
  await scene?.close()
  await facilitator?.close()
  await far?.close()
  await chain?.close()
})

const wallet = walletOf(3)
const upload = (path: string) => post(`/far${path}`, { text: 'x'.repeat(200_000) })

test('the payment of a large upload is verified once, before the upload is read, and the upload is served', async () => {
  far.on('/files/good', says('stored'))
  const call = upload('/files/good')
  const payment = await buyers.sign(call, wallet, 'exact')
  const before = facilitator.count.verify
  expect((await buyers.send(call, payment)).status).toBe(200)
  expect(facilitator.count.verify - before).toBe(1)
  expect(await buyers.stateOf(payment)).toEqual(settled)
})

test('a lost reply to a large upload is given again without a second charge', async () => {
  far.on('/files/lost', says('stored'))
  const call = named(upload('/files/lost'))
  const taken = await buyers.receives()
  const payment = await buyers.sign(call, wallet, 'exact')
  const [first, second] = [await buyers.send(call, payment), await buyers.send(call, payment)]
  expect([first.status, second.status]).toEqual([200, 200])
  expect(await second.text()).toBe(await first.text())
  expect(far.heard('/files/lost')).toHaveLength(1)
  expect(await taken()).toBe(20_000n)
})

test('the payment of one large upload does not buy another one', async () => {
  far.on('/files/one', says('stored'))
  const payment = await buyers.sign(upload('/files/one'), wallet, 'exact')
  expect((await buyers.send(upload('/files/one'), payment)).status).toBe(200)
  const larger = post('/far/files/one', { text: 'x'.repeat(300_000) })
  expect(await codeOf(await buyers.send(larger, payment))).toEqual([409, 'PAYMENT_REPLAYED'])
  expect(far.heard('/files/one')).toHaveLength(1)
})

/** A request whose body stops before its end, from a client address of its own. */
interface OpenUpload {
  /** Status, code and Retry-After; pending while the gateway waits for the rest of the body. */
  readonly refused: Promise<readonly [number | undefined, unknown, unknown]>
  hangUp(): void
}

/** @param sent how much of the announced body is sent. */
function beginUpload(
  headers: Readonly<Record<string, string>>,
  length: number,
  sent: number,
  path = '/far/files/begun',
): OpenUpload {
  clients += 1
  const req = request(`${scene.gateway.url}${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'x-forwarded-for': `10.0.${Math.floor(clients / 200)}.${clients % 200}`,
      'content-length': length,
    },
  })
  for (let left = sent; left > 0; left -= block.byteLength) req.write(block.subarray(0, left))
  req.flushHeaders()
  const refused = new Promise<IncomingMessage>((resolve, reject) => {
    let isAnswered = false
    req.once('response', (reply) => {
      isAnswered = true
      resolve(reply)
    })
    // The gateway does not read the rest, so after the reply the connection may break.
    req.on('error', (error) => (isAnswered ? undefined : reject(error)))
  }).then(async (reply) => {
    const { code } = z.looseObject({ code: z.string() }).parse(await json(reply))
    return [reply.statusCode, code, reply.headers['retry-after']] as const
  })
  // A test hangs up on those that it does not wait for.
  refused.catch(() => undefined)
  return { refused, hangUp: () => void req.destroy() }
}

let clients = 0
const block = Buffer.alloc(1_000_000, 'x')
const held = () => scene.gateway.services.parts.bodies.heldBytes()
const isFree = () => expect.poll(held, { message: 'bodies still count after their calls ended' }).toBe(0)

/** Pays for an upload to `path`, and returns the payment: its signature is on the chain now. */
async function publicPayment(path: string) {
  far.on(path, says('stored'))
  const call = upload(path)
  const payment = await buyers.sign(call, wallet, 'exact')
  expect((await buyers.send(call, payment)).status).toBe(200)
  return payment
}

test('a known payment with another signature is refused before a byte of its upload is read', async () => {
  const { headers } = await publicPayment('/files/begun')
  const [name = '', value = ''] = Object.entries(headers)[0] ?? []
  const payload = z.looseObject({ payload: z.looseObject({}) }).parse(decode(value))
  const forged = encode({ ...payload, payload: { ...payload.payload, signature: `0x${'12'.repeat(65)}` } })
  const { refused } = beginUpload({ [name]: forged }, 10_000_000, 0)
  expect(await refused).toEqual([409, 'PAYMENT_REPLAYED', undefined])
  expect(held()).toBe(0)
})

test('a signature from the chain alone is refused before a byte of its upload is read', async () => {
  const { headers } = await publicPayment('/files/begun')
  const { refused } = beginUpload(headers, 10_000_000, 0)
  expect(await refused).toEqual([409, 'PAYMENT_REPLAYED', undefined])
  expect(held()).toBe(0)
})

test('a payment whose reply is no longer stored is refused before a byte of its upload is read', async () => {
  const payment = await publicPayment('/public/begun')
  const { queries } = scene.gateway.services
  await queries
    .updateTable('payments')
    .set({ replyStatus: null, replyHeaders: null, replyBody: null })
    .where('signature', '=', payment.signature)
    .execute()
  const { refused } = beginUpload(payment.headers, 10_000_000, 0, '/far/public/begun')
  expect(await refused).toEqual([409, 'PAYMENT_REPLAYED', undefined])
})

test('a hundred uploads beside a signature from the chain hold no more than a quarter of the memory', async () => {
  const { headers } = await publicPayment('/public/begun')
  const before = process.memoryUsage().arrayBuffers
  const uploads = Array.from({ length: 100 }, () =>
    beginUpload(headers, 10_000_000, 9_000_000, '/far/public/begun'),
  )
  let answered = 0
  const answers = uploads.map(async ({ refused }) => {
    const answer = await refused
    answered += 1
    return answer
  })
  await expect.poll(() => answered, { message: 'uploads were not refused' }).toBe(99)
  expect(held()).toBe(10_000_000)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200_000_000)
  for (const { hangUp } of uploads) hangUp()
  const replies = (await Promise.allSettled(answers)).flatMap((one) =>
    one.status === 'fulfilled' ? [one.value] : [],
  )
  expect(new Set(replies.map(String))).toEqual(new Set(['503,UPLOADS_UNAVAILABLE,5']))
  await isFree()
})

test('uploads of one payer from many addresses hold a quarter of the memory, and another payer is served', async () => {
  far.on('/files/begun', says('stored'))
  const mine = await Promise.all([1, 2, 3].map(() => buyers.sign(upload('/files/begun'), wallet, 'exact')))
  const begun = mine.slice(0, 2).map(({ headers }) => beginUpload(headers, 5_000_000, 1_000_000))
  await expect.poll(held, { message: 'the uploads did not begin' }).toBe(10_000_000)
  const { refused } = beginUpload(mine[2]?.headers ?? {}, 1_000_000, 0)
  expect(await refused).toEqual([429, 'TOO_MANY_UPLOADS', '5'])
  const other = await buyers.sign(upload('/files/begun'), walletOf(4), 'exact')
  expect((await buyers.send(upload('/files/begun'), other)).status).toBe(200)
  for (const { hangUp } of begun) hangUp()
  await isFree()
})

test('a small body counts while it arrives, and no longer when its caller hangs up', async () => {
  const payment = await buyers.sign(post('/far/files/begun', {}), wallet, 'exact')
  const slow = beginUpload(payment.headers, 90_000, 50_000)
  await expect.poll(held, { message: 'the body did not begin' }).toBe(50_000)
  slow.hangUp()
  await isFree()
})

test('a free body that is counted by tokens is refused beyond the memory of its address, and of all addresses', async () => {
  const ofOne = beginUpload({}, 12_000_000, 11_000_000, '/far/chat')
  expect(await ofOne.refused).toEqual([429, 'TOO_MANY_UPLOADS', '5'])
  await isFree()
  const begun = [1, 2, 3].map(() => beginUpload({}, 12_000_000, 9_000_000, '/far/chat'))
  await expect.poll(held, { message: 'the bodies do not count' }).toBe(27_000_000)
  const { refused } = beginUpload({}, 12_000_000, 9_000_000, '/far/chat')
  expect(await refused).toEqual([503, 'UPLOADS_UNAVAILABLE', '5'])
  for (const { hangUp } of begun) hangUp()
  await isFree()
})

test('a free body that is counted by tokens no longer counts once its upstream has replied', async () => {
  far.on('/chat', says('answered'))
  const large = post('/far/chat', { text: 'x'.repeat(200_000) })
  expect(
    (await fetch(`${scene.gateway.url}${large.path}`, { ...large, body: large.body ?? null })).status,
  ).toBe(200)
  await isFree()
})
