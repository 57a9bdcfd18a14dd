import { randomUUID } from 'node:crypto'
import { getAddress, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { createScanClient } from '../cli/gateway/scan-client.ts'
import { pay, sign } from '../client/pay.ts'
import { askPrice } from '../client/quote.ts'
import { formatUsdc } from '../core/money.ts'
import { totals } from '../doors/ledger/totals.ts'
import { tokenAbi } from '../doors/x402/evidence/token.ts'
import { scanResultsSchema } from '../edge/handlers/scans/replies.ts'
import { devPayers, devPayTo } from '../platform/chain/dev-accounts.ts'
import type { RunningGateway } from '../server/server.ts'
import { out, runDemo, stop } from './run-demo.ts'
import { startDemoSite } from './site.ts'

/**
 * `npm run demo`: starts a gateway with its own books and chain on free ports. An agent gets the price of
 * each paid endpoint and pays for a call. It buys an API key and calls with it. A caller without a wallet
 * scans a website on the free quota. Exits with 0 only when the books equal the chain to the atomic unit.
 */
const calls = [
  {
    path: '/api/analyze',
    body: {
      businessName: 'Bright Smile Dental',
      industry: 'healthcare',
      question: 'How do we cut missed appointments?',
    },
  },
  {
    path: '/api/leads/research',
    body: { companyName: 'Northwind Logistics', targetRole: 'head of operations' },
  },
  {
    path: '/api/content/blog',
    body: {
      topic: 'Cutting no-shows with appointment reminders',
      targetKeyword: 'appointment reminders',
      tone: 'friendly',
    },
  },
] as const

const subscription = { tier: 'starter', label: 'the demo' }

const site = await startDemoSite()
await runDemo({
  prepare: async () => ({
    change: { scans: { atOnce: 1, allowedTargets: `${site.domain}=127.0.0.1:${site.port}` } },
  }),
  run,
  cleanUp: site.close,
})

async function run(gateway: RunningGateway): Promise<void> {
  const wallet = privateKeyToAccount(devPayers[0].privateKey)
  out(`\nThe gateway listens on ${gateway.address}. An agent calls it with the wallet ${wallet.address}.`)
  const before = await received(gateway)

  for (const { path, body } of calls) out(excerpt(await buy(gateway, wallet, path, body)))

  out('\nThe agent buys an API key for further calls:')
  const { key } = z
    .object({ key: z.string() })
    .parse(JSON.parse(await buy(gateway, wallet, '/api/keys', subscription)))
  out(`    the key ${key.slice(0, 8)}…${key.slice(-4)}, shown this once`)
  await callWithKey(gateway, key)

  out('\nA caller without a wallet scans a website on the free quota:')
  await scan(gateway)

  out('\nThe books:')
  const lines = await totals(gateway.services)
  for (const { operation, state, payments, amount } of lines) {
    out(
      `  ${operation.padEnd(18)} ${state.padEnd(10)} ${String(payments).padStart(3)}  ${formatUsdc(amount).padStart(8)} USDC`,
    )
  }
  // On a slow machine the chain has finalized the first payments by now.
  const taken = lines.filter(({ state }) => state === 'settled' || state === 'final')
  const booked = taken.reduce((sum, { amount }) => sum + amount, 0n)
  const onChain = (await received(gateway)) - before
  out(`  booked as settled  ${formatUsdc(booked)} USDC`)
  out(`  received on chain  ${formatUsdc(onChain)} USDC`)
  if (booked !== onChain || taken.length < lines.length) {
    throw new Error('The books do not match the chain.')
  }
  out('The books match the chain, to the atomic unit.')
}

/**
 * Asks for the price and pays it.
 * @returns the body of the reply.
 */
async function buy(
  { address }: RunningGateway,
  wallet: LocalAccount,
  path: string,
  body: object,
): Promise<string> {
  stop.throwIfAborted()
  const request = {
    url: `${address}${path}`,
    method: 'POST',
    body: JSON.stringify(body),
    idempotencyKey: randomUUID(),
  }
  out(`\n→ POST ${path} ${request.body}`)
  const unpaid = await askPrice(request)
  if (unpaid.kind === 'result') {
    throw new Error(`${path} answered ${unpaid.result.status} without asking for a payment`)
  }
  const { quote } = unpaid
  out(`← 402 Payment Required: ${quote.price} USDC on ${quote.requirement.network}`)
  out('→ the same request, with a signed payment')
  const paid = await pay(request, await sign(quote, wallet, '10.00'))
  if (paid.status >= 400 || !paid.receipt?.success)
    throw new Error(`${path} answered ${paid.status}: ${paid.body}`)
  out(`← ${paid.status}, paid in transaction ${paid.receipt.transaction}`)
  return paid.body
}

/** Calls a priced endpoint with an API key, which pays for the call. */
async function callWithKey({ address }: RunningGateway, key: string): Promise<void> {
  stop.throwIfAborted()
  out(`\n→ POST ${calls[0].path} with the key and no payment`)
  const response = await fetch(`${address}${calls[0].path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-mcp-api-key': key },
    body: JSON.stringify(calls[0].body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${calls[0].path} answered ${response.status}: ${text}`)
  out(`← 200, nothing paid; RateLimit: ${response.headers.get('ratelimit')}`)
}

/** Scans the demo site on the free quota. */
async function scan({ address }: RunningGateway): Promise<void> {
  stop.throwIfAborted()
  out(`\n→ POST /api/insights/scan {"url":"${site.domain}"}`)
  const client = createScanClient(address, undefined)
  const { scanId } = await client.start({ url: site.domain })
  let lastMessage = ''
  for await (const { status, progress, message } of client.follow(scanId)) {
    stop.throwIfAborted()
    if (message !== lastMessage) out(`    ${String(progress).padStart(3)} %  ${message}`)
    lastMessage = message
    if (status === 'error') throw new Error(`The scan ended in an error: ${message}`)
  }
  const { results } = scanResultsSchema.parse(JSON.parse(await client.results(scanId)))
  if (!results) throw new Error('The scan is complete and has no results.')
  out(`← readiness ${results.readinessScore} of 100, AEO ${results.aeoScore} of 100`)
  for (const finding of results.keyFindings.slice(0, 3)) out(`    - ${shortened(finding)}`)
}

/** Reads the USDC balance of the receiving account, in atomic units. */
function received({ services: { client, network } }: RunningGateway): Promise<bigint> {
  return client.readContract({
    address: network.usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [getAddress(devPayTo.address)],
  })
}

/** Returns the first lines of a bought text. */
function excerpt(body: string): string {
  const texts = strings(JSON.parse(body)).toSorted((a, b) => b.length - a.length)
  const lines = (texts[0] ?? '').split('\n').filter((line) => line.trim() !== '')
  return lines
    .slice(0, 5)
    .map((line) => `    ${shortened(line)}`)
    .concat(`    … ${body.length} bytes in all`)
    .join('\n')
}

function shortened(line: string): string {
  return line.length > 110 ? `${line.slice(0, 109)}…` : line
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}
