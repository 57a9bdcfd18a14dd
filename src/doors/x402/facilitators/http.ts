import { z } from 'zod'
import { readResponseText } from '../../../platform/net/response-text.ts'
import { address } from '../wire/envelope.ts'
import type { Extensions } from '../wire/extensions.ts'
import type { Payment, Requirement } from '../wire/types.ts'
import { v2Payload } from '../wire/v2-payload.ts'

/**
 * An x402 facilitator's three endpoints. What answers there is somebody else's server: it could hang,
 * answer without end, or send us elsewhere with the payer's signature in hand, so every exchange has a
 * deadline and a size, follows no redirect, and its answer is read by a schema.
 */
export interface FacilitatorHttp {
  /** Each @throws Error when there is no answer of the expected shape, whatever its status. */
  verify(
    payment: Payment,
    requirement: Requirement,
  ): Promise<FacilitatorResponse<z.infer<typeof verdictSchema>>>
  settle(
    payment: Payment,
    requirement: Requirement,
  ): Promise<FacilitatorResponse<z.infer<typeof settlementSchema>>>
  supported(): Promise<FacilitatorResponse<Supported>>
}

interface FacilitatorResponse<Body> {
  readonly status: number
  readonly body: Body
}

interface FacilitatorHttpOptions {
  /** Without a trailing slash. */
  readonly url: string
  /** Longest wait for one answer, to its last byte. */
  readonly timeoutMs: number
  /** Headers that let a request in, made for that request. */
  readonly authorize?: Authorize | undefined
  /** Told with each payment. */
  readonly extensions?: Extensions | undefined
}

export type Authorize = (method: 'GET' | 'POST', endpoint: URL) => Promise<Readonly<Record<string, string>>>

/** A list of what is supported takes some kilobytes, the other answers less than one. */
const maxBytes = 250_000
/** What is supported does not change with a payment: whoever takes longer to say it is out of order. */
const supportedTimeoutMs = 5_000

/** Words that go on to the caller and into the books. Some facilitators give a library's whole report: its first line says it. */
const words = z
  .string()
  .nullish()
  .transform((text) => {
    const [line = ''] = (text ?? '').split('\n', 1)
    return line.replace(/[^\x20-\x7e]/g, '').slice(0, 200) || undefined
  })

const verdictSchema = z.object({ isValid: z.boolean(), invalidReason: words, invalidMessage: words })
const settlementSchema = z.object({
  success: z.boolean(),
  errorReason: words,
  errorMessage: words,
  transaction: z.string().nullish(),
})
const supportedSchema = z.object({
  kinds: z.array(
    z.object({
      x402Version: z.number(),
      scheme: z.string(),
      network: z.string(),
      /** Of scheme `upto`: one of the accounts that settle it. Others may write here what they like. */
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
      signal: AbortSignal.timeout(deadlineMs),
    })
    const text = await readResponseText(response, maxBytes)
    try {
      return { status: response.status, body: schema.parse(JSON.parse(text)) }
    } catch (cause) {
      // Some repeat what they were sent; a signature must not get into the logs.
      const said = text.replace(/0x[0-9a-f]{65,}/gi, '0x…').slice(0, 200)
      throw new Error(`the facilitator’s ${operation} answers ${response.status}: ${said}`, { cause })
    }
  }

  const order = (payment: Payment, requirement: Requirement) => ({
    x402Version: 2,
    paymentPayload: v2Payload(payment, requirement, extensions),
    paymentRequirements: requirement,
  })

  return {
    verify: (payment, requirement) => ask(verdictSchema, 'verify', timeoutMs, order(payment, requirement)),
    settle: (payment, requirement) => ask(settlementSchema, 'settle', timeoutMs, order(payment, requirement)),
    supported: () => ask(supportedSchema, 'supported', Math.min(timeoutMs, supportedTimeoutMs)),
  }
}
