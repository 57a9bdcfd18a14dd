import { type Address, type Hex, type PublicClient, parseEventLogs } from 'viem'
import { permit2Address } from '../../../platform/chain/permit2.ts'
import { isSameHex } from '../wire/types.ts'
import { blocksAtOnce } from './blocks-back.ts'
import { tokenAbi } from './token.ts'
import { uptoSettlementsIn } from './upto-settlements.ts'

/** A transfer to us that the chain shows, whichever account sent it. */
export interface Inbound {
  readonly transaction: Hex
  readonly logIndex: number
  readonly block: { readonly number: bigint; readonly hash: Hex }
  readonly payer: Address
  /** Atomic units. */
  readonly amount: bigint
}

/**
 * Yields the transfers of `asset` to `payTo` in a range of blocks, both ends included, in the chain's order.
 * A node refuses a range with too many results, and each node has its own limit: then fewer blocks are asked
 * for, down to one. A transfer of 0 is left out, because anyone can make one for any payer at the cost of
 * gas.
 * @param maxBlocks the most blocks to ask for in one request.
 */
export async function* readInbound(
  client: PublicClient,
  asset: Address,
  payTo: Address,
  from: bigint,
  to: bigint,
  maxBlocks = blocksAtOnce,
): AsyncGenerator<{ readonly from: bigint; readonly to: bigint; readonly transfers: Inbound[] }> {
  let blocks = maxBlocks
  for (let start = from; start <= to; ) {
    const end = start + blocks - 1n < to ? start + blocks - 1n : to
    let transfers: Inbound[]
    try {
      transfers = await readTransfers(client, asset, payTo, start, end)
    } catch (error) {
      // When even a single block fails, the node is down.
      if (start === end) throw error
      blocks = (end - start + 1n) / 2n
      continue
    }
    yield { from: start, to: end, transfers }
    start = end + 1n
    blocks = blocks * 2n < maxBlocks ? blocks * 2n : maxBlocks
  }
}

async function readTransfers(
  client: PublicClient,
  asset: Address,
  payTo: Address,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<Inbound[]> {
  const logs = await client.getContractEvents({
    address: asset,
    abi: tokenAbi,
    eventName: 'Transfer',
    args: { to: payTo },
    fromBlock,
    toBlock,
    strict: true,
  })
  return logs
    .filter(({ args }) => args.value > 0n)
    .map((log) => ({
      transaction: log.transactionHash,
      logIndex: log.logIndex,
      block: { number: log.blockNumber, hash: log.blockHash },
      payer: log.args.from,
      amount: log.args.value,
    }))
}

/**
 * The nonce of an authorization. The token and Permit2 count separately, so each may have the same number
 * once.
 */
export interface UsedNonce {
  readonly nonce: Hex
  /** The address of Permit2 when it counted the nonce; unset when the token did. */
  readonly permit2?: Address
}

/**
 * Reads the nonces of the authorizations that a transaction carried out, by the index of their transfer's
 * log. The token logs `AuthorizationUsed` right before the transfer; the `upto` proxy's calldata names the
 * nonce. A plain transfer has none.
 */
export async function noncesIn(
  client: PublicClient,
  asset: Address,
  transaction: Hex,
): Promise<ReadonlyMap<number, UsedNonce>> {
  const receipt = await client.getTransactionReceipt({ hash: transaction })
  const { logs } = receipt
  const events = parseEventLogs({ abi: tokenAbi, logs: logs.filter((log) => isSameHex(log.address, asset)) })
  const used = events.flatMap((event, index): [number, UsedNonce][] => {
    const before = events[index - 1]
    return event.eventName === 'Transfer' &&
      before?.eventName === 'AuthorizationUsed' &&
      isSameHex(before.args.authorizer, event.args.from)
      ? [[event.logIndex, { nonce: before.args.nonce }]]
      : []
  })
  const settlements = await uptoSettlementsIn(client, receipt, asset)
  const upto = settlements.map(({ logIndex, nonce }): [number, UsedNonce] => [
    logIndex,
    { nonce, permit2: permit2Address },
  ])
  return new Map([...used, ...upto])
}
