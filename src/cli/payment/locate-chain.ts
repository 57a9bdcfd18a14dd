import { type Address, BaseError, ContractFunctionZeroDataError, erc20Abi, type PublicClient } from 'viem'
import { reasonOf } from '../../client/fetch-failure.ts'
import { createChainClient } from '../../platform/chain/client.ts'
import { type Network, networkOf, networks } from '../../platform/chain/networks.ts'
import { CommandError } from '../command-error.ts'
import { type Access, readKeptFile } from '../gateway/locate-gateway.ts'

/** Finds the chain whose balances a command shows, and reads them. */

/** A chain that answers. */
export interface Chain {
  readonly client: PublicClient
  readonly network: Network
  readonly rpcUrl: string
  /** A gateway's local chain: its money is play money. */
  readonly isLocal: boolean
}

const timeoutMs = 5_000

/**
 * Finds the address of the chain: `--rpc`, then RPC_URL, then the local chain of the gateway in the data folder.
 * @param of the server whose chain is meant: the local chain belongs to its own gateway only, and another server's
 *   balances are on another chain, although both have the number of Base Sepolia. Undefined for any.
 */
export async function findRpcUrl(
  option: string | undefined,
  access: Access,
  of?: string,
): Promise<{ readonly rpcUrl: string; readonly isLocal: boolean } | undefined> {
  const named = option ?? (access.RPC_URL || undefined)
  if (named !== undefined) return { rpcUrl: named, isLocal: false }
  const kept = await readKeptFile(access)
  if (kept?.rpcUrl === undefined) return undefined
  const isMeant = of === undefined || (kept.url !== undefined && isSameServer(of, kept.url))
  return isMeant ? { rpcUrl: kept.rpcUrl, isLocal: true } : undefined
}

/** @throws CommandError when it does not answer or is neither Base nor Base Sepolia. */
export async function openChain({
  rpcUrl,
  isLocal,
}: {
  readonly rpcUrl: string
  readonly isLocal: boolean
}): Promise<Chain> {
  if (!/^https?:\/\//.test(rpcUrl) || !URL.canParse(rpcUrl)) {
    throw new CommandError('The address of the chain (--rpc or RPC_URL) is not an http(s) address.')
  }
  const client = createChainClient({ network: networks.base, rpcUrl, timeoutMs })
  const chainId = await client.getChainId().catch((cause: unknown) => {
    throw unreachable(rpcUrl, cause)
  })
  const network = networkOf(chainId)
  if (network) return { client, network, rpcUrl, isLocal }
  throw new CommandError(
    `The chain at ${hostOf(rpcUrl)} has the number ${chainId}; Base has 8453, and Base Sepolia 84532.`,
  )
}

/** Reads how much of a token an account has, in atomic units. */
export async function readToken({ client, rpcUrl }: Chain, token: Address, owner: Address): Promise<bigint> {
  return client
    .readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
    .catch((cause: unknown) => {
      if (!isWithoutContract(cause)) throw unreachable(rpcUrl, cause)
      throw new CommandError(
        `The chain at ${hostOf(rpcUrl)} has no USDC contract at ${token}: it is another chain with this number.`,
        { cause },
      )
    })
}

function isWithoutContract(error: unknown): boolean {
  return (
    error instanceof BaseError && error.walk((one) => one instanceof ContractFunctionZeroDataError) !== null
  )
}

/** The path and query of an RPC address often are a secret, so only its host is named. */
export function hostOf(rpcUrl: string): string {
  return new URL(rpcUrl).host
}

export function unreachable(rpcUrl: string, cause: unknown): CommandError {
  return new CommandError(
    `The chain at ${hostOf(rpcUrl)} does not answer: ${reasonOf(cause).split('\n')[0]?.replace(/\.$/, '')}. Is the gateway running, or --rpc right?`,
    { cause },
  )
}

/** `localhost` and the addresses of loopback are the same machine. */
function isSameServer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((url) => {
    const { protocol, host, port } = new URL(url)
    return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/.test(host)
      ? `${protocol}//loopback:${port}`
      : `${protocol}//${host}`
  })
  return a === b
}
