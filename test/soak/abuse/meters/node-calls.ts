import { type Hex, isHex, keccak256 } from 'viem'
import type { Asked, RpcProxy } from '../../../support/servers/rpc-proxy.ts'

/**
 * Counts the calls to the node that are about an attacker's wallet: those that name the wallet, or a transaction that
 * does. Honest payers cause calls at the same time, which would hide or be taken for the attack's.
 */
export interface NodeCalls {
  /** All calls of both gateways. */
  readonly total: number
  /** Those about wallets of attackers. */
  readonly ofSuspects: number
  /** The same by method, to find where they come from. */
  readonly byMethod: Readonly<Record<string, number>>
  /** From now on calls about this wallet count as the attack's. */
  suspect(wallet: Hex): void
}

export function countNodeCalls(nodes: readonly RpcProxy[]): NodeCalls {
  const suspects = new Set<string>()
  const count = { total: 0, ofSuspects: 0 }
  const methods = new Map<string, number>()

  function isOfSuspect({ method, params }: Asked): boolean {
    const text = JSON.stringify(params ?? []).toLowerCase()
    const isNamed = [...text.matchAll(words)].some(([, word]) => word !== undefined && suspects.has(word))
    const [bytes] = params ?? []
    // The receipt is asked for by the hash alone.
    if (isNamed && method === 'eth_sendRawTransaction' && isHex(bytes)) suspects.add(wordOf(keccak256(bytes)))
    return isNamed
  }

  for (const node of nodes) {
    node.meet = async (call) => {
      count.total += 1
      if (isOfSuspect(call)) {
        count.ofSuspects += 1
        methods.set(call.method, (methods.get(call.method) ?? 0) + 1)
      }
      return undefined
    }
  }
  return {
    get total() {
      return count.total
    },
    get ofSuspects() {
      return count.ofSuspects
    },
    get byMethod() {
      return Object.fromEntries(methods)
    },
    suspect: (wallet) => void suspects.add(wordOf(wallet)),
  }
}

/**
 * Addresses and hashes in parameters and in the bytes of calls. In bytes an address follows at least 24 zeros. It may
 * begin with zeros itself, so only what follows the zeros is compared. What is compared is not consumed: its own zeros
 * may stand before the next word.
 */
const words = /(?:0{24}|"0x)0*(?=([1-9a-f][0-9a-f]{29}))/g

function wordOf(wallet: Hex): string {
  return wallet.slice(2).toLowerCase().replace(/^0+/, '').slice(0, 30)
}
