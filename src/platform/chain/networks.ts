import { type Address, type Chain, defineChain, getAddress } from 'viem'

/**
 * A network that payments may move on. The asset's EIP-712 domain is part of every signature and differs
 * between the two ("USD Coin" on Base, "USDC" on Base Sepolia), so it stands here and is never taken from a
 * client.
 */
export interface Network {
  /** The specification's and x402 v1's name. */
  readonly name: 'base' | 'base-sepolia'
  readonly chain: Chain
  readonly chainId: number
  /** x402 v2's name. */
  readonly caip2: `eip155:${number}`
  readonly usdc: {
    /** EIP-55 checksummed: v1 clients compare it letter by letter. */
    readonly address: Address
    /** EIP-712 domain name and version of the token contract. */
    readonly name: string
    readonly version: string
  }
}

/** Multicall3 has this address on every network (multicall3.com). */
export const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/**
 * The part of the two chains that we need. viem's own definitions come in one module with those of some 700
 * other chains, which all would be loaded at every start (no measurement kept).
 */
const shared = {
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  contracts: { multicall3: { address: multicall3Address } },
} as const
const base = defineChain({
  ...shared,
  id: 8453,
  name: 'Base',
  rpcUrls: { default: { http: ['https://mainnet.base.org'] } },
})
const baseSepolia = defineChain({
  ...shared,
  id: 84_532,
  name: 'Base Sepolia',
  rpcUrls: { default: { http: ['https://sepolia.base.org'] } },
  testnet: true,
})

export const networks = {
  base: {
    name: 'base',
    chain: base,
    chainId: 8453,
    caip2: 'eip155:8453',
    usdc: {
      address: getAddress('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
      name: 'USD Coin',
      version: '2',
    },
  },
  'base-sepolia': {
    name: 'base-sepolia',
    chain: baseSepolia,
    chainId: 84532,
    caip2: 'eip155:84532',
    usdc: { address: getAddress('0x036CbD53842c5426634e7929541eC2318f3dCF7e'), name: 'USDC', version: '2' },
  },
} as const satisfies Record<string, Network>

/** @returns undefined for a chain that is none of `networks`. */
export function networkOf(chainId: number): Network | undefined {
  return Object.values(networks).find((one) => one.chainId === chainId)
}

export function nameOfNetwork(chainId: number): string {
  return networkOf(chainId)?.name ?? `chain ${chainId}`
}

/** x402 v2's name of an EVM chain, by CAIP-2. */
export function caip2Of(chainId: number): Network['caip2'] {
  return `eip155:${chainId}`
}
