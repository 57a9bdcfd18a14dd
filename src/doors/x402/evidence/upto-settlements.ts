import {
  type Address,
  decodeFunctionData,
  type Hex,
  type Log,
  type PublicClient,
  parseEventLogs,
  slice,
  type TransactionReceipt,
  toEventSelector,
  toFunctionSelector,
  toHex,
} from 'viem'
import { uptoProxyAbi, uptoProxyAddress } from '../../../platform/chain/permit2.ts'
import { isSameHex } from '../wire/types.ts'
import { placesIn } from './calldata.ts'
import { tokenAbi } from './token.ts'

/**
 * A transfer that the `upto` proxy made, with its nonce. The logs show whose money went where, but not by
 * which authorization; the calldata names the authorization, but not whether it was carried out. Only both
 * together prove a payment: with the logs alone, an old settlement could prove a new payment of the same
 * amount.
 */
export interface UptoSettlement extends UptoTransfer {
  /** Permit2's nonce, as 32 bytes. */
  readonly nonce: Hex
  /** The signed maximum, in atomic units. */
  readonly authorized: bigint
  readonly facilitator: Address
  /** Unix seconds. */
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly signature: Hex
}

export interface UptoTransfer {
  readonly payer: Address
  readonly payTo: Address
  /** Atomic units. */
  readonly amount: bigint
  /** The index of the token's `Transfer`. */
  readonly logIndex: number
}

/**
 * Finds the transfers of `asset` that the proxy made in these logs of one transaction, in their order. The
 * proxy logs `Settled` right after the token's `Transfer`, and no other contract can log under its address.
 */
export function uptoTransfers(logs: readonly Log[], asset: Address): UptoTransfer[] {
  return logs.flatMap((log, index) => {
    const before = logs[index - 1]
    const [topic] = log.topics
    if (!isSameHex(log.address, uptoProxyAddress) || !topic || !settledTopics.has(topic)) return []
    if (!before || !isSameHex(before.address, asset)) return []
    const [transfer] = parseEventLogs({ abi: tokenAbi, eventName: 'Transfer', logs: [before] })
    if (!transfer) return []
    const { from: payer, to: payTo, value: amount } = transfer.args
    return [{ payer, payTo, amount, logIndex: Number(transfer.logIndex) }]
  })
}

/**
 * Finds the same transfers with their nonces. A transaction to the proxy is one such call. When another
 * contract passed the calls on, as facilitators do that settle many at once, they stand in that contract's
 * calldata as they are. That calldata may also hold calls that were not carried out, so for equal payer,
 * payee and amount there must be as many calls as transfers; otherwise none of them is proven. Rejects when
 * the chain does not answer.
 */
export async function uptoSettlementsIn(
  client: PublicClient,
  { logs, transactionHash }: Pick<TransactionReceipt, 'logs' | 'transactionHash'>,
  asset: Address,
): Promise<UptoSettlement[]> {
  const transfers = uptoTransfers(logs, asset)
  if (transfers.length === 0) return []
  const { to, input } = await client.getTransaction({ hash: transactionHash })
  const isDirect = to && isSameHex(to, uptoProxyAddress)
  const calls = callsAt(input, isDirect ? [0] : placesIn(input, selectors))
  const callsByTransfer = Map.groupBy(calls, transferKey)
  return [...Map.groupBy(transfers, transferKey)].flatMap(([key, made]) => {
    const named = callsByTransfer.get(key) ?? []
    if (named.length !== made.length) return []
    return made.flatMap((transfer, index) => {
      const call = named[index]
      return call ? [{ ...call, ...transfer }] : []
    })
  })
}

const settledTopics: ReadonlySet<Hex> = new Set(
  ['event Settled()', 'event SettledWithPermit()'].map((event) => toEventSelector(event)),
)

const selectors = uptoProxyAbi.flatMap((item) =>
  item.type === 'function' && (item.name === 'settle' || item.name === 'settleWithPermit')
    ? [toFunctionSelector(item)]
    : [],
)

type Call = Omit<UptoSettlement, 'logIndex'>

function transferKey({ payer, payTo, amount }: Pick<Call, 'payer' | 'payTo' | 'amount'>): string {
  return `${payer} ${payTo} ${amount}`.toLowerCase()
}

function callsAt(input: Hex, places: readonly number[]): Call[] {
  return places.flatMap((place) => {
    try {
      const { functionName, args } = decodeFunctionData({ abi: uptoProxyAbi, data: slice(input, place) })
      if (functionName === 'settle') return [callOf(...args)]
      if (functionName === 'settleWithPermit') {
        const [, ...rest] = args
        return [callOf(...rest)]
      }
    } catch {
      // These bytes only look like the beginning of a call.
    }
    return []
  })
}

function callOf(
  {
    permitted,
    nonce,
    deadline,
  }: {
    readonly permitted: { readonly amount: bigint }
    readonly nonce: bigint
    readonly deadline: bigint
  },
  amount: bigint,
  payer: Address,
  {
    to: payTo,
    facilitator,
    validAfter,
  }: { readonly to: Address; readonly facilitator: Address; readonly validAfter: bigint },
  signature: Hex,
): Call {
  return {
    payer,
    payTo,
    amount,
    nonce: toHex(nonce, { size: 32 }),
    authorized: permitted.amount,
    facilitator,
    validAfter,
    validBefore: deadline,
    signature,
  }
}
