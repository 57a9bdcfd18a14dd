import { z } from 'zod'
import type { PresetName } from '../../core/catalog/presets.ts'
import type { ErrorKind } from '../../core/errors.ts'
import { json, type Reply } from '../../core/reply.ts'

/**
 * Writes an error as the clients of an upstream's kind read it. OpenAI's client shows `error.message`, and of our own
 * form, in which `error` is a word, it shows that word alone. Our `message`, `code` and `details`, and what x402 clients
 * of version 1 read of a 402, stay beside it; version 2 reads a header.
 *
 * @param reply an error that the gateway made, never one of an upstream.
 */
export function inForm(reply: Reply, form: PresetName | undefined): Reply {
  if (form === undefined) return reply
  const known = written.get(reply.body)
  const body = known?.form === form ? known.body : bodyInForm(reply, form)
  written.set(reply.body, { form, body })
  return { ...reply, body }
}

/** Unpaid calls get one 402 over and over, and it is written once. */
const written = new WeakMap<Uint8Array, { readonly form: PresetName; readonly body: Uint8Array }>()

function bodyInForm({ status, body }: Reply, form: PresetName): Uint8Array {
  const parsed = ourError.safeParse(parsedJson(body))
  // A caller that reads an error in another form is better served than one that gets none.
  if (!parsed.success) return body
  const { error: _word, ...ours } = parsed.data
  return json(status, { ...errorIn[form](status, ours), ...ours }).body
}

function parsedJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    // Our errors are JSON; any other body has no error to write.
    return undefined
  }
}

/** `details` differ with the code, so nothing is expected of them. */
const ourError = z.looseObject({
  error: z.string(),
  message: z.string(),
  code: z.string(),
  details: z.unknown().optional(),
})

type OurError = Pick<z.infer<typeof ourError>, 'message' | 'code' | 'details'>

const withIssues = z.object({ issues: z.tuple([z.object({ field: z.string() })], z.unknown()) })

/** The first field with a fault; null where `details` name none. */
function faultyFieldOf(details: unknown): string | null {
  const parsed = withIssues.safeParse(details)
  return parsed.success ? parsed.data.issues[0].field : null
}

const errorIn: Readonly<Record<PresetName, (status: number, error: OurError) => object>> = {
  /** https://platform.openai.com/docs/guides/error-codes: the client has `error` as its own `error`, `code` and `param`. */
  openai: (status, { message, code, details }) => ({
    error: {
      message,
      type: typeOf(status).openai,
      code,
      param: faultyFieldOf(details),
      details,
    },
  }),
  /** https://docs.anthropic.com/en/api/errors */
  anthropic: (status, { message, code, details }) => ({
    type: 'error',
    error: { type: typeOf(status).anthropic, message, code, details },
  }),
  /**
   * The body of a failed HTTP request to an MCP server may be a JSON-RPC error without an id. Some clients read it as
   * such, the others show the text of the body. x402 gives the JSON-RPC code 402 to a missing payment.
   */
  mcp: (status, { message, code, details }) => ({
    jsonrpc: '2.0',
    error: { code: status, message, data: { code, details } },
  }),
}

interface Types {
  readonly openai: string
  readonly anthropic: string
}

const invalid = { openai: 'invalid_request_error', anthropic: 'invalid_request_error' }
const failed = { openai: 'server_error', anthropic: 'api_error' }

const types: Readonly<Record<ErrorKind['status'], Types>> = {
  400: invalid,
  401: { openai: 'authentication_error', anthropic: 'authentication_error' },
  402: { openai: 'billing_error', anthropic: 'billing_error' },
  403: { openai: 'permission_error', anthropic: 'permission_error' },
  404: { openai: 'invalid_request_error', anthropic: 'not_found_error' },
  405: invalid,
  408: invalid,
  409: invalid,
  413: { openai: 'invalid_request_error', anthropic: 'request_too_large' },
  415: invalid,
  417: invalid,
  422: invalid,
  429: { openai: 'rate_limit_error', anthropic: 'rate_limit_error' },
  431: invalid,
  499: invalid,
  500: failed,
  502: failed,
  503: { openai: 'server_error', anthropic: 'overloaded_error' },
  504: { openai: 'server_error', anthropic: 'timeout_error' },
  505: invalid,
}

const typesByStatus = new Map(Object.entries(types))

function typeOf(status: number): Types {
  return typesByStatus.get(String(status)) ?? failed
}
