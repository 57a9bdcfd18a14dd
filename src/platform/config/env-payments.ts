import { parseGwei } from 'viem'
import { z } from 'zod'
import { isUsdc, parseUsdc } from '../../core/money.ts'
import {
  address,
  cdpApiKeySecret,
  cdpWalletSecret,
  count,
  facilitator,
  httpUrl,
  list,
  milliseconds,
  oneOf,
  privateKey,
  usdc,
  wholeNumber,
  withoutTrailingSlash,
} from './env-values.ts'

/** Settings of payments: the chain, the accounts, who verifies and settles, and the limits of one payer. */

export const chainSettings = {
  NETWORK: oneOf(['base', 'base-sepolia'])
    .default('base-sepolia')
    .describe('network on which payments are made'),
  RPC_URL: httpUrl
    .optional()
    .describe('JSON-RPC endpoint of that network; when unset, a local chain is started'),
  RPC_TIMEOUT_MS: milliseconds(10_000).describe('timeout of one request to the RPC endpoint'),
  PAY_TO: address
    .optional()
    .describe('address that receives payments; when unset, a test account of the local chain'),
  REFUSED_PAY_TO: list(address.transform((text) => text.toLowerCase()))
    .optional()
    .describe(
      'former `PAY_TO` addresses that no payment is accepted for any more, such as one whose key was stolen, separated by commas',
    ),
  REFUND_KEY: privateKey
    .optional()
    .describe(
      'private key of the account that pays refunds in USDC; when unset, only the local chain’s test account pays refunds',
    ),
  RECEIPT_KEY: privateKey
    .optional()
    .describe(
      'private key that signs offers and receipts; when unset, only the local chain’s test account signs them',
    ),
  BUILDER_CODE: z
    .string()
    .regex(/^[a-z0-9_]{1,32}$/, 'must be 1 to 32 of a to z, digits and _')
    .optional()
    .describe('ERC-8021 builder code of this service, written into settlements; none when unset'),
  DRY_RUN: oneOf(['true', 'false'])
    .default('false')
    .transform((word) => word === 'true')
    .describe('`true` serves paid calls without taking money, and says so in each reply'),
}

export const facilitatorSettings = {
  FACILITATOR_URL: list(facilitator)
    .optional()
    .describe(
      'facilitators that verify and settle, in order of preference, separated by commas: `local` (built in), `cdp` (Coinbase), or addresses of x402 facilitators; `local` when unset',
    ),
  FACILITATOR_TIMEOUT_MS: milliseconds(30_000).describe(
    'timeout of one request to a facilitator or a CDP server wallet',
  ),
  SETTLER_KEY: list(privateKey)
    .optional()
    .describe(
      'private keys of the accounts that send the local facilitator’s settlements and pay their gas, separated by commas',
    ),
  SETTLER_LEASE_MS: wholeNumber(1_000, 600_000)
    .default(10_000)
    .describe(
      'how long the accounts and payments of a gateway that no longer answers stay its own, before another gateway with the same keys takes them over',
    ),
  SETTLEMENT_TIMEOUT_MS: milliseconds(30_000).describe(
    'how long a settlement may take to be mined before its outcome counts as unknown',
  ),
  MAX_GAS_PRICE_GWEI: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,9})?$/, { error: 'must be a decimal number of gwei, such as 0.5', abort: true })
    .transform((gwei) => parseGwei(gwei))
    .refine((wei) => wei > 0n, 'must be more than zero')
    .optional()
    .describe('highest gas price that a settlement pays; no limit when unset'),
  MAX_GAS_SHARE: wholeNumber(1, 1_000)
    .default(20)
    .describe(
      'percent of an amount that the gas of a wallet contract’s payment may cost; 200,000 gas are allowed in any case',
    ),
  ETH_PRICE_USDC: z
    .string()
    .default('3000')
    .refine(isUsdc, { error: 'must be an amount of USDC, such as 3000', abort: true })
    .transform(parseUsdc)
    .refine((price) => price > 0n, 'must be more than zero')
    .describe('price of one ETH in USDC by which gas is compared with amounts; no oracle is asked'),
  // An account stops at about 235 payments, and the warning has to come before.
  GAS_WARNING_PAYMENTS: wholeNumber(250, 1_000_000_000)
    .default(1_000)
    .describe(
      'number of payments: an account with gas for fewer is reported in the log, the metrics and `/health`',
    ),
  CDP_SETTLER_ACCOUNT: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9-]{0,34}[A-Za-z0-9]$/,
      'must be 2 to 36 letters, digits and hyphens, with no hyphen at either end',
    )
    .optional()
    .describe('name of the CDP server wallet that sends settlements in place of `SETTLER_KEY`'),
  CDP_API_KEY_ID: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
    .optional()
    .describe('id of a CDP API key, for `cdp` and `CDP_SETTLER_ACCOUNT`'),
  CDP_API_KEY_SECRET: cdpApiKeySecret.optional().describe('secret of that key'),
  CDP_WALLET_SECRET: cdpWalletSecret.optional().describe('wallet secret, for `CDP_SETTLER_ACCOUNT`'),
  CDP_API_URL: httpUrl
    .default('https://api.cdp.coinbase.com')
    .transform(withoutTrailingSlash)
    .describe('address of CDP’s API'),
}

export const limitSettings = {
  MAX_PAYMENTS_IN_FLIGHT: count(10_000, 100).describe(
    'maximum of one payer’s calls that may run or settle at the same time',
  ),
  SETTLE_FIRST_AFTER: count(1_000, 3).describe(
    'number of failed settlements, each within a day of the one before, after which a payer’s calls are settled before they are served',
  ),
  NEW_PAYER_CALLS: wholeNumber(0, 10_000)
    .default(1)
    .describe(
      'calls that a payer who has settled nothing here yet may have unsettled at the same time; each payment that settles allows one more',
    ),
  NEW_PAYER_USDC: usdc('1.00').describe(
    'amount in USDC that such calls may be worth together; half of what a payer has settled here is added',
  ),
  MAX_UNSETTLED_USDC: usdc('5.00').describe(
    'amount in USDC that all payers together may have unsettled beyond what they earned by settled payments, with what was lost in the last minute',
  ),
  MAX_REFUSED_PAYMENTS: count(1_000_000, 100).describe(
    'number of refused payments of one client address, or of one payer, in a minute after which further ones get 429 without being checked',
  ),
  MAX_WAITING_BODIES_MB: wholeNumber(40, 1_000_000)
    .default(200)
    .describe(
      'maximum memory for request bodies that wait until their call is admitted, or that are read whole for an upstream (above 64 kB) until it replies; one client address or one payer gets a quarter of it',
    ),
  MAX_FAILED_RUNS: count(10_000, 6).describe(
    'number of one payer’s calls that may fail uncharged before the payer has to wait; one of them is forgotten every ten seconds, and a failure that is not the payer’s making counts a quarter',
  ),
  REPLY_STORE_MB: count(1_000_000, 1_000).describe(
    'maximum size of all replies that are stored to be sent again; the oldest are deleted first',
  ),
}
