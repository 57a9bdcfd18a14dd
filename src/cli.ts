#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { isHex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devPayers } from './chain/dev-accounts.ts'
import { askPrice, type Paid, type PaidRequest, PayError, pay, type Quote, sign } from './client/pay.ts'
import { CatalogError, describeFault, type Fault, loadCatalog } from './config/catalog-file.ts'
import { catalogJsonSchema } from './config/catalog-json-schema.ts'
import { isUsdc, parseUsdc } from './core/money.ts'
import { explainFailure } from './failure.ts'
import { operationIds } from './handlers/endpoints.ts'

/** The `tollgate` command. Every command takes --json and ends with 0 only when it did what it says. */
const program = new Command('tollgate')
  .description('An x402 payment gateway: try it, and tend it.')
  .version('1.0.0')

interface PayOptions {
  body?: string
  method: string
  key?: string
  keyFile?: string
  max: string
  json?: boolean
}

function payingCommand(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .argument('<url>', 'address of the paid endpoint')
    .option('-b, --body <json>', 'JSON to send')
    .option('-X, --method <method>', 'HTTP method', 'POST')
    .addOption(
      new Option(
        '-k, --key <hex>',
        'private key of the paying wallet; other users of this machine can see it',
      ).conflicts('keyFile'),
    )
    .option('--key-file <file>', 'file that holds the private key')
    .option('-m, --max <usdc>', 'most to pay for this call', '1.00')
    .option('--json', 'print one JSON object')
}

payingCommand(
  'pay',
  'Call a paid endpoint and pay for it. On the local chain a test wallet pays unless you name another.',
).action(async (url: string, options: PayOptions) => {
  const request = requestOf(url, options)
  const say = options.json ? () => {} : note
  say(`→ ${request.method} ${request.url} without a payment`)
  const priced = await askPrice(request)
  if (!isQuote(priced)) {
    printPaid(priced, options)
    return
  }
  say(`← 402: ${priced.price} USDC on ${priced.requirement.network}, to ${priced.requirement.payTo}`)
  const account = await walletOf(options, priced, url)
  checkMax(priced, options)
  say(`→ the same again, with a payment signed by ${account.address}`)
  printPaid(await pay(request, account, options.max), options)
})

payingCommand(
  'sign',
  'Sign a payment without sending it, and print the value of its header, for curl.',
).action(async (url: string, options: PayOptions) => {
  const priced = await askPrice(requestOf(url, options))
  if (!isQuote(priced))
    throw new PayError(`The endpoint answered ${priced.status} without asking for a payment.`)
  checkMax(priced, options)
  const header = await sign(priced, await walletOf(options, priced, url), options.max)
  print(
    options.json ? JSON.stringify({ header, price: priced.price, requirement: priced.requirement }) : header,
  )
})

const pricing = program.command('pricing').description('The catalogue of prices.')

pricing
  .command('check')
  .description('Check a catalogue and print every fault with its line.')
  .argument('[file]', 'the catalogue', 'pricing/catalog.yaml')
  .option('--json', 'print one JSON object')
  .action(async (file: string, options: { json?: boolean }) => {
    const faults = await catalogFaults(file)
    if (options.json) print(JSON.stringify({ file, valid: faults.length === 0, faults }))
    else if (faults.length === 0) print(`${file}: no faults`)
    else for (const fault of faults) print(describeFault(file, fault))
    if (faults.length > 0) process.exitCode = 1
  })

pricing
  .command('schema')
  .description('Print the JSON Schema of the catalogue, for editors.')
  .action(() => {
    process.stdout.write(catalogJsonSchema())
  })

try {
  await program.parseAsync()
} catch (error) {
  note(error instanceof PayError ? error.message : explainFailure(error))
  process.exitCode = 1
}

async function catalogFaults(file: string): Promise<readonly Fault[]> {
  try {
    await loadCatalog(file, operationIds)
    return []
  } catch (error) {
    if (error instanceof CatalogError) return error.faults
    throw error
  }
}

function requestOf(url: string, { method, body }: PayOptions): PaidRequest {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new PayError(`${url} is not an http(s) address.`)
  return { url, method: method.toUpperCase(), body }
}

function isQuote(priced: Quote | Paid): priced is Quote {
  return 'requirement' in priced
}

function checkMax({ price }: Quote, { max }: PayOptions): void {
  if (!isUsdc(max)) throw new PayError(`--max takes an amount of USDC like 0.50, not ${max}.`)
  if (parseUsdc(price) > parseUsdc(max))
    throw new PayError(`The call costs ${price} USDC, more than --max ${max}. Nothing was signed.`)
}

/** A test wallet pays only where its money is play money: on this machine, on the test network. */
async function walletOf(options: PayOptions, quote: Quote, url: string): Promise<LocalAccount> {
  const key = options.keyFile ? (await readFile(options.keyFile, 'utf8')).trim() : options.key
  if (key !== undefined) {
    if (!isHex(key) || key.length !== 66) throw new PayError('The private key must be 0x and 64 hex digits.')
    return privateKeyToAccount(key)
  }
  const isLocal = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname)
  if (!isLocal || quote.requirement.network !== 'eip155:84532') {
    throw new PayError('Say which wallet pays: --key-file FILE or --key 0x…')
  }
  return privateKeyToAccount(devPayers[0].privateKey)
}

function printPaid({ status, body, receipt, textEngine }: Paid, { json }: PayOptions): void {
  if (status >= 400) process.exitCode = 1
  if (json) {
    print(JSON.stringify({ status, receipt: receipt ?? null, textEngine, body: readable(body) }))
    return
  }
  note(`← ${status}${receipt?.success ? `, paid in transaction ${receipt.transaction}` : ''}`)
  print(JSON.stringify(readable(body), null, 2))
}

function readable(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Not every endpoint answers JSON; what it says is shown as it is.
    return body
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** What is said along the way goes to standard error, so that standard output holds the answer alone. */
function note(line: string): void {
  process.stderr.write(`${line}\n`)
}
