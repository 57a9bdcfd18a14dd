import { type Address, domainSeparator, type Hex, parseAbi, testActions, walletActions } from 'viem'
import { createChainClient } from '../client.ts'
import { multicall3Address, networks } from '../networks.ts'
import { permit2Address, uptoProxyAddress } from '../permit2.ts'
import { DevChainError } from './dev-chain-error.ts'

const { chainId, usdc } = networks['base-sepolia']

const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

/** Creates a client that also has the methods of a development chain. */
export function createDevClient(rpcUrl: string) {
  return createChainClient({ network: networks['base-sepolia'], rpcUrl, timeoutMs: 10_000 })
    .extend(testActions({ mode: 'anvil' }))
    .extend(walletActions)
}

export type DevClient = ReturnType<typeof createDevClient>

export interface CreationCode {
  readonly TestUSDC: Hex
  readonly Multicall3: Hex
  readonly Permit2: Hex
  readonly UptoPermit2Proxy: Hex
}

/**
 * Puts USDC, Multicall3, Permit2 and the `upto` proxy at the addresses that they have on Base Sepolia. Only
 * contracts that differ are replaced: a start that was interrupted is finished by the next one, and an older
 * chain gets changed contracts.
 * @throws DevChainError when the token's domain or names differ from Base Sepolia's.
 */
export async function placeContracts(client: DevClient, creationCode: CreationCode): Promise<void> {
  await Promise.all([
    place(client, usdc.address, creationCode.TestUSDC),
    place(client, multicall3Address, creationCode.Multicall3),
    place(client, permit2Address, creationCode.Permit2),
    place(client, uptoProxyAddress, creationCode.UptoPermit2Proxy),
  ])
  await checkToken(client)
}

/**
 * Puts a contract at an address to which it could not be deployed. A call runs the constructor at that
 * address, so that the returned code holds it: the token's signatures depend on the address.
 */
async function place(client: DevClient, address: Address, creationCode: Hex): Promise<void> {
  const [{ data: code }, present] = await Promise.all([
    client.call({ to: address, stateOverride: [{ address, code: creationCode }] }),
    client.getCode({ address }),
  ])
  if (!code) throw new DevChainError(`The local chain made no code for the contract at ${address}.`)
  if (code !== present) await client.setCode({ address, bytecode: code })
}

/**
 * A signature is valid for one domain. With another one than Base Sepolia's, payments here would prove
 * nothing.
 */
async function checkToken(client: DevClient): Promise<void> {
  const token = { address: usdc.address, abi: tokenAbi } as const
  const [name, symbol, decimals, version, separator] = await Promise.all([
    client.readContract({ ...token, functionName: 'name' }),
    client.readContract({ ...token, functionName: 'symbol' }),
    client.readContract({ ...token, functionName: 'decimals' }),
    client.readContract({ ...token, functionName: 'version' }),
    client.readContract({ ...token, functionName: 'DOMAIN_SEPARATOR' }),
  ])
  const actual = { name, symbol, decimals, version, separator }
  const expected = {
    name: usdc.name,
    symbol: 'USDC',
    decimals: 6,
    version: usdc.version,
    separator: domainSeparator({
      domain: { name: usdc.name, version: usdc.version, chainId, verifyingContract: usdc.address },
    }),
  }
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new DevChainError(
      `The local chain's USDC differs from Base Sepolia's: it has ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}.`,
    )
  }
}
