import { type Address, domainSeparator, type Hex, parseAbi, testActions, walletActions } from 'viem'
import { createChainClient } from '../client.ts'
import { multicall3Address, networks } from '../networks.ts'
import { permit2Address, uptoProxyAddress } from '../permit2.ts'
import { DevChainError } from './dev-chain-error.ts'

/**
 * What stands on the local chain before the first payment: USDC, Multicall3, Permit2 and the `upto`
 * proxy at the addresses they have on Base Sepolia. Each is compared with what should be there and only
 * mended where it differs, so a start cut off halfway is finished by the next one, and a chain from
 * before a change to the contracts gets the new ones.
 */

const { chainId, usdc } = networks['base-sepolia']

const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

/** A client that may also do what only a development chain allows. */
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

/** @throws DevChainError if the token is not what it has to be. */
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
 * Puts a contract where a deployment could not put it. Its constructor is run there in a call, so
 * that the code it answers with holds that very address, on which the token's signatures depend.
 */
async function place(client: DevClient, address: Address, creationCode: Hex): Promise<void> {
  const [{ data: code }, present] = await Promise.all([
    client.call({ to: address, stateOverride: [{ address, code: creationCode }] }),
    client.getCode({ address }),
  ])
  if (!code) throw new DevChainError(`The local chain made no code for the contract at ${address}.`)
  if (code !== present) await client.setCode({ address, bytecode: code })
}

/** A signature is made for one domain: if it differs from Base Sepolia's, every payment here proves nothing. */
async function checkToken(client: DevClient): Promise<void> {
  const token = { address: usdc.address, abi: tokenAbi } as const
  const [name, symbol, decimals, version, separator] = await Promise.all([
    client.readContract({ ...token, functionName: 'name' }),
    client.readContract({ ...token, functionName: 'symbol' }),
    client.readContract({ ...token, functionName: 'decimals' }),
    client.readContract({ ...token, functionName: 'version' }),
    client.readContract({ ...token, functionName: 'DOMAIN_SEPARATOR' }),
  ])
  const found = { name, symbol, decimals, version, separator }
  const wanted = {
    name: usdc.name,
    symbol: 'USDC',
    decimals: 6,
    version: usdc.version,
    separator: domainSeparator({
      domain: { name: usdc.name, version: usdc.version, chainId, verifyingContract: usdc.address },
    }),
  }
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new DevChainError(
      `The local chain's USDC is not as on Base Sepolia: it has ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}.`,
    )
  }
}
