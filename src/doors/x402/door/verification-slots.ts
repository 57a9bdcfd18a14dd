import { createSlotsByKey } from '../../../core/slots-by-key.ts'
import type { ReadPayerSignature } from '../evidence/signature.ts'
import { tooManyVerifications } from './payment-errors.ts'
import type { PaidCall } from './purchase.ts'

/**
 * Runs a verification when its payer and its client address have a free slot.
 * @throws GatewayError TOO_MANY_PAYMENTS when none became free in time; the error of the verification.
 */
export type RunVerification = <Result>(
  call: Pick<PaidCall, 'payment' | 'client'>,
  /** @param hasWaited whether the slots were taken when the payment came. */
  verify: (hasWaited: boolean) => Promise<Result>,
) => Promise<Result>

interface SlotsOptions {
  readonly readPayerSignature: ReadPayerSignature
  readonly maxPerPayer?: number
  readonly maxPerClient?: number
  /** How long a payment waits for a slot. */
  readonly patienceMs?: number
}

/**
 * Bounds how many payments of one payer, and of one client address, are verified at the same time. A
 * verification asks the chain; without the bound one caller could keep the node busy for all others. Only a
 * payment that the payer's own key has signed takes a slot of the payer: otherwise anybody could take them all.
 */
export function createVerificationSlots({
  readPayerSignature,
  maxPerPayer = 32,
  maxPerClient = 64,
  patienceMs = 5_000,
}: SlotsOptions): RunVerification {
  const payers = createSlotsByKey(maxPerPayer)
  const clients = createSlotsByKey(maxPerClient)
  return async ({ payment, client }, verify) => {
    const { from } = payment.authorization
    const patience = AbortSignal.timeout(patienceMs)
    const isOwn = readPayerSignature(payment) !== undefined
    const hasWaited = clients.isFull(client) || (isOwn && payers.isFull(from))
    const atClient = () => clients.run(client, patience, () => verify(hasWaited))
    try {
      if (!isOwn) return await atClient()
      // The payer's slot first: a payer who waits for one must not keep those of its address.
      return await payers.run(from, patience, atClient)
    } catch (error) {
      if (error === patience.reason) throw tooManyVerifications(error)
      throw error
    }
  }
}
