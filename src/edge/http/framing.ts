import type { IncomingMessage } from 'node:http'
import { faultyField } from '../../core/errors.ts'
import { isReadableCoding } from '../../core/transfer-coding.ts'

/**
 * Refuses requests that Node accepts and that two servers can read in two ways: several Host lines
 * (https://www.rfc-editor.org/rfc/rfc9112#section-3.2), and transfer codings that Node does not decode
 * (https://www.rfc-editor.org/rfc/rfc9112#section-6.1).
 * @throws GatewayError VALIDATION_ERROR.
 */
export function checkFraming({ rawHeaders, headers }: IncomingMessage): void {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw faultyField('host', 'is sent more than once')
  if (!isReadableCoding(headers['transfer-encoding']))
    throw faultyField('transfer-encoding', 'can only be chunked')
}
