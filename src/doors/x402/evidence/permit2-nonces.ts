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
 * The nonces that Permit2 counts: a bit for each, set by a transfer without any event. We search the payer's
 * transfers to us for the transaction that set it. A nonce counts as canceled only when the payer invalidated
 * it and no such transfer used it: a used nonce can be invalidated too, so the invalidation alone proves
 * nothing. The payer can also use the nonce in a transfer of 0, which leaves no event. Then we search for the
 * block in which the bit was set.
 */
export const permit2Nonces: Nonces = {
  isUsed,

  async findSpending(client, asset, authorization, search) {
    const { head } = search
    let isInvalidated = false
    let oldest = head
    for await (const range of blocksBack(client, search)) {
      const events = await eventsOf(client, asset, authorization.from, range)
      const likely = new Set(events.flatMap((event) => transferOf(event, asset, authorization)))
      const settlement = await findSettlement(client, asset, authorization, [...likely].reverse())
      if (settlement) return settlement
      isInvalidated ||= events.some((event) => invalidates(event, authorization.nonce))
      oldest = range.fromBlock
    }
    if (isInvalidated) return { kind: 'canceled' }
    const isUsedAt = (at: bigint) => isUsed(client, asset, authorization, at)
    const block = await blockOfUse(isUsedAt, head, oldest)
    if (block === undefined) return undefined
    const { transactions } = await client.getBlock({ blockNumber: block, includeTransactions: false })
    return (await findSettlement(client, asset, authorization, transactions)) ?? { kind: 'canceled' }
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

/** The word of 256 nonces that a nonce is in, and its bit there. */
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
 * Reads the payer's transfers and invalidations, the oldest first. One request asks for both: of two nodes
 * behind one address, one could show the invalidation while the other does not have the transfer before it.
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

/** How many transactions are read at the same time. */
const readAtOnce = 20

/**
 * Finds the transaction that settled the authorization.
 * @param transactions the likeliest first. For a payer's transfers that is the newest: most authorizations
 *   that are looked up were used just now, and a regular payer has paid us many times.
 */
async function findSettlement(
  client: PublicClient,
  asset: Address,
  authorization: Authorization,
  transactions: readonly Hex[],
): Promise<Spending | undefined> {
  for (let from = 0; from < transactions.length; from += readAtOnce) {
    const some = transactions.slice(from, from + readAtOnce)
    const naming = await Promise.all(some.map((hash) => namesNonce(client, hash, authorization.nonce)))
    for (const hash of some.filter((_, index) => naming[index])) {
      const receipt = await client.getTransactionReceipt({ hash })
      const settlements = await uptoSettlementsIn(client, receipt, asset)
      const own = settlements.find(
        ({ payer, payTo, nonce }) =>
          isSameHex(payer, authorization.from) &&
          isSameHex(payTo, authorization.to) &&
          isSameHex(nonce, authorization.nonce),
      )
      if (own) return { kind: 'transferred', receipt, amount: own.amount }
    }
  }
  return undefined
}

/** The transaction of this event, when it may have used the nonce. */
function transferOf(event: PayerEvent, asset: Address, { to, value }: Authorization): Hex[] {
  const isLikely =
    event.eventName === 'Transfer' &&
    isSameHex(event.address, asset) &&
    isSameHex(event.args.to, to) &&
    event.args.value <= value
  return isLikely && event.transactionHash ? [event.transactionHash] : []
}

/**
 * Whether a transaction's calldata has this nonce anywhere in it. This takes one request; the full proof
 * takes two.
 */
async function namesNonce(client: PublicClient, hash: Hex, nonce: Hex): Promise<boolean> {
  const { input } = await client.getTransaction({ hash })
  return input.toLowerCase().includes(nonce.slice(2).toLowerCase())
}

/**
 * Finds the block in which a nonce was used that left no event. The search steps back from `head` with
 * doubled steps: most nodes keep the state of a few hundred blocks only, and most nonces that are looked up
 * were used just now.
 * @param isUsedAt whether it was used by the end of a block; rejects when the node does not have that state.
 * @returns undefined when it was used in `oldest` or before, or before the oldest state that the node has.
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
    // The node does not have the state of that block. The caller finds the nonce `spent` and looks again
    // later.
  }
  return undefined
}

/** Halves the range between a block where the nonce is `unused` and one where it is `used`. */
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
