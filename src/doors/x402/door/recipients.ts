import { type Address, getAddress } from 'viem'
import type { Books } from '../../../platform/store/books.ts'
import {
  noteReceivingAccount,
  type ReceivingAccount,
  wasCurrentSince,
} from '../../ledger/receiving-accounts.ts'
import type { Offer } from '../wire/requirements.ts'
import { isSameHex, type Payment } from '../wire/types.ts'
import { unavailable } from './payment-errors.ts'

/**
 * The accounts that payments may go to. `PAY_TO` can change while payers hold a 402 that names the former
 * account, and in a rolling change some gateways ask for the one and some for the other. So a payment to any
 * account that a gateway on these books has asked for is taken, for as long as a payment signed then can be
 * valid. It is claimed, settled and booked for the account that the payer signed.
 */
export interface Recipients {
  /**
   * The offer that a payment is compared with.
   * @throws GatewayError PAYMENTS_UNAVAILABLE when the store does not reply.
   */
  offerFor(payment: Payment): Promise<Offer>
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

export function createRecipients({
  books,
  offer,
  refused,
  longestValiditySeconds,
}: RecipientsOptions): Recipients {
  const accountOf = (payTo: Address): ReceivingAccount => ({
    chainId: offer.network.chainId,
    asset: offer.network.usdc.address.toLowerCase(),
    payTo: payTo.toLowerCase(),
  })

  /** One read by the primary key, and only for a payment that does not name our own account. */
  async function isFormer(payTo: Address): Promise<boolean> {
    if (refused.some((one) => isSameHex(one, payTo))) return false
    const since = new Date(books.clock.now() - longestValiditySeconds() * 1000 - marginMs)
    try {
      return await wasCurrentSince(books, accountOf(payTo), since)
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  return {
    async offerFor({ authorization: { to } }) {
      if (isSameHex(to, offer.payTo) || !(await isFormer(to))) return offer
      return { ...offer, payTo: getAddress(to) }
    },
    note: () => noteReceivingAccount(books, accountOf(offer.payTo)),
  }
}
