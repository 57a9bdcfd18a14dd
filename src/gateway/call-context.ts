import type { HandlerContext, Holder, PaidRun } from '../core/endpoint.ts'
import type { GatewayError } from '../core/errors.ts'
import type { Incoming } from '../core/incoming.ts'
import { clientOf } from './client-address.ts'
import type { ValidCall } from './validate.ts'

/**
 * What a handler learns of its call. Its signal is made for whoever asks for one: most handlers are done before it is
 * worth making. A class, because an accessor in an object literal gives every object a hidden class of its own, which
 * V8 keeps, with all that the accessor sees, until it next collects its old generation.
 */
export class CallContext implements HandlerContext {
  readonly callId: string
  readonly accept: string
  readonly authorization: string | undefined
  readonly holder: Holder | undefined
  readonly payment: PaidRun | undefined
  readonly client: () => string
  readonly idempotencyKey: string | undefined
  readonly lastEventId: string | undefined
  readonly incoming: Incoming | undefined
  #controller: AbortController | undefined
  #reason: GatewayError | undefined

  constructor(call: ValidCall, payment: PaidRun | undefined) {
    const { principal } = call
    this.callId = call.id
    this.accept = call.accept
    this.authorization = call.authorization
    this.holder = principal.kind === 'holder' ? principal.holder : undefined
    this.payment = payment
    this.client = () => clientOf(call.client())
    this.idempotencyKey = call.idempotencyKey
    this.lastEventId = call.lastEventId
    this.incoming = call.incoming
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#reason) this.#controller.abort(this.#reason)
    return this.#controller.signal
  }

  /** Before there is a reply: the caller has left, or it took too long. */
  end(reason: GatewayError): void {
    this.#reason ??= reason
    this.#controller?.abort(reason)
  }
}
