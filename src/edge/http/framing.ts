import type { IncomingMessage } from 'node:http'
import { faultyField } from '../../core/errors.ts'
import { isReadableCoding } from '../../core/transfer-coding.ts'

/**
 * What Node lets pass of requests that two servers can read in two ways: several Host lines
 * (https://www.rfc-editor.org/rfc/rfc9112#section-3.2), and codings of the transfer that nobody takes off here
 * (section 6.1 of the same).
 * @throws GatewayError VALIDATION_ERROR.
 */
export function checkFraming({ rawHeaders, headers }: IncomingMessage): void {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw faultyField('host', 'stands there more than once')
  if (!isReadableCoding(headers['transfer-encoding']))
    throw faultyField('transfer-encoding', 'can only be chunked')
}
