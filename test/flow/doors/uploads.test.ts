import { afterAll, beforeAll, expect, test } from 'vitest'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
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
  far: { prefix: /far, targets: ["${far.url}"], private: true }
operations:
  storeFile: { access: price, upstream: far, route: POST /files/*, price: "0.02", description: At a fixed price. }
`
  scene = await openRelayScene(chain, catalog, { FACILITATOR_URL: facilitator.url })
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
