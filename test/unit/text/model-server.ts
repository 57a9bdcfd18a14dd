import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { z } from 'zod'

/**
 * A model service on the loopback that speaks enough of /chat/completions for the tests. It plays a script of replies,
 * repeats the last one, and records the requests.
 */
export interface ModelServer extends AsyncDisposable {
  readonly baseUrl: string
  readonly requests: readonly Received[]
  /** Resolves when the client has closed a request before its reply. */
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

export type ScriptedReply = (response: ServerResponse) => void

export async function startModelServer(...script: readonly ScriptedReply[]): Promise<ModelServer> {
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
      const reply = script[Math.min(requests.length, script.length - 1)]
      requests.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: sentBody.parse(JSON.parse(raw)),
        raw,
      })
      reply?.(response)
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

/** Replies with a completion whose message is `content`: a string as it is, any other value as JSON. */
export function says(content: unknown, more: { finish?: string; refusal?: string } = {}): ScriptedReply {
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

/** Replies with a text in the envelope that engines ask for. */
export function writes(text: unknown): ScriptedReply {
  return says({ reason: null, text })
}

/** Replies with an HTTP error. `retry-after-ms` makes the SDK retry without a wait. */
export function fails(status: number, message = 'it did not work'): ScriptedReply {
  return (response) => sends(response, status, { error: { message } })
}

/** Never replies. */
export const hangs: ScriptedReply = () => undefined

function sends(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' })
  response.end(JSON.stringify(value))
}
