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
import { out, play, stop } from './stage.ts'

/**
 * `npm run demo:tokens`: a language model's server behind the gateway, sold by the token. Somebody without anything
 * asks it on the free quota, a subscriber with a key, and an agent with a wallet, each with OpenAI's own client and
 * nothing changed in it but its address. Ends with 0 only when the gateway has counted what the model has told.
 */
const secret = 'sk-demo-upstream'

const model = await startDemoModel(secret, 5)
await play({
  async prepare(folder) {
    const catalogFile = join(folder, 'catalog.yaml')
    await writeFile(catalogFile, catalogOf(model))
    return { settings: { CATALOG_FILE: catalogFile, UPSTREAM_MODEL_KEY: secret } }
  },
  show,
  tidy: model.close,
})

/** The whole of what an operator writes to sell a model by the token. */
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
    description: What models there are.
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

async function show(gateway: RunningGateway): Promise<void> {
  const baseURL = `${gateway.address}/llm/v1`
  out(`\nA model is sold at ${baseURL}.`)

  out('\nSomebody without key and wallet asks, on the free quota:')
  const anonymous = { baseURL, apiKey: 'none', maxRetries: 0, defaultHeaders: { authorization: null } }
  await ask(new OpenAI(anonymous), 'How do we cut missed appointments?')

  out('\nA subscriber asks with a key, twice, the second time as a stream:')
  const { text } = await createKey(
    { queries: gateway.services.queries, clock: systemClock },
    { tier: 'team', owner: 'the demo', label: '', expiresAt: null },
  )
  const subscriber = new OpenAI({ baseURL, apiKey: text, maxRetries: 0 })
  await ask(subscriber, 'How do we answer the telephone faster?')
  await follow(subscriber, 'How do we write fewer letters by hand?')

  const wallet = privateKeyToAccount(devPayers[0].privateKey)
  out(`\nAn agent pays from its wallet ${wallet.address}, once for an answer and once for a stream:`)
  const client = new x402Client().register('eip155:*', new UptoEvmScheme(wallet))
  const agent = new OpenAI({ ...anonymous, fetch: wrapFetchWithPayment(fetchOrPay, client) })
  await ask(agent, 'How do we plan the week of six people?')
  await follow(agent, 'How do we keep the books with less typing?')

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
  out(`    ${data.usage?.prompt_tokens} + ${data.usage?.completion_tokens} tokens; ${terms(response)}`)
}

async function follow(client: OpenAI, content: string): Promise<void> {
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
  out(`    ${pieces} pieces; ${terms(response)}`)
}

/** What the reply says of quota or payment. */
function terms({ headers }: Response): string {
  const payment = headers.get('x-payment-id')
  return payment ? `payment ${payment.slice(0, 18)}…` : `RateLimit: ${headers.get('ratelimit')}`
}

async function compare({ services }: RunningGateway): Promise<void> {
  const { told } = model
  out('\nWhat was counted:')
  const counted = await meteringTotals(services, {})
  for (const { operation, door, calls, input, output, amount } of counted) {
    out(
      `  ${operation} by ${door.padEnd(8)} ${String(calls).padStart(2)} calls  ${String(input).padStart(4)} + ${String(output).padStart(4)} tokens  worth ${formatUsdc(amount)} USDC`,
    )
  }
  const sum = (field: 'input' | 'output' | 'amount') => counted.reduce((total, row) => total + row[field], 0n)
  out(`  the model told ${told.calls} calls, ${told.prompt} + ${told.completion} tokens`)
  const sold = (await totals(services)).reduce((total, { amount }) => total + amount, 0n)
  const worth = counted
    .filter(({ door }) => door === 'payment')
    .reduce((total, { amount }) => total + amount, 0n)
  out(`  paid on the chain ${formatUsdc(sold)} USDC, for what is worth ${formatUsdc(worth)}`)
  const isEven =
    sum('input') === BigInt(told.prompt) && sum('output') === BigInt(told.completion) && sold === worth
  if (!isEven) throw new Error('The gateway has not counted what the model has told.')
  out(
    'The gateway has counted what the model has told, to the token, and was paid for it, to the atomic unit.',
  )
}

function shortened(line: string): string {
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}
