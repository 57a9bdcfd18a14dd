import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

/**
 * A language model's server that records the usage it has reported for each call. The gateway sends its call id, so
 * that the books can be compared call by call; in the totals alone two errors could cancel each other out.
 */
export interface CountedModel {
  readonly url: string
  /** By the gateway's call id, for calls that were answered to the end. */
  readonly reported: ReadonlyMap<string, ReportedUsage>
  close(): Promise<void>
}

export interface ReportedUsage {
  readonly prompt: number
  readonly completion: number
}

const requestSchema = z.looseObject({
  messages: z.array(z.object({ content: z.string() })).length(1),
  max_tokens: z.int(),
  stream: z.boolean(),
  /** Milliseconds before each piece, in which the caller may disconnect. */
  pace: z.int(),
  stream_options: z.object({ include_usage: z.boolean() }).optional(),
})

export async function startCountedModel(): Promise<CountedModel> {
  const reported = new Map<string, ReportedUsage>()

  async function reply(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const request = requestSchema.parse(await json(req))
    const { messages, max_tokens: completion, stream, stream_options, pace } = request
    const prompt = (messages[0]?.content ?? '').split(' ').length
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
    const recordUsage = () => reported.set(String(req.headers['x-request-id']), { prompt, completion })
    await pause(pace)
    if (!stream) {
      const message = { role: 'assistant', content: word.repeat(completion) }
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }))
      recordUsage()
      return
    }
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    const sendChunk = (chunk: object) => res.write(`data: ${JSON.stringify(chunk)}\n\n`)
    for (let sent = 0; sent < completion && !res.destroyed; sent += wordsAtOnce) {
      const content = word.repeat(Math.min(wordsAtOnce, completion - sent))
      sendChunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
      await pause(pace)
    }
    if (res.destroyed) return
    sendChunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    if (stream_options?.include_usage) sendChunk({ choices: [], usage })
    res.end('data: [DONE]\n\n')
    recordUsage()
  }

  const server = createServer((req, res) => {
    // A request that was cut off is no call.
    reply(req, res).catch(() => res.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the model is not listening')
  return {
    url: `http://127.0.0.1:${address.port}`,
    reported,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const word = 'word '
const wordsAtOnce = 20
