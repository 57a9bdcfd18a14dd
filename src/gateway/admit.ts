import type { Admission, RunFailure } from '../core/admission.ts'
import type { Stage } from '../core/call.ts'
import { isCallersMaking } from '../core/catalog/failed-call.ts'
import type { HandlerContext } from '../core/endpoint.ts'
import { errorKind, GatewayError, requestTimeout, toGatewayError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { discardReply, type Reply } from '../core/reply.ts'
import { notServed, replyNotServed } from '../doors/x402/door/not-served.ts'
import type { UploadCall } from './bodies/paid-upload.ts'
import { CallContext } from './call-context.ts'
import { type Doors, openDoor } from './open-door.ts'
import type { UsageRecorder } from './usage-recorder.ts'

/** A call that may run its handler. */
export interface AdmittedCall extends UploadCall {
  readonly context: HandlerContext
}

interface AdmitParts extends Doors {
  /** Records what a delivered reply has used. */
  readonly recordUsage: UsageRecorder['record']
  readonly log: Log
}

type Next = (call: AdmittedCall) => Promise<Reply>

/**
 * The stage that opens the door, runs the handler under its deadline, then settles or releases. No other
 * place holds the admission of a call, so its money or its unit is taken here or not at all. A reply below
 * 400 settles, and so does a failure that the operation charges for. Any other reply of 400 or more, an error, a missed deadline or a caller that disconnects takes nothing. If the money
 * was taken first, the call stays owed instead: the same payment is served when it comes again.
 */
export function admit(parts: AdmitParts): Stage<UploadCall, AdmittedCall> {
  return async (call, next) => {
    const outcome = await openDoor(call, parts)
    switch (outcome.kind) {
      case 'open': {
        const reply = await runWithinDeadline(call, undefined, true, next)
        parts.recordUsage(call, undefined, reply)
        return reply
      }
      case 'answered':
        return outcome.reply
      case 'admitted':
        return runAdmitted(call, outcome.admission, parts, next)
    }
  }
}

async function runAdmitted(
  call: UploadCall,
  admission: Admission,
  { recordUsage, log }: AdmitParts,
  next: Next,
): Promise<Reply> {
  const { owed, payment } = admission
  // A paid run goes on when its caller disconnects: the reply is stored, and the payer may come back for it.
  const endsWithCaller = owed === undefined
  let reply: Reply
  try {
    reply = await runWithinDeadline(call, admission, endsWithCaller, next)
  } catch (error) {
    const headers = await release(call, admission, log, blameFor(error))
    throw owed === undefined ? toGatewayError(error).with(headers) : notServed(owed, error)
  }
  const isUncounted = reply.isUncounted === true && payment === undefined
  const isServed = reply.status < 400 && !isUncounted
  if (isServed || isCharged(call, reply)) {
    recordUsage(call, payment?.id, reply)
    return admission.settle(reply)
  }
  const failure = isCallersMaking(reply.status) ? 'callers_making' : undefined
  const headers = await release(call, admission, log, failure)
  if (owed !== undefined) {
    void discardReply(reply)
    throw replyNotServed(owed, reply)
  }
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

/**
 * Never throws: the caller's error matters more, and a payment that is not released becomes free after its
 * lease.
 */
async function release(
  call: UploadCall,
  admission: Admission,
  log: Log,
  failure: RunFailure | undefined,
): Promise<Readonly<Record<string, string>>> {
  try {
    return await admission.release(failure)
  } catch (error) {
    log.error(
      { err: error, call: call.id },
      'the payment or quota unit of a failed call could not be released',
    )
    return {}
  }
}

/**
 * Runs the rest of the chain until the operation's deadline, or until the caller disconnects. A handler that
 * ignores its signal runs on in the background, and its late reply is discarded.
 */
async function runWithinDeadline(
  call: UploadCall,
  admission: Admission | undefined,
  endsWithCaller: boolean,
  next: Next,
): Promise<Reply> {
  const seconds = call.operation.deadlineSeconds
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const context = new CallContext(call, admission)
  const end = (error: GatewayError) => {
    context.abort(error)
    reject(error)
  }
  const timer = setTimeout(() => end(lateness(call)), seconds * 1000)
  const stopListening = endsWithCaller ? call.onLeave(() => end(new GatewayError('CALLER_LEFT'))) : undefined
  try {
    next({ ...call, context }).then(
      (reply) => (context.isAborted ? void discardReply(reply) : resolve(reply)),
      reject,
    )
    return await promise
  } finally {
    clearTimeout(timer)
    stopListening?.()
  }
}

/**
 * Why a call missed its deadline. While the rest of a streamed upload is still with the caller, neither we nor the
 * upstream can finish: a 504 would have the caller wait for a faster upstream, and count against us.
 */
function lateness({ incoming, operation }: UploadCall): GatewayError {
  if (incoming?.isAwaited()) return requestTimeout()
  return new GatewayError('DEADLINE_EXCEEDED', { deadline_seconds: operation.deadlineSeconds })
}

/** Whether a call that failed by the caller's making is charged to its payment. */
function isCharged({ door }: UploadCall, { status }: Reply): boolean {
  return door.kind === 'payment' && door.operation.chargeFailed !== undefined && isCallersMaking(status)
}

function blameFor(error: unknown): RunFailure | undefined {
  if (!(error instanceof GatewayError)) return undefined
  if (error.code === 'CALLER_LEFT' || error.code === 'REQUEST_TIMEOUT') return 'caller_left'
  return isCallersMaking(errorKind(error.code).status) ? 'callers_making' : undefined
}
