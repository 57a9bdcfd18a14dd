import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { isHex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { amountTaken } from '../../client/amount-charged.ts'
import {
  askPrice,
  askPriceAlone,
  type CallResult,
  isQuote,
  type Outlet,
  type PaidRequest,
  PayError,
  pay,
  type Quote,
  type Scheme,
  schemes,
  sign,
} from '../../client/pay.ts'
import { isUsdc } from '../../core/money.ts'
import { devPayers } from '../../platform/chain/dev-accounts.ts'
import { harmless, note, print } from './output.ts'

/** `tollgate pay` and `tollgate sign`: a person does by hand what an agent's wallet does. */
export function addPayCommands(program: Command): void {
  payingCommand(
    program,
    'pay',
    'Call a paid endpoint and pay for it. On the local chain a test wallet pays unless you name another.',
  )
    .addOption(
      new Option(
        '--idempotency-key <name>',
        'name of the purchase, a random one when left out: with the same one again a lost answer is given once more and not charged',
      ).argParser(purchaseName),
    )
    .action(payFor)

  payingCommand(
    program,
    'sign',
    'Sign a payment without sending it, and print the value of its header, for curl.',
  ).action(async (url: string, options: PayOptions) => {
    const wallet = await namedWallet(options)
    const priced = await askPriceAlone(requestOf(url, options), options.scheme)
    if (!isQuote(priced))
      throw new PayError(`The endpoint answered ${priced.status} without asking for a payment.`)
    const header = await sign(priced, wallet ?? testWallet(priced, url), options.max, options.rpc)
    print(
      options.json
        ? JSON.stringify({ header, price: priced.price, requirement: priced.requirement })
        : header,
    )
  })
}

async function payFor(url: string, options: PayOptions): Promise<void> {
  const idempotencyKey = options.idempotencyKey ?? randomUUID()
  const request = { ...requestOf(url, options), idempotencyKey }
  const wallet = await namedWallet(options)
  const say = options.json ? () => {} : note
  const outlet = options.json ? undefined : toStandardOutput
  say(`→ ${request.method} ${request.url} without a payment`)
  const priced = await askPrice(request, options.scheme, outlet)
  if (!isQuote(priced)) {
    printAnswer(priced, options)
    return
  }
  const { requirement, scheme } = priced
  const price = scheme === 'upto' ? `at most ${priced.price} USDC` : `${priced.price} USDC`
  say(`← ${priced.status}: ${price} on ${requirement.network}, to ${requirement.payTo}`)
  const account = wallet ?? testWallet(priced, url)
  const payment = await sign(priced, account, options.max, options.rpc)
  say(`→ the same again, with a payment signed by ${account.address}`)
  say(
    `  Should the answer get lost: the same command with --idempotency-key ${idempotencyKey} asks for it again, unless it is streamed`,
  )
  // Whoever signed anew after a lost answer, and under another name, might pay twice.
  const again = `Repeat the call with this same payment and name; it is taken once at most:\nX-Payment-Signature: ${payment}\nIdempotency-Key: ${idempotencyKey}`
  try {
    const answer = await pay(request, payment, outlet)
    const taken = scheme === 'upto' ? await amountTaken(request, answer) : undefined
    printAnswer(answer, options, { idempotencyKey, taken, price: priced.price })
    if (isAllowanceMissing(answer)) note(allowanceAdvice)
    if (answer.status >= 500) note(again)
  } catch (cause) {
    throw cause instanceof PayError ? new PayError(`${cause.message}\n${again}`, { cause }) : cause
  }
}

const toStandardOutput: Outlet = {
  text: printPiece,
  async bytes(piece) {
    // A terminal obeys what it is sent; a file or a pipe gets it as it is.
    if (process.stdout.isTTY) printPiece(new TextDecoder().decode(piece))
    else if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
  },
}

/** Terminals go on by themselves at a line feed; a carriage return would be shown as a question mark. */
function printPiece(text: string): void {
  process.stdout.write(harmless(text.replaceAll('\r', '')))
}

/** Payments of scheme `upto` are moved by the contract Permit2, which every wallet has to allow that once. */
function isAllowanceMissing({ status, body }: CallResult): boolean {
  return status >= 400 && body.includes('permit2_allowance_required')
}

const allowanceAdvice =
  'The wallet has not allowed Permit2 to move its USDC, which payments of scheme upto need. Approve it once; or name the chain by --rpc URL, so that a permit goes along where the server carries it out; or pay the whole price: --scheme exact'

interface PayOptions {
  idempotencyKey?: string
  body?: string
  method: string
  key?: string
  keyFile?: string
  max: string
  scheme?: Scheme
  rpc?: string
  json?: boolean
}

function payingCommand(program: Command, name: string, description: string): Command {
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
    .addOption(
      new Option('-m, --max <usdc>', 'most to pay for this call').default('1.00').argParser(usdcAmount),
    )
    .addOption(
      new Option(
        '--scheme <scheme>',
        'pay the price (exact), or what the call comes to, up to a maximum (upto); upto where it is offered and costs no more, when left out',
      ).choices(schemes),
    )
    .option('--rpc <url>', 'address of the chain, for a wallet that has not allowed Permit2 yet')
    .option('--json', 'print one JSON object')
}

function usdcAmount(text: string): string {
  if (!isUsdc(text)) throw new InvalidArgumentError('It takes an amount of USDC like 0.50.')
  return text
}

function purchaseName(text: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) {
    throw new InvalidArgumentError('It takes 1 to 255 printable ASCII characters without blanks.')
  }
  return text
}

function requestOf(url: string, { method, body }: PayOptions): PaidRequest {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new PayError(`${url} is not an http(s) address.`)
  return { url, method: method.toUpperCase(), body }
}

/** @returns the wallet the caller named, if any. Neither the key nor anything made from it is ever shown. */
async function namedWallet({ key, keyFile }: PayOptions): Promise<LocalAccount | undefined> {
  const privateKey = keyFile === undefined ? key : await readKey(keyFile)
  if (privateKey === undefined) return undefined
  try {
    if (isHex(privateKey) && privateKey.length === 66) return privateKeyToAccount(privateKey)
  } catch {
    // What the library says of an impossible key contains it.
  }
  throw new PayError('That is not a private key: one is 0x and 64 hex digits.')
}

async function readKey(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    throw new PayError(`The key file cannot be read: ${cause instanceof Error ? cause.message : cause}`)
  }
}

/** A test wallet pays only where its money is play money: on this machine, on the test network. */
function testWallet({ requirement }: Quote, url: string): LocalAccount {
  const isLocal = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname)
  if (!isLocal || requirement.network !== 'eip155:84532') {
    throw new PayError('Say which wallet pays: --key-file FILE or --key 0x…')
  }
  return privateKeyToAccount(devPayers[0].privateKey)
}

/** What is told of a call that was paid for. */
interface Purchase {
  readonly idempotencyKey: string
  /** Decimal USDC; of scheme `upto`, where it is known. */
  readonly taken: string | undefined
  readonly price: string
}

function printAnswer(
  { status, body, isBase64, receipt, textEngine, isStreamed }: CallResult,
  { json }: PayOptions,
  purchase?: Purchase,
): void {
  if (status >= 400) process.exitCode = 1
  if (json) {
    const { idempotencyKey, taken } = purchase ?? {}
    const content = isBase64 ? { bodyBase64: body } : { body: readable(body) }
    const answer = { status, receipt: receipt ?? null, textEngine, ...content }
    print(JSON.stringify({ ...answer, idempotencyKey, taken }))
    return
  }
  const transaction =
    receipt?.success && receipt.transaction ? `, paid in transaction ${receipt.transaction}` : ''
  const taken = purchase?.taken === undefined ? '' : `, ${purchase.taken} of ${purchase.price} USDC taken`
  note(`← ${status}${transaction}${taken}`)
  if (isStreamed) return
  const value = isBase64 ? body : readable(body)
  print(typeof value === 'string' ? body : JSON.stringify(value, null, 2))
}

function readable(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Not every endpoint answers JSON; what it says is shown as it is.
    return body
  }
}
