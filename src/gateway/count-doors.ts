import type { Stage } from '../core/call.ts'
import { errorKind, toGatewayError } from '../core/errors.ts'
import type { DecidedCall } from './policy.ts'

/** How a call ended that had a door. */
export const doorOutcomes = ['served', 'refused', 'failed', 'left'] as const

type Outcome = (typeof doorOutcomes)[number]

/** Counts a call by its door and how it ended. */
export type CountDoor = (door: DecidedCall['door']['kind'], outcome: Outcome) => void

/** The stage that counts how the calls of each door end: in a reply, a refusal, a failure of ours or a lost caller. */
export function countDoors(count: CountDoor): Stage<DecidedCall, DecidedCall> {
  return async (call, next) => {
    const { kind } = call.door
    try {
      const reply = await next(call)
      count(kind, outcomeOf(reply.status))
      return reply
    } catch (error) {
      count(kind, outcomeOf(errorKind(toGatewayError(error).code).status))
      throw error
    }
  }
}

/** 499: the caller disconnected. */
export function outcomeOf(status: number): Outcome {
  if (status === 499) return 'left'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'served'
}
