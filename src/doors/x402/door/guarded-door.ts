import type { DoorOutcome } from '../../../core/admission.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { EarlyOutcome, PaymentDoor } from './payment.ts'
import type { PaidCall } from './purchase.ts'
import type { RefusalGuard } from './refusal-guard.ts'

/** Puts the limit on refused payments before a payment door, and counts the refusals of that door. */
export function guardDoor(door: PaymentDoor, guard: RefusalGuard): PaymentDoor {
  async function counting<Outcome extends DoorOutcome | EarlyOutcome>(
    call: Omit<PaidCall, 'body'>,
    work: () => Promise<Outcome>,
  ): Promise<Outcome> {
    try {
      const outcome = await work()
      if (outcome.kind === 'answered' && outcome.refusedFor !== undefined) {
        await guard.count(call, outcome.refusedFor, outcome.isRecorded)
      }
      return outcome
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'PAYMENT_REPLAYED') {
        await guard.count(call, error.code, true)
      }
      throw error
    } finally {
      guard.forget(call)
    }
  }

  return {
    async open(call, verified) {
      if (!verified) await guard.require(call)
      const outcome = await counting(call, () => door.open(call, verified))
      if (outcome.kind === 'admitted') guard.trust(call)
      return outcome
    },
    async verifyEarly(call) {
      await guard.require(call)
      return counting(call, () => door.verifyEarly(call))
    },
    idle: () => door.idle(),
  }
}
