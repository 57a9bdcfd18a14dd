import type { ServerResponse } from 'node:http'
import { GatewayError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { inForm } from './error-forms.ts'
import { errorReply } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { type Audience, sendReply } from './reply.ts'

/** Answers a request that reaches no endpoint. */
export function refuse(
  res: ServerResponse,
  error: unknown,
  audience: Audience,
  { log, countCall }: RefusalParts,
): void {
  const id = crypto.randomUUID()
  const form = error instanceof GatewayError ? error.form : undefined
  const reply = inForm(errorReply(error, id, log), form)
  sendReply(res, reply, audience, id)
  countCall('none', reply.status, undefined)
}

interface RefusalParts extends Pick<Metrics, 'countCall'> {
  readonly log: Log
}
