import { z } from 'zod'
import { GatewayError } from './errors.ts'
import type { Incoming } from './incoming.ts'
import type { Reply } from './reply.ts'

/** What a handler is given besides its parsed input. */
export interface HandlerContext {
  readonly callId: string
  /** Aborted when the caller leaves or the operation's deadline passes. */
  readonly signal: AbortSignal
  /** The Accept header, for the few documents that exist in more than one form. */
  readonly accept: string
  /** The Authorization header, for the one endpoint where it says who asks for a token. */
  readonly authorization: string | undefined
  /** Whose key the call was made with; undefined without one. */
  readonly holder: Holder | undefined
  /** What pays for this run; undefined when no payment does. */
  readonly payment: PaidRun | undefined
  /** The address of whoever calls, as free quotas know it: `192.0.2.7`, `2001:db8:1:2::/64`. */
  readonly client: () => string
  /** What the caller names this call, so that it can be sent again without being done again; not checked yet. */
  readonly idempotencyKey: string | undefined
  /** The last event a caller has seen of a stream it lost; not checked yet. */
  readonly lastEventId: string | undefined
  /** The request itself, where an upstream is to get it. */
  readonly incoming: Incoming | undefined
}

/**
 * A run that a payment pays for. A run that was given up may still be at work when the payment is served
 * again: what it writes late must not take the place of what the payer was given.
 */
export interface PaidRun {
  /** Of the payment. */
  readonly id: string
  /** Counts the runs of the payment; only the latest one counts. */
  readonly attempt: number
}

/** Who makes a call with a key or an access token, and what the tier in the catalogue says of such a caller. */
export interface Holder {
  /** Whom use is counted for: `key:<id>` or `oidc:<subject>`. */
  readonly subject: string
  /** Of the key; undefined for a member of another issuer. */
  readonly keyId: string | undefined
  readonly tier: string
  /** Operations an access token is restricted to; undefined when it is not. */
  readonly scopes: readonly string[] | undefined
}

/**
 * An operation that only the operator may call. It stands in the program and in no catalogue, so that no
 * slip in an edited file can open it to others.
 */
export interface OperatorOperation {
  readonly access: 'operator'
  readonly priced?: undefined
  readonly description: string
  readonly deadlineSeconds: number
}

/** What a call says, before anyone has checked it. A part that is left out counts as empty. */
interface RawInput {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** One row of the endpoint table, with its input types already folded into `prepare`. */
export interface Endpoint {
  /** The key of its entry in the catalogue. */
  readonly id: string
  /** In upper case. Our own are GET and POST. */
  readonly method: string
  /** As documents write it, parameters in braces: `/payments/{paymentId}`. Of an upstream's, behind its host or prefix. */
  readonly path: string
  /** Set where an upstream carries it out: its request is passed on as it comes in, and its body is read as bytes. */
  readonly relays?: Relayed
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly body: z.ZodObject
  readonly response: z.ZodType
  /** Of an endpoint that belongs to the gateway itself; all others have theirs in the catalogue. */
  readonly operation?: OperatorOperation
  /** The body comes as a form; JSON is read too. */
  readonly isForm?: boolean
  /** What it replies is for its buyer alone, and is kept so that nobody else can read it. */
  readonly isSecret?: boolean
  /** Of one that sells keys: the tier whose price this request is asked. */
  readonly tierOf?: ((body: unknown) => Promise<string> | string) | undefined
  /**
   * Checks the input and binds it to the handler.
   * @throws GatewayError VALIDATION_ERROR naming every faulty field.
   */
  readonly prepare: (input: RawInput) => (context: HandlerContext) => Promise<Reply>
}

/** What is known beforehand of an endpoint that an upstream carries out. */
export interface Relayed {
  /** Name of the upstream. */
  readonly upstream: string
  /** The host name its calls come to; any where undefined. */
  readonly host: string | undefined
  /** The largest request body, in bytes. */
  readonly maxRequestBytes: number
}

/** The path of an endpoint without parameters. */
export const noParams = z.object({})
/** The query of an endpoint that reads none: whatever stands there means nothing. */
export const noQuery = z.object({})
/** The body of an endpoint that takes none: one that is sent all the same is not read. */
export const noBody = z.object({})
/** Declares an endpoint that takes a body or nothing; `handle` gets the body as its schema types it. */
export function endpoint<Body extends z.ZodObject>({
  handle,
  ...row
}: {
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: Body
  readonly response: z.ZodType
  readonly isForm?: boolean
  readonly isSecret?: boolean
  readonly tierOf?: Endpoint['tierOf']
  readonly handle: (body: z.output<Body>, context: HandlerContext) => Promise<Reply> | Reply
}): Endpoint {
  return endpointWith({
    ...row,
    params: noParams,
    query: noQuery,
    handle: ({ body }, context) => handle(body, context),
  })
}

/** Declares an endpoint with parameters in its path or query; `handle` gets each part as its schema types it. */
export function endpointWith<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
>(definition: {
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly response: z.ZodType
  readonly operation?: OperatorOperation
  readonly isForm?: boolean
  readonly isSecret?: boolean
  readonly tierOf?: Endpoint['tierOf']
  /** Refuses a body with a code of its own, before the schemas speak. */
  readonly refuse?: (body: unknown) => GatewayError | undefined
  readonly handle: (
    input: {
      readonly params: z.output<Params>
      readonly query: z.output<Query>
      readonly body: z.output<Body>
    },
    context: HandlerContext,
  ) => Promise<Reply> | Reply
}): Endpoint {
  const { handle, refuse, ...row } = definition
  return {
    ...row,
    prepare: (raw) => {
      const params = definition.params.safeParse(raw.params ?? {})
      const query = definition.query.safeParse(raw.query ?? {})
      // JSON's null is a body, and a faulty one.
      const body = definition.body.safeParse(raw.body === undefined ? {} : raw.body)
      const refusal = refuse?.(raw.body)
      if (refusal) throw refusal
      if (!params.success || !query.success || !body.success) {
        throw faulty({ path: params.error, query: query.error, body: body.error })
      }
      const input = { params: params.data, query: query.data, body: body.data }
      return async (context) => handle(input, context)
    },
  }
}

/** @param errors what is wrong, by the part of the request it is wrong in. */
function faulty(errors: Readonly<Record<string, z.ZodError | undefined>>): GatewayError {
  const issues = Object.entries(errors).flatMap(([part, error]) =>
    (error?.issues ?? []).flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({
            field: [...issue.path, key].join('.'),
            problem: 'is not a field of this operation',
          }))
        : [{ field: issue.path.join('.') || part, problem: issue.message }],
    ),
  )
  // A body can hold thousands of wrong keys; the first of them say enough.
  return new GatewayError('VALIDATION_ERROR', { issues: issues.slice(0, 20) })
}
