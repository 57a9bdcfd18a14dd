import { performance } from 'node:perf_hooks'
import { createPublicClient, http, type LocalAccount, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devPayers } from '../../src/platform/chain/dev-accounts.ts'
import { signPayment, v2Header } from '../support/chain/wallet.ts'
import { median } from './measure.ts'
import type { Result } from './report.ts'

interface Urls {
  readonly ours: string
  readonly reference: string
  readonly rpc: string
}

/** Measures calls that are paid and settled: one client alone, and many clients at once. */
export async function benchPaid(urls: Urls): Promise<Result[]> {
  const alone = { ours: [] as number[], reference: [] as number[] }
  for (let i = 0; i < 120; i++) {
    alone.ours.push(await timePaid(urls.ours, payerOf(0)))
    alone.reference.push(await timePaid(urls.reference, payerOf(1)))
  }
  const [own, peer] = [median(alone.ours.slice(20)), median(alone.reference.slice(20))]
  return [
    {
      what: '1 client pays, ms to the settled reply; peer: @x402/express',
      ours: own,
      peer,
      ratio: own / peer,
      wanted: 'at most 1',
    },
    ...(await benchClients(urls, 20, { ours: 1_000, reference: 400 })),
    ...(await benchClients(urls, 200, { ours: 2_000, reference: 600 })),
  ]
}

/** Measures settled payments per second of many clients, and the gas of a payment against that of a single one. */
async function benchClients(
  { ours, reference, rpc }: Urls,
  clients: number,
  payments: { ours: number; reference: number },
): Promise<Result[]> {
  const chain = createPublicClient({ transport: http(rpc) })
  const single = await gasPerPayment(chain, 1, async () => void (await timePaid(ours, payerOf(0))))
  // Unmeasured warm-up of both: code that runs for the first time is slow.
  await settledPerSecond(ours, clients, payments.ours / 4, [2, 3, 4, 5])
  await settledPerSecond(reference, clients, payments.reference / 4, [6, 7])
  let many: PaidRun | undefined
  const shared = await gasPerPayment(chain, payments.ours, async () => {
    many = await settledPerSecond(ours, clients, payments.ours, [2, 3, 4, 5])
  })
  const peer = await settledPerSecond(reference, clients, payments.reference, [6, 7])
  if (!many) throw new Error('no payment was measured')
  return [
    {
      what: `${clients} clients pay at once, settled payments/s; peer: @x402/express`,
      ours: many.perSecond,
      peer: peer.perSecond,
      ratio: many.perSecond / peer.perSecond,
      wanted: 'at least 10',
      note: `served ${many.served} of ${many.sent}, the peer ${peer.served} of ${peer.sent}`,
    },
    {
      what: `${clients} clients pay at once, gas per payment; peer: 1 client`,
      ours: shared,
      peer: single,
      ratio: shared / single,
      wanted: clients < 50 ? 'none below 50 clients' : 'at most 0.65',
    },
  ]
}

/** Measures the gas of all transactions mined during `work`, per payment. */
async function gasPerPayment(
  chain: PublicClient,
  payments: number,
  work: () => Promise<void>,
): Promise<number> {
  const before = await chain.getBlockNumber({ cacheTime: 0 })
  await work()
  const after = await chain.getBlockNumber({ cacheTime: 0 })
  let gas = 0n
  for (let number = before + 1n; number <= after; number++) {
    gas += (await chain.getBlock({ blockNumber: number, includeTransactions: false })).gasUsed
  }
  return Number(gas) / payments
}

function payerOf(index: number): LocalAccount {
  const account = devPayers[index]
  if (!account) throw new Error(`there is no test payer ${index}`)
  return privateKeyToAccount(account.privateKey)
}

async function send(url: string, header: string): Promise<number> {
  const response = await fetch(`${url}/api/analyze`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'payment-signature': header },
    body: '{"businessName":"Bright Smile Dental"}',
  })
  await response.arrayBuffer()
  return response.status
}

async function timePaid(url: string, payer: LocalAccount): Promise<number> {
  const header = v2Header(await signPayment(payer, 100_000n))
  const startedAt = performance.now()
  const status = await send(url, header)
  if (status !== 200) throw new Error(`${url} answered ${status} to a valid payment`)
  return performance.now() - startedAt
}

interface PaidRun {
  readonly served: number
  readonly sent: number
  readonly perSecond: number
}

async function settledPerSecond(
  url: string,
  clients: number,
  payments: number,
  payers: readonly number[],
): Promise<PaidRun> {
  const accounts = payers.map(payerOf)
  const headers = await Promise.all(
    Array.from({ length: payments }, async (_, n) => {
      const account = accounts[n % accounts.length] ?? payerOf(0)
      return v2Header(await signPayment(account, 100_000n))
    }),
  )
  let served = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let header = headers.pop(); header; header = headers.pop())
        if ((await send(url, header)) === 200) served += 1
    }),
  )
  return { served, sent: payments, perSecond: (served * 1000) / (performance.now() - startedAt) }
}
