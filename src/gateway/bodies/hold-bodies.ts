import type { Stage } from '../../core/call.ts'
import { clientOf } from '../client-address.ts'
import type { IdentifiedCall } from '../identify.ts'
import type { CallRoom, WaitingBodies } from './waiting-bodies.ts'

/** A call whose body counts while it waits for a door to open. */
export interface HeldCall extends IdentifiedCall {
  readonly room: CallRoom
}

/** The stage that opens the room for a call's body, and closes it however the call ends. */
export function holdBodies(bodies: WaitingBodies): Stage<IdentifiedCall, HeldCall> {
  return async (call, next) => {
    const room = bodies.openRoom(() => clientOf(call.client()))
    try {
      return await next({ ...call, room })
    } finally {
      room.leave()
    }
  }
}
