import { type Address, type Hex, type Log, type PublicClient, parseEventLogs } from 'viem'
import { tokenAbi } from './token.ts'
import type { Authorization } from './types.ts'

/**
 * What the chain says about a payment. Only this counts as settled: the token's own events, in order.
 * `AuthorizationUsed` names payer and nonce, and the `Transfer` right after it moves the money; taken
 * apart, two equal payments in one transaction could vouch for each other, and an authorization used
 * towards somebody else could pass for ours.
 */
export function provesTransfer(logs: readonly Log[], asset: Address, authorization: Authorization): boolean {
  const events = parseEventLogs({ abi: tokenAbi, logs: logs.filter((log) => isSame(log.address, asset)) })
  return events.some((event, index) => {
    const next = events[index + 1]
    return (
      event.eventName === 'AuthorizationUsed' &&
      isSame(event.args.authorizer, authorization.from) &&
      isSame(event.args.nonce, authorization.nonce) &&
      next?.eventName === 'Transfer' &&
      next.transactionHash === event.transactionHash &&
      isSame(next.args.from, authorization.from) &&
      isSame(next.args.to, authorization.to) &&
      next.args.value === authorization.value
    )
  })
}

export type Evidence =
  /** The money moved in this transaction, whoever sent it. */
  | { readonly kind: 'transferred'; readonly transaction: Hex }
  /** The nonce is spent, but no transfer to us bears it: cancelled by the payer. */
  | { readonly kind: 'cancelled' }
  /** The nonce is spent, but its transaction is older than we may search. */
  | { readonly kind: 'spent' }
  /** The nonce is unspent in `block`, whose time is `now` (Unix seconds). */
  | { readonly kind: 'unused'; readonly block: bigint; readonly now: bigint }

/** Public RPC endpoints refuse to search more blocks at once; on Base these are five and a half hours. */
const searchedBlocks = 9_900n

/** Asks the chain what became of an authorization. Rejects when the chain does not answer. */
export async function findEvidence(
  client: PublicClient,
  asset: Address,
  authorization: Authorization,
): Promise<Evidence> {
  const block = await client.getBlock({ blockTag: 'latest', includeTransactions: false })
  // Asked of that very block: behind one RPC address there may be nodes that have seen less.
  const used = await client.readContract({
    address: asset,
    abi: tokenAbi,
    functionName: 'authorizationState',
    args: [authorization.from, authorization.nonce],
    blockNumber: block.number,
  })
  if (!used) return { kind: 'unused', block: block.number, now: block.timestamp }
  const fromBlock = block.number > searchedBlocks ? block.number - searchedBlocks : 0n
  const [event] = await client.getContractEvents({
    address: asset,
    abi: tokenAbi,
    eventName: 'AuthorizationUsed',
    args: { authorizer: authorization.from, nonce: authorization.nonce },
    fromBlock,
    toBlock: 'latest',
  })
  if (!event) return fromBlock === 0n ? { kind: 'cancelled' } : { kind: 'spent' }
  const receipt = await client.getTransactionReceipt({ hash: event.transactionHash })
  return provesTransfer(receipt.logs, asset, authorization)
    ? { kind: 'transferred', transaction: event.transactionHash }
    : { kind: 'cancelled' }
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
