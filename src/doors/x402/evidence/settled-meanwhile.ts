import type { PublicClient } from 'viem'
import type { Settlement } from '../wire/facilitator.ts'
import type { Payment, Requirement } from '../wire/types.ts'
import { findAuthorizationState, outcomeOf } from './authorization-state.ts'
import { readFunds } from './funds.ts'

/**
 * Asks the chain before a payment is sent once more. If the payer no longer has the money, each attempt would only
 * burn gas until the authorization expires.
 * @returns undefined when another attempt may move the money.
 */
export async function settledMeanwhile(
  client: PublicClient,
  { authorization }: Payment,
  { asset, amount }: Requirement,
): Promise<Settlement | undefined> {
  try {
    const [state, { balance }] = await Promise.all([
      findAuthorizationState(client, asset, authorization),
      readFunds(client, asset, authorization.from),
    ])
    if (state.kind !== 'unused') return outcomeOf(state, BigInt(amount))
    if (balance >= BigInt(amount)) return undefined
    return { outcome: 'unknown', cause: new Error('the payer no longer holds the amount') }
  } catch (cause) {
    return { outcome: 'unknown', cause }
  }
}
