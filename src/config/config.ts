import { z } from 'zod'
import { type Environment, environmentSchema } from './env.ts'

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
  readonly facilitator:
    | {
        readonly kind: 'local'
        readonly settlerKey: string | undefined
        readonly settlementTimeoutMs: number
      }
    | { readonly kind: 'remote'; readonly url: string; readonly timeoutMs: number }
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
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
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
    catalogFile: env.CATALOG_FILE,
    logLevel: env.LOG_LEVEL,
    store: env.DATABASE_URL ? { kind: 'postgres', url: env.DATABASE_URL } : { kind: 'embedded' },
    network: env.NETWORK,
    chain: env.RPC_URL ? { kind: 'rpc', url: env.RPC_URL } : { kind: 'local', port: env.DEV_CHAIN_PORT },
    rpcTimeoutMs: env.RPC_TIMEOUT_MS,
    payTo: env.PAY_TO,
    facilitator: env.FACILITATOR_URL
      ? {
          kind: 'remote',
          url: withoutTrailingSlash(env.FACILITATOR_URL),
          timeoutMs: env.FACILITATOR_TIMEOUT_MS,
        }
      : { kind: 'local', settlerKey: env.SETTLER_KEY, settlementTimeoutMs: env.SETTLEMENT_TIMEOUT_MS },
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

function contradictions(env: Environment): string[] {
  const faults: string[] = []
  if (env.STORE === 'embedded' && env.DATABASE_URL) {
    faults.push('STORE=embedded and DATABASE_URL contradict each other: set one of them')
  }
  if (env.TEXT_ENGINE === 'local' && env.OPENAI_API_KEY) {
    faults.push('TEXT_ENGINE=local and OPENAI_API_KEY contradict each other: set one of them')
  }
  if (env.NETWORK === 'base' && !env.RPC_URL) {
    faults.push(
      'RPC_URL: NETWORK=base needs it; a signature made for a local copy of Base would be valid on Base itself',
    )
  }
  if (env.RPC_URL && !env.PAY_TO) {
    faults.push('PAY_TO: with RPC_URL set, say which address receives the payments')
  }
  if (env.RPC_URL && !env.SETTLER_KEY && !env.FACILITATOR_URL) {
    faults.push('SETTLER_KEY or FACILITATOR_URL: with RPC_URL set, say who settles the payments')
  }
  if (env.SETTLER_KEY && env.FACILITATOR_URL) {
    faults.push('SETTLER_KEY and FACILITATOR_URL contradict each other: set one of them')
  }
  return faults
}

function missingInProduction(
  env: Environment,
  given: Readonly<Record<string, string | undefined>>,
  isTestAccount: (keyOrAddress: string) => boolean,
): string[] {
  const faults: string[] = []
  if (!given.NETWORK) faults.push('NETWORK: say base or base-sepolia')
  if (!env.RPC_URL && env.NETWORK !== 'base') faults.push('RPC_URL: production never runs on a local chain')
  if (!env.RPC_URL && !env.PAY_TO) faults.push('PAY_TO: say which address receives the payments')
  if (!env.RPC_URL && !env.SETTLER_KEY && !env.FACILITATOR_URL) {
    faults.push('SETTLER_KEY or FACILITATOR_URL: say who settles the payments')
  }
  if (env.SETTLER_KEY && isTestAccount(env.SETTLER_KEY)) {
    faults.push('SETTLER_KEY: this is a published test key; anyone can empty its account')
  }
  if (env.PAY_TO && (isTestAccount(env.PAY_TO) || /^0x0+$/.test(env.PAY_TO))) {
    faults.push('PAY_TO: the key of this address is known to everyone, or to no one')
  }
  if (!env.DATABASE_URL && env.STORE !== 'embedded') {
    faults.push('DATABASE_URL: set it, or say STORE=embedded to keep the books in DATA_DIR')
  }
  if (!env.BASE_URL) faults.push('BASE_URL: say the public address of the service')
  if (!env.OPENAI_API_KEY && env.TEXT_ENGINE !== 'local') {
    faults.push('OPENAI_API_KEY: set it, or say TEXT_ENGINE=local to write texts without a model')
  }
  return faults
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

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

/** Listening on every interface is no address to call; loopback stands for it in links. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
