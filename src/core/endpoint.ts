import { z } from 'zod'
import type { PresetName } from './catalog/presets.ts'
import type { OperationDocs } from './documented/operation-docs.ts'
import type { GatewayError } from './errors.ts'
import type { BodyRoom, IncomingRequest } from './incoming-request.ts'
import { faultyInput } from './input/faulty-input.ts'
import { problemOf } from './problems.ts'
import type { Reply } from './reply.ts'
import type { ProofHeader } from './reserved-headers.ts'
import type { TakenUnits } from './taken-units.ts'

/** What a handler gets in addition to its parsed input. */
export interface HandlerContext {
  readonly callId: string
  /** Aborted when the caller disconnects or the operation's deadline passes. */
  readonly signal: AbortSignal
  readonly headers: HandlerHeaders
  /** The holder of the call's key or access token; undefined without one. */
  readonly holder: Holder | undefined
  /** The payment that pays for this run; undefined without one. */
  readonly payment: PaidRun | undefined
  /** The units of quota that this call has taken, for work that may give them back after its reply. */
  readonly units: readonly TakenUnits[]
  /** The caller's address as free quotas count it: `192.0.2.7`, `2001:db8:1:2::/64`. */
  readonly client: () => string
  /** The request itself, for an endpoint that an upstream serves. */
  readonly incoming: IncomingRequest | undefined
  /** Where the body of that request counts, if it is read whole for this run. */
  readonly room: BodyRoom
}

/** The only request headers that handlers read, as received: each handler checks what it uses. */
export interface HandlerHeaders {
  /** For documents that exist in several formats; the default is any format. */
  readonly accept: string
  /** For the endpoint that issues access tokens. */
  readonly authorization: string | undefined
  /** The caller's name for this call, so that a retry does not repeat the work. */
  readonly idempotencyKey: string | undefined
  /** The entity tags of the forms that the caller has already. */
  readonly ifNoneMatch: string | undefined
  /** The last event that the caller received from an interrupted stream. */
  readonly lastEventId: string | undefined
  /** The values of a header by which a payer proves who it is: a payment header, or `sign-in-with-x`. */
  readonly proof: (name: ProofHeader) => readonly string[] | undefined
  /** Whether the operator's token came along. */
  readonly isOperator: boolean
}

/** The request headers that a document may depend on. */
export type DocumentHeaders = Pick<HandlerHeaders, 'accept' | 'ifNoneMatch'>

/**
 * Serves what everyone gets alike, from memory.
 * @param params of the path, decoded.
 * @throws GatewayError where there is no such document now, or none of the form that is asked for.
 */
type ServeDocument = (headers: DocumentHeaders, params: Readonly<Record<string, unknown>>) => Reply

/**
 * A run that a payment pays for. An abandoned run may still be working when the payment is served again: its
 * late result must not replace the one that the payer got.
 */
export interface PaidRun {
  /** Of the payment. */
  readonly id: string
  /** Numbers the runs of the payment; only the latest counts. */
  readonly attempt: number
}

/** The holder of an API key or an access token. */
export interface Holder {
  /** The subject that usage is counted for: `key:<id>` or `oidc:<subject>`. */
  readonly subject: string
  /** Of the key; undefined for a token of another issuer. */
  readonly keyId: string | undefined
  readonly tier: string
  /** The operations that an access token is restricted to; undefined without a restriction. */
  readonly scopes: readonly string[] | undefined
  /**
   * Set while the store does not reply, and the key was found by an earlier read. Then it opens only what needs
   * no count, unless this says that it is valid. Throws QUOTAS_UNAVAILABLE while the store does not reply.
   */
  readonly confirm?: (() => Promise<boolean>) | undefined
}

/**
 * An operation that only the operator may call. It is declared in code and not in the catalog, so that a
 * mistake in an edited catalog cannot open it to others.
 */
export interface OperatorOperation {
  readonly access: 'operator'
  readonly priced?: undefined
  readonly description: string
  readonly deadlineSeconds: number
  /** Of a POST that changes nothing. All others are recorded in the audit trail. */
  readonly isReadOnly?: true
}

/**
 * An open operation that is declared in code and not in the catalog, because machines in front of the gateway
 * depend on it.
 */
interface ProbeOperation {
  readonly access: 'open'
  readonly priced?: undefined
  readonly description: string
  readonly deadlineSeconds: number
}

/** The unchecked input of a call. A missing part counts as empty. */
interface RawInput {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** One row of the endpoint table: everything about an endpoint of ours except its handler. */
export interface EndpointRow {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Parameters stand in braces: `/payments/{paymentId}`. */
  readonly path: string
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly body: z.ZodObject
  /** Of a reply that did what was asked. */
  readonly response: z.ZodType
  /** What documents say of it; they leave out the operator's endpoints, which have none. */
  readonly docs?: OperationDocs
  /** Set for the operator's endpoints and for probes; all others have their operation in the catalog. */
  readonly operation?: OperatorOperation | ProbeOperation
  /** The body is a form; JSON is accepted too. */
  readonly isForm?: boolean
  /**
   * The reply may show what a key has opened, such as a scan that was made with it: a stranger must not get the reply
   * of a public payment by guessing the request.
   */
  readonly isPrivate?: boolean
  /** The reply is a secret of its buyer: it is stored encrypted with the buyer's Idempotency-Key. */
  readonly isSecret?: boolean
}

/** A row of an endpoint that documents describe. */
export type DescribedRow = EndpointRow & { readonly docs: OperationDocs }

/** Rows by operation id. */
export type EndpointRows<Id extends PropertyKey = string> = { readonly [Key in Id]: EndpointRow }

/** Serves the calls of a row; it gets each part of the input as the row's schemas type it. */
type Handle<Row extends EndpointRow> = (
  input: {
    readonly params: z.output<Row['params']>
    readonly query: z.output<Row['query']>
    readonly body: z.output<Row['body']>
  },
  context: HandlerContext,
) => Promise<Reply> | Reply

export type Handler<Row extends EndpointRow> =
  | Handle<Row>
  | DocumentHandler
  | {
      readonly handle: Handle<Row>
      /** Refuses a body with a specific error code, which wins over the schemas' VALIDATION_ERROR. */
      readonly refuse?: (body: unknown) => GatewayError | undefined
      /** Refuses a valid body that the handler could not serve, before a door opens. */
      readonly check?: (body: z.output<Row['body']>) => GatewayError | undefined
      readonly tierOf?: Endpoint['tierOf']
    }

interface DocumentHandler {
  readonly document: ServeDocument
}

/** One handler for each row; a row without one does not compile. */
export type Handlers<Rows extends EndpointRows<keyof Rows>> = {
  readonly [Id in keyof Rows]: Handler<Rows[Id]>
}

/** An endpoint as the stages use it: a row of ours bound to its handler, or an operation of an upstream. */
export interface Endpoint extends Omit<EndpointRow, 'method'> {
  /** The operation id. */
  readonly id: string
  /** Set where it is served under this host name only, before an endpoint of the same path. */
  readonly host?: string
  /** In upper case. */
  readonly method: string
  /** Set when an upstream serves it: the request is forwarded, and its body stays bytes. */
  readonly upstream?: EndpointUpstream
  /** Set for a document. While its operation is open, `edge/http` serves it beside the chain. */
  readonly document?: ServeDocument | undefined
  /** For an endpoint that sells keys: returns the tier that the body asks for, which sets the price. */
  readonly tierOf?: ((body: unknown) => Promise<string> | string) | undefined
  /**
   * Checks the input and binds it to the handler.
   * @throws GatewayError VALIDATION_ERROR naming every faulty field; what the handler's own checks refuse with.
   */
  readonly prepare: (input: RawInput) => (context: HandlerContext) => Promise<Reply>
}

/** Properties of an endpoint that an upstream serves. */
export interface EndpointUpstream {
  /** Name of the upstream. */
  readonly name: string
  /** The host name that its calls use; undefined for any. */
  readonly host: string | undefined
  /** The largest request body, in bytes. */
  readonly maxRequestBytes: number
  /** How its callers read errors; undefined for our own form. */
  readonly errorForm?: PresetName | undefined
}

/** The path of an endpoint without parameters. */
const noParams = z.object({})
/** The query of an endpoint without query parameters: a parameter is refused, like an unknown field of a body. */
const noQuery = z.strictObject({})
/** The body of an endpoint without one: a body that is sent anyway is not read. */
export const noBody = z.object({})
/** For rows: replace the parts that an endpoint does read. */
export const noInput = { params: noParams, query: noQuery, body: noBody }

/** Binds each row to its handler, in the order of the rows. */
export function bind<Rows extends EndpointRows<keyof Rows>>(
  rows: Rows,
  handlers: Handlers<Rows>,
): Endpoint[] {
  const endpoints: Endpoint[] = []
  for (const id in rows) endpoints.push(endpoint(id, rows[id], handlers[id]))
  return endpoints
}

/** Binds one row to its handler. */
export function endpoint<Row extends EndpointRow>(id: string, row: Row, handler: Handler<Row>): Endpoint {
  const { handle, refuse, check, tierOf, document } = partsOf(handler)
  const schemas: Pick<Row, 'params' | 'query' | 'body'> = row
  return {
    id,
    ...row,
    tierOf,
    document,
    prepare: (raw) => {
      const words = { error: problemOf }
      const params = schemas.params.safeParse(raw.params ?? {}, words)
      // Links to documents carry marks of where they were followed, such as utm_source.
      const query = schemas.query.safeParse(document ? {} : (raw.query ?? {}), words)
      // JSON's null is a faulty body, not a missing one.
      const body = schemas.body.safeParse(raw.body === undefined ? {} : raw.body, words)
      const refusal = refuse?.(raw.body)
      if (refusal) throw refusal
      if (!params.success || !query.success || !body.success) {
        throw faultyInput({ params: params.error, query: query.error, body: body.error }, schemas)
      }
      const misfit = check?.(body.data)
      if (misfit) throw misfit
      const input = { params: params.data, query: query.data, body: body.data }
      return async (context) => handle(input, context)
    },
  }
}

function partsOf<Row extends EndpointRow>(handler: Handler<Row>) {
  const none = { refuse: undefined, check: undefined, tierOf: undefined, document: undefined }
  if (typeof handler === 'function') return { ...none, handle: handler }
  if ('handle' in handler) return { ...none, ...handler }
  const { document } = handler
  // Over HTTP an open document does not come here: this one needs a key or a price, and no cache may give it to others.
  const handle: Handle<Row> = ({ params }, { headers }) => {
    const reply = document(headers, params)
    return { ...reply, headers: { ...reply.headers, 'cache-control': 'private, no-cache' } }
  }
  return { ...none, handle, document }
}
