import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Scheme, schemes } from '../../client/quote.ts'
import type { CallResult, PaidRequest } from '../../client/send.ts'
import { isUsdc } from '../../core/money.ts'
import { CommandError } from '../command-error.ts'

/** The argument and options that `tollgate pay` and `tollgate sign` share. */
export interface PaymentOptions {
  body?: string
  method: string
  key?: string
  keyFile?: string
  /** Decimal USDC. */
  max: string
  scheme?: Scheme
  rpc?: string
  json?: boolean
}

export function addPaymentOptions(command: Command): Command {
  return command
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
      new Option('-m, --max <usdc>', 'highest price to pay for this call')
        .default('1.00')
        .argParser(parseUsdc),
    )
    .addOption(
      new Option(
        '--scheme <scheme>',
        'exact: pay the price; upto: pay what the call costs, up to a maximum; by default upto where it is offered and its maximum is not higher',
      ).choices(schemes),
    )
    .option(
      '--rpc <url>',
      'address of the chain, to show balances, and for a wallet that has not approved Permit2',
    )
    .option('--json', 'print one JSON object')
}

function parseUsdc(text: string): string {
  if (!isUsdc(text)) throw new InvalidArgumentError('It must be an amount of USDC like 0.50.')
  return text
}

/** @throws CommandError when the URL is not an http(s) address. */
export function toRequest(url: string, { method, body }: PaymentOptions): PaidRequest {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CommandError(`${url} is not an http(s) address.`)
  }
  return { url, method: method.toUpperCase(), body }
}

/** What to do after a reply that refused the method; empty for any other. POST is the default, and many sell by GET. */
export function methodAdvice({ status, allowed }: Pick<CallResult, 'status' | 'allowed'>): string {
  const [method] = allowed?.split(',').map((one) => one.trim()) ?? []
  if (status !== 405 || !method || !/^[A-Z]+$/.test(method)) return ''
  return ` The endpoint is called with ${method}: add -X ${method}.`
}
