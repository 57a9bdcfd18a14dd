import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Request, Response } from 'express'
import type { Call, RawBody } from '../../core/call.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { GatewayError, payloadTooLarge } from '../../core/errors.ts'
import type { BodyRoom, IncomingRequest } from '../../core/incoming-request.ts'
import { collectBody } from './collect-body.ts'
import { hasArrived } from './framing.ts'

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
      address ??= addressOf(req)
      return address
    },
    params,
    readQuery: () => req.query,
    header: (name) => valuesOf(req, name),
    readBody: (room) => {
      body ??= readBody(req, room)
      return body
    },
    onLeave: (left) => onLeave(res, left),
    ...(incoming && { incoming }),
  }
}

/** Most calls come without a proxy: then Express finds the address of the connection in several steps. */
function addressOf(req: Request): string {
  const isForwarded = req.headers['x-forwarded-for'] !== undefined
  return (isForwarded ? req.ip : req.socket.remoteAddress) ?? ''
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
  // Node emits it once.
  res.on('close', closed)
  return () => void res.off('close', closed)
}

async function readBody(req: Request, room: BodyRoom): Promise<RawBody> {
  const bytes = readArrived(req, room) ?? (await readArriving(req, room))
  const contentType = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase() || undefined
  return { bytes, contentType }
}

/**
 * Reads a body that has arrived with the head of its request, as that of most calls has: there is nothing to wait
 * for. Undefined for any other.
 */
function readArrived(req: Request, room: BodyRoom): Uint8Array | undefined {
  if (!hasArrived(req) || codingOf(req) !== undefined) return undefined
  if (req.readableLength > maxBodyBytes) throw payloadTooLarge(maxBodyBytes)
  room.arrive(req.readableLength)
  const read: unknown = req.read()
  const bytes = read instanceof Uint8Array ? read : noBytes
  // `hasArrived` finds it there.
  req.body = bytes
  return bytes
}

const noBytes = new Uint8Array()

async function readArriving(req: Request, room: BodyRoom): Promise<Uint8Array> {
  const coding = codingOf(req)
  if (coding === undefined) return collectBody(req, maxBodyBytes, room)
  const decompress = decompressors.get(coding)
  if (!decompress)
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', { problem: 'the content encoding is not supported' })
  const compressed = await collectBody(req, maxBodyBytes, largestRoom(room))
  try {
    return await decompress(compressed, { maxOutputLength: maxBodyBytes })
  } catch (cause) {
    const isTooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLarge
      ? payloadTooLarge(maxBodyBytes, cause)
      : new GatewayError('MALFORMED_JSON', {}, { cause })
  }
}

/** @returns in lower case; undefined for a body that is not compressed. */
function codingOf({ headers }: Request): string | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase()
  return coding === '' || coding === 'identity' ? undefined : coding
}

const decompressors = new Map<
  string,
  (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>
>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** A compressed body counts as the largest that it may become. */
function largestRoom(room: BodyRoom): BodyRoom {
  let isCounted = false
  return {
    expect: () => {},
    arrive: () => {
      if (!isCounted) room.arrive(maxBodyBytes)
      isCounted = true
    },
  }
}
