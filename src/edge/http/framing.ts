import type { IncomingMessage } from 'node:http'
import { faultyField, GatewayError } from '../../core/errors.ts'
import { isReadableCoding } from '../../core/transfer-coding.ts'

/**
 * Refuses requests that Node accepts and that two servers can read in two ways: several Host lines or none
 * (https://www.rfc-editor.org/rfc/rfc9112#section-3.2), transfer codings that Node does not decode
 * (https://www.rfc-editor.org/rfc/rfc9112#section-6.1), and versions that we do not speak: a request line without a
 * version is HTTP/0.9, which has no headers. An expectation that we cannot meet is refused, too
 * (https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1).
 * @throws GatewayError VALIDATION_ERROR, VERSION_NOT_SUPPORTED, EXPECTATION_FAILED.
 */
export function checkFraming({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  const isHttp11 = httpVersion === '1.1'
  if (!isHttp11 && httpVersion !== '1.0')
    throw new GatewayError('VERSION_NOT_SUPPORTED', {}, { headers: { connection: 'close' } })
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw faultyField('host', 'is sent more than once')
  if (hosts === 0 && isHttp11) throw faultyField('host', 'is missing')
  if (!isReadableCoding(headers['transfer-encoding']))
    throw faultyField('transfer-encoding', 'can only be chunked')
  // HTTP/1.0 knows no expectations.
  if (isHttp11 && headers.expect !== undefined && !/(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect))
    throw new GatewayError('EXPECTATION_FAILED')
}

/**
 * The length of a request's body in bytes; undefined for a chunked one. Node has already refused a length that is not a
 * number or that comes with a chunked body.
 */
export function lengthOf({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}

/**
 * Whether the whole body of a request is here. That of most calls comes in one packet with the head, but Node calls a
 * request complete only after it has run all that waits for nothing else, which is often the whole call.
 */
export function hasArrived(req: IncomingMessage): boolean {
  if (req.complete || req.readableLength === lengthOf(req)) return true
  // `request.ts` has read all of it and put it there.
  return 'body' in req && req.body instanceof Uint8Array
}
