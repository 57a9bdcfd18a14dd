import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { signPayment, v2Header } from '../../support/chain/wallet.ts'
import { openReplica, type Replica } from '../../support/gateways/replica.ts'
import { type Balancer, startBalancer } from '../../support/servers/balancer.ts'
import { freshDatabase } from '../../support/stores/database.ts'

/** Two gateways behind a load balancer, in processes of their own, under load. */

const payer = privateKeyToAccount(devPayers[3].privateKey)

let chain: TestChain
let replicas: Replica[]
let balancer: Balancer

beforeAll(async () => {
  chain = await startTestChain()
  const databaseUrl = await freshDatabase()
  const open = (settler: (typeof devPayers)[number]) =>
    openReplica({
      rpcUrl: chain.rpcUrl,
      databaseUrl,
      settings: { SHUTDOWN_DELAY_MS: '2000', SETTLER_LEASE_MS: '10000', SETTLER_KEY: settler.privateKey },
    })
  replicas = [await open(devPayers[5]), await open(devPayers[6])]
  await Promise.all(replicas.map((replica) => replica.start()))
  balancer = await startBalancer(replicas.map(({ url }) => url))
})
afterAll(async () => {
  await balancer.close()
  for (const replica of replicas) await replica.close()
  await chain.close()
})

test('gateways that are restarted one after the other under load lose no call, free or paid', async () => {
  const lost: string[] = []
  let answered = 0
  let isOver = false
  async function callUntilOver(send: () => Promise<Response>): Promise<void> {
    while (!isOver) {
      try {
        const reply = await send()
        const text = await reply.text()
        if (reply.status !== 200) lost.push(`${reply.status} ${text.slice(0, 200)}`)
      } catch (error) {
        lost.push(String(error))
      }
      answered += 1
    }
  }
  const readPrices = () => fetch(`${balancer.url}/pricing`)
  const buy = async () =>
    fetch(`${balancer.url}/api/analyze`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'payment-signature': v2Header(await signPayment(payer, 100_000n)),
      },
      body: '{"businessName":"Acme Dental"}',
    })
  const calls = [readPrices, readPrices, buy].map(callUntilOver)

  for (const replica of replicas) {
    const before = answered
    expect(await replica.stop()).toMatchObject({ code: 0 })
    expect(balancer.ready()).not.toContain(replica.url)
    expect(answered).toBeGreaterThan(before)
    await replica.start()
    await expect
      .poll(() => balancer.ready(), { message: 'the restarted gateway gets no calls' })
      .toContain(replica.url)
  }
  isOver = true
  await Promise.all(calls)

  expect(lost).toEqual([])
})
