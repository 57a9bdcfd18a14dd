import type { Stage } from '../core/call.ts'
import type { Reply } from '../core/reply.ts'

/**
 * Links stages into one function. The types run along, so a stage that needs a principal cannot stand
 * before the one that finds it.
 */
export interface Chain<In, Out> {
  /** Adds a stage behind those there are. */
  through<Next>(stage: Stage<Out, Next>): Chain<In, Next>
  /** Ends the chain. */
  to(last: (call: Out) => Promise<Reply>): (call: In) => Promise<Reply>
}

export function chain<In, Out>(stage: Stage<In, Out>): Chain<In, Out> {
  return {
    through: (following) => chain((call, next) => stage(call, (passed) => following(passed, next))),
    to: (last) => (call) => stage(call, last),
  }
}
