import type { RawBody } from '../core/call.ts'
import type { Endpoint } from '../core/endpoint.ts'
import { faultyField, GatewayError } from '../core/errors.ts'
import { isBeyondShape } from '../core/text/json-shape.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body, or a form where the endpoint takes one. JSON is also accepted as text/plain or without
 * a Content-Type, because x402 v1 clients lose that header on their paid retry.
 * @returns undefined for the missing body of an operator's request, whose fields are mostly optional.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, VALIDATION_ERROR.
 */
export function parseBody(
  { bytes, contentType }: RawBody,
  { isForm, operation }: Pick<Endpoint, 'isForm' | 'operation'>,
): unknown {
  if (bytes.byteLength === 0 && operation?.access === 'operator') return undefined
  if (isForm && contentType === 'application/x-www-form-urlencoded') return parseForm(bytes)
  const isJson =
    contentType === undefined ||
    contentType === 'application/json' ||
    contentType === 'text/plain' ||
    /^application\/[\w.+-]+\+json$/.test(contentType)
  if (!isJson) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', { content_type: contentType })
  const isTrusted = operation?.access === 'operator'
  if (!isTrusted && bytes.byteLength > maxUncheckedBytes && isBeyondShape(bytes, largestShape))
    throw faultyField('body', `has more than ${largestShape.values} values, or is nested too deeply`)
  try {
    return JSON.parse(strictUtf8.decode(bytes))
  } catch (cause) {
    throw new GatewayError('MALFORMED_JSON', {}, { cause })
  }
}

/** Parsing so few bytes takes less than a millisecond, whatever they are. */
const maxUncheckedBytes = 16_384
/** Far more than any operation of ours has fields for. */
const largestShape = { depth: 64, values: 10_000 }

/** A repeated field becomes a list, which every endpoint's schema refuses, as RFC 6749 asks. */
function parseForm(bytes: Uint8Array): Readonly<Record<string, string | readonly string[]>> {
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(Buffer.from(bytes).toString('utf8'))) {
    fields.set(name, [...(fields.get(name) ?? []), value])
    if (fields.size <= maxFields && (fields.get(name)?.length ?? 0) <= maxFields) continue
    throw faultyField('body', `has more than ${maxFields} fields`)
  }
  return Object.fromEntries(
    Array.from(fields, ([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  )
}

const maxFields = 100
