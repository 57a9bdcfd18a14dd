import type { RawBody } from '../core/call.ts'
import type { Endpoint } from '../core/endpoint.ts'
import { GatewayError } from '../core/errors.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * JSON is read from JSON types, and also from text/plain or no type at all: x402 v1 clients lose the
 * header on their paid retry (reference/payments.md 4.1). A form is read where the endpoint takes one.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, VALIDATION_ERROR.
 */
export function parseBody({ bytes, contentType }: RawBody, { isForm }: Pick<Endpoint, 'isForm'>): unknown {
  if (isForm && contentType === 'application/x-www-form-urlencoded') return parseForm(bytes)
  const isRead =
    contentType === undefined ||
    contentType === 'application/json' ||
    contentType === 'text/plain' ||
    /^application\/[\w.+-]+\+json$/.test(contentType)
  if (!isRead) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', { content_type: contentType })
  try {
    return JSON.parse(strictUtf8.decode(bytes))
  } catch (cause) {
    throw new GatewayError('MALFORMED_JSON', {}, { cause })
  }
}

/** A field that comes twice is a list, and no endpoint takes one: RFC 6749 forbids it. */
function parseForm(bytes: Uint8Array): Readonly<Record<string, string | readonly string[]>> {
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(Buffer.from(bytes).toString('utf8'))) {
    fields.set(name, [...(fields.get(name) ?? []), value])
    if (fields.size <= maxFields && (fields.get(name)?.length ?? 0) <= maxFields) continue
    const issues = [{ field: 'body', problem: `holds more than ${maxFields} fields` }]
    throw new GatewayError('VALIDATION_ERROR', { issues })
  }
  return Object.fromEntries(
    Array.from(fields, ([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  )
}

const maxFields = 100
