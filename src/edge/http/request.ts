import { randomUUID } from 'node:crypto'
import express, { type Request, type Response } from 'express'
import type { Call, RawBody } from '../../core/call.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { faultyField, GatewayError, payloadTooLarge, requestTimeout } from '../../core/errors.ts'
import type { BodyRoom, IncomingRequest } from '../../core/incoming-request.ts'

/** How long a body that is read into memory may take to arrive. */
export const bodyTimeoutMs = 60_000

/** The largest request body of our own operations. */
const maxBodyBytes = 100_000

/** The endpoint that a request leads to. */
export interface Target {
  readonly endpoint: Endpoint
  readonly operation: Call['operation']
  /** By default the ones that Express has matched. */
  readonly params?: Call['params']
  readonly incoming?: IncomingRequest
}

/** Turns an Express request into a call. Nothing is read from the wire until a stage asks for the body. */
export function toCall(req: Request, res: Response, target: Target): Call {
  const { endpoint, operation, params = req.params, incoming } = target
  let body: Promise<RawBody> | undefined
  let address: string | undefined
  return {
    id: randomUUID(),
    endpoint,
    operation,
    target: req.originalUrl,
    client: () => {
      address ??= req.ip ?? ''
      return address
    },
    params,
    readQuery: () => req.query,
    header: (name) => valuesOf(req, name),
    readBody: (room) => {
      body ??= readBody(req, res, room)
      return body
    },
    onLeave: (left) => onLeave(res, left),
    ...(incoming && { incoming }),
  }
}

/**
 * `headers` would join several values or keep the first, and `headersDistinct` would sort all headers of the request
 * to find one.
 */
function valuesOf({ headers, rawHeaders }: Request, name: string): readonly string[] | undefined {
  if (headers[name] === undefined) return undefined
  return rawHeaders.filter((_, index) => {
    const sent = index % 2 === 1 ? rawHeaders[index - 1] : undefined
    return sent?.length === name.length && sent.toLowerCase() === name
  })
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

async function readBody(req: Request, res: Response, room: BodyRoom): Promise<RawBody> {
  const bytes = readArrived(req, room) ?? (await readArriving(req, res, room))
  const contentType = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase() || undefined
  return { bytes, contentType }
}

/**
 * Reads a body that has arrived with the head of its request, as that of most calls has: there is nothing to wait
 * for. Undefined for any other.
 */
function readArrived(req: Request, room: BodyRoom): Uint8Array | undefined {
  if (!req.complete || isCompressed(req)) return undefined
  if (req.readableLength > maxBodyBytes) throw payloadTooLarge(maxBodyBytes)
  room.arrive(req.readableLength)
  const bytes: unknown = req.read()
  return bytes instanceof Uint8Array ? bytes : noBytes
}

const noBytes = new Uint8Array()

async function readArriving(req: Request, res: Response, room: BodyRoom): Promise<Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  const failure = await new Promise<unknown>((resolve) => {
    // A slow body holds a connection and memory. The server's own limit is as long as the longest upload may
    // take.
    timer = setTimeout(() => resolve(requestTimeout()), bodyTimeoutMs)
    refuseAtLimit(req, resolve)
    countArriving(req, room, resolve)
    readRaw(req, res, resolve)
  })
  clearTimeout(timer)
  if (failure !== undefined) throw bodyError(failure)
  const bytes: unknown = req.body
  return bytes instanceof Uint8Array ? bytes : noBytes
}

/** body-parser refuses a body that is too large only once all of it has arrived, which may be never. */
function refuseAtLimit(req: Request, refuse: (failure: GatewayError) => void): void {
  const length = req.headers['content-length']
  if (length !== undefined) {
    if (Number(length) > maxBodyBytes) refuse(payloadTooLarge(maxBodyBytes))
    return
  }
  let bytes = 0
  req.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) refuse(payloadTooLarge(maxBodyBytes))
  })
}

function isCompressed({ headers }: Request): boolean {
  const encoding = headers['content-encoding']?.trim()
  return encoding !== undefined && !/^(?:identity)?$/i.test(encoding)
}

/** A compressed body counts as the largest that it may become. */
function countArriving(req: Request, room: BodyRoom, refuse: (failure: unknown) => void): void {
  const count = (bytes: number) => {
    try {
      room.arrive(bytes)
    } catch (failure) {
      refuse(failure)
    }
  }
  if (isCompressed(req)) req.once('data', () => count(maxBodyBytes))
  else req.on('data', (chunk: Uint8Array) => count(chunk.byteLength))
}

/** body-parser names its errors in `type` (its README, "Errors"). */
function bodyError(failure: unknown): unknown {
  if (failure instanceof GatewayError) return failure
  const type = failure instanceof Error && 'type' in failure ? failure.type : undefined
  switch (type) {
    case 'entity.too.large':
      return payloadTooLarge(maxBodyBytes, failure)
    case 'encoding.unsupported':
      return new GatewayError(
        'UNSUPPORTED_MEDIA_TYPE',
        { problem: 'the content encoding is not supported' },
        { cause: failure },
      )
    case 'request.aborted':
      return new GatewayError('CALLER_LEFT', {}, { cause: failure })
    case 'request.size.invalid':
      return faultyField('body', 'is not as long as Content-Length says', failure)
    default:
      // Status 400 is a compressed body that does not inflate. Any other failure is ours.
      return failure instanceof Error && 'status' in failure && failure.status === 400
        ? new GatewayError('MALFORMED_JSON', {}, { cause: failure })
        : failure
  }
}
