import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { gasPaid } from '../../../src/doors/x402/evidence/gas-paid.ts'
import { createChainClient } from '../../../src/platform/chain/client.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { type StandIn, startStandIn } from '../../support/servers/stand-in.ts'

/** What a transaction has cost, by the receipt as a node writes it. */

const hash = `0x${'ab'.repeat(32)}` as const
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const receipt = {
  transactionHash: hash,
  transactionIndex: '0x1',
  blockHash: `0x${'cd'.repeat(32)}`,
  blockNumber: '0x1e8480',
  from: account.toLowerCase(),
  to: networks.base.usdc.address.toLowerCase(),
  contractAddress: null,
  cumulativeGasUsed: '0x249f0',
  gasUsed: '0x15000',
  effectiveGasPrice: '0x5f5e100',
  logs: [],
  logsBloom: `0x${'00'.repeat(256)}`,
  status: '0x1',
  type: '0x2',
}

let node: StandIn
let change: object

beforeAll(async () => {
  node = await startStandIn((req, res) => {
    void text(req).then((body) => {
      const call = z.object({ id: z.number() }).or(z.array(z.object({ id: z.number() })))
      const asked = call.parse(JSON.parse(body))
      const answer = ({ id }: { id: number }) => ({ jsonrpc: '2.0', id, result: { ...receipt, ...change } })
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
    })
  })
})
afterAll(() => node.close())

async function read(more: object) {
  change = more
  const client = createChainClient({ network: networks.base, rpcUrl: node.url, timeoutMs: 5_000 })
  return gasPaid(await client.getTransactionReceipt({ hash }), 'settlement')
}

test('a transaction costs its gas at the price it was charged, and the fee for its data on Ethereum', async () => {
  const execution = 86_016n * 100_000_000n
  expect(await read({ l1Fee: '0x2540be400' })).toEqual({
    transaction: hash,
    account: account.toLowerCase(),
    purpose: 'settlement',
    wei: execution + 10_000_000_000n,
    isReverted: false,
    blockNumber: 2_000_000n,
  })
})

test.each([{}, { l1Fee: null }, { l1Fee: '0x0' }])('a receipt with %j has no fee for data', async (fee) => {
  expect((await read(fee)).wei).toBe(86_016n * 100_000_000n)
})

test('a transaction that the chain reverted costs the same', async () => {
  const reverted = await read({ status: '0x0', l1Fee: '0x1' })
  expect(reverted).toMatchObject({ isReverted: true, wei: 86_016n * 100_000_000n + 1n })
})
