import type { Stage } from '../core/call.ts'
import type { Reply } from '../core/reply.ts'

/**
 * Links stages into one function. Each stage declares the type of call that it takes and passes on, so a
 * stage that needs a principal does not compile before the stage that finds it.
 */
export interface Chain<In, Out> {
  /** Adds a stage at the end. */
  through<Next>(stage: Stage<Out, Next>): Chain<In, Next>
  /** Adds the handler and returns the whole chain as one function. */
  to(last: (call: Out) => Promise<Reply>): (call: In) => Promise<Reply>
}

export function chain<In, Out>(stage: Stage<In, Out>): Chain<In, Out> {
  return linked((next) => (call) => stage(call, next))
}

/** Links from the end, so that the functions between the stages are made once and not for each call. */
function linked<In, Out>(to: Chain<In, Out>['to']): Chain<In, Out> {
  return {
    through: (stage) => linked((next) => to((call) => stage(call, next))),
    to,
  }
}
