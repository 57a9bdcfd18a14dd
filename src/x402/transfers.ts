import { type Address, type Hex, type PublicClient, parseEventLogs } from 'viem'
import { tokenAbi } from './token.ts'
import { isSameHex } from './types.ts'

/** What has come in on the chain, whoever sent it. */
export interface Inbound {
  readonly transaction: Hex
  readonly logIndex: number
  readonly block: { readonly number: bigint; readonly hash: Hex }
  readonly payer: Address
  /** Atomic units. */
  readonly amount: bigint
}

/** Public RPC endpoints refuse to search more blocks at once; on Base these are five and a half hours. */
const blocksAtOnce = 9_900n

/** The transfers of `asset` to `payTo` in a range of blocks, both ends included, in the chain's order. */
export async function* readInbound(
  client: PublicClient,
  asset: Address,
  payTo: Address,
  from: bigint,
  to: bigint,
): AsyncGenerator<{ readonly from: bigint; readonly to: bigint; readonly transfers: Inbound[] }> {
  for (let start = from; start <= to; start += blocksAtOnce) {
    const end = start + blocksAtOnce - 1n < to ? start + blocksAtOnce - 1n : to
    const logs = await client.getContractEvents({
      address: asset,
      abi: tokenAbi,
      eventName: 'Transfer',
      args: { to: payTo },
      fromBlock: start,
      toBlock: end,
      strict: true,
    })
    const transfers = logs.map((log) => ({
      transaction: log.transactionHash,
      logIndex: log.logIndex,
      block: { number: log.blockNumber, hash: log.blockHash },
      payer: log.args.from,
      amount: log.args.value,
    }))
    yield { from: start, to: end, transfers }
  }
}

/**
 * The nonce of the authorization that a transfer carried out: the token says `AuthorizationUsed` right
 * before it.
 * @returns undefined for a plain transfer.
 */
export async function nonceOf(
  client: PublicClient,
  asset: Address,
  transfer: Inbound,
): Promise<Hex | undefined> {
  const { logs } = await client.getTransactionReceipt({ hash: transfer.transaction })
  const events = parseEventLogs({ abi: tokenAbi, logs: logs.filter((log) => isSameHex(log.address, asset)) })
  const index = events.findIndex(({ logIndex }) => logIndex === transfer.logIndex)
  const before = events[index - 1]
  return before?.eventName === 'AuthorizationUsed' && isSameHex(before.args.authorizer, transfer.payer)
    ? before.args.nonce
    : undefined
}
