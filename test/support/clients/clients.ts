/** A published x402 client, and what its users can tell it. */
export interface PublishedClient {
  /** The package that its users install. */
  readonly name: string
  /** In `scripts`. */
  readonly script: string
  /** The x402 version that it speaks to a server of both. */
  readonly x402: 1 | 2
  /** The packages of its documented use. Without any it is a dependency of this project. */
  readonly packages?: Packages
  /** A command that fails where the package is installed without its program for this machine. */
  readonly probe?: readonly [string, ...string[]]
  /** The most that it pays for a call, in USDC; `own` unless its user raises it with an option. */
  readonly limit?: { readonly own: '0.10' | '1.00' | 'none'; readonly refusal: RegExp }
  /** Its user cannot send headers, and gets no headers of a reply: it is a command. */
  readonly isCommand?: boolean
  /**
   * How it pays a metered call, which is offered by `upto` first and then by `exact`. `confused` is for a client that
   * signs the first offer as if it were `exact`.
   */
  readonly metered: 'upto' | 'exact' | 'confused'
  /** What it says when the gateway refuses the payment of an empty wallet. */
  readonly refused: RegExp
  /** How many payments it signs before it gives up, when each is refused. */
  readonly attempts: 0 | 1 | 3
}

/** In exact versions. */
export type Packages = Readonly<Record<string, string>>

/** The wallet library that all of them share: @faremeter asks for this version, and the others for any like it. */
const viem = '2.41.2'

/**
 * The clients that the gateway is tried with. None of them is ours, and none is changed; `scripts` holds how their
 * documentation says to use each.
 */
export const publishedClients: readonly PublishedClient[] = [
  {
    name: '@x402/fetch',
    script: 'x402-v2-fetch',
    x402: 2,
    limit: { own: '1.00', refusal: /spendControls/ },
    metered: 'upto',
    refused: /^status 402$/,
    attempts: 1,
  },
  {
    name: '@x402/axios',
    script: 'x402-v2-axios',
    x402: 2,
    packages: { '@x402/axios': '2.11.0', '@x402/evm': '2.11.0', axios: '1.21.1', viem },
    metered: 'upto',
    refused: /AxiosError: .* 402/,
    attempts: 1,
  },
  {
    name: '@payai/x402',
    script: 'payai-x402',
    x402: 2,
    packages: { '@payai/x402': '2.4.1', '@x402/evm': '2.11.0', viem },
    metered: 'upto',
    refused: /insufficient_funds/,
    attempts: 1,
  },
  {
    name: '@faremeter/fetch',
    script: 'faremeter-fetch',
    x402: 2,
    packages: {
      '@faremeter/fetch': '0.22.0',
      '@faremeter/payment-evm': '0.22.0',
      '@faremeter/wallet-evm': '0.22.0',
      viem,
    },
    metered: 'exact',
    refused: /failed to complete payment after retries/,
    attempts: 3,
  },
  {
    name: '@dexterai/x402',
    script: 'dexter-fetch',
    x402: 2,
    packages: { '@dexterai/x402': '2.0.0', viem },
    limit: { own: 'none', refusal: /exceeds maximum/ },
    metered: 'confused',
    refused: /Insufficient USDC balance/,
    attempts: 0,
  },
  {
    name: '@open-wallet-standard/core',
    script: 'open-wallet-standard',
    x402: 2,
    packages: { '@open-wallet-standard/core': '1.2.4' },
    probe: ['node_modules/.bin/ows', '--version'],
    isCommand: true,
    metered: 'exact',
    refused: /insufficient_funds/,
    attempts: 1,
  },
  {
    name: 'x402-fetch',
    script: 'x402-v1-fetch',
    x402: 1,
    packages: { 'x402-fetch': '1.2.0', viem },
    limit: { own: '0.10', refusal: /exceeds maximum allowed/ },
    metered: 'exact',
    refused: /^status 402$/,
    attempts: 1,
  },
  {
    name: 'x402-axios',
    script: 'x402-v1-axios',
    x402: 1,
    packages: { 'x402-axios': '0.7.2', axios: '1.21.1', viem },
    metered: 'exact',
    refused: /AxiosError: .* 402/,
    attempts: 1,
  },
  {
    name: '@b3dotfun/anyspend-x402-fetch',
    script: 'anyspend-fetch',
    x402: 1,
    packages: { '@b3dotfun/anyspend-x402-fetch': '0.2.5', viem },
    limit: { own: '0.10', refusal: /exceeds maximum allowed/ },
    metered: 'exact',
    refused: /^status 402$/,
    attempts: 1,
  },
]
