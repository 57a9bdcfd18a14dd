import { errorKind, GatewayError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { json, type Reply } from '../../core/reply.ts'

/** Turns whatever was thrown into the specification's error body (part 7), and logs what the caller is not told. */
export function errorReply(error: unknown, callId: string, log: Log): Reply {
  const refusal = error instanceof GatewayError ? error : new GatewayError('INTERNAL', {}, { cause: error })
  const kind = errorKind(refusal.code)
  if (kind.status >= 500)
    log.error({ call: callId, code: refusal.code, err: refusal.cause ?? refusal }, 'a call failed')
  return json(
    kind.status,
    {
      error: kind.error,
      message: kind.message,
      code: refusal.code,
      ...(Object.keys(refusal.details).length > 0 ? { details: refusal.details } : {}),
    },
    { 'cache-control': 'no-store', ...refusal.headers },
  )
}
