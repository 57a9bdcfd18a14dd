import {
  type Address,
  formatLog,
  type Hex,
  numberToHex,
  type PublicClient,
  pad,
  parseAbi,
  parseEventLogs,
  toEventSelector,
} from 'viem'
import { permit2Abi, permit2Address } from '../../../platform/chain/permit2.ts'
import { type Authorization, isSameHex } from '../wire/types.ts'
import { blocksBack } from './blocks-back.ts'
import type { Nonces, Spending } from './nonces.ts'
import { uptoSettlementsIn } from './upto-settlements.ts'

/**
 * Permit2's count of used nonces: a bit for each, and no event when it is set by a transfer. What has set it
 * is found among the payer's transfers to us; only when none of them did, and the payer has invalidated it,
 * is it cancelled. A used nonce can be invalidated as well, so that alone tells nothing. And the payer can use
 * it up by a transfer of their own, of nothing even, which no event bears: then the block is looked for in
 * which the bit was set.
 */
export const permit2Nonces: Nonces = {
  isUsed,

  async findSpending(client, asset, authorization, head, searchedBlocks) {
    let isInvalidated = false
    let oldest = head
    for await (const range of blocksBack(client, head, authorization.validAfter, searchedBlocks)) {
      const events = await eventsOf(client, asset, authorization.from, range)
      const likely = new Set(events.flatMap((event) => transferOf(event, asset, authorization)))
      const settlement = await findSettlement(client, asset, authorization, [...likely].reverse())
      if (settlement) return settlement
      isInvalidated ||= events.some((event) => invalidates(event, authorization.nonce))
      oldest = range.fromBlock
    }
    if (isInvalidated) return 'cancelled'
    const isUsedAt = (at: bigint) => isUsed(client, asset, authorization, at)
    const block = await blockOfUse(isUsedAt, head, oldest)
    if (block === undefined) return undefined
    const { transactions } = await client.getBlock({ blockNumber: block, includeTransactions: false })
    return (await findSettlement(client, asset, authorization, transactions)) ?? 'cancelled'
  },
}

async function isUsed(
  client: PublicClient,
  _asset: Address,
  { from, nonce }: Authorization,
  blockNumber: bigint,
): Promise<boolean> {
  const { word, bit } = placeOf(nonce)
  const bits = await client.readContract({
    address: permit2Address,
    abi: permit2Abi,
    functionName: 'nonceBitmap',
    args: [from, word],
    blockNumber,
  })
  return (bits & bit) !== 0n
}

/** Which of a payer's words of 256 nonces this one is in, and as which bit. */
export function placeOf(nonce: Hex): { readonly word: bigint; readonly bit: bigint } {
  const number = BigInt(nonce)
  return { word: number >> 8n, bit: 1n << (number & 255n) }
}

const eventsAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask)',
])
const topics = eventsAbi.map((event) => toEventSelector(event))

/**
 * What the payer has sent and invalidated, the oldest first. Asked for in one request: of two nodes behind
 * one address the one could show the invalidation, and the other not yet the transfer before it.
 */
async function eventsOf(
  client: PublicClient,
  asset: Address,
  payer: Address,
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
) {
  const logs = await client.request({
    method: 'eth_getLogs',
    params: [
      {
        address: [asset, permit2Address],
        topics: [topics, pad(payer)],
        fromBlock: numberToHex(fromBlock),
        toBlock: numberToHex(toBlock),
      },
    ],
  })
  return parseEventLogs({ abi: eventsAbi, logs: logs.map((log) => formatLog(log)) })
}

type PayerEvent = Awaited<ReturnType<typeof eventsOf>>[number]

function invalidates(event: PayerEvent, nonce: Hex): boolean {
  const { word, bit } = placeOf(nonce)
  return (
    event.eventName === 'UnorderedNonceInvalidation' &&
    isSameHex(event.address, permit2Address) &&
    event.args.word === word &&
    (event.args.mask & bit) !== 0n
  )
}

/** So many transactions are read at the same time. */
const readAtOnce = 20

/**
 * The one of these transactions that settled it.
 * @param transactions the likeliest first. Of a payer's transfers that is the newest: what is asked about has
 *   mostly just happened, and a regular has paid us a thousand times.
 */
async function findSettlement(
  client: PublicClient,
  asset: Address,
  authorization: Authorization,
  transactions: readonly Hex[],
): Promise<Spending | undefined> {
  for (let from = 0; from < transactions.length; from += readAtOnce) {
    const some = transactions.slice(from, from + readAtOnce)
    const bearing = await Promise.all(some.map((hash) => names(client, hash, authorization.nonce)))
    for (const hash of some.filter((_, index) => bearing[index])) {
      const receipt = await client.getTransactionReceipt({ hash })
      const settlements = await uptoSettlementsIn(client, receipt, asset)
      const own = settlements.find(
        ({ payer, payTo, nonce }) =>
          isSameHex(payer, authorization.from) &&
          isSameHex(payTo, authorization.to) &&
          isSameHex(nonce, authorization.nonce),
      )
      if (own) return { receipt, amount: own.amount }
    }
  }
  return undefined
}

/** The transaction of this event, when it may be the one. */
function transferOf(event: PayerEvent, asset: Address, { to, value }: Authorization): Hex[] {
  const isLikely =
    event.eventName === 'Transfer' &&
    isSameHex(event.address, asset) &&
    isSameHex(event.args.to, to) &&
    event.args.value <= value
  return isLikely && event.transactionHash ? [event.transactionHash] : []
}

/** Whether a transaction's calldata has this nonce anywhere in it: costs one request instead of two. */
async function names(client: PublicClient, hash: Hex, nonce: Hex): Promise<boolean> {
  const { input } = await client.getTransaction({ hash })
  return input.toLowerCase().includes(nonce.slice(2).toLowerCase())
}

/**
 * The block in which a nonce was used up that left no event. It is looked for in ever longer steps back from
 * `head`, where it is used, because most nodes know how things stood only some hundred blocks ago, and what is
 * asked about has mostly just happened.
 * @param isUsedAt whether it was used at the end of a block; rejects when the node cannot tell.
 * @returns undefined when it was used in `oldest` or before, or before what the node can tell of.
 */
async function blockOfUse(
  isUsedAt: (block: bigint) => Promise<boolean>,
  head: bigint,
  oldest: bigint,
): Promise<bigint | undefined> {
  let used = head
  try {
    for (let step = 1n; used > oldest; step *= 2n) {
      const before = used - step > oldest ? used - step : oldest
      if (!(await isUsedAt(before))) return await firstUsed(isUsedAt, before, used)
      used = before
    }
  } catch {
    // What the node cannot tell stays open; it is asked again.
  }
  return undefined
}

/** Halves the blocks between one where it is `unused` and one where it is `used`. */

async function firstUsed(
  isUsedAt: (block: bigint) => Promise<boolean>,
  unused: bigint,
  used: bigint,
): Promise<bigint> {
  let low = unused
  let high = used
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (await isUsedAt(middle)) high = middle
    else low = middle
  }
  return high
}
