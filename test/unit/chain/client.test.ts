import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { json } from 'node:stream/consumers'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { BaseError, encodeErrorResult, HttpRequestError, offchainLookupAbiItem } from 'viem'
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

/** Answers each call with its method, after noting the methods of the request. */
async function serveMethods(requests: string[][]): Promise<string> {
  return serve(async (request, response) => {
    const calls = z.array(z.object({ id: z.number(), method: z.string() })).parse(await json(request))
    requests.push(calls.map(({ method }) => method))
    response.end(
      JSON.stringify(calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method })).reverse()),
    )
  })
}

test('calls that are made together share requests of at most twenty, and those of another client have their own', async () => {
  const requests: string[][] = []
  const rpcUrl = await serveMethods(requests)
  const [one, other] = [1, 2].map(() => createChainClient({ network, rpcUrl, timeoutMs: 5_000 }))
  const asked = Array.from({ length: 25 }, () => one?.request({ method: 'eth_chainId' }))
  const results = await Promise.all([...asked, other?.request({ method: 'eth_gasPrice' })])

  expect(results).toEqual([...Array(25).fill('eth_chainId'), 'eth_gasPrice'])
  expect(requests.map((methods) => methods.length).sort()).toEqual([1, 20, 5])
})

test('a call that its reply leaves out counts as unanswered: a transaction may be on its way', async () => {
  const rpcUrl = await serve((_, response) => void response.end('[]'))
  const client = createChainClient({ network, rpcUrl, timeoutMs: 5_000 })

  await expect(client.sendRawTransaction({ serializedTransaction: '0x02' })).rejects.toSatisfy(
    (error) =>
      error instanceof BaseError && error.walk((cause) => cause instanceof HttpRequestError) !== null,
  )
})

/** Whether a call was rejected as one that the endpoint did not answer. */
const isUnanswered = (error: unknown) =>
  error instanceof BaseError && error.walk((cause) => cause instanceof HttpRequestError) !== null

test.each([
  ['neither a result nor an error', [{}]],
  ['a result and then an error', [{ result: '0x7' }, { error: { code: -32000, message: 'nonce too low' } }]],
  ['an error and then a result', [{ error: { code: -32000, message: 'nonce too low' } }, { result: '0x7' }]],
  ['two different results', [{ result: '0x7' }, { result: '0x8' }]],
  ['both a result and an error', [{ result: '0x7', error: { code: -32000, message: 'nonce too low' } }]],
])('a call that is answered with %s counts as unanswered', async (_what, answers) => {
  const rpcUrl = await serve(async (request, response) => {
    const calls = z.array(z.object({ id: z.number() })).parse(await json(request))
    const all = calls.flatMap(({ id }) => answers.map((answer) => ({ jsonrpc: '2.0', id, ...answer })))
    response.end(JSON.stringify(all))
  })
  const client = createChainClient({ network, rpcUrl, timeoutMs: 5_000 })

  await expect(client.getTransactionCount({ address: network.usdc.address })).rejects.toSatisfy(isUnanswered)
  await expect(client.sendRawTransaction({ serializedTransaction: '0x02' })).rejects.toSatisfy(isUnanswered)
})

test('one call that is answered in an odd way leaves those beside it their answers', async () => {
  const rpcUrl = await serve(async (request, response) => {
    const calls = z.array(z.object({ id: z.number(), method: z.string() })).parse(await json(request))
    const answers = calls.map(({ id, method }) =>
      method === 'eth_gasPrice'
        ? { jsonrpc: '2.0', id, error: 'busy' }
        : { jsonrpc: '2.0', id, result: '0x7' },
    )
    response.end(
      JSON.stringify([...answers, { jsonrpc: '2.0', id: null, result: '0x1' }, null, 'more'].reverse()),
    )
  })
  const client = createChainClient({ network, rpcUrl, timeoutMs: 5_000 })
  const [odd, whole] = await Promise.allSettled([
    client.request({ method: 'eth_gasPrice' }),
    client.request({ method: 'eth_blockNumber' }),
  ])

  expect([odd.status, whole]).toEqual(['rejected', { status: 'fulfilled', value: '0x7' }])
})

test('a request that is refused as a whole counts as unanswered, with the reason', async () => {
  const refusal = { jsonrpc: '2.0', id: null, error: { code: -32005, message: 'slow down' } }
  const rpcUrl = await serve((_, response) => void response.writeHead(429).end(JSON.stringify(refusal)))
  const client = createChainClient({ network, rpcUrl, timeoutMs: 5_000 })

  await expect(client.request({ method: 'eth_chainId' })).rejects.toMatchObject({
    name: 'HttpRequestError',
    status: 429,
    details: 'slow down',
  })
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
