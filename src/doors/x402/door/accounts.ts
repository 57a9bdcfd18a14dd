import type { Address } from 'viem'
import { unavailable } from './payment-errors.ts'
import type { PaymentRecipients } from './recipients.ts'

/** The accounts that the gateways of these books settle `upto` payments from. */
interface SettlingAccounts {
  accepts(account: Address): boolean
  /** Looks at the store again; rejects when it does not reply. */
  look(): Promise<void>
}

/**
 * Takes `upto` payments that name another account than the one that the 402 names now: a balancer may send a
 * payment to another gateway than the one that asked for it, and accounts come and go. The payment is compared with
 * the account that its payer signed, as long as a running gateway can settle from it.
 */
export function acceptAccounts(recipients: PaymentRecipients, accounts: SettlingAccounts): PaymentRecipients {
  async function isAccepted(account: Address): Promise<boolean> {
    if (accounts.accepts(account)) return true
    try {
      // A gateway may have started since the last look.
      await accounts.look()
    } catch (cause) {
      throw unavailable(cause)
    }
    return accounts.accepts(account)
  }

  return {
    isKnown: (payment) => recipients.isKnown(payment),
    async offerFor(payment) {
      const offer = await recipients.offerFor(payment)
      const { facilitator } = payment.authorization
      if (!facilitator || !offer.upto || !(await isAccepted(facilitator))) return offer
      return { ...offer, upto: () => facilitator }
    },
  }
}
