import type { Environment } from './env.ts'

/** Who verifies and settles payments. Their credentials are `Secrets`. */
export type FacilitatorConfig =
  | {
      readonly kind: 'local'
      readonly settler: SettlerConfig
      /** How long an account stays with a gateway that no longer renews its lease. */
      readonly leaseMs: number
      readonly settlementTimeoutMs: number
      /** The highest gas price to pay, in wei; undefined: what the chain asks. */
      readonly maxGasPriceWei: bigint | undefined
      /** The part of an amount that the gas of a wallet contract's payment may cost, in percent. */
      readonly maxGasSharePercent: number
      /** Of one ETH, in atomic USDC. */
      readonly ethPrice: bigint
      /** The operator is warned of an account that can pay for fewer settlements than this. */
      readonly gasWarningPayments: number
    }
  | { readonly kind: 'remote'; readonly url: string; readonly timeoutMs: number }
  | { readonly kind: 'cdp'; readonly apiUrl: string; readonly timeoutMs: number }

/** The accounts that send settlements and pay their gas. */
type SettlerConfig =
  /** Of the local chain. */
  { readonly kind: 'test-account' } | { readonly kind: 'keys' } | ({ readonly kind: 'cdp' } & CdpAccount)

/** An EVM account whose key stays with Coinbase. */
export interface CdpAccount {
  readonly name: string
  readonly apiUrl: string
  /** Of one request to CDP. */
  readonly timeoutMs: number
}

export type FacilitatorConfigs = readonly [FacilitatorConfig, ...FacilitatorConfig[]]

/** The facilitators in the order of FACILITATOR_URL. */
export function readFacilitators(env: Environment): FacilitatorConfigs {
  const [first = 'local', ...others] = env.FACILITATOR_URL ?? []
  return [readFacilitator(first, env), ...others.map((other) => readFacilitator(other, env))]
}

/**
 * The longest time that one settlement may take when every facilitator is tried. A remote facilitator may use
 * its time twice: for its reply, and until the chain shows the named transaction. With a CDP server wallet,
 * each signature is a request to CDP.
 */
export function settlementTimeoutOf(facilitators: FacilitatorConfigs): number {
  return facilitators.reduce((sum, config) => {
    if (config.kind !== 'local') return sum + 2 * config.timeoutMs
    const { settler, settlementTimeoutMs } = config
    return sum + settlementTimeoutMs + (settler.kind === 'cdp' ? settler.timeoutMs : 0)
  }, 0)
}

function readFacilitator(named: string, env: Environment): FacilitatorConfig {
  const timeoutMs = env.FACILITATOR_TIMEOUT_MS
  switch (named) {
    case 'local':
      return {
        kind: 'local',
        settler: readSettler(env),
        leaseMs: env.SETTLER_LEASE_MS,
        settlementTimeoutMs: env.SETTLEMENT_TIMEOUT_MS,
        maxGasPriceWei: env.MAX_GAS_PRICE_GWEI,
        maxGasSharePercent: env.MAX_GAS_SHARE,
        ethPrice: env.ETH_PRICE_USDC,
        gasWarningPayments: env.GAS_WARNING_PAYMENTS,
      }
    case 'cdp':
      return { kind: 'cdp', apiUrl: env.CDP_API_URL, timeoutMs }
    default:
      return { kind: 'remote', url: named, timeoutMs }
  }
}

function readSettler(env: Environment): SettlerConfig {
  if (env.SETTLER_KEY) return { kind: 'keys' }
  if (!env.CDP_SETTLER_ACCOUNT) return { kind: 'test-account' }
  return {
    kind: 'cdp',
    name: env.CDP_SETTLER_ACCOUNT,
    apiUrl: env.CDP_API_URL,
    timeoutMs: env.FACILITATOR_TIMEOUT_MS,
  }
}
