import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createWalletClient, type Hex, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { devPayers } from '../../src/chain/dev-accounts.ts'
import { networks } from '../../src/chain/networks.ts'

/**
 * A remote x402 facilitator at the far end of a socket: the reference facilitator, with gas of its
 * own, that does its work well until a test tells it how to fail.
 */
export interface TestFacilitator {
  readonly url: string
  supported: 'well' | Failure | 'another network'
  verify: 'well' | Failure | 'refused with 500'
  settle: 'well' | Failure | SettleFailure
  /** How often each was asked, and how many transactions it has sent. */
  readonly count: Readonly<Record<'supported' | 'verify' | 'settle' | 'broadcasts', number>>
  close(): Promise<void>
}

/** `no verdict` is JSON of a shape nobody asked for. */
type Failure = 'hangs' | 'answers 500' | 'answers no JSON' | 'gives no verdict'

/** Named for what the gateway is told, and whether money moves behind it. */
type SettleFailure =
  | 'refuses before sending'
  | 'refuses with a reason of its own'
  | 'sends, then is cut off by 502'
  | 'sends, then says pending'
  | 'sends, then says refused'
  | 'sends, then names no transaction'
  | 'says pending without sending'
  | 'says refused with 500 without sending'
  | 'names no transaction'
  | 'names a transaction that is not there'
  | 'names somebody else’s transaction'

const network = networks['base-sepolia']
const requirements = z.strictObject({
  scheme: z.string(),
  network: z.templateLiteral([z.string(), ':', z.string()]),
  asset: z.string(),
  amount: z.string().regex(/^\d+$/),
  payTo: z.string(),
  // Facilitators in other languages read an integer.
  maxTimeoutSeconds: z.int().positive(),
  extra: z.record(z.string(), z.unknown()),
})
const order = z.strictObject({
  x402Version: z.literal(2),
  paymentPayload: z.strictObject({
    x402Version: z.literal(2),
    accepted: requirements,
    payload: z.record(z.string(), z.unknown()),
  }),
  paymentRequirements: requirements,
})
type Order = z.infer<typeof order>

/** @param foreignTransaction a transaction on the chain that bears no transfer of any payment. */
export async function startFacilitator(rpcUrl: string, foreignTransaction: Hex): Promise<TestFacilitator> {
  const count = { supported: 0, verify: 0, settle: 0, broadcasts: 0 }
  const state: Pick<TestFacilitator, 'supported' | 'verify' | 'settle'> = {
    supported: 'well',
    verify: 'well',
    settle: 'well',
  }

  const wallet = createWalletClient({
    account: privateKeyToAccount(devPayers[6].privateKey),
    chain: network.chain,
    transport: http(rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions)
  const signer = toFacilitatorEvmSigner(
    {
      address: wallet.account.address,
      readContract: (request) => wallet.readContract({ ...request, args: request.args ?? [] }),
      // The exact scheme checks signatures by itself.
      verifyTypedData: () => Promise.reject(new Error('not used by the exact scheme')),
      writeContract: (request) => {
        count.broadcasts += 1
        return wallet.writeContract({ ...request, args: request.args ?? [] })
      },
      sendTransaction: () => Promise.reject(new Error('deploys no wallets')),
      waitForTransactionReceipt: (request) => wallet.waitForTransactionReceipt(request),
      getCode: (request) => wallet.getCode(request),
    },
    // Shorter than the gateway's patience, so that a chain that stands still is told as pending.
    { confirmationTimeoutMs: 500 },
  )
  const facilitator = new x402Facilitator().register(network.caip2, new ExactEvmScheme(signer))

  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    if (path === '/supported') {
      count.supported += 1
      return answerSupported(response)
    }
    const read = order.safeParse(await json(request))
    if (!read.success) return send(response, 400, { error: z.prettifyError(read.error) })
    if (path === '/verify') {
      count.verify += 1
      return answerVerify(response, read.data)
    }
    count.settle += 1
    return answerSettle(response, read.data)
  })

  function answerSupported(response: ServerResponse): void {
    switch (state.supported) {
      case 'well':
        return send(response, 200, facilitator.getSupported())
      case 'another network':
        return send(response, 200, {
          kinds: [
            { x402Version: 2, scheme: 'exact', network: networks.base.caip2 },
            { x402Version: 2, scheme: 'upto', network: network.caip2 },
            { x402Version: 1, scheme: 'exact', network: network.name },
          ],
          extensions: [],
          signers: {},
        })
      default:
        return fail(response, state.supported)
    }
  }

  async function answerVerify(response: ServerResponse, order: Order): Promise<void> {
    switch (state.verify) {
      case 'well':
        return send(response, 200, await facilitator.verify(order.paymentPayload, order.paymentRequirements))
      case 'refused with 500':
        return send(response, 500, { isValid: false, invalidReason: 'unexpected_verify_error' })
      default:
        return fail(response, state.verify)
    }
  }

  async function answerSettle(response: ServerResponse, order: Order): Promise<void> {
    const say = (status: number, answer: object) =>
      send(response, status, { network: network.caip2, transaction: '', ...answer })
    const settle = () => facilitator.settle(order.paymentPayload, order.paymentRequirements)
    switch (state.settle) {
      case 'well':
        return send(response, 200, await settle())
      case 'refuses before sending':
        return say(200, { success: false, errorReason: 'invalid_exact_evm_insufficient_balance' })
      case 'refuses with a reason of its own':
        return say(200, { success: false, errorReason: 'computer_says_no' })
      case 'sends, then is cut off by 502':
        await settle()
        response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
        return
      case 'sends, then says pending': {
        const { transaction } = await settle()
        return say(200, { success: false, errorReason: 'settlement_pending', transaction })
      }
      case 'sends, then says refused':
        await settle()
        return say(200, { success: false, errorReason: 'insufficient_funds' })
      case 'sends, then names no transaction':
        await settle()
        return say(200, { success: true })
      case 'says pending without sending':
        return say(200, { success: false, errorReason: 'settlement_pending', transaction: missing })
      case 'says refused with 500 without sending':
        return say(500, { success: false, errorReason: 'invalid_exact_evm_insufficient_balance' })
      case 'names no transaction':
        return say(200, { success: true })
      case 'names a transaction that is not there':
        return say(200, { success: true, transaction: missing })
      case 'names somebody else’s transaction':
        return say(200, { success: true, transaction: foreignTransaction })
      default:
        return fail(response, state.settle)
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    count,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

const missing: Hex = `0x${'de'.repeat(32)}`

function send(response: ServerResponse, status: number, answer: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

function fail(response: ServerResponse, failure: Failure): void {
  switch (failure) {
    case 'hangs':
      return
    case 'answers 500':
      return send(response, 500, { error: 'out of order' })
    case 'answers no JSON':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
      return
    case 'gives no verdict':
      return send(response, 200, { status: 'ok', transaction: missing })
  }
}
