import { z } from 'zod'
import { type Environment, environmentSchema } from './env.ts'
import { withoutTrailingSlash } from './env-values.ts'
import { contradictions, missingInProduction } from './faults.ts'

/**
 * What the environment means. Missing and contradictory settings are found here, all at once and
 * before anything is opened, because a gateway that starts half-configured takes money it cannot
 * account for.
 */
export interface Config {
  readonly production: boolean
  readonly listen: { readonly host: string; readonly port: number }
  readonly baseUrl: string
  readonly paymentsBaseUrl: string
  readonly dataDir: string
  /** Of what can be made again. */
  readonly cacheDir: string
  readonly catalogFile: string
  readonly logLevel: string
  readonly store: { readonly kind: 'embedded' } | { readonly kind: 'postgres'; readonly url: string }
  readonly network: 'base' | 'base-sepolia'
  readonly chain:
    | { readonly kind: 'local'; readonly port: number }
    | { readonly kind: 'rpc'; readonly url: string }
  readonly rpcTimeoutMs: number
  /** Unset: the local chain's own test account. */
  readonly payTo: string | undefined
  /** Who verifies and settles, in order of preference. */
  readonly facilitators: readonly [FacilitatorConfig, ...FacilitatorConfig[]]
  /** Pays refunds. Unset: only the local chain's test account does. */
  readonly refundKey: PrivateKey | undefined
  /** Signs offers and receipts. Unset: none are signed. */
  readonly receiptKey: PrivateKey | undefined
  readonly builderCode: string | undefined
  /** Most calls of one payer that may run or settle at the same time. */
  readonly maxPaymentsInFlight: number
  /** Failed settlements within a day after which a payer's calls are settled before they are served. */
  readonly settleFirstAfter: number
  /** Most room for stored replies. */
  readonly maxReplyStoreBytes: number
  /** Unset: the one kept in `dataDir`. */
  readonly operatorToken: string | undefined
  /** Counts quotas and rates for all gateways. Unset: the store and each gateway do. */
  readonly redisUrl: string | undefined
  /** Whose X-Forwarded-For counts, as Express takes it. */
  readonly trustProxy: number | readonly string[] | false
  /** Whose access tokens are taken besides our own. */
  readonly oidc: OidcConfig | undefined
  /** Paid calls are served and no money is taken. */
  readonly dryRun: boolean
  readonly scans: {
    /** Most that run at the same time in this process. */
    readonly atOnce: number
    /** Addresses of private networks that may be scanned, as `net/target` reads them. */
    readonly allowedTargets: string
  }
  readonly upstreams: {
    /** What the catalogue may name as `${UPSTREAM_…}`, by its whole name. */
    readonly secrets: Readonly<Record<string, string>>
    /** Pays upstreams. Unset: none are paid. */
    readonly walletKey: PrivateKey | undefined
  }
  readonly mail: {
    /** Unset: reports are written to files in `dataDir`. */
    readonly smtpUrl: string | undefined
    readonly from: string
  }
  readonly text:
    | { readonly kind: 'local' }
    | {
        readonly kind: 'openai'
        readonly apiKey: string
        readonly baseUrl: string | undefined
        readonly model: string
        readonly timeoutMs: number
        readonly maxRetries: number
        readonly maxOutputTokens: number
      }
}

export type FacilitatorConfig =
  | {
      readonly kind: 'local'
      readonly settler: SettlerConfig
      readonly settlementTimeoutMs: number
      /** Most to pay for a unit of gas, in wei. Unset: whatever the chain asks. */
      readonly maxGasPriceWei: bigint | undefined
    }
  | { readonly kind: 'remote'; readonly url: string; readonly timeoutMs: number }
  | { readonly kind: 'cdp'; readonly apiUrl: string; readonly apiKey: CdpApiKey; readonly timeoutMs: number }

export interface OidcConfig {
  readonly issuer: string
  readonly audience: string
  readonly tierClaim: string
}

/** The accounts that send settlements and pay their gas. */
export type SettlerConfig =
  | { readonly kind: 'test-account' }
  | { readonly kind: 'keys'; readonly keys: readonly PrivateKey[] }
  | ({ readonly kind: 'cdp' } & CdpWalletConfig)

/** An EVM account whose key stays with Coinbase. */
export interface CdpWalletConfig {
  readonly name: string
  readonly apiUrl: string
  readonly apiKey: CdpApiKey
  readonly walletSecret: string
  /** Longest wait for one answer of CDP. */
  readonly timeoutMs: number
}

export interface CdpApiKey {
  readonly id: string
  /** An Ed25519 key in base64, or an EC key as PEM of PKCS #8. */
  readonly secret: string
}

type PrivateKey = `0x${string}`

/** The settings cannot be run with; the message names every fault. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * Reads the settings out of an environment.
 * @param isTestAccount tells the keys and addresses that everybody knows, which nobody may run production with.
 * @throws ConfigError naming every missing, malformed or contradictory setting at once.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  isTestAccount: (keyOrAddress: string) => boolean,
): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = environmentSchema.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(describeIssue))
  }
  const env = parsed.data
  const faults = [
    ...contradictions(env),
    ...(env.NODE_ENV === 'production' ? missingInProduction(env, given, isTestAccount) : []),
  ]
  if (faults.length > 0) throw new ConfigError(faults)

  const baseUrl = env.BASE_URL ?? `http://${urlHost(env.HOST)}:${env.PORT}`
  return {
    production: env.NODE_ENV === 'production',
    listen: { host: env.HOST, port: env.PORT },
    baseUrl: withoutTrailingSlash(baseUrl),
    paymentsBaseUrl: withoutTrailingSlash(env.PAYMENTS_BASE_URL ?? baseUrl),
    dataDir: env.DATA_DIR,
    cacheDir: env.CACHE_DIR ?? env.DATA_DIR,
    catalogFile: env.CATALOG_FILE,
    logLevel: env.LOG_LEVEL,
    store: env.DATABASE_URL ? { kind: 'postgres', url: env.DATABASE_URL } : { kind: 'embedded' },
    network: env.NETWORK,
    chain: env.RPC_URL ? { kind: 'rpc', url: env.RPC_URL } : { kind: 'local', port: env.DEV_CHAIN_PORT },
    rpcTimeoutMs: env.RPC_TIMEOUT_MS,
    payTo: env.PAY_TO,
    facilitators: facilitatorsOf(env),
    refundKey: env.REFUND_KEY,
    receiptKey: env.RECEIPT_KEY,
    builderCode: env.BUILDER_CODE,
    maxPaymentsInFlight: env.MAX_PAYMENTS_IN_FLIGHT,
    settleFirstAfter: env.SETTLE_FIRST_AFTER,
    redisUrl: env.REDIS_URL,
    trustProxy: env.TRUST_PROXY ?? false,
    oidc:
      env.OIDC_ISSUER && env.OIDC_AUDIENCE
        ? { issuer: env.OIDC_ISSUER, audience: env.OIDC_AUDIENCE, tierClaim: env.OIDC_TIER_CLAIM }
        : undefined,
    dryRun: env.DRY_RUN,
    maxReplyStoreBytes: env.REPLY_STORE_MB * 1_000_000,
    operatorToken: env.OPERATOR_TOKEN,
    scans: { atOnce: env.SCANS_AT_ONCE, allowedTargets: env.ALLOW_PRIVATE_TARGETS ?? '' },
    upstreams: { secrets: upstreamSecrets(given), walletKey: env.UPSTREAM_WALLET_KEY },
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM ?? `tollgate@${new URL(baseUrl).hostname}` },
    text: env.OPENAI_API_KEY
      ? {
          kind: 'openai',
          apiKey: env.OPENAI_API_KEY,
          baseUrl: env.OPENAI_BASE_URL,
          model: env.OPENAI_MODEL,
          timeoutMs: env.OPENAI_TIMEOUT_MS,
          maxRetries: env.OPENAI_MAX_RETRIES,
          maxOutputTokens: env.OPENAI_MAX_OUTPUT_TOKENS,
        }
      : { kind: 'local' },
  }
}

/** Only these can be named in a catalogue: whoever edits prices must not be able to send our keys anywhere. */
function upstreamSecrets(given: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      /^UPSTREAM_[A-Z0-9_]+$/.test(name) && name !== 'UPSTREAM_WALLET_KEY' && value !== undefined
        ? [[name, value]]
        : [],
    ),
  )
}

function facilitatorsOf(env: Environment): Config['facilitators'] {
  const [first = 'local', ...others] = env.FACILITATOR_URL ?? []
  return [facilitatorOf(first, env), ...others.map((other) => facilitatorOf(other, env))]
}

function facilitatorOf(named: string, env: Environment): FacilitatorConfig {
  const timeoutMs = env.FACILITATOR_TIMEOUT_MS
  switch (named) {
    case 'local':
      return {
        kind: 'local',
        settler: settlerOf(env),
        settlementTimeoutMs: env.SETTLEMENT_TIMEOUT_MS,
        maxGasPriceWei: env.MAX_GAS_PRICE_GWEI,
      }
    case 'cdp':
      return { kind: 'cdp', apiUrl: env.CDP_API_URL, apiKey: cdpApiKey(env), timeoutMs }
    default:
      return { kind: 'remote', url: named, timeoutMs }
  }
}

function settlerOf(env: Environment): SettlerConfig {
  if (env.SETTLER_KEY) return { kind: 'keys', keys: env.SETTLER_KEY }
  if (!env.CDP_SETTLER_ACCOUNT) return { kind: 'test-account' }
  return {
    kind: 'cdp',
    name: env.CDP_SETTLER_ACCOUNT,
    apiUrl: env.CDP_API_URL,
    apiKey: cdpApiKey(env),
    walletSecret: required(env, 'CDP_WALLET_SECRET'),
    timeoutMs: env.FACILITATOR_TIMEOUT_MS,
  }
}

function cdpApiKey(env: Environment): CdpApiKey {
  return { id: required(env, 'CDP_API_KEY_ID'), secret: required(env, 'CDP_API_KEY_SECRET') }
}

function required(
  env: Environment,
  name: 'CDP_API_KEY_ID' | 'CDP_API_KEY_SECRET' | 'CDP_WALLET_SECRET',
): string {
  const value = env[name]
  if (value === undefined) throw new ConfigError([`${name}: needed, and not set`])
  return value
}

/** One line for each setting: name, default and meaning, as the README's table shows them. */
export function describeSettings(): { name: string; fallback: string; meaning: string }[] {
  const schema = z.toJSONSchema(environmentSchema, { io: 'input' })
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    if (typeof property === 'boolean') throw new Error(`the setting ${name} has no description`)
    return {
      name,
      fallback: property.default === undefined ? '' : String(property.default),
      meaning: property.description ?? '',
    }
  })
}

/** A fault in a list says which of its members has it. */
function describeIssue({ path, message }: z.core.$ZodIssue): string {
  const [name, index] = path
  return typeof index === 'number'
    ? `${String(name)}, number ${index + 1}: ${message}`
    : `${String(name)}: ${message}`
}

/** Listening on every interface is no address to call; loopback stands for it in links. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
