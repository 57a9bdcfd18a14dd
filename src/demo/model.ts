import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

/**
 * A server with OpenAI's chat protocol, which the demo and the tests put behind the gateway. It has no model:
 * its replies are canned and its tokens are words. It reports them in `usage` and adds them up, so that the
 * gateway's books can be compared with its count.
 */
export interface DemoModel {
  readonly port: number
  /** The calls and tokens that it has reported since its start. */
  readonly reported: { calls: number; prompt: number; completion: number }
  close(): Promise<void>
}

const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ content: z.string() })).min(1),
  max_completion_tokens: z.int().min(1).optional(),
  max_tokens: z.int().min(1).optional(),
  stream: z.boolean().default(false),
  stream_options: z.looseObject({ include_usage: z.boolean().default(false) }).optional(),
})

/**
 * Starts the server.
 * @param secret the bearer token that callers must send.
 * @param pauseMs between two words of a stream.
 */
export async function startDemoModel(secret: string, pauseMs = 0): Promise<DemoModel> {
  const reported = { calls: 0, prompt: 0, completion: 0 }
  const server = createServer((req, res) => {
    reply(req, res).catch((error: unknown) => {
      if (!res.headersSent) refuse(res, 500, String(error))
      else res.destroy()
    })
  })

  async function reply(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.headers.authorization !== `Bearer ${secret}`) return refuse(res, 401, 'Wrong API key.')
    if (req.method === 'GET' && req.url === '/v1/models') {
      return send(res, 200, {
        object: 'list',
        data: [{ id: modelName, object: 'model', created: 0, owned_by: 'demo' }],
      })
    }
    if (req.method !== 'POST' || req.url !== '/v1/chat/completions')
      return refuse(res, 404, 'No such address.')
    const request = requestSchema.safeParse(await readJson(req))
    if (!request.success) return refuse(res, 400, z.prettifyError(request.error))
    const { messages, stream, stream_options, max_completion_tokens, max_tokens } = request.data
    const words = replyTo(messages.at(-1)?.content ?? '').slice(0, max_completion_tokens ?? max_tokens ?? 200)
    const prompt = messages.reduce((sum, { content }) => sum + wordsOf(content).length, 0)
    const report = (completion: number) => {
      reported.calls += 1
      reported.prompt += prompt
      reported.completion += completion
      return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
    }
    const head = {
      id: `chatcmpl-${reported.calls}`,
      created: Math.floor(Date.now() / 1000),
      model: modelName,
    }
    if (!stream) {
      const message = { role: 'assistant', content: words.join(''), refusal: null }
      const choices = [{ index: 0, message, finish_reason: 'stop', logprobs: null }]
      return send(res, 200, { ...head, object: 'chat.completion', choices, usage: report(words.length) })
    }
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    const sendChunk = (chunk: object) =>
      res.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`)
    let sent = 0
    for (const content of words) {
      if (res.destroyed) break
      sendChunk({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] })
      sent += 1
      await pause(pauseMs)
    }
    const usage = report(sent)
    if (res.destroyed) return
    sendChunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    if (stream_options?.include_usage) sendChunk({ choices: [], usage })
    res.end('data: [DONE]\n\n')
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    reported,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const modelName = 'demo-1'

/** Makes a reply of some forty words from the question. */
function replyTo(question: string): string[] {
  const asked = wordsOf(question).slice(0, 12).join(' ')
  const text = `You asked: ${asked}. Start with the task that takes most of your week, write down each of its steps, and let a program do the one you do in the same way every time. Measure the hours before and after.`
  return text.split(/(?<= )/)
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function send(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function refuse(res: ServerResponse, status: number, message: string): void {
  send(res, status, { error: { message, type: 'invalid_request_error', param: null, code: null } })
}
