import { type Address, isAddressEqual } from 'viem'
import type { Authorization } from '../wire/types.ts'
import type { GasAccount } from './gas-account.ts'
import type { GasPool } from './gas-pool.ts'
import { gasAlone } from './simulation.ts'

/**
 * The payments that wait to be sent, and which of them goes next by which account. There are three kinds,
 * and each has its turn, so that none can hold up the others: plain wallets, which go together; what was
 * tried and goes alone, by any account; and what goes alone by the one account that its payer has signed.
 */
export interface SettlementQueue<P extends Queued> {
  addTogether(payment: P): void
  /** A payment that was tried by itself. */
  addAlone(payment: P): void
  /** @returns false when it does not wait: it was taken, or never put in. */
  withdraw(payment: P): boolean
  /** Takes what goes next and the free account it goes by; undefined when there is no such pair. */
  next(): Dispatch<P> | undefined
  readonly size: number
  /** How many of them go alone. */
  readonly sizeAlone: number
}

interface Queued {
  readonly authorization: Authorization
}

export interface Dispatch<P> {
  readonly account: GasAccount
  readonly payments: readonly P[]
  /** Limit of the transaction. */
  readonly gas: bigint
  /** Set when it was tried by itself: then a failure is its own. */
  readonly isTried: boolean
}

/** A batch must fit a block with room to spare, and one receipt must stay quick to read. */
export const maxBatch = 100
/** A plain wallet's transfer takes 39,000 in a batch, and by itself up to 86,000 with its transaction. */
const gasPerTransfer = 100_000n
const gasPerTransaction = 60_000n

/** What a transaction with this many transfers of plain wallets may use. */
export function gasFor(transfers: number): bigint {
  return gasPerTransaction + gasPerTransfer * BigInt(transfers)
}

export function createSettlementQueue<P extends Queued>(
  pool: Pick<GasPool, 'free' | 'freeAt'>,
): SettlementQueue<P> {
  const together = new Set<P>()
  const alone = new Set<P>()
  const bound = new Set<P>()

  function nextBatch(): Dispatch<P> | undefined {
    const account = together.size > 0 ? pool.free() : undefined
    if (!account) return undefined
    const payments = [...together].slice(0, maxBatch)
    for (const payment of payments) together.delete(payment)
    return { account, payments, gas: gasFor(payments.length), isTried: false }
  }

  function nextAlone(): Dispatch<P> | undefined {
    const [payment] = alone
    const account = payment && pool.free()
    if (!payment || !account) return undefined
    alone.delete(payment)
    return { account, payments: [payment], gas: gasAlone, isTried: true }
  }

  function nextBound(): Dispatch<P> | undefined {
    const busy: Address[] = []
    for (const payment of bound) {
      const { facilitator } = payment.authorization
      if (!facilitator || busy.some((one) => isAddressEqual(one, facilitator))) continue
      const account = pool.freeAt(facilitator)
      if (account) {
        bound.delete(payment)
        return { account, payments: [payment], gas: gasAlone, isTried: true }
      }
      busy.push(facilitator)
    }
    return undefined
  }

  const kinds = [nextBatch, nextAlone, nextBound]
  let turn = 0

  return {
    addTogether: (payment) => void together.add(payment),
    addAlone: (payment) => void (payment.authorization.facilitator ? bound : alone).add(payment),
    withdraw: (payment) => together.delete(payment) || alone.delete(payment) || bound.delete(payment),
    next() {
      for (const [index] of kinds.entries()) {
        const kind = (turn + index) % kinds.length
        const dispatch = kinds[kind]?.()
        if (!dispatch) continue
        turn = kind + 1
        return dispatch
      }
      return undefined
    },
    get size() {
      return together.size + alone.size + bound.size
    },
    get sizeAlone() {
      return alone.size + bound.size
    },
  }
}
