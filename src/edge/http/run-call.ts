import type { Call } from '../../core/call.ts'
import type { Log } from '../../core/log.ts'
import type { Reply } from '../../core/reply.ts'
import { inForm } from './error-forms.ts'
import { errorReply } from './errors.ts'

/** Runs the chain for a call, turns an error into a reply, counts it and logs it. Never rejects. */
export type RunCall = (call: Call) => Promise<Reply>

interface RunCallParts {
  /** The chain. */
  readonly handle: (call: Call) => Promise<Reply>
  /** Counts a reply, by the endpoint's id, and the time it took. */
  readonly countCall: (operation: string, status: number, seconds: number) => void
  readonly log: Log
}

export function createRunCall({ handle, countCall, log }: RunCallParts): RunCall {
  return async (call) => {
    const { id, endpoint, operation } = call
    const startedAt = performance.now()
    const isOperator = endpoint.operation?.access === 'operator'
    const form = endpoint.upstream?.errorForm
    const reply = await handle(call).then(
      // A caller never sees an upstream's 402, so this one is ours.
      (made) => (made.status === 402 ? inForm(made, form) : made),
      (error: unknown) => inForm(errorReply(error, id, log, isOperator), form),
    )
    const durationMs = performance.now() - startedAt
    const { status } = reply
    countCall(endpoint.id, status, durationMs / 1000)
    // Any caller can ask for a price or a document as often as it likes, and several balancers probe every second:
    // they must not fill the disk with log lines.
    const isDocument = operation.access === 'open' && endpoint.method === 'GET' && !endpoint.upstream
    const level = status === 402 || isDocument ? 'debug' : 'info'
    if (log.isLevelEnabled(level)) {
      log[level]({ call: id, operation: endpoint.id, status, durationMs: Math.round(durationMs) }, 'call')
    }
    return reply
  }
}
