import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { z } from 'zod'

/**
 * The far end of the socket: a real HTTP server on the loopback that speaks just enough of
 * /chat/completions. It plays a script of answers, repeats the last one, and keeps what it was sent.
 */
export interface ModelServer extends AsyncDisposable {
  readonly baseUrl: string
  readonly requests: readonly Received[]
  /** Settles when a request was cut off by the client before it was answered. */
  readonly cutOff: Promise<void>
}

const sentBody = z.looseObject({
  model: z.string(),
  max_completion_tokens: z.number(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  response_format: z.object({
    type: z.string(),
    json_schema: z.object({ name: z.string(), strict: z.boolean(), schema: z.unknown() }),
  }),
})

interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: z.infer<typeof sentBody>
  readonly raw: string
}

export type Answer = (response: ServerResponse) => void

export async function startModelServer(...script: readonly Answer[]): Promise<ModelServer> {
  const requests: Received[] = []
  const { promise: cutOff, resolve } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('close', () => {
      if (!response.writableFinished) resolve()
    })
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8')
      const answer = script[Math.min(requests.length, script.length - 1)]
      requests.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: sentBody.parse(JSON.parse(raw)),
        raw,
      })
      answer?.(response)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    cutOff,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

/** A completion whose message holds `content`: a value is sent as JSON, a string as it is. */
export function says(content: unknown, more: { finish?: string; refusal?: string } = {}): Answer {
  const text = typeof content === 'string' || content === null ? content : JSON.stringify(content)
  return (response) =>
    sends(response, 200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'test-model',
      choices: [
        {
          index: 0,
          finish_reason: more.finish ?? 'stop',
          logprobs: null,
          message: { role: 'assistant', content: text, refusal: more.refusal ?? null },
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    })
}

/** An HTTP error; the SDK is told to come back at once, so that no test waits. */
export function fails(status: number, message = 'it did not work'): Answer {
  return (response) => sends(response, status, { error: { message } })
}

/** Never answers. */
export const hangs: Answer = () => undefined

function sends(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' })
  response.end(JSON.stringify(value))
}
