import {
  type Address,
  concat,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  type Log,
  multicall3Abi,
  toEventSelector,
} from 'viem'
import { multicall3Address } from '../../../platform/chain/networks.ts'
import { provesTransfer } from '../evidence/authorization-state.ts'
import { tokenAbi } from '../evidence/token.ts'
import { uptoTransfers } from '../evidence/upto-settlements.ts'
import { isSameHex } from '../wire/types.ts'
import type { ContractCall } from './sender.ts'
import { type SettlementRequest, settlementCall } from './settlement-call.ts'

/**
 * Makes one transaction of several payments. A single call is sent directly; several go through Multicall3,
 * where one that fails does not undo the others. An `upto` payment must be alone: the proxy would see
 * Multicall3 as the caller and refuse it.
 */
export function batchCall(
  requests: readonly SettlementRequest[],
  asset: Address,
  dataSuffix: Hex,
): ContractCall {
  const calls = requests.map((request) => settlementCall(request, asset))
  const [only, ...others] = calls
  if (only && others.length === 0) return { to: only.to, data: concat([only.data, dataSuffix]) }
  const args = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [args] })
  return { to: multicall3Address, data: concat([data, dataSuffix]) }
}

/**
 * Reads the logs of our transaction.
 * @returns whether the transaction carried out a payment that was put into it. For an `upto` payment the call
 *   is known, so the logs need only show that the amount moved.
 */
export function readBatch(logs: readonly Log[], asset: Address): (request: SettlementRequest) => boolean {
  const byNonce = logsByNonce(logs, asset)
  const upto = uptoTransfers(logs, asset)
  return ({ authorization, amount }) => {
    if (!authorization.facilitator) {
      return provesTransfer(byNonce.get(authorization.nonce) ?? [], asset, authorization)
    }
    return upto.some(
      ({ payer, payTo, amount: moved }) =>
        isSameHex(payer, authorization.from) && isSameHex(payTo, authorization.to) && moved === amount,
    )
  }
}

/**
 * The token's logs by the nonce of the authorization that was used: each `AuthorizationUsed` with the log
 * right after it, which is its transfer. Grouped once, because decoding all logs of a full batch for each of
 * its payments would grow with the square of the batch (no measurement kept).
 */
function logsByNonce(logs: readonly Log[], asset: Address): ReadonlyMap<Hex, readonly Log[]> {
  const byNonce = new Map<Hex, Log[]>()
  const own = logs.filter(({ address }) => isSameHex(address, asset))
  for (const [index, use] of own.entries()) {
    const [selector, , nonce] = use.topics
    const next = own[index + 1]
    if (selector !== authorizationUsed || !nonce || !next) continue
    byNonce.set(nonce, [...(byNonce.get(nonce) ?? []), use, next])
  }
  return byNonce
}

const authorizationUsed = toEventSelector(getAbiItem({ abi: tokenAbi, name: 'AuthorizationUsed' }))
