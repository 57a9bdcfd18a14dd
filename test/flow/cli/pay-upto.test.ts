import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sign } from '../../../src/client/pay.ts'
import { askPrice, type Quote, type Scheme } from '../../../src/client/quote.ts'
import { devPayers, devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { decode, encode } from '../../support/chain/wallet.ts'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'

/** How `tollgate pay` handles offers of scheme `upto`, against a server that each test scripts. */

const payer = privateKeyToAccount(devPayers[0].privateKey)
const { usdc, caip2 } = networks['base-sepolia']
const paymentId = `0x${'ab'.repeat(32)}`

const offer = (scheme: string, amount: string) => ({
  scheme,
  network: caip2,
  amount,
  asset: usdc.address,
  payTo: devPayTo.address,
  maxTimeoutSeconds: 300,
  extra: {
    name: usdc.name,
    version: usdc.version,
    assetTransferMethod: 'permit2',
    facilitatorAddress: devSettler.address,
  },
})
const exact = offer('exact', '500000')
const upto = offer('upto', '500000')

type Serve = (paid: Quote['requirement'] | undefined, response: ServerResponse, path: string) => void
const payments = z.object({
  accepted: z.custom<Quote['requirement']>(),
  payload: z.record(z.string(), z.unknown()),
})

let serve: Serve = () => {}
let url: string
let workplace: Workplace
const server = createServer((request, response) => {
  const header = request.headers['payment-signature']
  const paid =
    typeof header === 'string' && header !== 'e30=' ? payments.parse(decode(header)).accepted : undefined
  serve(paid, response, request.url ?? '')
})

beforeAll(async () => {
  workplace = await openWorkplace()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  url = `http://127.0.0.1:${address.port}/ai/chat`
})

afterAll(async () => {
  server.close()
  await workplace.close()
})

const unpaid = (response: ServerResponse, accepts: readonly object[]) => {
  const required = {
    x402Version: 2,
    resource: { url, description: 'Talk.', mimeType: 'application/json' },
    accepts,
  }
  response.writeHead(402, { 'payment-required': encode(required) }).end()
}

async function quote(accepts: readonly object[], scheme?: Scheme): Promise<Quote> {
  serve = (_paid, response) => unpaid(response, accepts)
  const reply = await askPrice({ url, method: 'POST', body: '{}' }, scheme)
  if (reply.kind === 'result') throw new Error('no price was asked')
  return reply.quote
}

test.each<[string, readonly object[], Scheme | undefined, Scheme]>([
  ['upto and exact at the same amount', [upto, exact], undefined, 'upto'],
  ['upto and exact, and the payer asks for exact', [upto, exact], 'exact', 'exact'],
  ['only exact', [exact], undefined, 'exact'],
  ['only upto', [upto], undefined, 'upto'],
  ['upto with a maximum above the exact price', [offer('upto', '500001'), exact], undefined, 'exact'],
  [
    'upto with a maximum above the exact price, and the payer asks for upto',
    [offer('upto', '500001'), exact],
    'upto',
    'upto',
  ],
])(
  'when the server offers %s, the quote has the cheapest or the wanted scheme',
  async (_label, accepts, wanted, scheme) => {
    expect((await quote(accepts, wanted)).scheme).toBe(scheme)
  },
)

test('a wanted scheme that is not offered is refused, not replaced', async () => {
  await expect(quote([exact], 'upto')).rejects.toThrow('The server offers no payment of scheme upto')
})

test('nothing is signed when the maximum of upto is above the limit of the payer', async () => {
  await expect(sign(await quote([upto]), payer, '0.49')).rejects.toThrow(
    'The call costs 0.50 USDC, more than the 0.49 allowed (--max). Nothing was signed.',
  )
})

test('a payment of scheme upto signs the maximum and the one account that may settle it', async () => {
  const { payload, accepted } = payments.parse(decode(await sign(await quote([upto]), payer, '0.50')))
  expect(accepted).toMatchObject({ scheme: 'upto', amount: '500000' })
  expect(payload.permit2Authorization).toMatchObject({
    from: payer.address,
    permitted: { token: usdc.address, amount: '500000' },
    witness: { to: devPayTo.address, facilitator: devSettler.address },
  })
})

test('tollgate pay prints a streamed reply as it arrives, and then how much of the maximum was taken', async () => {
  const sent: { rest?: () => void } = {}
  const states = ['served', 'settling', 'settled']
  serve = (paid, response, path) => {
    if (path.startsWith('/payments/')) {
      expect(path).toBe(`/payments/${paymentId}`)
      response.end(JSON.stringify({ state: states.shift(), amount: states.length > 0 ? '0.50' : '0.0123' }))
    } else if (!paid) {
      unpaid(response, [upto, exact])
    } else {
      expect(paid.scheme).toBe('upto')
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-payment-id': paymentId })
      response.write('data: first\r\n\r\n')
      sent.rest = () => response.end('data: l\u001b[2Jast\n\n')
    }
  }
  const running = workplace.start('cli', { args: ['pay', url, '--body', '{}'] })
  await running.shows(/data: first/)
  sent.rest?.()
  const { code, stdout, stderr } = await running.ended
  expect(stdout).toBe('data: first\n\ndata: l?[2Jast\n\n')
  expect(stderr).toMatch(/^← 402: at most 0\.50 USDC on eip155:84532/m)
  expect(stderr).toMatch(/^← 200, 0\.0123 of 0\.50 USDC taken$/m)
  expect(code).toBe(0)
})

test('tollgate pay --json prints the amount that the receipt names', async () => {
  const receipt = {
    success: true,
    transaction: `0x${'12'.repeat(32)}`,
    network: caip2,
    payer: payer.address,
    amount: '12300',
  }
  serve = (paid, response) => {
    if (paid) response.writeHead(200, { 'payment-response': encode(receipt) }).end('{"a":1}')
    else unpaid(response, [upto, exact])
  }
  const json = await workplace.run('cli', { args: ['pay', url, '--body', '{}', '--json'] })
  expect(JSON.parse(json.stdout)).toMatchObject({ status: 200, taken: '0.0123', receipt, body: { a: 1 } })
})

test('tollgate pay says what to do when the wallet has not approved Permit2', async () => {
  const details = { reason: 'permit2_allowance_required' }
  serve = (paid, response) => {
    if (paid) response.writeHead(402).end(JSON.stringify({ code: 'PAYMENT_INVALID', details }))
    else unpaid(response, [upto, exact])
  }
  const { code, stderr } = await workplace.run('cli', { args: ['pay', url, '--body', '{}'] })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^The wallet has not allowed Permit2 .* --rpc .* --scheme exact$/m)
})
