import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devPayers, devPayTo } from './chain/dev-accounts.ts'
import { askPrice, isQuote, pay, sign } from './client/pay.ts'
import { type Config, readConfig } from './config/config.ts'
import { createLog } from './core/log.ts'
import { formatUsdc } from './core/money.ts'
import { explainFailure } from './failure.ts'
import { totals } from './ledger/totals.ts'
import { listenForStop, type RunningGateway, startServer } from './server.ts'
import { tokenAbi } from './x402/token.ts'

/**
 * `npm run demo`: a gateway on free ports with books and a chain of its own, an agent that meets the
 * price, pays and is served on every paid endpoint, and then the books next to the chain. Ends with 0
 * only when both say the same, to the atomic unit.
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
]

const out = (line = '') => process.stdout.write(`${line}\n`)

// A reader that has seen enough, like head, must not keep us from tidying up.
process.stdout.on('error', () => {})
const stop = listenForStop()
const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-demo-'))
try {
  // Nothing of the machine's settings is read: the demo is the same everywhere, and touches nobody's money.
  const config: Config = {
    ...readConfig({ DATA_DIR: dataDir }, () => false),
    listen: { host: '127.0.0.1', port: 0 },
    chain: { kind: 'local', port: 0 },
  }
  const gateway = await startServer(config, createLog('error'), (line) => out(`  ${line} …`))
  try {
    await show(gateway)
  } finally {
    await gateway.close()
  }
} catch (error) {
  process.stderr.write(`${stop.aborted ? 'The demo was stopped.' : explainFailure(error)}\n`)
  process.exitCode = 1
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

async function show(gateway: RunningGateway): Promise<void> {
  const wallet = privateKeyToAccount(devPayers[0].privateKey)
  out(`\nThe gateway listens on ${gateway.address}. An agent with the wallet ${wallet.address} comes along.`)
  const before = await received(gateway)

  for (const { path, body } of calls) {
    stop.throwIfAborted()
    const request = { url: `${gateway.address}${path}`, method: 'POST', body: JSON.stringify(body) }
    out(`\n→ POST ${path} ${request.body}`)
    const quote = await askPrice(request)
    if (!isQuote(quote)) throw new Error(`${path} answered ${quote.status} without asking for a payment`)
    out(`← 402 Payment Required: ${quote.price} USDC on ${quote.requirement.network}`)
    out('→ the same again, with a signed payment')
    const paid = await pay(request, await sign(quote, wallet, '1.00'))
    if (paid.status !== 200 || !paid.receipt?.success)
      throw new Error(`${path} answered ${paid.status}: ${paid.body}`)
    out(`← ${paid.status}, paid in transaction ${paid.receipt.transaction}`)
    out(excerpt(paid.body))
  }

  out('\nThe books:')
  const lines = await totals(gateway.services)
  for (const { operation, state, payments, amount } of lines) {
    out(
      `  ${operation.padEnd(18)} ${state.padEnd(10)} ${String(payments).padStart(3)}  ${formatUsdc(amount).padStart(8)} USDC`,
    )
  }
  const booked = lines
    .filter(({ state }) => state === 'settled')
    .reduce((sum, { amount }) => sum + amount, 0n)
  const arrived = (await received(gateway)) - before
  out(`  booked as settled  ${formatUsdc(booked)} USDC`)
  out(`  arrived on chain   ${formatUsdc(arrived)} USDC`)
  if (booked !== arrived || lines.some(({ state }) => state !== 'settled'))
    throw new Error('The books do not close with the chain.')
  out('The books close with the chain, to the atomic unit.')
}

/** What the operator holds, in atomic units, as the token says. */
function received({ services: { client, network } }: RunningGateway): Promise<bigint> {
  return client.readContract({
    address: network.usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [getAddress(devPayTo.address)],
  })
}

/** The first lines of the text that was bought. */
function excerpt(body: string): string {
  const texts = strings(JSON.parse(body)).toSorted((a, b) => b.length - a.length)
  const lines = (texts[0] ?? '').split('\n').filter((line) => line.trim() !== '')
  return lines
    .slice(0, 5)
    .map((line) => `    ${line.length > 110 ? `${line.slice(0, 109)}…` : line}`)
    .concat(`    … ${body.length} bytes in all`)
    .join('\n')
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}
