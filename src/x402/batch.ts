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
import { multicall3Address } from '../chain/networks.ts'
import type { ContractCall } from './sender.ts'
import { tokenAbi, transferCall } from './token.ts'
import { type Authorization, isSameHex } from './types.ts'

/** Several payments as one transaction: how they go in, and which of its logs are whose. */

interface Transfer {
  readonly authorization: Authorization
  readonly signature: Hex
}

/** One transfer as it is, several through Multicall3, where one that fails does not undo the others. */
export function batchCall(transfers: readonly Transfer[], asset: Address, dataSuffix: Hex): ContractCall {
  const calls = transfers.map(({ authorization, signature }) => transferCall(authorization, signature))
  const [only, ...others] = calls
  if (only && others.length === 0) return { to: asset, data: concat([only, dataSuffix]) }
  const args = calls.map((callData) => ({ target: asset, allowFailure: true, callData }))
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [args] })
  return { to: multicall3Address, data: concat([data, dataSuffix]) }
}

/**
 * The token's logs by the nonce of the authorization that was used: each use with the log right after it,
 * which is its transfer. Reading all logs of a full batch once for each of its payments would take most
 * of a second.
 */
export function logsByNonce(logs: readonly Log[], asset: Address): ReadonlyMap<Hex, readonly Log[]> {
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
