import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { openPostgres } from '../../../src/platform/store/database.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { createReceivingAccount } from '../../support/chain/receiving-account.ts'
import { freshWallet } from '../../support/chain/wallet.ts'
import { createBuyers, post, settled, walletOf } from '../../support/gateways/payment-for.ts'
import { openReplica, type Replica } from '../../support/gateways/replica.ts'
import { type FarEnd, startFarEnd, usage, words } from '../../support/servers/far-end.ts'
import type { Held } from '../../support/servers/held.ts'
import { freshDatabase } from '../../support/stores/database.ts'

/** A gateway is killed while it streams a metered reply, or settles one, and is started again. */

const catalogOf = (upstream: string) => `
provider: { name: Tests, description: Sells what others serve. }
upstreams:
  far: { prefix: /far, targets: ["${upstream}"], private: true, retries: 0 }
operations:
  askModel:
    access: price
    upstream: far
    route: POST /model/*
    description: By the token.
    price: { per: tokens, input: "0.000001", output: "0.000002", max: "0.01" }
`
/** For the usage that the far end reports: 7 tokens and twice 3. */
const due = 13n

let chain: TestChain
let far: FarEnd
let books: Awaited<ReturnType<typeof openPostgres>>
let doomed: Replica
let buyers: ReturnType<typeof createBuyers>
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let rest = Promise.withResolvers<void>()

beforeAll(async () => {
  chain = await startTestChain()
  far = await startFarEnd()
  folder = await temporaryFolder()
  const databaseUrl = await freshDatabase()
  books = await openPostgres(databaseUrl, createLog('silent'))
  const account = createReceivingAccount(chain, freshWallet().address)
  const catalog = join(folder.folder, 'catalog.yaml')
  await writeFile(catalog, catalogOf(far.url))
  const settings = {
    CATALOG_FILE: catalog,
    PAY_TO: account.address,
    // The call must not time out before the gateway is killed.
    RPC_TIMEOUT_MS: '30000',
    SETTLEMENT_TIMEOUT_MS: '30000',
  }
  doomed = await openReplica({ rpcUrl: chain.rpcUrl, databaseUrl, settings })
  await doomed.start()
  buyers = createBuyers({ gateway: { url: doomed.url, services: books }, account })
  far.on('/model/stream', async (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' }).write(words('First'))
    await rest.promise
    res.end(`${words('last')}${usage(7, 3)}data: [DONE]\n\n`)
  })
})

afterAll(async () => {
  await doomed?.close()
  await books?.close()
  await folder?.remove()
  await far?.close()
  await chain?.close()
})

const call = post('/far/model/stream', { model: 'm', messages: [], stream: true })

/** Starts a new gateway, which has only what the killed one stored. */
async function restart(): Promise<void> {
  await books.queries
    .updateTable('payments')
    .set({ leaseUntil: new Date(0) })
    .execute()
  await doomed.start()
}

test('a gateway that is killed in the middle of the stream charges nothing, and the payment buys the call once more', async () => {
  rest = Promise.withResolvers()
  const payment = await buyers.sign(call, walletOf(0))
  const taken = await buyers.receives()
  const reader = (await buyers.send(call, payment)).body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  expect(await buyers.stateOf(payment)).toBe('claimed')

  await doomed.kill()
  await expect(reader?.read()).rejects.toThrow()
  rest.resolve()
  await restart()
  expect(await taken()).toBe(0n)

  expect(await (await buyers.send(call, payment)).text()).toContain('[DONE]')
  await expect.poll(() => buyers.rowOf(payment)).toMatchObject({ state: settled })
  expect(await taken()).toBe(due)
  expect(far.heard('/model/stream')).toHaveLength(2)
})

test.each<[string, () => Held, bigint]>([
  ['before the broadcast reaches the node', () => doomed.node.hold('eth_sendRawTransaction'), 0n],
  ['before the node’s answer comes', () => doomed.node.holdAnswer('eth_sendRawTransaction'), due],
  ['before the outcome is written', () => doomed.store.holdWrite('settled'), due],
])('killed after the stream, %s, the call is charged once for its usage', async (_moment, stop, isTaken) => {
  rest = Promise.withResolvers()
  rest.resolve()
  const heard = far.heard('/model/stream').length
  const payment = await buyers.sign(call, walletOf(1))
  const taken = await buyers.receives()
  const held = stop()
  try {
    expect(await (await buyers.send(call, payment)).text()).toContain('[DONE]')
    await held.reached
    expect(await buyers.rowOf(payment)).toMatchObject({ state: 'served', amount: due })
    // The node accepts a transaction and mines it a moment later.
    await expect.poll(taken).toBe(isTaken)
    await doomed.kill()
  } finally {
    held.drop()
  }

  await restart()
  await expect.poll(() => buyers.rowOf(payment)).toMatchObject({ state: settled })
  expect(await taken()).toBe(due)
  expect((await buyers.send(call, payment)).status).toBe(409)
  expect(far.heard('/model/stream')).toHaveLength(heard + 1)
})
