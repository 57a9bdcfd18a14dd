import type { ServerResponse } from 'node:http'
import type { Log } from '../../core/log.ts'
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
  const reply = errorReply(error, id, log)
  sendReply(res, reply, audience, id)
  countCall('none', reply.status, undefined)
}

interface RefusalParts extends Pick<Metrics, 'countCall'> {
  readonly log: Log
}
