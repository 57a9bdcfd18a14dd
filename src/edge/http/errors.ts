import { comeBack, errorKind, type GatewayError, toGatewayError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { json, type Reply } from '../../core/reply.ts'

/**
 * Turns a thrown error into the specification's error body (part 7). Logs a 5xx with its cause, which callers
 * never see; a 5xx of an outage is counted there.
 */
export function errorReply(thrown: unknown, callId: string, log: Log, isOperator = false): Reply {
  const found = withOutage(toGatewayError(thrown), log)
  // An operator has signed no payment.
  const isPayers = found.code === 'BOOKS_UNAVAILABLE' && !isOperator
  const error = isPayers ? found.with({}, doNotPayAgain) : found
  const { code, details, headers, message } = error
  const kind = errorKind(code)
  // Any caller can send another version as often as it likes.
  if (kind.status >= 500 && code !== 'VERSION_NOT_SUPPORTED') {
    log.outages.countCall(error)
    log.error({ call: callId, code, err: error.cause ?? error }, 'a call failed')
  }
  return json(
    kind.status,
    {
      error: kind.error,
      message,
      code,
      ...(Object.keys(details).length > 0 ? { details } : {}),
    },
    { 'cache-control': 'no-store', ...headers },
  )
}

const doNotPayAgain = 'Do not sign a new payment before you know what happened to this one.'

/** An error that no part expected, and that an outage caused: the caller may come back. */
function withOutage(error: GatewayError, { outages }: Log): GatewayError {
  const code = error.code === 'INTERNAL' ? outages.of(error)?.code : undefined
  return code === undefined ? error : comeBack(code, error.cause).with(error.headers)
}
