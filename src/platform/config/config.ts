import { hostname } from 'node:os'
import { type CheckedEnvironment, checkEnvironment } from './check-environment.ts'
import { ConfigError } from './config-error.ts'
import { ownAddress } from './defaults.ts'
import type { RawEnvironment } from './env.ts'
import { withoutTrailingSlash } from './env-values.ts'
import { type FacilitatorConfigs, readFacilitators } from './facilitator-config.ts'
import { readSecrets, type Secrets } from './secrets.ts'

/**
 * The settings that are not secret. Missing and contradictory settings are found before anything is opened,
 * all at once: a gateway that starts half configured would take money that it cannot account for.
 */
export interface Config {
  readonly production: boolean
  readonly listen: ListenAddress
  /** The operator's own listener; undefined when its endpoints answer at `listen`. */
  readonly operatorListen: ListenAddress | undefined
  /** Both without a trailing slash. */
  readonly baseUrl: string
  readonly paymentsBaseUrl: string
  readonly dataDir: string
  /** For files that can be made again. */
  readonly cacheDir: string
  readonly catalogFile: string
  readonly logLevel: string
  /** How long a gateway that is stopping goes on serving. */
  readonly shutdownDelayMs: number
  /** Of this gateway, in its log lines. */
  readonly instanceName: string
  readonly store: 'embedded' | 'postgres'
  readonly network: 'base' | 'base-sepolia'
  readonly chain: { readonly kind: 'local'; readonly port: number } | { readonly kind: 'rpc' }
  readonly rpcTimeoutMs: number
  /** Undefined: the local chain's own test account. */
  readonly payTo: string | undefined
  /** Accounts that no payment may go to, even though `payTo` named them until recently. */
  readonly refusedPayTo: readonly string[]
  /** Who verifies and settles, in order of preference. */
  readonly facilitators: FacilitatorConfigs
  /** For the facilitators that list operations, which the catalog names. */
  readonly listing: { readonly timeoutMs: number; readonly cdpApiUrl: string }
  readonly builderCode: string | undefined
  /** Of one payer's calls that may run or settle at the same time. */
  readonly maxPaymentsInFlight: number
  /** Failed settlements within a day after which a payer's calls are settled before they are served. */
  readonly settleFirstAfter: number
  /** In a minute, of one client address or one payer. */
  readonly maxRefusedPayments: number
  /** Of all request bodies that wait for a door to open. */
  readonly maxWaitingBodyBytes: number
  /** How much work payers get before their money has moved; amounts in atomic units. */
  readonly credit: {
    readonly newPayerCalls: number
    readonly newPayerAmount: bigint
    readonly maxUnsettled: bigint
  }
  /** Uncharged runs of one payer that may fail at a time by the payer's making. */
  readonly maxFailedRuns: number
  /** Of all stored replies. */
  readonly maxReplyStoreBytes: number
  /** The proxies whose X-Forwarded-For header counts, as Express takes it. */
  readonly trustProxy: number | readonly string[] | false
  /** Whether such a proxy's X-Forwarded-Host names the host that a call is for. */
  readonly trustForwardedHost: boolean
  /** The issuer whose access tokens are accepted in addition to our own. */
  readonly oidc: OidcConfig | undefined
  /** Paid calls are served and no money is taken. */
  readonly dryRun: boolean
  readonly scans: {
    /** Maximum that run at the same time in this process. */
    readonly atOnce: number
    /** Addresses of private networks that may be scanned, as `net/target` reads them. */
    readonly allowedTargets: string
  }
  /** After how many days what the products keep is deleted; undefined: never. */
  readonly retention: {
    readonly scanDays: number | undefined
    readonly emailDays: number | undefined
    readonly deliveryDays: number | undefined
  }
  /** Maximum of webhook subscriptions of one key, and of one client address without a key. */
  readonly webhooks: { readonly perKey: number; readonly perClient: number }
  readonly mail: { readonly from: string }
  /** Used when there is an API key for it. */
  readonly model: {
    readonly baseUrl: string | undefined
    readonly model: string
    readonly timeoutMs: number
    readonly maxRetries: number
    readonly maxOutputTokens: number
  }
}

interface ListenAddress {
  readonly host: string
  readonly port: number
}

export interface OidcConfig {
  readonly issuer: string
  readonly audience: string
  readonly tierClaim: string
}

/** All settings of a gateway. */
export interface Settings {
  readonly config: Config
  readonly secrets: Secrets
}

/**
 * Reads the settings of an environment.
 * @param isTestAccount recognizes published test keys and their addresses, which production refuses.
 * @throws ConfigError naming every missing, malformed or contradictory setting at once, without its value.
 */
export function readSettings(
  environment: RawEnvironment,
  isTestAccount: (keyOrAddress: string) => boolean,
): Settings {
  const checked = checkEnvironment(environment, isTestAccount)
  if (checked.faults.length > 0) throw new ConfigError(checked.faults)
  return toSettings(checked)
}

/** With malformed settings, the result only serves to check what depends on the others. */
export function toSettings({ env, given }: Pick<CheckedEnvironment, 'env' | 'given'>): Settings {
  const baseUrl = env.BASE_URL ?? ownAddress(env.HOST, env.PORT)
  const config: Config = {
    production: env.NODE_ENV === 'production',
    listen: { host: env.HOST, port: env.PORT },
    operatorListen: env.OPERATOR_PORT ? { host: env.OPERATOR_HOST, port: env.OPERATOR_PORT } : undefined,
    baseUrl: withoutTrailingSlash(baseUrl),
    paymentsBaseUrl: withoutTrailingSlash(env.PAYMENTS_BASE_URL ?? baseUrl),
    dataDir: env.DATA_DIR,
    cacheDir: env.CACHE_DIR ?? env.DATA_DIR,
    catalogFile: env.CATALOG_FILE,
    logLevel: env.LOG_LEVEL,
    shutdownDelayMs: env.SHUTDOWN_DELAY_MS ?? (env.NODE_ENV === 'production' ? 5_000 : 0),
    instanceName: env.INSTANCE_NAME ?? `${hostname()}-${process.pid}`,
    store: env.DATABASE_URL ? 'postgres' : 'embedded',
    network: env.NETWORK,
    chain: given.RPC_URL ? { kind: 'rpc' } : { kind: 'local', port: env.DEV_CHAIN_PORT },
    rpcTimeoutMs: env.RPC_TIMEOUT_MS,
    payTo: env.PAY_TO,
    refusedPayTo: env.REFUSED_PAY_TO ?? [],
    facilitators: readFacilitators(env),
    listing: { timeoutMs: env.FACILITATOR_TIMEOUT_MS, cdpApiUrl: env.CDP_API_URL },
    builderCode: env.BUILDER_CODE,
    maxPaymentsInFlight: env.MAX_PAYMENTS_IN_FLIGHT,
    settleFirstAfter: env.SETTLE_FIRST_AFTER,
    maxRefusedPayments: env.MAX_REFUSED_PAYMENTS,
    maxWaitingBodyBytes: env.MAX_WAITING_BODIES_MB * 1_000_000,
    credit: {
      newPayerCalls: env.NEW_PAYER_CALLS,
      newPayerAmount: env.NEW_PAYER_USDC,
      maxUnsettled: env.MAX_UNSETTLED_USDC,
    },
    maxFailedRuns: env.MAX_FAILED_RUNS,
    maxReplyStoreBytes: env.REPLY_STORE_MB * 1_000_000,
    trustProxy: env.TRUST_PROXY ?? false,
    trustForwardedHost: env.TRUST_FORWARDED_HOST,
    oidc:
      env.OIDC_ISSUER && env.OIDC_AUDIENCE
        ? { issuer: env.OIDC_ISSUER, audience: env.OIDC_AUDIENCE, tierClaim: env.OIDC_TIER_CLAIM }
        : undefined,
    dryRun: env.DRY_RUN,
    scans: { atOnce: env.SCANS_AT_ONCE, allowedTargets: env.ALLOW_PRIVATE_TARGETS ?? '' },
    retention: {
      scanDays: env.SCAN_RETENTION_DAYS || undefined,
      emailDays: env.EMAIL_RETENTION_DAYS || undefined,
      deliveryDays: env.DELIVERY_RETENTION_DAYS || undefined,
    },
    webhooks: { perKey: env.WEBHOOKS_PER_KEY, perClient: env.WEBHOOKS_PER_CLIENT },
    mail: { from: env.MAIL_FROM ?? `tollgate@${new URL(baseUrl).hostname}` },
    model: {
      baseUrl: env.OPENAI_BASE_URL,
      model: env.OPENAI_MODEL,
      timeoutMs: env.OPENAI_TIMEOUT_MS,
      maxRetries: env.OPENAI_MAX_RETRIES,
      maxOutputTokens: env.OPENAI_MAX_OUTPUT_TOKENS,
    },
  }
  return { config, secrets: readSecrets(env, given) }
}
