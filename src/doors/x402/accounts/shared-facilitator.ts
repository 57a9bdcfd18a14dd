import type { Address } from 'viem'
import { type Facilitator, PaymentsUnavailable, type Settlement } from '../wire/facilitator.ts'
import type { Handovers } from './handovers.ts'
import type { AccountRegistry } from './registry.ts'

/**
 * The local facilitator of one gateway of several: it settles from the accounts that this gateway holds, and
 * hands the rest to the gateways that hold the others. So a payment that names any of the accounts can be paid
 * with at every gateway.
 */
export function shareAccounts(
  local: Facilitator,
  registry: AccountRegistry,
  handovers: Handovers,
): Facilitator {
  /** The account by which another gateway has to settle; undefined to settle here. */
  function elsewhere(named: Address | undefined): Address | undefined {
    if (named) return registry.termOf(named) === undefined ? named : undefined
    // A gateway that is alone waits for its own accounts.
    return registry.canSend() ? undefined : registry.sender()
  }

  return {
    ...local,

    settle: async (payment, requirement, attempt, held) => {
      const account = elsewhere(payment.authorization.facilitator)
      if (account === undefined) return local.settle(payment, requirement, attempt)
      if (!registry.accepts(account)) return unknown('no running gateway has the key of the account')
      if (held) return handovers.settle(held, account.toLowerCase(), attempt)
      // Only payments that have a row of their own can be handed over.
      return unknown('another gateway holds the account')
    },
  }
}

function unknown(why: string): Settlement {
  return { outcome: 'unknown', cause: new PaymentsUnavailable(why) }
}
