import type { HandlerContext } from '../../../src/core/endpoint.ts'

/** What a handler is given by a caller who brings nothing and does not leave: for tests that run one by itself. */
export function contextOf(change: Partial<HandlerContext> = {}): HandlerContext {
  return {
    callId: 'test',
    signal: new AbortController().signal,
    accept: '*/*',
    authorization: undefined,
    holder: undefined,
    payment: undefined,
    client: () => '192.0.2.7',
    idempotencyKey: undefined,
    lastEventId: undefined,
    incoming: undefined,
    ...change,
  }
}
