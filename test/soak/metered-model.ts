import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

/**
 * A language model's server that remembers of each call what it has told of its use. The gateway names its call to
 * it, so that the books can be compared with it line by line, and not only in sum, where two mistakes may cancel
 * each other out.
 */
export interface CountedModel {
  readonly url: string
  /** By the gateway's call; of calls that it answered to the end. */
  readonly told: ReadonlyMap<string, Told>
  close(): Promise<void>
}

export interface Told {
  readonly prompt: number
  readonly completion: number
}

const requestSchema = z.looseObject({
  messages: z.array(z.object({ content: z.string() })).length(1),
  max_tokens: z.int(),
  stream: z.boolean(),
  /** Milliseconds to each piece: time in which a caller may leave. */
  pace: z.int(),
  stream_options: z.object({ include_usage: z.boolean() }).optional(),
})

export async function startCountedModel(): Promise<CountedModel> {
  const told = new Map<string, Told>()

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const request = requestSchema.parse(await json(req))
    const { messages, max_tokens: completion, stream, stream_options, pace } = request
    const prompt = (messages[0]?.content ?? '').split(' ').length
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
    const isTold = () => told.set(String(req.headers['x-request-id']), { prompt, completion })
    await pause(pace)
    if (!stream) {
      const message = { role: 'assistant', content: word.repeat(completion) }
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }))
      isTold()
      return
    }
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    const tell = (chunk: object) => res.write(`data: ${JSON.stringify(chunk)}\n\n`)
    for (let sent = 0; sent < completion && !res.destroyed; sent += wordsAtOnce) {
      const content = word.repeat(Math.min(wordsAtOnce, completion - sent))
      tell({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
      await pause(pace)
    }
    if (res.destroyed) return
    tell({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    if (stream_options?.include_usage) tell({ choices: [], usage })
    res.end('data: [DONE]\n\n')
    isTold()
  }

  const server = createServer((req, res) => {
    // A request that was cut off has asked nothing.
    answer(req, res).catch(() => res.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the model does not listen')
  return {
    url: `http://127.0.0.1:${address.port}`,
    told,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const word = 'word '
const wordsAtOnce = 20
