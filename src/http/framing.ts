import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../core/errors.ts'

/**
 * What Node lets pass of requests that two servers can read in two ways: several Host lines
 * (https://www.rfc-editor.org/rfc/rfc9112#section-3.2), and codings of the transfer that nobody takes off here
 * (section 6.1 of the same).
 * @throws GatewayError VALIDATION_ERROR.
 */
export function checkFraming({ rawHeaders, headers }: IncomingMessage): void {
  let hosts = 0
  for (let name = 0; name < rawHeaders.length; name += 2) {
    if (rawHeaders[name]?.length === 4 && rawHeaders[name]?.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw faulty('host', 'stands there more than once')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    throw faulty('transfer-encoding', 'can only be chunked')
}

function faulty(field: string, problem: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', { issues: [{ field, problem }] })
}
