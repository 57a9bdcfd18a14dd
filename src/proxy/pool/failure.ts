import { errors } from 'undici'
import { GatewayError } from '../../core/errors.ts'
import { errorCode, FetchFailure } from '../../platform/net/fetch-error.ts'
import { InterimFlood } from './send.ts'

/** Why a reply did not come, or not all of it. */
export interface Failure {
  readonly error: Error
  readonly fault: 'unreachable' | 'timeout' | 'reset' | 'reply' | 'ours'
  /** Whether the target is down: it could not be reached, or did not reply. */
  readonly isOutage: boolean
}

/**
 * Turns an error of the network into a refusal for the caller, in a sentence that names no address; the error
 * is its cause, for the log. An error that the network cannot have made is a bug of ours and stays as it is.
 *
 * @param where the upstream and the target, for the log
 * @param wasSent whether the target may have seen the request, and so may have caused the error
 */
export function toFailure(error: unknown, where: string, wasSent: boolean): Failure {
  const code = errorCode(error) ?? ''
  if (!(error instanceof Error)) return { fault: 'ours', isOutage: false, error: new Error(String(error)) }
  if (ours.test(code) || (code === assertion && !wasSent)) return { fault: 'ours', isOutage: false, error }
  const cause = new Error(`${where}: ${error.message}`, { cause: error })
  const { fault, problem } = readFault(error, code)
  const details = problem === undefined ? {} : { problem }
  const isOutage = fault !== 'reply' || error instanceof FetchFailure
  return { fault, isOutage, error: new GatewayError(codes[fault], details, { cause }) }
}

interface Fault {
  readonly fault: keyof typeof codes
  readonly problem?: string
}

function readFault(error: Error, code: string): Fault {
  if (error instanceof FetchFailure) {
    if (error.reason === 'tls') return { fault: 'reply', problem: error.message }
    if (error.reason === 'refused') {
      return {
        fault: 'reply',
        problem: 'its address is in a network that calls are not sent to',
      }
    }
    return { fault: 'unreachable' }
  }
  // undici asserts that a status is at least 100.
  if (error instanceof errors.HTTPParserError || code === assertion) {
    return { fault: 'reply', problem: 'it does not speak valid HTTP' }
  }
  if (error instanceof InterimFlood) return { fault: 'reply', problem: error.message }
  return faults.get(code) ?? { fault: 'reset', problem: 'its connection broke' }
}

const codes = {
  unreachable: 'UPSTREAM_UNREACHABLE',
  timeout: 'UPSTREAM_TIMEOUT',
  reset: 'UPSTREAM_FAILED',
  reply: 'UPSTREAM_FAILED',
} as const

/** undici's errors for a request that cannot be sent to any target. */
const ours = /^(?:UND_ERR_(?:INVALID_ARG|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)|ERR_INVALID_.*)$/
const assertion = 'ERR_ASSERTION'

const faults = new Map<string, Fault>([
  ['UND_ERR_HEADERS_TIMEOUT', { fault: 'timeout' }],
  ['UND_ERR_BODY_TIMEOUT', { fault: 'timeout' }],
  ['ETIMEDOUT', { fault: 'timeout' }],
  // A reload of the catalog closed the pool just before the call.
  ['UND_ERR_DESTROYED', { fault: 'unreachable' }],
  ['UND_ERR_CLOSED', { fault: 'unreachable' }],
  ['UND_ERR_HEADERS_OVERFLOW', { fault: 'reply', problem: 'the head of its reply is larger than 64 KB' }],
  [
    'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    { fault: 'reply', problem: 'its reply is not as long as its Content-Length says' },
  ],
])
