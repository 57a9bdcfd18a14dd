import { type Address, type Log, type PublicClient, parseEventLogs, type TransactionReceipt } from 'viem'
import type { Inclusion, Settlement } from './facilitator.ts'
import { tokenAbi } from './token.ts'
import { type Authorization, isSameHex } from './types.ts'

/**
 * What the chain says about a payment. Only this counts as settled: the token's own events, in order.
 * `AuthorizationUsed` names payer and nonce, and the `Transfer` right after it moves the money; taken
 * apart, two equal payments in one transaction could vouch for each other, and an authorization used
 * towards somebody else could pass for ours.
 */
export function provesTransfer(logs: readonly Log[], asset: Address, authorization: Authorization): boolean {
  const events = parseEventLogs({ abi: tokenAbi, logs: logs.filter((log) => isSameHex(log.address, asset)) })
  return events.some((event, index) => {
    const next = events[index + 1]
    return (
      event.eventName === 'AuthorizationUsed' &&
      isSameHex(event.args.authorizer, authorization.from) &&
      isSameHex(event.args.nonce, authorization.nonce) &&
      next?.eventName === 'Transfer' &&
      next.transactionHash === event.transactionHash &&
      isSameHex(next.args.from, authorization.from) &&
      isSameHex(next.args.to, authorization.to) &&
      next.args.value === authorization.value
    )
  })
}

export type Evidence =
  /** The money moved in this transaction, whoever sent it. */
  | ({ readonly kind: 'transferred' } & Inclusion)
  /** The nonce is spent, and no transfer to us bears it: the payer cancelled it or used it otherwise. */
  | { readonly kind: 'cancelled' }
  /** The nonce is spent, but its transaction was not found: too old, or a node that has not seen it. */
  | { readonly kind: 'spent' }
  /** The nonce is unspent in `block`, whose time is `now` (Unix seconds). */
  | { readonly kind: 'unused'; readonly block: bigint; readonly now: bigint }

/** Where a mined transaction stands. */
export function inclusionOf({ transactionHash, blockNumber, blockHash }: TransactionReceipt): Inclusion {
  return { transaction: transactionHash, block: { number: blockNumber, hash: blockHash } }
}

/** What spent evidence means for the payment. */
export function outcomeOf(evidence: Exclude<Evidence, { kind: 'unused' }>): Settlement {
  switch (evidence.kind) {
    case 'transferred':
      return { outcome: 'settled', transaction: evidence.transaction, block: evidence.block }
    case 'cancelled':
      return {
        outcome: 'failed',
        refusal: { reason: 'invalid_transaction_state', message: 'the payer cancelled the authorization' },
      }
    case 'spent':
      return { outcome: 'unknown', cause: new Error('the nonce is spent, its transaction was not found') }
  }
}

/** Public RPC endpoints refuse to search more blocks at once; on Base these are five and a half hours. */
export const blocksAtOnce = 9_900n
/** A week of Base: a gateway that was down for longer is a matter for its operator. */
const mostSearches = 31

/**
 * Asks the chain what became of an authorization. Rejects when the chain does not answer.
 * @param searchedBlocks how many blocks are searched for events at once.
 */
export async function findEvidence(
  client: PublicClient,
  asset: Address,
  authorization: Authorization,
  searchedBlocks = blocksAtOnce,
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
  const event = await findSpending(client, asset, authorization, block.number, searchedBlocks)
  if (!event) return { kind: 'spent' }
  if (event.eventName === 'AuthorizationCanceled') return { kind: 'cancelled' }
  const receipt = await client.getTransactionReceipt({ hash: event.transactionHash })
  return provesTransfer(receipt.logs, asset, authorization)
    ? { kind: 'transferred', ...inclusionOf(receipt) }
    : { kind: 'cancelled' }
}

/**
 * The event that spent the nonce, searched from `head` back to where the authorization became valid.
 * That a node shows none is no evidence of anything: a cancelled authorization has its event as well.
 */
async function findSpending(
  client: PublicClient,
  asset: Address,
  authorization: Authorization,
  head: bigint,
  searchedBlocks: bigint,
) {
  const { from: authorizer, nonce, validAfter } = authorization
  const filter = { address: asset, abi: tokenAbi, args: { authorizer, nonce } } as const
  let toBlock = head
  for (let searches = 1; ; searches += 1) {
    const fromBlock = toBlock > searchedBlocks ? toBlock - searchedBlocks : 0n
    const [[used], [cancelled]] = await Promise.all([
      client.getContractEvents({ ...filter, eventName: 'AuthorizationUsed', fromBlock, toBlock }),
      client.getContractEvents({ ...filter, eventName: 'AuthorizationCanceled', fromBlock, toBlock }),
    ])
    if (used || cancelled) return used ?? cancelled
    if (fromBlock === 0n || searches === mostSearches) return undefined
    const { timestamp } = await client.getBlock({ blockNumber: fromBlock })
    if (timestamp < validAfter) return undefined
    toBlock = fromBlock - 1n
  }
}
