import { type Hex, keccak256 } from 'viem'

/**
 * Names the code that decides how a wallet contract behaves, so that a thousand copies of one wallet count as
 * one kind. A minimal clone and a delegated account only point to that code; the hash of such a clone would
 * change with each way of writing it.
 * @param code the wallet's runtime code, not empty.
 * @returns `implementation:0x…` or `code:0x…`, in lower case.
 */
export function kindOf(code: Hex): string {
  const hex = code.toLowerCase()
  const [, implementation] = delegation.exec(hex) ?? clone.exec(hex) ?? []
  return implementation ? `implementation:0x${implementation}` : `code:${keccak256(code)}`
}

/** https://eips.ethereum.org/EIPS/eip-7702 */
const delegation = /^0xef0100([0-9a-f]{40})$/
/**
 * https://eips.ethereum.org/EIPS/eip-1167, ERC-7511 and their kin: a few opcodes, the address, GAS and
 * DELEGATECALL. Arguments may follow.
 */
const clone = /^0x(?:[0-9a-f]{2}){5,20}?73([0-9a-f]{40})5af4/
