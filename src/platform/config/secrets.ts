import type { Environment, RawEnvironment } from './env.ts'
import type { CdpAccount } from './facilitator-config.ts'

/**
 * The settings that give power to anyone who reads them: keys, tokens, and addresses that may hold a
 * password. They stand apart from `Config`, so that nothing that prints or logs the configuration can print
 * them, and each part of the gateway gets only those that it needs.
 */
export interface Secrets {
  /** Of PostgreSQL; undefined: the embedded store. */
  readonly databaseUrl: string | undefined
  /** Undefined: quotas are counted in the store, and rates by each replica. */
  readonly redisUrl: string | undefined
  /** Undefined: the local chain. */
  readonly rpcUrl: string | undefined
  /** Undefined: the one stored in the data folder. */
  readonly operatorToken: string | undefined
  /** Send settlements; empty unless the settler is `keys`. */
  readonly settlerKeys: readonly PrivateKey[]
  readonly cdpApiKey: CdpApiKey | undefined
  readonly cdpWalletSecret: string | undefined
  /** Pays refunds; undefined: only the local chain's test account does. */
  readonly refundKey: PrivateKey | undefined
  /** Signs offers and receipts; undefined: only the local chain's test account does. */
  readonly receiptKey: PrivateKey | undefined
  /** What the catalog may name as `${UPSTREAM_…}`, by its whole name. */
  readonly upstreamCredentials: Readonly<Record<string, string>>
  /** Pays upstreams; undefined: only the local chain's test account does. */
  readonly upstreamWalletKey: PrivateKey | undefined
  /** Undefined: reports are written to files in the data folder. */
  readonly smtpUrl: string | undefined
  /** Encrypt the secrets of webhook subscriptions, the first one; empty: the operator token does. */
  readonly webhookKeys: readonly string[]
  /** Of the text model; undefined: texts are written without a model. */
  readonly modelApiKey: string | undefined
}

export type PrivateKey = `0x${string}`

export interface CdpApiKey {
  readonly id: string
  /** An Ed25519 key in base64, or an EC key as PEM of PKCS #8. */
  readonly secret: string
}

/** An EVM account whose key stays with Coinbase, and the right to sign with it. */
export interface CdpWalletConfig extends CdpAccount {
  readonly apiKey: CdpApiKey
  readonly walletSecret: string
}

/** @param given the environment, without its empty variables. */
export function readSecrets(env: Environment, given: RawEnvironment): Secrets {
  const { CDP_API_KEY_ID: id, CDP_API_KEY_SECRET: secret } = env
  return {
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    rpcUrl: env.RPC_URL,
    operatorToken: env.OPERATOR_TOKEN,
    settlerKeys: env.SETTLER_KEY ?? [],
    cdpApiKey: id === undefined || secret === undefined ? undefined : { id, secret },
    cdpWalletSecret: env.CDP_WALLET_SECRET,
    refundKey: env.REFUND_KEY,
    receiptKey: env.RECEIPT_KEY,
    upstreamCredentials: readUpstreamCredentials(given),
    upstreamWalletKey: env.UPSTREAM_WALLET_KEY,
    smtpUrl: env.SMTP_URL,
    webhookKeys: env.WEBHOOK_SECRET_KEY ?? [],
    modelApiKey: env.OPENAI_API_KEY,
  }
}

/**
 * The catalog can name only these: an operator who edits prices must not be able to send other keys to a
 * server.
 */
function readUpstreamCredentials(given: RawEnvironment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      /^UPSTREAM_[A-Z0-9_]+$/.test(name) && name !== 'UPSTREAM_WALLET_KEY' && value !== undefined
        ? [[name, value]]
        : [],
    ),
  )
}
