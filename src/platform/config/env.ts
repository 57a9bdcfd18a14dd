import { parseGwei } from 'viem'
import { z } from 'zod'
import { defaultCatalogFile, defaultDataDir } from './default-paths.ts'
import {
  address,
  cdpApiKeySecret,
  cdpWalletSecret,
  count,
  facilitator,
  httpUrl,
  list,
  milliseconds,
  port,
  privateKey,
  privateTargets,
  trustedProxies,
  withoutTrailingSlash,
} from './env-values.ts'

/**
 * Every setting the environment can make, in one table: name, type, default and meaning. The README's
 * configuration table is tested against it, so an operator never reads of a setting that is not there.
 * Empty values count as unset, as compose files write them.
 */

export const environmentSchema = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('`production` refuses to start with anything missing, and never starts a local chain'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('address to listen on; `0.0.0.0` behind a proxy or in a container'),
  PORT: port.default(8402).describe('port to listen on'),
  BASE_URL: httpUrl.optional().describe('public address of the service; `http://HOST:PORT` when unset'),
  PAYMENTS_BASE_URL: httpUrl
    .optional()
    .describe('public address of the paid endpoints; `BASE_URL` when unset'),
  DATA_DIR: z
    .string()
    .default(defaultDataDir)
    .describe('folder of the embedded store, the local chain and its compiled contracts'),
  CACHE_DIR: z
    .string()
    .optional()
    .describe(
      'folder of the local chain’s compiled contracts, which several gateways may share; `DATA_DIR` when unset',
    ),
  CATALOG_FILE: z.string().default(defaultCatalogFile).describe('what is offered, and for how much'),
  STORE: z
    .enum(['embedded'])
    .optional()
    .describe('`embedded` lets production run on the embedded store, one process only'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('PostgreSQL to keep the books in; the embedded store when unset'),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe(
      'Redis that gateways count quotas and rates in together; when unset, quotas are counted in the store and rates by each gateway for itself',
    ),
  TRUST_PROXY: trustedProxies
    .optional()
    .describe(
      'proxies in front whose X-Forwarded-For counts: how many there are, or their addresses and networks, separated by commas; none when unset',
    ),
  NETWORK: z
    .enum(['base', 'base-sepolia'])
    .default('base-sepolia')
    .describe('network that payments are made on'),
  RPC_URL: httpUrl
    .optional()
    .describe('JSON-RPC endpoint of that network; when unset, a local chain is started'),
  RPC_TIMEOUT_MS: milliseconds(10_000).describe('longest wait for one answer of the RPC endpoint'),
  DEV_CHAIN_PORT: port.default(8545).describe('port of the local chain'),
  PAY_TO: address
    .optional()
    .describe('address that receives the payments; a test account on the local chain when unset'),
  FACILITATOR_URL: list(facilitator)
    .optional()
    .describe(
      'who verifies and settles, in order of preference, separated by commas: `local` (the built-in one), `cdp` (Coinbase’s), addresses of x402 facilitators; `local` when unset',
    ),
  FACILITATOR_TIMEOUT_MS: milliseconds(30_000).describe(
    'longest wait for one answer of a facilitator or a CDP server wallet',
  ),
  SETTLER_KEY: list(privateKey)
    .optional()
    .describe(
      'private keys of the accounts that send the built-in facilitator’s settlements and pay their gas, separated by commas',
    ),
  CDP_SETTLER_ACCOUNT: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9-]{0,34}[A-Za-z0-9]$/,
      'must be 2 to 36 letters, digits and hyphens, with no hyphen at either end',
    )
    .optional()
    .describe('name of the CDP server wallet that does so instead of `SETTLER_KEY`'),
  SETTLEMENT_TIMEOUT_MS: milliseconds(30_000).describe(
    'longest wait for a settlement to be mined before its outcome counts as unknown',
  ),
  MAX_GAS_PRICE_GWEI: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,9})?$/, { error: 'must be a decimal number of gwei, such as 0.5', abort: true })
    .transform((gwei) => parseGwei(gwei))
    .refine((wei) => wei > 0n, 'must be more than nothing')
    .optional()
    .describe('most that a settlement may pay for a unit of gas; no limit when unset'),
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
  REFUND_KEY: privateKey
    .optional()
    .describe(
      'private key of the account that refunds are paid from, in USDC; when unset, only the local chain’s test account pays any',
    ),
  RECEIPT_KEY: privateKey
    .optional()
    .describe(
      'private key that signs offers and receipts; when unset, only the local chain’s test account signs any',
    ),
  BUILDER_CODE: z
    .string()
    .regex(/^[a-z0-9_]{1,32}$/, 'must be 1 to 32 of a to z, digits and _')
    .optional()
    .describe('ERC-8021 builder code of this service, written into settlements; none when unset'),
  MAX_PAYMENTS_IN_FLIGHT: count(10_000, 100).describe(
    'most calls of one payer that may run or settle at the same time',
  ),
  SETTLE_FIRST_AFTER: count(1_000, 3).describe(
    'failed settlements within a day after which a payer’s calls are settled before they are served',
  ),
  REPLY_STORE_MB: count(1_000_000, 1_000).describe(
    'most room for replies kept to be sent again; the oldest go first',
  ),
  OPERATOR_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,}$/, 'must be at least 32 printable ASCII characters without spaces')
    .optional()
    .describe(
      'what an operator’s tools identify themselves with; when unset, made at the first start and kept in `DATA_DIR`',
    ),
  OIDC_ISSUER: httpUrl
    .optional()
    .describe('OpenID Connect issuer whose access tokens are taken besides our own; none when unset'),
  OIDC_AUDIENCE: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be printable ASCII without spaces')
    .optional()
    .describe('what such a token must name as its audience'),
  OIDC_TIER_CLAIM: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/, 'must be printable ASCII without spaces')
    .default('tier')
    .describe('claim of such a token that names the tier of its holder'),
  DRY_RUN: z
    .enum(['true', 'false'])
    .default('false')
    .transform((word) => word === 'true')
    .describe('`true` serves paid calls without taking any money, and says so in each reply'),
  TEXT_ENGINE: z
    .enum(['local'])
    .optional()
    .describe('`local` writes texts without a model; said aloud in production'),
  OPENAI_API_KEY: z.string().optional().describe('key of an OpenAI-compatible text model'),
  OPENAI_BASE_URL: httpUrl.optional().describe('address of that model; OpenAI when unset'),
  OPENAI_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/, 'must be printable ASCII without spaces: it goes into a reply header')
    .default('gpt-5-mini')
    .describe('name of that model'),
  OPENAI_TIMEOUT_MS: milliseconds(45_000).describe('longest wait for one answer of the model'),
  OPENAI_MAX_RETRIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(5)
    .default(2)
    .describe('how often a failed or unreadable answer is asked for again'),
  OPENAI_MAX_OUTPUT_TOKENS: z.coerce
    .number()
    .int()
    .min(256)
    .max(100_000)
    .default(4_000)
    .describe('most tokens of one answer'),
  SCANS_AT_ONCE: count(100, 8).describe('most websites that this gateway scans at the same time'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps address' })
    .optional()
    .describe(
      'mail server that reports are sent through; when unset, they are written to `mail` in `DATA_DIR`',
    ),
  MAIL: z
    .enum(['files'])
    .optional()
    .describe('`files` lets production write reports to files instead of sending them'),
  MAIL_FROM: z
    .email()
    .optional()
    .describe('sender of the reports; `tollgate@` the host of `BASE_URL` when unset'),
  ALLOW_PRIVATE_TARGETS: privateTargets
    .optional()
    .describe(
      'addresses of private networks that may be scanned all the same, as `127.0.0.1:9000` or `shop.example=127.0.0.1:9000`, separated by commas; for development, refused in production',
    ),
  UPSTREAM_WALLET_KEY: privateKey
    .optional()
    .describe(
      'private key of the wallet that pays upstreams which ask for x402 payments themselves, within what the catalogue lets them cost; none is paid when unset',
    ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('least severity that is logged'),
})

export type Environment = z.infer<typeof environmentSchema>
