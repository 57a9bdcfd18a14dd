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
import { tokenAbi } from './token.ts'

/**
 * What a transaction has moved by the `upto` proxy. Its logs tell whose money went where, but not by which
 * authorization; its calldata tells that, but not whether it was carried out. Only both together prove a
 * payment: with the logs alone an old settlement could vouch for a new payment of the same amount.
 */
export interface UptoSettlement extends UptoTransfer {
  /** Permit2's, as 32 bytes. */
  readonly nonce: Hex
}

export interface UptoTransfer {
  readonly payer: Address
  readonly payTo: Address
  /** Atomic units. */
  readonly amount: bigint
  /** Of the token's `Transfer`. */
  readonly logIndex: number
}

/**
 * The transfers of `asset` that the proxy has made in these logs of one transaction, in their order. It says
 * `Settled` right after the token's `Transfer`, and nobody else can say so in its name.
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
 * The same with the nonces. A settlement that was sent to the proxy is that one call. One that another
 * contract has passed on, as facilitators do that settle many at once, stands in that contract's calldata
 * word for word; but words may stand there that nobody carried out, so where payer, payee and amount are
 * alike, as many calls must be named as transfers were made, or none of them counts as proven.
 * Rejects when the chain does not answer.
 */
export async function uptoSettlementsIn(
  client: PublicClient,
  { logs, transactionHash }: Pick<TransactionReceipt, 'logs' | 'transactionHash'>,
  asset: Address,
): Promise<UptoSettlement[]> {
  const transfers = uptoTransfers(logs, asset)
  if (transfers.length === 0) return []
  const { to, input } = await client.getTransaction({ hash: transactionHash })
  const calls = to && isSameHex(to, uptoProxyAddress) ? callsAt(input, [0]) : callsAt(input, placesIn(input))
  const named = Map.groupBy(calls, alike)
  return [...Map.groupBy(transfers, alike)].flatMap(([key, made]) => {
    const told = named.get(key) ?? []
    if (told.length !== made.length) return []
    return made.flatMap((transfer, index) => {
      const nonce = told[index]?.nonce
      return nonce ? [{ ...transfer, nonce }] : []
    })
  })
}

const settledTopics: ReadonlySet<Hex> = new Set(
  ['event Settled()', 'event SettledWithPermit()'].map((event) => toEventSelector(event)),
)

const selectors = uptoProxyAbi.flatMap((item) =>
  item.type === 'function' && (item.name === 'settle' || item.name === 'settleWithPermit')
    ? [toFunctionSelector(item).slice(2)]
    : [],
)

type Call = Pick<UptoSettlement, 'payer' | 'payTo' | 'amount' | 'nonce'>

function alike({ payer, payTo, amount }: Omit<Call, 'nonce'>): string {
  return `${payer} ${payTo} ${amount}`.toLowerCase()
}

/** At which bytes of this calldata a call of the proxy may begin, in their order. */
function placesIn(input: Hex): number[] {
  const digits = input.slice(2)
  const places: number[] = []
  for (const selector of selectors) {
    for (let at = digits.indexOf(selector); at >= 0; at = digits.indexOf(selector, at + 1)) {
      if (at % 2 === 0) places.push(at / 2)
    }
  }
  return places.sort((one, other) => one - other)
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
      // Bytes that happen to look like the beginning of a call.
    }
    return []
  })
}

function callOf(
  { nonce }: { readonly nonce: bigint },
  amount: bigint,
  payer: Address,
  { to: payTo }: { readonly to: Address },
  _signature: Hex,
): Call {
  return { payer, payTo, amount, nonce: toHex(nonce, { size: 32 }) }
}
