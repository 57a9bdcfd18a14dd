import { z } from 'zod'
import { deadlineAfter } from '../../../platform/net/reply-deadline.ts'
import { readResponseText } from '../../../platform/net/response-text.ts'
import { address } from '../wire/envelope.ts'
import { type ExtensionResponses, readExtensionResponses } from '../wire/extension-responses.ts'
import type { Extensions } from '../wire/extensions.ts'
import type { ResourceDescription } from '../wire/resource.ts'
import type { Payment, Requirement } from '../wire/types.ts'
import { v2Payload } from '../wire/v2-payload.ts'

/**
 * The three endpoints of an x402 facilitator over HTTP. The server is not ours: it could hang, send without
 * end, or redirect us elsewhere with the payer's signature. So every request has a deadline, a maximum reply
 * size and follows no redirect, and a schema reads the reply.
 */
export interface FacilitatorHttp {
  /**
   * Reports what the facilitator thinks of a payment.
   * @throws Error when no reply of the expected shape comes, whatever its status.
   */
  verify(
    payment: Payment,
    requirement: Requirement,
  ): Promise<FacilitatorResponse<z.infer<typeof verdictSchema>>>
  /**
   * Has the facilitator settle a payment.
   * @throws Error when no reply of the expected shape comes; the money may be on its way then.
   */
  settle(
    payment: Payment,
    requirement: Requirement,
  ): Promise<FacilitatorResponse<z.infer<typeof settlementSchema>>>
  /**
   * Lists what the facilitator settles.
   * @throws Error when no reply of the expected shape comes.
   */
  supported(): Promise<FacilitatorResponse<Supported>>
}

interface FacilitatorResponse<Body> {
  readonly status: number
  /** What it made of the extensions of a payment, where it says so. */
  readonly extensions?: ExtensionResponses | undefined
  readonly body: Body
}

interface FacilitatorHttpOptions {
  /** Without a trailing slash. */
  readonly url: string
  /** Longest wait for one reply, to its last byte. */
  readonly timeoutMs: number
  /** Makes the headers that authenticate one request. */
  readonly authorize?: Authorize | undefined
  /** Sent with each payment. */
  readonly extensions?: Extensions | undefined
  /** What is paid for, where the facilitator shall list it. */
  readonly resource?: ResourceDescription | undefined
}

export type Authorize = (method: 'GET' | 'POST', endpoint: URL) => Promise<Readonly<Record<string, string>>>

/** The list of what is supported takes some kilobytes, the other replies less than one. */
const maxBytes = 250_000
/** The list does not depend on a payment, so a facilitator that takes longer has a fault. */
const supportedTimeoutMs = 5_000

/**
 * Text that reaches the caller and the ledger. Some facilitators send a library's whole report, whose first
 * line says what is wrong.
 */
const firstLine = z
  .string()
  .nullish()
  .transform((text) => {
    const [line = ''] = (text ?? '').split('\n', 1)
    return line.replace(/[^\x20-\x7e]/g, '').slice(0, 200) || undefined
  })

const verdictSchema = z.object({ isValid: z.boolean(), invalidReason: firstLine, invalidMessage: firstLine })
const settlementSchema = z.object({
  success: z.boolean(),
  errorReason: firstLine,
  errorMessage: firstLine,
  transaction: z.string().nullish(),
})
const supportedSchema = z.object({
  kinds: z.array(
    z.object({
      x402Version: z.number(),
      scheme: z.string(),
      network: z.string(),
      /** With scheme `upto`: one of the accounts that settle it. Other schemes may have anything here. */
      extra: z
        .object({ facilitatorAddress: address.optional().catch(undefined) })
        .nullish()
        .catch(undefined),
    }),
  ),
  /** The accounts that settle, by network or by a pattern of networks like `eip155:*`. */
  signers: z.record(z.string(), z.array(z.string())).catch({}),
})

export type Supported = z.infer<typeof supportedSchema>

export function createFacilitatorHttp({
  url,
  timeoutMs,
  authorize,
  extensions,
  resource,
}: FacilitatorHttpOptions): FacilitatorHttp {
  async function ask<Body>(
    schema: z.ZodType<Body>,
    operation: 'verify' | 'settle' | 'supported',
    deadlineMs: number,
    order?: object,
  ): Promise<FacilitatorResponse<Body>> {
    const endpoint = new URL(`${url}/${operation}`)
    const method = order ? 'POST' : 'GET'
    const authorization = authorize ? await authorize(method, endpoint) : {}
    const response = await fetch(endpoint, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...authorization },
      body: order ? JSON.stringify(order) : null,
      redirect: 'error',
      signal: deadlineAfter(deadlineMs),
    })
    const text = await readResponseText(response, maxBytes)
    try {
      const body = schema.parse(JSON.parse(text))
      const told = readExtensionResponses(response.headers.get('extension-responses'))
      return { status: response.status, extensions: told, body }
    } catch (cause) {
      // Some facilitators repeat the request; a signature must not get into the logs.
      const excerpt = text.replace(/0x[0-9a-f]{65,}/gi, '0x…').slice(0, 200)
      throw new Error(`the facilitator’s ${operation} answers ${response.status}: ${excerpt}`, { cause })
    }
  }

  const order = (payment: Payment, requirement: Requirement) => ({
    x402Version: 2,
    paymentPayload: v2Payload(payment, requirement, extensions, resource),
    paymentRequirements: requirement,
  })

  return {
    verify: (payment, requirement) => ask(verdictSchema, 'verify', timeoutMs, order(payment, requirement)),
    settle: (payment, requirement) => ask(settlementSchema, 'settle', timeoutMs, order(payment, requirement)),
    supported: () => ask(supportedSchema, 'supported', Math.min(timeoutMs, supportedTimeoutMs)),
  }
}
