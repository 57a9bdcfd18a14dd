import { z } from 'zod'
import type { Endpoint, HandlerContext } from '../../core/endpoint.ts'
import { comeBack, errorKind, toGatewayError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { Reply } from '../../core/reply.ts'
import { storable } from '../../core/text/storable.ts'
import { beginAudit, concludeAudit } from '../../doors/ledger/audit.ts'
import type { Books } from '../../platform/store/books.ts'
import type { AuditRow } from '../../platform/store/rows/callers.ts'

export interface AuditParts {
  readonly books: Books
  readonly log: Log
}

/**
 * Records each call of an operator's endpoint that changes something. It is applied to every endpoint in one
 * place, so that a new one is recorded without anyone thinking of it: a row has to say `isReadOnly` to be left
 * out. An action that cannot be recorded is not carried out.
 *
 * A request that the endpoint's schemas refuse is no action and is not recorded.
 */
export function audited(endpoint: Endpoint, parts: AuditParts): Endpoint {
  if (!changesSomething(endpoint)) return endpoint
  return {
    ...endpoint,
    prepare(raw) {
      const run = endpoint.prepare(raw)
      const [params, body] = [withoutSecrets(raw.params), withoutSecrets(raw.body)]
      const asked = { subject: textOf(Object.values(params)[0]), details: { ...params, ...body } }
      return (context) => runAudited({ ...parts, action: endpoint.id, ...asked }, () => run(context), context)
    },
  }
}

/** Whether a call of it is an action of the operator. */
export function changesSomething({ method, operation }: Pick<Endpoint, 'method' | 'operation'>): boolean {
  return operation?.access === 'operator' && method !== 'GET' && operation.isReadOnly !== true
}

interface Action extends AuditParts, Pick<AuditRow, 'action' | 'subject' | 'details'> {}

async function runAudited(
  { books, log, action, subject, details }: Action,
  run: () => Promise<Reply>,
  { callId, client }: HandlerContext,
): Promise<Reply> {
  try {
    await beginAudit(books, { callId, action, subject, details, client: client() })
  } catch (cause) {
    throw comeBack('AUDIT_UNAVAILABLE', cause)
  }
  const conclude = async (end: Omit<Parameters<typeof concludeAudit>[2], 'subject'>) => {
    try {
      await concludeAudit(books, callId, { ...end, subject: subject ?? subjectOf(end.result) })
    } catch (error) {
      // The action has ended, whatever the store says; its row stays `begun`.
      log.error(
        { err: error, call: callId, action, ...end },
        'the outcome of an action could not be recorded',
      )
    }
  }
  try {
    const reply = await run()
    await conclude({ outcome: 'done', status: reply.status, code: null, result: resultOf(reply) })
    return reply
  } catch (error) {
    const { code } = toGatewayError(error)
    const { status } = errorKind(code)
    await conclude({ outcome: status < 500 ? 'refused' : 'failed', status, code, result: null })
    throw error
  }
}

const objectSchema = z.record(z.string(), z.unknown())

/** The words and numbers of a reply; lists would make the trail as large as the books. */
function resultOf({ headers, body }: Reply): Record<string, unknown> | null {
  if (!headers['content-type']?.startsWith('application/json')) return null
  const fields = Object.entries(withoutSecrets(JSON.parse(Buffer.from(body).toString())))
  return Object.fromEntries(fields.filter(([, value]) => typeof value !== 'object' || value === null))
}

/** Of a new key, or a new signing key, that the request could not name. */
function subjectOf(result: Record<string, unknown> | null): string | null {
  return textOf(result?.keyId ?? result?.kid ?? result?.paymentId)
}

/** Also e-mail addresses: the trail is never deleted, and what was deleted for a person must not stay in it. */
const secretName = /^key$|^e-?mail$|secret|token|signature|password|private/i
/**
 * API keys, JSON Web Tokens and payment headers (both begin with `{"` in Base64), wherever they stand in a
 * text. Private keys look like the hashes of transactions, so they are left.
 */
const secretText = /tgk_\w+|eyJ[\w+/=.-]{8,}/g
const maxText = 500

/** The fields of an object. Secret fields are left out, and secrets in texts and names replaced. */
function withoutSecrets(given: unknown): Record<string, unknown> {
  const fields = objectSchema.safeParse(given)
  if (!fields.success) return {}
  return Object.fromEntries(
    Object.entries(fields.data)
      .filter(([name]) => !secretName.test(name))
      .map(([name, value]) => [redacted(name), withoutSecretTexts(value)]),
  )
}

function withoutSecretTexts(value: unknown): unknown {
  if (typeof value === 'string') return redacted(value)
  if (Array.isArray(value)) return value.map(withoutSecretTexts)
  return typeof value === 'object' && value !== null ? withoutSecrets(value) : value
}

/** The text is made storable first and cut last: either could leave a part of a secret that is not recognized. */
function redacted(text: string): string {
  return storable(text).replace(secretText, '[secret]').slice(0, maxText).toWellFormed()
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? redacted(value) : null
}
