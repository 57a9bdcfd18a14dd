import type { Address, PublicClient } from 'viem'
import { kindOf } from './wallets/wallet-kind.ts'

const keptMs = 60_000

/**
 * Remembers which payers are wallet contracts, and of which kind. Payments of plain wallets share a
 * transaction; a contract decides how much gas its signature check burns, so its payment must not be in one
 * with others. Without the cache the chain would be asked twice for each payment.
 *
 * An entry is kept for a minute and can be that old. Meanwhile a plain wallet can have taken on code
 * (EIP-7702) and burn the gas of the batch it is in. Asking again would not prevent that, because seconds
 * pass between any answer and the block. The damage is bounded instead: a batch has less than three times the
 * gas that its transfers need, no money moves wrongly, payments that ran out of gas are settled alone, and
 * every payer that failed in a batch is forgotten here. An attacker who moves the money away before
 * settlement costs us a third as much per payment, and any payer can do that.
 */
export class PayerCodeCache {
  readonly #client: PublicClient
  readonly #maxEntries: number
  readonly #entries = new Map<string, { readonly at: number; readonly kind: Promise<string | undefined> }>()

  /** @param maxEntries how many payers are remembered; the oldest entry goes first. */
  constructor(client: PublicClient, maxEntries = 10_000) {
    this.#client = client
    this.#maxEntries = maxEntries
  }

  /** Whether the payer is a wallet contract. Rejects when the chain does not answer. */
  async hasCode(address: Address): Promise<boolean> {
    return (await this.kindOf(address)) !== undefined
  }

  /**
   * The kind of wallet contract that the payer is (`wallets/wallet-kind.ts`); undefined for a plain wallet.
   * Rejects when the chain does not answer.
   */
  kindOf(address: Address): Promise<string | undefined> {
    const entries = this.#entries
    const key = address.toLowerCase()
    const entry = entries.get(key)
    // A read does not renew the entry: otherwise the entry of a busy payer would never expire.
    if (entry && performance.now() - entry.at < keptMs) return entry.kind
    const asked = { at: performance.now(), kind: readKind(this.#client, address) }
    entries.delete(key)
    entries.set(key, asked)
    const [oldest] = entries.keys()
    if (entries.size > this.#maxEntries && oldest) entries.delete(oldest)
    asked.kind.catch(() => {
      if (entries.get(key) === asked) entries.delete(key)
    })
    return asked.kind
  }

  /** Whether this payer was asked about before. */
  knows(address: Address): boolean {
    return this.#entries.has(address.toLowerCase())
  }

  /** Drops an entry that may be wrong, so that the next read asks the chain. */
  forget(address: Address): void {
    this.#entries.delete(address.toLowerCase())
  }
}

async function readKind(client: PublicClient, address: Address): Promise<string | undefined> {
  const code = await client.getCode({ address })
  return code && kindOf(code)
}
