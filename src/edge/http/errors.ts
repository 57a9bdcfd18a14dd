import { errorKind, toGatewayError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { json, type Reply } from '../../core/reply.ts'

/**
 * Turns a thrown error into the specification's error body (part 7). Logs a 5xx with its cause, which callers
 * never see.
 */
export function errorReply(thrown: unknown, callId: string, log: Log): Reply {
  const error = toGatewayError(thrown)
  const { code, details, headers, message } = error
  const kind = errorKind(code)
  if (kind.status >= 500) log.error({ call: callId, code, err: error.cause ?? error }, 'a call failed')
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
