import type { PaidRun } from './endpoint.ts'
import type { Reply } from './reply.ts'
import type { TakenUnits } from './taken-units.ts'

/**
 * Why a call failed, when its caller caused it: the caller disconnected, or its request was wrong
 * (`core/catalog/failed-call.ts`).
 */
export type RunFailure = 'caller_left' | 'callers_making'

/**
 * The right to run one handler once, given by a door. The caller calls exactly one of `settle` and `release`.
 */
export interface Admission {
  /**
   * The call was served, or failed by the caller's making at an operation that charges for that: takes its
   * price or its units.
   * @returns the reply to send: this one with the door's headers, or an error reply if the payment failed.
   */
  settle(reply: Reply): Promise<Reply>
  /**
   * The call failed: releases its payment or its units.
   * @param failure the reason, when the caller caused the failure.
   * @returns headers that the door adds to the error reply.
   */
  release(failure?: RunFailure): Promise<Readonly<Record<string, string>>>
  /**
   * The payment's id, when the money was taken first. The work is then owed: it goes on when the caller
   * disconnects, and a failed call leaves the payment usable instead of returning the money.
   */
  readonly owed: string | undefined
  /** The payment that pays for the run; undefined at the other doors. */
  readonly payment: PaidRun | undefined
  /** The units that are taken; none at the payment door. */
  readonly units?: readonly TakenUnits[]
}

/** What a door decides about a call: it may run, or it is answered without running. */
export type DoorOutcome =
  | { readonly kind: 'admitted'; readonly admission: Admission }
  | {
      readonly kind: 'answered'
      readonly reply: Reply
      /** The reason, when a payment was refused; undefined for any other answer. */
      readonly refusedFor?: string
      /** Whether the books know the payment that was refused; undefined when they were not asked. */
      readonly isRecorded?: boolean
    }
