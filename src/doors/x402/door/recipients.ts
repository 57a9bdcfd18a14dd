import { type Address, getAddress } from 'viem'
import type { Books } from '../../../platform/store/books.ts'
import { lastAskedFor, noteReceivingAccount } from '../../ledger/receiving-accounts.ts'
import { isForAnotherToken } from '../wire/match.ts'
import type { Offer } from '../wire/requirements.ts'
import { isSameHex, type Payment } from '../wire/types.ts'
import { unavailable } from './payment-errors.ts'

/**
 * The accounts that payments may go to. `PAY_TO` can change while payers hold a 402 that names the former
 * account, and in a rolling change some gateways ask for the one and some for the other. So a payment to any
 * account that a gateway on these books has asked for is taken, for as long as a payment signed then can be
 * valid. It is claimed, settled and booked for the account that the payer signed.
 */
export interface PaymentRecipients {
  /**
   * The offer that a payment is compared with.
   * @throws GatewayError PAYMENTS_UNAVAILABLE when the store does not reply.
   */
  offerFor(payment: Payment): Promise<Offer>
  /**
   * Whether a gateway on these books has ever asked for payments to the account that the payer signed. No
   * other payment can be in the books.
   * @throws GatewayError PAYMENTS_UNAVAILABLE like `offerFor`.
   */
  isKnown(payment: Payment): Promise<boolean>
}

export interface Recipients extends PaymentRecipients {
  /** Records that this gateway asks for payments to its account. To be called every half minute. */
  note(): Promise<void>
}

interface RecipientsOptions {
  readonly books: Books
  readonly offer: Offer
  /** Accounts that no payment may go to, such as one whose key was stolen. */
  readonly refused: readonly string[]
  /** The longest validity that a 402 asks for. Read at each use, because the catalog can change. */
  readonly longestValiditySeconds: () => number
}

/** How often an account is noted. */
export const noteIntervalMs = 30_000
/** A gateway may have died right before it noted its account again, and the clocks of gateways differ. */
const marginMs = noteIntervalMs + 30_000
/** Payments to accounts that were never ours share a read of the store, so that a burst of them costs one read a second. */
const sharedForMs = 1_000

export function createRecipients({
  books,
  offer,
  refused,
  longestValiditySeconds,
}: RecipientsOptions): Recipients {
  const { network } = offer
  const currency = { chainId: network.chainId, asset: network.usdc.address.toLowerCase() }
  let read: { readonly at: number; readonly accounts: ReturnType<typeof lastAskedFor> } | undefined

  /** When each account was asked for last. */
  async function accounts(): ReturnType<typeof lastAskedFor> {
    const now = books.clock.now()
    // After a clock was set back, a read would be kept for too long.
    if (!read || now < read.at || now - read.at >= sharedForMs) {
      read = { at: now, accounts: lastAskedFor(books, currency) }
    }
    const used = read
    try {
      return await used.accounts
    } catch (cause) {
      if (read === used) read = undefined
      throw unavailable(cause)
    }
  }

  async function isFormer(payTo: Address): Promise<boolean> {
    if (refused.some((one) => isSameHex(one, payTo))) return false
    const account = payTo.toLowerCase()
    if (!(await accounts()).has(account)) return false
    // How long ago it was asked for has to be known as of now.
    read = undefined
    const since = books.clock.now() - longestValiditySeconds() * 1000 - marginMs
    const askedAt = (await accounts()).get(account)
    return askedAt !== undefined && askedAt.getTime() >= since
  }

  return {
    async offerFor(payment) {
      const { to } = payment.authorization
      if (isSameHex(to, offer.payTo) || isForAnotherToken(payment, network)) return offer
      return (await isFormer(to)) ? { ...offer, payTo: getAddress(to) } : offer
    },
    async isKnown({ authorization: { to } }) {
      return isSameHex(to, offer.payTo) || (await accounts()).has(to.toLowerCase())
    },
    note: () => noteReceivingAccount(books, { ...currency, payTo: offer.payTo.toLowerCase() }),
  }
}
