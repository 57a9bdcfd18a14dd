import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Endpoint } from '../../core/endpoint.ts'
import type { Log } from '../../core/log.ts'
import { type CountDoor, outcomeOf } from '../../gateway/count-doors.ts'
import { errorReply } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { sendKeptReply, sendReply } from './reply.ts'

/** Answers a request for an open document; returns false for any other. */
export type AnswerDocument = (req: Request, res: Response, endpoint: Endpoint, isOpen: boolean) => boolean

interface DocumentParts {
  readonly countCall: Metrics['countCall']
  readonly countDoor: CountDoor
  readonly log: Log
}

/**
 * Serves open documents beside the chain. Everyone gets the same bytes, whatever credentials or payments come along, so
 * there is nothing to decide, to check or to wait for, and the stages would take most of the time. What the chain would
 * still do is done here: errors, metrics, the line in the log.
 */
export function createAnswerDocument({ countCall, countDoor, log }: DocumentParts): AnswerDocument {
  return (req, res, { id, document }, isOpen) => {
    if (!document || !isOpen) return false
    const callId = randomUUID()
    const { accept = '*/*', 'if-none-match': ifNoneMatch } = req.headers
    let status: number
    try {
      const reply = document({ accept, ifNoneMatch }, req.params)
      status = reply.status
      sendKeptReply(res, reply, callId)
    } catch (error) {
      const refusal = errorReply(error, callId, log)
      status = refusal.status
      sendReply(res, refusal, 'public', callId)
    }
    countDoor('open', outcomeOf(status))
    countCall(id, status, undefined)
    if (log.isLevelEnabled('debug')) log.debug({ call: callId, operation: id, status }, 'call')
    return true
  }
}
