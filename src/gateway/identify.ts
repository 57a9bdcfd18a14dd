import type { Call, Stage } from '../core/call.ts'
import type { HandlerHeaders } from '../core/endpoint.ts'
import { type Credentials, findOperator, findPrincipal, type Principal } from './principal.ts'

/** A call whose credentials have been read. Later stages read the principal, never credentials. */
export interface IdentifiedCall extends Omit<Call, 'header'> {
  readonly principal: Principal
  readonly headers: HandlerHeaders
}

/**
 * The stage that reads the credentials, once.
 * @param operatorToken undefined closes the operator's endpoints.
 */
export function identify(
  credentials: Credentials,
  operatorToken: string | undefined,
): Stage<Call, IdentifiedCall> {
  return async (call, next) => {
    const { header } = call
    const principal = await findPrincipal(call.operation.access, header, credentials, operatorToken)
    // Later stages cannot name `header`: their type lacks it.
    return next({ ...call, principal, headers: new RequestHeaders(header, operatorToken) })
  }
}

/** Reads a header only when a handler asks for it, because most handlers ask for none. */
class RequestHeaders implements HandlerHeaders {
  readonly #header: Call['header']
  readonly #operatorToken: string | undefined

  constructor(header: Call['header'], operatorToken: string | undefined) {
    this.#header = header
    this.#operatorToken = operatorToken
  }

  get accept(): string {
    return this.#header('accept')?.join(', ') ?? '*/*'
  }

  get authorization(): string | undefined {
    return this.#header('authorization')?.[0]
  }

  get idempotencyKey(): string | undefined {
    return this.#header('idempotency-key')?.[0]
  }

  get ifNoneMatch(): string | undefined {
    return this.#header('if-none-match')?.join(', ')
  }

  get lastEventId(): string | undefined {
    return this.#header('last-event-id')?.[0]
  }

  get proof(): HandlerHeaders['proof'] {
    return this.#header
  }

  get isOperator(): boolean {
    return findOperator(this.#header, this.#operatorToken).kind === 'operator'
  }
}
