import { randomUUID } from 'node:crypto'
import express, { type Request, type Response } from 'express'
import type { Call, RawBody } from '../../core/call.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { faultyField, GatewayError, payloadTooLarge } from '../../core/errors.ts'
import type { Incoming } from '../../core/incoming.ts'

/** How long a body that is read whole may take to come in. */
export const bodyTimeoutMs = 60_000

/** The largest request body that is read. */
const maxBodyBytes = 100_000

/** Turns an Express request into a call. Nothing is read from the wire until a stage asks for the body. */
export function toCall(
  req: Request,
  res: Response,
  { endpoint, operation, params = req.params, incoming }: Addressed,
): Call {
  let body: Promise<RawBody> | undefined
  return {
    id: randomUUID(),
    endpoint,
    operation,
    target: req.originalUrl,
    client: () => req.ip ?? '',
    params,
    readQuery: () => req.query,
    header: (name) => valuesOf(req, name),
    readBody: () => {
      body ??= readBody(req, res)
      return body
    },
    onLeave: (left) => onLeave(res, left),
    ...(incoming && { incoming }),
  }
}

/** Where a request leads. */
export interface Addressed {
  readonly endpoint: Endpoint
  readonly operation: Call['operation']
  readonly params?: Call['params']
  readonly incoming?: Incoming
}

/** Node takes every header apart for the distinct ones, so they are asked for only where there may be several. */
function valuesOf(req: Request, name: string): readonly string[] | undefined {
  const value = req.headers[name]
  if (value === undefined) return undefined
  // Of these it joins several with a comma; of `authorization` and its like it drops all but the first.
  const isOne = name.startsWith('x-') && typeof value === 'string' && !value.includes(',')
  return isOne ? [value] : req.headersDistinct[name]
}

function onLeave(res: Response, left: () => void): () => void {
  if (res.destroyed) {
    left()
    return () => {}
  }
  const closed = () => {
    if (!res.writableFinished) left()
  }
  res.once('close', closed)
  return () => void res.off('close', closed)
}

const readRaw = express.raw({ type: () => true, limit: maxBodyBytes })

async function readBody(req: Request, res: Response): Promise<RawBody> {
  // A body that trickles in holds a connection, and memory; the server itself waits for as long as an upload may take.
  const timer = setTimeout(() => req.destroy(), bodyTimeoutMs)
  const failure = await new Promise<unknown>((resolve) => {
    refuseAtLimit(req, resolve)
    readRaw(req, res, resolve)
  })
  clearTimeout(timer)
  if (failure !== undefined) throw bodyError(failure)
  const bytes: unknown = req.body
  return {
    bytes: bytes instanceof Uint8Array ? bytes : new Uint8Array(),
    contentType: req.headers['content-type']?.split(';')[0]?.trim().toLowerCase() || undefined,
  }
}

/** body-parser answers a body that is too large once all of it has come, which may be never. */
function refuseAtLimit(req: Request, refuse: (failure: GatewayError) => void): void {
  const announced = req.headers['content-length']
  if (announced !== undefined) {
    if (Number(announced) > maxBodyBytes) refuse(payloadTooLarge(maxBodyBytes))
    return
  }
  let bytes = 0
  req.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) refuse(payloadTooLarge(maxBodyBytes))
  })
}

/** body-parser names its faults in `type` (its README, "Errors"). */
function bodyError(failure: unknown): unknown {
  const type = failure instanceof Error && 'type' in failure ? failure.type : undefined
  switch (type) {
    case 'entity.too.large':
      return payloadTooLarge(maxBodyBytes, failure)
    case 'encoding.unsupported':
      return new GatewayError(
        'UNSUPPORTED_MEDIA_TYPE',
        { problem: 'the content encoding is not read here' },
        { cause: failure },
      )
    case 'request.aborted':
      return new GatewayError('CALLER_LEFT', {}, { cause: failure })
    case 'request.size.invalid':
      return faultyField('body', 'is not as long as Content-Length says', failure)
    default:
      // A body that does not inflate, or a fault of ours; the caller can only mend the former.
      return failure instanceof Error && 'status' in failure && failure.status === 400
        ? new GatewayError('MALFORMED_JSON', {}, { cause: failure })
        : failure
  }
}
