import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { UptoEvmScheme } from '@x402/evm/upto/facilitator'
import { extractDiscoveryInfo } from '@x402/extensions/bazaar'
import { createWalletClient, type Hex, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'

/**
 * A remote x402 facilitator: the reference implementation, with its own gas account. It works until a test
 * sets how it fails.
 */
export interface TestFacilitator {
  readonly url: string
  supported: 'well' | Failure | 'names another network'
  verify: 'well' | Failure | 'refuses with 400' | 'refuses with 500'
  settle: 'well' | Failure | SettleFailure
  /** What its catalog lists: the resources of the payments that it has settled. */
  readonly listed: DiscoveredResource[]
  /** Runs before each settlement: changes on the chain between verify and settle. */
  meanwhile: () => Promise<void>
  /** The number of requests of each kind, and of transactions sent. */
  readonly count: Readonly<Record<'supported' | 'verify' | 'settle' | 'broadcasts' | 'redirected', number>>
  close(): Promise<void>
}

/**
 * `gives no verdict` is JSON of another shape. `answers too much` and `redirects` lead to a valid reply,
 * which a gateway must not accept.
 */
export type Failure =
  | 'hangs'
  | 'answers 500'
  | 'answers no JSON'
  | 'gives no verdict'
  | 'repeats what it was sent'
  | 'answers too much'
  | 'redirects'

/** Named after what happens on the chain and after the reply. */
export type SettleFailure =
  | 'sends, then hangs'
  | 'sends, then answers 502'
  | 'sends, then says pending'
  | 'sends, then says refused'
  | 'sends, then names no transaction'
  | 'refuses before sending'
  | 'refuses for a reason of its own'
  | 'refuses with 400'
  | 'refuses with 500'
  | 'says pending, but sent nothing'
  | 'names no transaction'
  | 'names a transaction that is not there'
  | 'names somebody else’s transaction'

type DiscoveredResource = NonNullable<ReturnType<typeof extractDiscoveryInfo>>

interface Answer {
  readonly status: number
  readonly body: string
  readonly location?: string
  /** The header EXTENSION-RESPONSES. */
  readonly extensions?: string
}

const network = networks['base-sepolia']
const missing: Hex = `0x${'de'.repeat(32)}`

/**
 * The payment requirements it gets; facilitators in other languages read `maxTimeoutSeconds` as an integer.
 */
const requirements = z.strictObject({
  scheme: z.string(),
  network: z.templateLiteral([z.string(), ':', z.string()]),
  asset: z.string(),
  amount: z.string().regex(/^\d+$/),
  payTo: z.string(),
  maxTimeoutSeconds: z.int().positive(),
  extra: z.record(z.string(), z.unknown()),
})
const orderSchema = z.strictObject({
  x402Version: z.literal(2),
  paymentPayload: z.strictObject({
    x402Version: z.literal(2),
    resource: z
      .strictObject({
        url: z.url(),
        description: z.string(),
        mimeType: z.string(),
        serviceName: z.string().exactOptional(),
        tags: z.array(z.string()).exactOptional(),
        iconUrl: z.url().exactOptional(),
      })
      .optional(),
    accepted: requirements,
    payload: z.record(z.string(), z.unknown()),
    extensions: z.record(z.string(), z.unknown()).optional(),
  }),
  paymentRequirements: requirements,
})
type Order = z.infer<typeof orderSchema>

/**
 * @param foreignTransaction on the chain, without a payment's transfer
 * @param gasKey pays its gas; two facilitators on one chain need different keys
 */
export async function startFacilitator(
  rpcUrl: string,
  foreignTransaction: Hex,
  gasKey: Hex = devPayers[6].privateKey,
): Promise<TestFacilitator> {
  const count = { supported: 0, verify: 0, settle: 0, broadcasts: 0, redirected: 0 }
  const listed: DiscoveredResource[] = []
  const conduct: Pick<TestFacilitator, 'supported' | 'verify' | 'settle' | 'meanwhile'> = {
    supported: 'well',
    verify: 'well',
    settle: 'well',
    meanwhile: async () => {},
  }

  const wallet = createWalletClient({
    account: privateKeyToAccount(gasKey),
    chain: network.chain,
    transport: http(rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions)
  const signer = toFacilitatorEvmSigner({
    address: wallet.account.address,
    readContract: (request) => wallet.readContract({ ...request, args: request.args ?? [] }),
    verifyTypedData: () => Promise.reject(new Error('the schemes check signatures themselves')),
    writeContract: (request) => {
      count.broadcasts += 1
      return wallet.writeContract({ ...request, args: request.args ?? [] })
    },
    sendTransaction: () => Promise.reject(new Error('deploys no wallets')),
    waitForTransactionReceipt: (request) => wallet.waitForTransactionReceipt(request),
    getCode: (request) => wallet.getCode(request),
  })
  const facilitator = new x402Facilitator()
    .register(network.caip2, new ExactEvmScheme(signer))
    .register(network.caip2, new UptoEvmScheme(signer))

  const server = createServer(async (request, response) => {
    const answer = await answerTo(request.url, request.method === 'POST' ? await json(request) : undefined)
    if (answer === 'none') return
    const headers = {
      'content-type': 'application/json',
      ...(answer.location && { location: answer.location }),
      ...(answer.extensions && { 'extension-responses': answer.extensions }),
    }
    response.writeHead(answer.status, headers).end(answer.body)
  })

  async function answerTo(path: string | undefined, body: unknown): Promise<Answer | 'none'> {
    if (path === '/supported') {
      count.supported += 1
      return supported()
    }
    const order = orderSchema.safeParse(body)
    if (!order.success) return say(400, { error: z.prettifyError(order.error) })
    switch (path) {
      case '/verify':
        count.verify += 1
        return verify(order.data)
      case '/settle':
        count.settle += 1
        await conduct.meanwhile()
        return settle(order.data)
      case '/elsewhere/verify':
        count.redirected += 1
        return say(200, await verified(order.data))
      default:
        count.redirected += 1
        return say(200, await settled(order.data))
    }
  }

  const verified = (order: Order) => facilitator.verify(payloadOf(order), order.paymentRequirements)
  const settled = (order: Order) => facilitator.settle(payloadOf(order), order.paymentRequirements)

  function supported(): Answer | 'none' {
    switch (conduct.supported) {
      case 'well':
        return say(200, facilitator.getSupported())
      case 'answers too much':
        return tooMuch(facilitator.getSupported())
      case 'names another network':
        return say(200, {
          kinds: [
            { x402Version: 2, scheme: 'exact', network: networks.base.caip2 },
            { x402Version: 2, scheme: 'upto', network: network.caip2 },
            { x402Version: 1, scheme: 'exact', network: network.name },
          ],
          extensions: [],
          signers: {},
        })
      default:
        return fail(conduct.supported, 'supported')
    }
  }

  async function verify(order: Order): Promise<Answer | 'none'> {
    switch (conduct.verify) {
      case 'well':
        return say(200, await verified(order))
      case 'answers too much':
        return tooMuch(await verified(order))
      case 'refuses with 400':
        return say(400, { isValid: false, invalidReason: 'insufficient_funds', invalidMessage: 'too poor' })
      case 'refuses with 500':
        return say(500, { isValid: false, invalidReason: 'unexpected_verify_error' })
      default:
        return fail(conduct.verify, 'verify', order)
    }
  }

  async function settle(order: Order): Promise<Answer | 'none'> {
    const tell = (answer: object, status = 200) =>
      say(status, { network: network.caip2, transaction: '', ...answer })
    switch (conduct.settle) {
      case 'well': {
        const answer = tell(await settled(order))
        const extensions = list(order)
        return extensions === undefined ? answer : { ...answer, extensions }
      }
      case 'sends, then hangs':
        await settled(order)
        return 'none'
      case 'sends, then answers 502':
        await settled(order)
        return { status: 502, body: '<h1>Bad gateway</h1>' }
      case 'sends, then says pending': {
        const { transaction } = await settled(order)
        return tell({ success: false, errorReason: 'settlement_pending', transaction })
      }
      case 'sends, then says refused':
        await settled(order)
        return tell({ success: false, errorReason: 'invalid_exact_evm_insufficient_balance' })
      case 'sends, then names no transaction':
        await settled(order)
        return tell({ success: true })
      case 'refuses before sending':
        return tell({ success: false, errorReason: 'invalid_exact_evm_insufficient_balance' })
      case 'refuses for a reason of its own':
        return tell({ success: false, errorReason: 'computer_says_no' })
      case 'refuses with 400':
        return say(400, { success: false, errorReason: 'insufficient_funds', errorMessage: 'too poor' })
      case 'refuses with 500':
        return tell({ success: false, errorReason: 'invalid_exact_evm_insufficient_balance' }, 500)
      case 'says pending, but sent nothing':
        return tell({ success: false, errorReason: 'settlement_pending', transaction: missing })
      case 'names no transaction':
        return tell({ success: true })
      case 'names a transaction that is not there':
        return tell({ success: true, transaction: missing })
      case 'names somebody else’s transaction':
        return tell({ success: true, transaction: foreignTransaction })
      default:
        return fail(conduct.settle, 'settle', order)
    }
  }

  /** Lists what a settled payment declares. @returns what the facilitator says of it. */
  function list(order: Order): string | undefined {
    const { extensions } = order.paymentPayload
    if (extensions?.bazaar === undefined) return undefined
    const found = extractDiscoveryInfo(payloadOf(order), order.paymentRequirements)
    if (found) listed.push(found)
    const bazaar = found ? { status: 'success' } : { status: 'rejected', rejectedReason: 'does not fit' }
    return Buffer.from(JSON.stringify({ bazaar })).toString('base64')
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return Object.assign(conduct, {
    url: `http://127.0.0.1:${port}`,
    count,
    listed,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function payloadOf({ paymentPayload: { extensions, resource, ...payload } }: Order): PaymentPayload {
  return { ...payload, ...(resource && { resource }), ...(extensions && { extensions }) }
}

function say(status: number, body: object): Answer {
  return { status, body: JSON.stringify(body) }
}

/** White space around JSON is valid, and 300 kB of it exceed the gateway's limit. */
function tooMuch(body: object): Answer {
  return { status: 200, body: ' '.repeat(300_000) + JSON.stringify(body) }
}

function fail(failure: Failure, operation: string, order?: Order): Answer | 'none' {
  switch (failure) {
    case 'hangs':
      return 'none'
    case 'answers 500':
      return say(500, { error: 'out of order' })
    case 'answers no JSON':
      return { status: 200, body: '<h1>Welcome</h1>' }
    case 'gives no verdict':
      return say(200, { status: 'ok', transaction: missing })
    case 'repeats what it was sent':
      return say(400, { ...order?.paymentPayload.payload, error: 'what is this?' })
    case 'answers too much':
      return tooMuch({ error: 'out of order' })
    case 'redirects':
      return { status: 307, body: '', location: `/elsewhere/${operation}` }
  }
}
