import type { WalletRecord } from '../../../ledger/wallets/wallet-records.ts'
import type { Refusal } from '../../wire/types.ts'

/**
 * Which wallet contracts are accepted, by what they have done here. A contract can behave in every trial and
 * burn our gas in the transaction, and a new one costs its owner about as much as it burns of ours; so the
 * first failure of each is borne, and a second one has to wait.
 *
 * - A wallet whose payment failed is refused for a minute, then two, four, up to a day.
 * - Its kind (`wallet-kind.ts`) is refused as long, up to an hour, because copies of a contract are cheaper
 *   than the gas they burn. Wallets of the kind that have paid here stay accepted, and so does every wallet of
 *   a kind with ten settled payments for each failed one: an attacker who burns with popular code must not
 *   shut out the others who use it.
 * - A wallet that has paid nothing here and takes more gas than an ordinary one is refused after any such
 *   wallet has failed, up to an hour: what it can burn is more than it costs.
 */
export function refuseWallet(record: WalletRecord, isHeavy: boolean): Refusal | undefined {
  if (record.refusedUntil) {
    return refusedUntil(record.refusedUntil, record, 'a payment of this wallet')
  }
  if (hasPaid(record)) return undefined
  if (record.kindRefusedUntil) {
    return refusedUntil(record.kindRefusedUntil, record, 'a payment of a wallet with the same contract code')
  }
  if (isHeavy && record.heavyRefusedUntil) {
    return refusedUntil(record.heavyRefusedUntil, record, 'a payment of a new wallet that took as much gas')
  }
  return undefined
}

/**
 * How many payments of a wallet contract may be on their way to the chain at the same time: one for each that
 * settled. All of them can fail before the first failure is known.
 */
export function placesOf(record: WalletRecord): number {
  return isTrusted(record) ? record.settled : 1
}

/** Whether the wallet has paid here and has not failed since, as far as is remembered. */
export function isTrusted(record: WalletRecord): boolean {
  return hasPaid(record) && record.failures === 0
}

function hasPaid({ settled }: WalletRecord): boolean {
  return settled > 0
}

function refusedUntil(until: Date, { at }: WalletRecord, what: string): Refusal {
  const retryAfterSeconds = Math.ceil((until.getTime() - at.getTime()) / 1000)
  return {
    reason: 'smart_wallet_refused',
    message:
      `${what} failed on the chain and cost gas for nothing, so this wallet is refused until ` +
      `${until.toISOString()}: pay then, or from a wallet without a contract now`,
    retryAfterSeconds,
  }
}
