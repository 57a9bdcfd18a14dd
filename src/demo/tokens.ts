import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import OpenAI from 'openai'
import { privateKeyToAccount } from 'viem/accounts'
import { fetchOrPay } from '../client/fetch-or-pay.ts'
import { systemClock } from '../core/clock.ts'
import { formatUsdc } from '../core/money.ts'
import { createKey } from '../doors/keys/keys.ts'
import { meteringTotals } from '../doors/ledger/meterings.ts'
import { totals } from '../doors/ledger/totals.ts'
import { devPayers } from '../platform/chain/dev-accounts.ts'
import type { RunningGateway } from '../server/server.ts'
import { type DemoModel, modelName, startDemoModel } from './model.ts'
import { out, runDemo, stop } from './run-demo.ts'

/**
 * `npm run demo:tokens`: sells a language model's server by the token. An anonymous caller asks on the free quota, a
 * subscriber with an API key and an agent with a wallet, each with OpenAI's own client at the gateway's address. Exits
 * with 0 only when the gateway has counted the tokens that the model has reported.
 */
const secret = 'sk-demo-upstream'

const model = await startDemoModel(secret, 5)
await runDemo({
  async prepare(folder) {
    const catalogFile = join(folder, 'catalog.yaml')
    await writeFile(catalogFile, catalogOf(model))
    return { settings: { CATALOG_FILE: catalogFile, UPSTREAM_MODEL_KEY: secret } }
  },
  run,
  cleanUp: model.close,
})

/** The whole catalog that an operator writes to sell a model by the token. */
function catalogOf({ port }: DemoModel): string {
  return `
provider:
  name: Tokens by the call
  description: A language model, sold by the token.
upstreams:
  llm:
    prefix: /llm
    targets: ["http://127.0.0.1:${port}"]
    private: true
    inject: { authorization: "Bearer \${UPSTREAM_MODEL_KEY}" }
operations:
  listModels:
    access: open
    upstream: llm
    route: GET /v1/models
    description: The available models.
  createChatCompletion:
    access: optional
    upstream: llm
    route: POST /v1/chat/completions
    description: The answer of a language model, by OpenAI's protocol.
    free: 1000 tokens/day
    price: { per: tokens, units: 1000000, input: "0.50", output: "2.00", max: "0.01", max_units: 1000 }
tiers:
  team:
    description: A month of tokens for a team.
    operations: { createChatCompletion: 100000 tokens/month }
`
}

async function run(gateway: RunningGateway): Promise<void> {
  const baseURL = `${gateway.address}/llm/v1`
  out(`\nThe gateway sells a model at ${baseURL}.`)

  out('\nA caller without key and wallet asks on the free quota:')
  const anonymous = { baseURL, apiKey: 'none', maxRetries: 0, defaultHeaders: { authorization: null } }
  await ask(new OpenAI(anonymous), 'How do we cut missed appointments?')

  out('\nA subscriber asks twice with an API key, the second time for a stream:')
  const { text } = await createKey(
    { queries: gateway.services.queries, clock: systemClock },
    {
      tier: 'team',
      owner: 'the demo',
      label: '',
      chainId: gateway.services.network.chainId,
      expiresAt: null,
    },
  )
  const subscriber = new OpenAI({ baseURL, apiKey: text, maxRetries: 0 })
  await ask(subscriber, 'How do we answer the telephone faster?')
  await askForStream(subscriber, 'How do we write fewer letters by hand?')

  const wallet = privateKeyToAccount(devPayers[0].privateKey)
  out(`\nAn agent pays from its wallet ${wallet.address}, once for a whole reply and once for a stream:`)
  const client = new x402Client().register('eip155:*', new UptoEvmScheme(wallet))
  const agent = new OpenAI({ ...anonymous, fetch: wrapFetchWithPayment(fetchOrPay, client) })
  await ask(agent, 'How do we plan the week of six people?')
  await askForStream(agent, 'How do we keep the books with less typing?')

  await gateway.services.idle()
  await compare(gateway)
}

async function ask(client: OpenAI, content: string): Promise<void> {
  stop.throwIfAborted()
  const { data, response } = await client.chat.completions
    .create({ model: modelName, messages: [{ role: 'user', content }] })
    .withResponse()
  out(`  → ${content}`)
  out(`  ← ${shortened(data.choices[0]?.message.content ?? '')}`)
  out(
    `    ${data.usage?.prompt_tokens} + ${data.usage?.completion_tokens} tokens; ${describeTerms(response)}`,
  )
}

async function askForStream(client: OpenAI, content: string): Promise<void> {
  stop.throwIfAborted()
  const { data, response } = await client.chat.completions
    .create({ model: modelName, messages: [{ role: 'user', content }], stream: true })
    .withResponse()
  let answer = ''
  let pieces = 0
  for await (const chunk of data) {
    answer += chunk.choices[0]?.delta.content ?? ''
    pieces += 1
  }
  out(`  → ${content}`)
  out(`  ← ${shortened(answer)}`)
  out(`    ${pieces} pieces; ${describeTerms(response)}`)
}

/** Describes what the reply says about quota or payment. */
function describeTerms({ headers }: Response): string {
  const payment = headers.get('x-payment-id')
  return payment ? `payment ${payment.slice(0, 18)}…` : `RateLimit: ${headers.get('ratelimit')}`
}

async function compare({ services }: RunningGateway): Promise<void> {
  const { reported } = model
  out('\nThe gateway has counted:')
  const counted = await meteringTotals(services, {})
  for (const { operation, door, calls, input, output, amount } of counted) {
    out(
      `  ${operation} by ${door.padEnd(8)} ${String(calls).padStart(2)} calls  ${String(input).padStart(4)} + ${String(output).padStart(4)} tokens  worth ${formatUsdc(amount)} USDC`,
    )
  }
  const sum = (field: 'input' | 'output' | 'amount') => counted.reduce((total, row) => total + row[field], 0n)
  out(`  the model has reported ${reported.calls} calls, ${reported.prompt} + ${reported.completion} tokens`)
  const sold = (await totals(services)).reduce((total, { amount }) => total + amount, 0n)
  const worth = counted
    .filter(({ door }) => door === 'payment')
    .reduce((total, { amount }) => total + amount, 0n)
  out(`  paid on the chain ${formatUsdc(sold)} USDC, for calls worth ${formatUsdc(worth)}`)
  const isEqual =
    sum('input') === BigInt(reported.prompt) &&
    sum('output') === BigInt(reported.completion) &&
    sold === worth
  if (!isEqual) throw new Error('The gateway has not counted what the model has reported.')
  out(
    'The gateway has counted every token that the model has reported, and was paid for them to the atomic unit.',
  )
}

function shortened(line: string): string {
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}
