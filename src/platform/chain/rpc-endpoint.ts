import { Agent, errors } from 'undici'
import { HttpRequestError, RpcRequestError } from 'viem'
import { z } from 'zod'
import { deadlineAfter } from '../net/reply-deadline.ts'

/** One JSON-RPC call; its parameters are plain JSON. */
export interface RpcCall {
  readonly method: string
  readonly params?: unknown
}

interface Waiting {
  readonly call: RpcCall
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Most public endpoints take twenty calls in one request. */
const maxCalls = 20
const maxReplyBytes = 10 * 1024 * 1024

/**
 * An RPC endpoint, as one client uses it. Calls that are made in one turn of the event loop share a request.
 *
 * viem's own transport collects calls by a timer, for all clients of one address together: each call would wait
 * for a millisecond or more, a settlement in one request with the verifications of other payments. It also sends by
 * `fetch`, which takes several times the CPU of undici's own request. A paid call makes four calls or more. With viem's
 * transport one client waited 18.8 ms for its settled reply, with this one 14.5; 200 clients settled 436 and 492
 * payments a second, 20 clients as many with either (`npm run bench -- paid`, each twice and by turns).
 */
export class RpcEndpoint {
  readonly #url: string
  readonly #origin: string
  readonly #path: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #timeoutMs: number
  readonly #agent = new Agent({ maxResponseSize: maxReplyBytes })
  #waiting: Waiting[] = []

  /** @param timeoutMs limits a whole request, from sending it to the last byte of its reply. */
  constructor(rpcUrl: string, timeoutMs: number) {
    const { origin, pathname, search, username, password } = new URL(rpcUrl)
    this.#url = rpcUrl
    this.#origin = origin
    this.#path = `${pathname}${search}`
    this.#headers = { 'content-type': 'application/json', ...basicAuthorization(username, password) }
    this.#timeoutMs = timeoutMs
  }

  /**
   * Makes one call. It is never repeated.
   * @throws RpcRequestError when the endpoint refuses the call, HttpRequestError when it does not answer it.
   */
  readonly request = (call: RpcCall): Promise<unknown> =>
    new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject })
      if (this.#waiting.length === 1) setImmediate(() => this.#sendWaiting())
    })

  #sendWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (let from = 0; from < waiting.length; from += maxCalls) {
      void this.#sendTogether(waiting.slice(from, from + maxCalls))
    }
  }

  /** Sends one request and gives each call its answer. Never rejects. */
  async #sendTogether(group: readonly Waiting[]): Promise<void> {
    const body = group.map(({ call: { method, params } }, id) => ({ jsonrpc: '2.0', id, method, params }))
    const url = this.#url
    try {
      const answers = await this.#ask(body)
      for (const [id, { resolve, reject }] of group.entries()) {
        const answer = answers.get(id)
        const call = body[id] ?? {}
        if (answer === undefined)
          reject(new HttpRequestError({ body: call, url, details: 'the call got no answer' }))
        else if (answer === 'unclear') reject(new HttpRequestError({ body: call, url, details: unclear }))
        else if (answer.error) reject(new RpcRequestError({ body: call, error: answer.error, url }))
        else resolve(answer.result)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  /** @returns the answers by the ids of the calls. */
  async #ask(body: Record<string, unknown>[]): Promise<ReadonlyMap<unknown, Answer | 'unclear'>> {
    const url = this.#url
    const { status, text } = await this.#exchange(body)
    const isOk = status >= 200 && status < 300
    let reply: z.infer<typeof replySchema>
    try {
      reply = replySchema.parse(JSON.parse(text))
    } catch (error) {
      const cause = error instanceof Error && isOk ? { cause: error } : {}
      throw new HttpRequestError({ body, status, url, ...cause })
    }
    if (isOk && Array.isArray(reply)) return answersById(reply)
    // One answer to all calls says nothing about each: a transaction among them may be on its way.
    const details = Array.isArray(reply) ? undefined : reply.error?.message
    throw new HttpRequestError({ body, status, url, ...(details !== undefined && { details }) })
  }

  async #exchange(body: Record<string, unknown>[]): Promise<{ status: number; text: string }> {
    try {
      const reply = await this.#agent.request({
        origin: this.#origin,
        path: this.#path,
        method: 'POST',
        headers: this.#headers,
        body: JSON.stringify(body),
        signal: deadlineAfter(this.#timeoutMs),
      })
      return { status: reply.statusCode, text: await reply.body.text() }
    } catch (error) {
      const url = this.#url
      if (error instanceof errors.ResponseExceededMaxSizeError) {
        const details = `the reply exceeded the size limit of ${maxReplyBytes} bytes`
        throw new HttpRequestError({ body, url, details })
      }
      throw new HttpRequestError({ body, url, ...(error instanceof Error && { cause: error }) })
    }
  }
}

const unclear = 'the call got no clear answer'

/**
 * An endpoint may pass calls on to several nodes. An answer that is no answer, or two to one call, says nothing: taken
 * for the word of the node, half an answer shows a transaction as missing, or a used nonce as free. Such a call counts
 * as unanswered, and those beside it keep their answers.
 */
function answersById(reply: readonly unknown[]): ReadonlyMap<unknown, Answer | 'unclear'> {
  const answers = new Map<unknown, Answer | 'unclear'>()
  for (const one of reply) {
    const named = namedSchema.safeParse(one)
    if (!named.success) continue
    const { id } = named.data
    const { data: answer } = answerSchema.safeParse(one)
    answers.set(id, answer === undefined || answers.has(id) ? 'unclear' : answer)
  }
  return answers
}

const namedSchema = z.object({ id: z.unknown() })
/** Only `result` and `error` are looked at: viem reads what a result means. */
const answerSchema = z
  .object({
    result: z.unknown().optional(),
    error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).nullish(),
  })
  .refine(({ result, error }) => (error ? (result ?? null) === null : result !== undefined))
type Answer = z.infer<typeof answerSchema>
/** What an endpoint says to a request as a whole. */
const refusalSchema = z.object({ error: z.object({ message: z.string() }).nullish() })
const replySchema = z.union([z.array(z.unknown()), refusalSchema])

/** The credentials that an address names belong into a header. */
function basicAuthorization(username: string, password: string): Record<string, string> {
  if (username === '') return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}
