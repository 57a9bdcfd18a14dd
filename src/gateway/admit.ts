import type { Admission } from '../core/admission.ts'
import type { Stage } from '../core/call.ts'
import type { PricedOperation } from '../core/catalog/priced-operation.ts'
import type { HandlerContext, PaidRun } from '../core/endpoint.ts'
import { GatewayError } from '../core/errors.ts'
import { giveUp } from '../core/give-up.ts'
import type { Log } from '../core/log.ts'
import type { Reply } from '../core/reply.ts'
import type { QuotaDoor } from '../doors/quota/door.ts'
import type { Use } from '../doors/quota/use.ts'
import type { PaymentDoor } from '../doors/x402/door/payment.ts'
import { notServed } from '../doors/x402/door/payment-errors.ts'
import type { Challenges } from '../doors/x402/wire/challenge.ts'
import { CallContext } from './call-context.ts'
import { payerOf } from './identify.ts'
import { freeUse, keyUse } from './use.ts'
import type { UseNotes } from './use-notes.ts'
import type { ValidCall } from './validate.ts'

/** A call that may run its handler. */
export interface AdmittedCall extends ValidCall {
  readonly context: HandlerContext
}

interface Doors {
  readonly payments: PaymentDoor
  readonly quotas: QuotaDoor
  readonly challenges: Challenges
  /** Why payments cannot be taken at the moment; undefined when they can. */
  readonly whyNotReady: () => string | undefined
  /** Told of every reply that is delivered. */
  readonly note: UseNotes['note']
  readonly log: Log
}

/**
 * Opens the door, runs the handler under its deadline, and settles or gives back. This is the only
 * place that holds an admission, so there is one place where money or a unit is taken or not: a reply below 400
 * settles; a reply of 400 or more, a throw, a missed deadline or a caller that left takes nothing. Where
 * the money was taken before, these leave it owed: the same payment is served when it comes again.
 */
export function admit({
  payments,
  quotas,
  challenges,
  whyNotReady,
  note,
  log,
}: Doors): Stage<ValidCall, AdmittedCall> {
  return async (call, next) => {
    const opened = await open(call)
    if (!opened) {
      const reply = await withinDeadline(call, undefined, true, next)
      note(call, undefined, reply)
      return reply
    }
    if ('status' in opened) return opened
    return run(call, opened, next)
  }

  function open(call: ValidCall): Promise<Admission | Reply> | undefined {
    const { door, endpoint, operation } = call
    switch (door.kind) {
      case 'open':
        return undefined
      case 'free':
        return count(call, freeUse(endpoint.id, door, call.client()))
      case 'key':
        return count(call, keyUse(endpoint.id, door, operation.priced?.meter))
      case 'payment': {
        const { target, body, principal } = call
        const { payment, idempotencyKey } = payerOf(principal)
        // An upstream answers HEAD without a body: what is kept of that is no answer to GET.
        const { method } = call.incoming ?? endpoint
        return payments.open({
          endpoint: { ...endpoint, method },
          operation: door.operation,
          payment,
          idempotencyKey,
          target,
          body,
        })
      }
    }
  }

  /** Where a limit is reached, a wallet can go on: the refusal says what the call costs. */
  async function count(call: ValidCall, use: Use): Promise<Admission> {
    const { operation } = call
    try {
      return await quotas.open(use)
    } catch (error) {
      const { priced } = operation
      const isOffered =
        priced && error instanceof GatewayError && error.code === 'RATE_LIMIT' && !whyNotReady()
      throw isOffered ? error.with(priceHeaders(call, priced)) : error
    }
  }

  function priceHeaders({ endpoint }: ValidCall, operation: PricedOperation): Record<string, string> {
    const { headers } = challenges.unpaid(endpoint, operation)
    return Object.fromEntries(
      Object.entries(headers).filter(([name]) => name === 'payment-required' || name === 'x-payment'),
    )
  }

  async function run(
    call: ValidCall,
    admission: Admission,
    next: (call: AdmittedCall) => Promise<Reply>,
  ): Promise<Reply> {
    const { owed, payment } = admission
    // What is paid is worked off and kept for the payer, who may be gone only for a moment.
    const endsWithCaller = owed === undefined
    let reply: Reply
    try {
      reply = await withinDeadline(call, payment, endsWithCaller, next)
    } catch (error) {
      const headers = await giveBack(call, admission, hasLeft(error) ? 'caller_left' : undefined)
      throw owed === undefined ? refusal(error).with(headers) : notServed(owed, error)
    }
    const isUncounted = reply.isUncounted === true && payment === undefined
    if (reply.status < 400 && !isUncounted) {
      note(call, payment?.id, reply)
      return admission.settle(reply)
    }
    const headers = await giveBack(call, admission)
    if (owed !== undefined) {
      void giveUp(reply)
      throw notServed(owed, new Error(`the handler answered ${reply.status}`))
    }
    return { ...reply, headers: { ...reply.headers, ...headers } }
  }

  /** A payment that could not be given back is free again when its lease ends; the caller's error matters more. */
  async function giveBack(
    call: ValidCall,
    admission: Admission,
    failure?: 'caller_left',
  ): Promise<Readonly<Record<string, string>>> {
    try {
      return await admission.release(failure)
    } catch (error) {
      log.error({ err: error, call: call.id }, 'what was held for a call could not be given back')
      return {}
    }
  }
}

function refusal(error: unknown): GatewayError {
  return error instanceof GatewayError ? error : new GatewayError('INTERNAL', {}, { cause: error })
}

/**
 * Runs the rest of the chain until the operation's deadline or the caller's leaving. A handler that
 * ignores its signal is left behind: its reply, should it ever come, is dropped.
 */
async function withinDeadline(
  call: ValidCall,
  payment: PaidRun | undefined,
  endsWithCaller: boolean,
  next: (call: AdmittedCall) => Promise<Reply>,
): Promise<Reply> {
  const seconds = call.operation.deadlineSeconds
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const context = new CallContext(call, payment)
  let isOver = false
  const end = (error: GatewayError) => {
    isOver = true
    context.end(error)
    reject(error)
  }
  const timer = setTimeout(
    () => end(new GatewayError('DEADLINE_EXCEEDED', { deadline_seconds: seconds })),
    seconds * 1000,
  )
  const stopListening = endsWithCaller ? call.onLeave(() => end(new GatewayError('CALLER_LEFT'))) : undefined
  try {
    next({ ...call, context }).then((reply) => (isOver ? void giveUp(reply) : resolve(reply)), reject)
    return await promise
  } finally {
    clearTimeout(timer)
    stopListening?.()
  }
}

function hasLeft(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'CALLER_LEFT'
}
