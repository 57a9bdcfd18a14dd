import { randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import { findAmountCharged } from '../../client/amount-charged.ts'
import { pay, payAgain, sign } from '../../client/pay.ts'
import { PayError } from '../../client/pay-error.ts'
import { askPrice, type Quote } from '../../client/quote.ts'
import type { CallResult, PaidRequest } from '../../client/send.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { note } from '../output.ts'
import { payerOf } from '../payment/payer-of.ts'
import {
  addPaymentOptions,
  methodAdvice,
  type PaymentOptions,
  toRequest,
} from '../payment/payment-options.ts'
import { printResult, stdoutOutlet } from '../payment/print-result.ts'
import { nameOption } from '../payment/purchase-name.ts'
import { beginMovement, type Movement } from '../payment/show-movement.ts'
import { readWallet, testWalletFor } from '../payment/wallet.ts'

/** `tollgate pay`: calls a paid endpoint by hand and does what an agent's wallet does. */
export function addPayCommand(program: Command, access: Access): void {
  const command = program
    .command('pay')
    .description(
      'Call a paid endpoint and pay for it. On the local chain a test wallet pays unless you name another.',
    )
  addPaymentOptions(command)
    .addOption(nameOption)
    .addOption(
      new Option(
        '--payment <header>',
        'payment header of an earlier call, to fetch its lost reply: signs no payment, but signs in with the wallet if the server asks who pays',
      ).conflicts('scheme'),
    )
    .action((url: string, options: PayOptions) => callAndPay(url, options, access))
}

interface PayOptions extends PaymentOptions {
  idempotencyKey?: string
  /** The value of a payment header. */
  payment?: string
}

async function callAndPay(url: string, options: PayOptions, access: Access): Promise<void> {
  if (options.payment !== undefined) return fetchReply(url, options.payment, options)
  const request = { ...toRequest(url, options), idempotencyKey: options.idempotencyKey ?? randomUUID() }
  const wallet = await readWallet(options)
  const progress = options.json ? () => {} : note
  progress(`→ ${request.method} ${request.url} without a payment`)
  const unpaid = await askPrice(request, options.scheme, outletFor(options))
  switch (unpaid.kind) {
    case 'result': {
      const advice = methodAdvice(unpaid.result).trim()
      printResult(unpaid.result, options)
      if (advice) note(advice)
      return
    }
    case 'quote': {
      const { quote } = unpaid
      const { network, payTo } = quote.requirement
      const price = quote.scheme === 'upto' ? `at most ${quote.price} USDC` : `${quote.price} USDC`
      progress(`← ${quote.status}: ${price} on ${network}, to ${payTo}`)
      const account = wallet ?? testWalletFor(quote, url)
      const payment = await sign(quote, account, options.max, options.rpc)
      const movement = options.json
        ? undefined
        : await beginMovement(url, quote, account.address, { rpc: options.rpc, access })
      progress(`→ the same request, with a payment signed by ${account.address}`)
      progress(
        `  If the reply gets lost, fetch it again without paying twice (streamed replies are not stored): run the same command with`,
      )
      // The key stands at the end of the line: with copied punctuation it would be another key, and so
      // another purchase.
      progress(`  --idempotency-key ${request.idempotencyKey}`)
      return sendPayment(request, quote, payment, options, movement)
    }
  }
}

/** Repeats a call with a payment that was signed before. It is charged at most once. */
async function fetchReply(url: string, payment: string, options: PayOptions): Promise<void> {
  const { idempotencyKey } = options
  const request = { ...toRequest(url, options), idempotencyKey }
  const wallet = await readWallet(options)
  if (!options.json) note(`→ ${request.method} ${request.url} with the payment that was signed before`)
  const payer = payerOf(payment)
  let advice: string | undefined
  const accountFor = (network: string) => {
    const account = wallet ?? testWalletFor({ requirement: { network } }, url)
    if (payer === undefined || payer === account.address) return account
    advice = `The payment is of ${payer}, and the wallet here is ${account.address}, so it did not sign in: name the wallet that paid, with --key-file FILE or --key 0x…`
    return undefined
  }
  const result = await payAgain(request, payment, accountFor, outletFor(options))
  printResult(result, options, { idempotencyKey, taken: undefined, price: '' })
  if (advice !== undefined) note(advice)
}

async function sendPayment(
  request: PaidRequest & { readonly idempotencyKey: string },
  quote: Quote,
  payment: string,
  options: PayOptions,
  movement: Movement | undefined,
): Promise<void> {
  const { idempotencyKey } = request
  // A payer who signs a new payment after a lost reply, with another Idempotency-Key, may pay twice.
  const advice = `Repeat the call with this same payment and name; it is charged at most once:\nX-Payment-Signature: ${payment}\nIdempotency-Key: ${idempotencyKey}`
  try {
    const result = await pay(request, payment, outletFor(options))
    const taken = quote.scheme === 'upto' ? await findAmountCharged(request, result, payment) : undefined
    printResult(result, options, { idempotencyKey, taken, price: quote.price })
    await movement?.show(result, taken !== undefined)
    if (isAllowanceMissing(result)) note(allowanceAdvice)
    if (mustPayFirst(quote, result)) note(exactAdvice)
    if (result.status >= 500) note(advice)
  } catch (cause) {
    throw cause instanceof PayError ? new PayError(`${cause.message}\n${advice}`, { cause }) : cause
  }
}

/** With `--json` the reply is one field of one object, so it cannot be printed as it arrives. */
function outletFor({ json }: PayOptions) {
  return json ? undefined : stdoutOutlet
}

/** Payments of scheme `upto` move through the contract Permit2, which every wallet must approve once. */
function isAllowanceMissing({ status, body }: CallResult): boolean {
  return status >= 400 && body.includes('permit2_allowance_required')
}

/** A payment of scheme `upto` cannot be charged before the call: its amount is known only at the end. */
function mustPayFirst({ scheme }: Quote, { status, body }: CallResult): boolean {
  return scheme === 'upto' && status === 402 && body.includes('"unsupported_scheme"')
}

const exactAdvice =
  'This gateway charges this wallet before the call, which scheme upto cannot do. Nothing was charged. Pay the whole price: --scheme exact'

const allowanceAdvice =
  'The wallet has not allowed Permit2 to move its USDC, which payments of scheme upto need. Approve Permit2 once; or pass --rpc URL, so that a permit goes along where the server accepts one; or pay the whole price: --scheme exact'
