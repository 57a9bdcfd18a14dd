import { performance } from 'node:perf_hooks'
import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devPayers } from '../../src/chain/dev-accounts.ts'
import { signPayment, v2Header } from '../support/wallet.ts'
import { median } from './measure.ts'
import type { Result } from './report.ts'

/** Calls that are paid and settled: one alone, and twenty clients at once with payments of their own. */
export async function benchPaid(urls: { ours: string; reference: string }): Promise<Result[]> {
  const alone = { ours: [] as number[], reference: [] as number[] }
  for (let i = 0; i < 60; i++) {
    alone.ours.push(await timePaid(urls.ours, payerOf(0)))
    alone.reference.push(await timePaid(urls.reference, payerOf(1)))
  }
  const ours = await settledPerSecond(urls.ours, 20, 1_000, 2)
  const reference = await settledPerSecond(urls.reference, 20, 400, 3)
  const [own, peer] = [median(alone.ours.slice(10)), median(alone.reference.slice(10))]
  return [
    {
      what: 'one payment alone, milliseconds to its reply, @x402/express as peer',
      ours: own,
      peer,
      ratio: own / peer,
      wanted: 'at most 1',
    },
    {
      what: 'twenty clients at once, payments settled per second, @x402/express as peer',
      ours: ours.perSecond,
      peer: reference.perSecond,
      ratio: ours.perSecond / reference.perSecond,
      wanted: 'at least 8',
      note: `${ours.served} of ${ours.sent} served, the peer ${reference.served} of ${reference.sent}`,
    },
  ]
}

function payerOf(index: number): LocalAccount {
  const account = devPayers[index]
  if (!account) throw new Error('no such payer')
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

async function settledPerSecond(url: string, clients: number, payments: number, payer: number) {
  const account = payerOf(payer)
  const headers = await Promise.all(
    Array.from({ length: payments }, async () => v2Header(await signPayment(account, 100_000n))),
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
