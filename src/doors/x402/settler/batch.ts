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
import { settlementCall, type Taking } from './settlement-call.ts'

/** Several payments as one transaction: how they go in, and which of its logs are whose. */

/**
 * One call as it is, several through Multicall3, where one that fails does not undo the others. What only
 * one account may settle has to be given alone: Multicall3 would be the one that calls.
 */
export function batchCall(takings: readonly Taking[], asset: Address, dataSuffix: Hex): ContractCall {
  const calls = takings.map((taking) => settlementCall(taking, asset))
  const [only, ...others] = calls
  if (only && others.length === 0) return { to: only.to, data: concat([only.data, dataSuffix]) }
  const args = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [args] })
  return { to: multicall3Address, data: concat([data, dataSuffix]) }
}

/**
 * Reads the logs of a transaction of ours.
 * @returns whether it has carried out a payment that went into it. Of an `upto` payment it is known to be the
 *   call, so its logs need only show that so much was moved.
 */
export function readBatch(logs: readonly Log[], asset: Address): (taking: Taking) => boolean {
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
 * The token's logs by the nonce of the authorization that was used: each use with the log right after it,
 * which is its transfer. Reading all logs of a full batch once for each of its payments would take most
 * of a second.
 */
function logsByNonce(logs: readonly Log[], asset: Address): ReadonlyMap<Hex, readonly Log[]> {
  const found = new Map<Hex, Log[]>()
  const own = logs.filter(({ address }) => isSameHex(address, asset))
  for (const [index, use] of own.entries()) {
    const [selector, , nonce] = use.topics
    const next = own[index + 1]
    if (selector !== authorizationUsed || !nonce || !next) continue
    found.set(nonce, [...(found.get(nonce) ?? []), use, next])
  }
  return found
}

const authorizationUsed = toEventSelector(getAbiItem({ abi: tokenAbi, name: 'AuthorizationUsed' }))
