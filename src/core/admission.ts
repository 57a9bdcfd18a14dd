import type { PaidRun } from './endpoint.ts'
import type { Reply } from './reply.ts'

/** The right to run one handler once, as a door gives it. Exactly one of the two is called. */
export interface Admission {
  /** The call was served: what it costs is taken. @returns the reply to send: this one with what the door adds to it, or what became of it. */
  settle(reply: Reply): Promise<Reply>
  /**
   * The call came to nothing: gives back unused what was held for it.
   * @param failure why, when it was the caller's doing.
   * @returns what the door adds to the headers of the answer.
   */
  release(failure?: 'caller_left'): Promise<Readonly<Record<string, string>>>
  /**
   * Set when the money was taken before: the payment's id. The work is then owed, so it goes on when
   * the caller leaves, and a call that comes to nothing leaves the payment usable, not the money returned.
   */
  readonly owed: string | undefined
  /** What pays for the run; undefined when no payment does. */
  readonly payment: PaidRun | undefined
}
