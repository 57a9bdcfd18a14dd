import type { HandlerContext, HandlerHeaders } from '../../../src/core/endpoint.ts'

/** The headers of a request that sent none of those that handlers read. */
export const noHeaders: HandlerHeaders = {
  accept: '*/*',
  authorization: undefined,
  idempotencyKey: undefined,
  ifNoneMatch: undefined,
  lastEventId: undefined,
  proof: () => undefined,
  isOperator: false,
}

/**
 * The context of a call without credentials whose caller stays connected, for tests that run a handler alone.
 */
export function contextOf(change: Partial<HandlerContext> = {}): HandlerContext {
  return {
    callId: 'test',
    signal: new AbortController().signal,
    headers: noHeaders,
    holder: undefined,
    payment: undefined,
    units: [],
    client: () => '192.0.2.7',
    incoming: undefined,
    room: { expect: () => {}, arrive: () => {} },
    ...change,
  }
}
