import type { HandlerContext, Reply, Stage } from '../core/call.ts'
import { GatewayError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Admission } from '../x402/admission.ts'
import type { PaymentDoor } from '../x402/payment.ts'
import { notServed } from '../x402/payment-errors.ts'
import type { ValidCall } from './validate.ts'

/** A call that may run its handler. */
export interface AdmittedCall extends ValidCall {
  readonly context: HandlerContext
}

/**
 * Opens the door, runs the handler under its deadline, and settles or gives back. This is the only
 * place that holds an admission, so there is one place where money is taken or not: a reply below 400
 * settles; a reply of 400 or more, a throw, a missed deadline or a caller that left takes nothing. Where
 * the money was taken before, these leave it owed: the same payment is served when it comes again.
 */
export function admit(payments: PaymentDoor, log: Log): Stage<ValidCall, AdmittedCall> {
  return async (call, next) => {
    if (call.door.kind === 'open') return withinDeadline(call, call.abandonment(), next)

    const opened = await payments.open({
      endpoint: call.endpoint,
      operation: call.door.operation,
      payment: call.door.payment,
      idempotencyKey: call.door.idempotencyKey,
      target: call.target,
      body: call.body,
    })
    if ('status' in opened) return opened
    return runPaid(call, opened, next)
  }

  async function runPaid(
    call: ValidCall,
    admission: Admission,
    next: (call: AdmittedCall) => Promise<Reply>,
  ): Promise<Reply> {
    const { owed } = admission
    // What is paid is worked off and kept for the payer, who may be gone only for a moment.
    const leaving = owed === undefined ? call.abandonment() : undefined
    let reply: Reply
    try {
      reply = await withinDeadline(call, leaving, next)
    } catch (error) {
      await giveBack(call, admission, hasLeft(error) ? 'caller_left' : undefined)
      throw owed === undefined ? error : notServed(owed, error)
    }
    if (reply.status < 400) return admission.settle(reply)
    await giveBack(call, admission)
    if (owed !== undefined) throw notServed(owed, new Error(`the handler answered ${reply.status}`))
    return reply
  }

  /** A payment that could not be given back is free again when its lease ends; the caller's error matters more. */
  async function giveBack(call: ValidCall, admission: Admission, failure?: 'caller_left'): Promise<void> {
    try {
      await admission.release(failure)
    } catch (error) {
      log.error({ err: error, call: call.id }, 'a payment could not be released')
    }
  }
}

/**
 * Runs the rest of the chain until the operation's deadline or the caller's leaving. A handler that
 * ignores its signal is left behind: its reply, should it ever come, is dropped.
 */
async function withinDeadline(
  call: ValidCall,
  leaving: AbortSignal | undefined,
  next: (call: AdmittedCall) => Promise<Reply>,
): Promise<Reply> {
  const seconds = call.operation.deadline_seconds
  const deadline = AbortSignal.timeout(seconds * 1000)
  const signal = leaving ? AbortSignal.any([leaving, deadline]) : deadline
  const context: HandlerContext = { callId: call.id, signal, accept: call.accept }
  const ended = Promise.withResolvers<never>()
  const end = () => {
    ended.reject(
      deadline.aborted
        ? new GatewayError('DEADLINE_EXCEEDED', { deadline_seconds: seconds }, { cause: signal.reason })
        : new GatewayError('CALLER_LEFT', {}, { cause: signal.reason }),
    )
  }
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    return await Promise.race([next({ ...call, context }), ended.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

function hasLeft(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'CALLER_LEFT'
}
