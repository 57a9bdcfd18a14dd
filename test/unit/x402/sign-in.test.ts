import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { getAddress, type Hex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createSignIns } from '../../../src/doors/x402/evidence/sign-in.ts'
import { createChainClient } from '../../../src/platform/chain/client.ts'
import { networks } from '../../../src/platform/chain/networks.ts'

const network = networks['base-sepolia']
const paymentsBaseUrl = 'https://pay.example.com'
const toClose: (() => void)[] = []
afterEach(() => {
  for (const close of toClose.splice(0)) close()
})

const ethCall = z.object({
  id: z.number(),
  params: z.tuple([z.object({ gas: z.string().optional() })]).rest(z.unknown()),
})
/** What EIP-1271 calls a valid signature. */
const valid = `0x1626ba7e${'0'.repeat(56)}`

/** Sign-ins whose wallet contracts answer when the node is let go. */
async function openSignIns() {
  let asked = 0
  const limits = new Set<string | undefined>()
  const letGo = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const calls = z.array(ethCall).parse(await json(request))
    asked += calls.length
    for (const { params } of calls) limits.add(params[0].gas)
    await letGo.promise
    response.end(JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: valid }))))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  toClose.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const client = createChainClient({ network, rpcUrl: `http://127.0.0.1:${port}`, timeoutMs: 20_000 })
  const signIns = createSignIns({ network, client, paymentsBaseUrl, clock: { now: () => Date.now() } })
  /** Sends a sign-in of a wallet contract. */
  const signIn = (payer: Hex) => {
    const { type, ...terms } = signIns.challenge('0x01')
    const sent = { ...terms, type, address: getAddress(payer), signature: '0x1234' }
    const header = Buffer.from(JSON.stringify(sent)).toString('base64')
    return signIns.isSignedIn(header, { id: '0x01', payer }, true)
  }
  return { signIn, limits, asked: () => asked, letGo: letGo.resolve }
}

const [one, other] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const

test('of many sign-ins in the name of a wallet contract, the chain is asked about four at a time, and about one of another at once', async () => {
  const { signIn, asked, letGo } = await openSignIns()
  const flood = Array.from({ length: 40 }, () => signIn(one))
  await expect.poll(asked).toBe(4)
  const beside = signIn(other)
  await expect.poll(asked).toBe(5)
  letGo()

  expect(await beside).toBe(true)
  expect(await Promise.all(flood)).toEqual(flood.map(() => true))
})

test('a wallet contract that verifies a sign-in gets no more gas than a payment does', async () => {
  const { signIn, limits, letGo } = await openSignIns()
  letGo()

  expect(await signIn(one)).toBe(true)
  expect([...limits]).toEqual(['0x16e360'])
})
