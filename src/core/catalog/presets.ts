/**
 * What the upstreams of a well-known kind need: headers that their clients and servers exchange, how long their
 * replies take, the route of their main call, and how it is counted. A preset only fills in keys that the file
 * leaves out, so each of them can be written otherwise, and the operator always names the prices.
 */

export const presetNames = ['mcp', 'openai', 'anthropic'] as const

export type PresetName = (typeof presetNames)[number]

interface Preset {
  /** Joined with what the file names. */
  readonly request_headers: readonly string[]
  readonly response_headers: readonly string[]
  /** Other keys of the upstream. */
  readonly upstream: Readonly<Record<string, unknown>>
  /** Keys of each of its operations. */
  readonly operation: Readonly<Record<string, unknown>>
  /** Of an operation without one. */
  readonly route: string
  /** Keys of a price per unit that does not say what it counts. */
  readonly price: Readonly<Record<string, unknown>>
}

/** A model may think for minutes before its first byte, and a payment is valid for five minutes by default. */
const slow = {
  upstream: { first_byte_seconds: 180, idle_seconds: 120 },
  operation: { deadline_seconds: 180 },
}
/** Prices of models are named per million. */
const perMillion = { per: 'tokens', units: 1_000_000 }
/** The clients of both makers decide by these whether and when to repeat a call. */
const retries = ['retry-after-ms', 'x-should-retry']

const presets: Readonly<Record<PresetName, Preset>> = {
  // https://modelcontextprotocol.io/specification: `mcp-session-id`, `mcp-protocol-version`, `mcp-method`,
  // `mcp-name`, `mcp-param-…`; a stream may be silent for minutes.
  mcp: {
    request_headers: ['mcp-*', 'last-event-id'],
    response_headers: ['mcp-*'],
    upstream: { first_byte_seconds: 180, idle_seconds: 300 },
    operation: { deadline_seconds: 180 },
    route: 'POST /mcp',
    price: {},
  },
  openai: {
    request_headers: ['openai-*', 'x-stainless-*', 'x-client-request-id'],
    response_headers: ['openai-*', ...retries],
    ...slow,
    route: 'POST /v1/chat/completions',
    price: perMillion,
  },
  anthropic: {
    request_headers: ['anthropic-*', 'x-stainless-*'],
    response_headers: ['anthropic-*', 'request-id', ...retries],
    ...slow,
    route: 'POST /v1/messages',
    price: perMillion,
  },
}

/** Fills in the keys that the presets of a written catalog set. What is not an object stays as it is. */
export function withPresets(written: unknown): unknown {
  if (!isRecord(written) || !isRecord(written.upstreams)) return written
  const { upstreams, operations } = written
  const changed = { ...written, upstreams: mapValues(upstreams, withUpstreamPreset) }
  if (!isRecord(operations)) return changed
  return { ...changed, operations: mapValues(operations, (one) => withOperationPreset(one, upstreams)) }
}

function withUpstreamPreset(upstream: unknown): unknown {
  const preset = presetOf(upstream)
  if (!preset || !isRecord(upstream)) return upstream
  return {
    ...preset.upstream,
    ...upstream,
    request_headers: joined(preset.request_headers, upstream.request_headers),
    response_headers: joined(preset.response_headers, upstream.response_headers),
  }
}

function withOperationPreset(operation: unknown, upstreams: Readonly<Record<string, unknown>>): unknown {
  if (!isRecord(operation) || typeof operation.upstream !== 'string') return operation
  const { upstream, price } = operation
  const preset = Object.hasOwn(upstreams, upstream) ? presetOf(upstreams[upstream]) : undefined
  if (!preset) return operation
  const filled = { ...preset.operation, route: preset.route, ...operation }
  const isCounted = isRecord(price) && price.per === undefined
  return isCounted ? { ...filled, price: { ...preset.price, ...price } } : filled
}

function presetOf(upstream: unknown): Preset | undefined {
  const name = isRecord(upstream) ? upstream.preset : undefined
  const known = presetNames.find((one) => one === name)
  return known && presets[known]
}

/** A faulty list is left for the check. */
function joined(own: readonly string[], written: unknown = []): unknown {
  return Array.isArray(written) ? [...new Set([...own, ...written])] : written
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mapValues(
  record: Readonly<Record<string, unknown>>,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
