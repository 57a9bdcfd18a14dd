import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { json } from 'node:stream/consumers'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { encodeErrorResult, offchainLookupAbiItem } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createChainClient } from '../../../src/platform/chain/client.ts'
import { networks } from '../../../src/platform/chain/networks.ts'

const network = networks['base-sepolia']

const toClose: (() => void)[] = []
afterEach(() => {
  for (const close of toClose.splice(0)) close()
})

/** Starts an RPC endpoint with this listener. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  toClose.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return `http://127.0.0.1:${port}`
}

test('a call ends at its deadline even when the reply never ends', async () => {
  const rpcUrl = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const drip = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(drip))
  })
  const client = createChainClient({ network, rpcUrl, timeoutMs: 200 })

  const startedAt = performance.now()
  await expect(client.getBlockNumber()).rejects.toThrow()

  expect(performance.now() - startedAt).toBeLessThan(2_000)
})

test('a reply that came in while this process was busy is read, although the deadline is over', async () => {
  const node = new Worker(
    `const { createServer } = require('node:http')
    const { json } = require('node:stream/consumers')
    const { parentPort } = require('node:worker_threads')
    const server = createServer(async (request, response) => {
      const calls = await json(request)
      const answer = JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x7' })))
      setTimeout(() => response.end(answer), 100)
    }).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`,
    { eval: true },
  )
  toClose.push(() => void node.terminate())
  const [port] = z.tuple([z.number()]).parse(await once(node, 'message'))
  const client = createChainClient({ network, rpcUrl: `http://127.0.0.1:${port}`, timeoutMs: 200 })
  const asked = client.request({ method: 'eth_chainId' })
  // The request goes out meanwhile. After an immediate, timers run before replies are read.
  await setTimeout(20)
  await setImmediate()
  const busyUntil = performance.now() + 500
  while (performance.now() < busyUntil);
  expect(await asked).toBe('0x7')
})

test('a call to an endpoint that fails is not repeated', async () => {
  let asked = 0
  const rpcUrl = await serve((_, response) => {
    asked += 1
    response.writeHead(503).end()
  })
  const client = createChainClient({ network, rpcUrl, timeoutMs: 5_000 })

  await expect(client.getBlockNumber()).rejects.toThrow()

  expect(asked).toBe(1)
})

test('a reply above the size limit is refused', async () => {
  const rpcUrl = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${'0'.repeat(11 * 1024 * 1024)}` }))
  })
  const client = createChainClient({ network, rpcUrl, timeoutMs: 5_000 })

  await expect(client.getCode({ address: network.usdc.address })).rejects.toThrow('exceeded the size limit')
})

test("a payer's wallet contract cannot make the gateway fetch a URL that it names", async () => {
  let fetched = 0
  const named = await serve((_, response) => {
    fetched += 1
    response.end('{"data":"0x"}')
  })
  const wallet = '0x00000000000000000000000000000000000000AA'
  const lookup = encodeErrorResult({
    abi: [offchainLookupAbiItem],
    args: [wallet, [`${named}/{sender}`], '0x', '0x00000000', '0x'],
  })
  const rpcUrl = await serve(async (request, response) => {
    const calls = z.array(z.object({ id: z.number() })).parse(await json(request))
    const error = { code: 3, message: 'execution reverted', data: lookup }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, error }))))
  })
  const client = createChainClient({ network, rpcUrl, timeoutMs: 5_000 })

  await expect(client.call({ to: wallet, data: '0x1626ba7e' })).rejects.toThrow()

  expect(fetched).toBe(0)
})
