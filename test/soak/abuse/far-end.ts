import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

/**
 * The upstream behind the gateways. It counts what it did for each caller, so that work for nothing shows where it was
 * done and not in what the gateways say about it. Callers are told apart by the query `by`.
 */
export interface FarEnd {
  readonly url: string
  /** How long `/work` takes. */
  workMs: number
  /** Requests that have arrived, of all callers. */
  readonly requests: number
  /** Requests of this caller that have arrived. */
  runsOf(by: string): number
  /** Words that were written to this caller. */
  wordsOf(by: string): number
  close(): Promise<void>
}

const streamRequest = z.looseObject({ max_tokens: z.int(), paceMs: z.int() })
const wordsAtOnce = 5

export async function startFarEnd(): Promise<FarEnd> {
  const runs = new Map<string, number>()
  const words = new Map<string, number>()
  const state = { workMs: 20, requests: 0 }

  async function reply(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://far-end')
    const by = searchParams.get('by') ?? ''
    state.requests += 1
    runs.set(by, (runs.get(by) ?? 0) + 1)
    if (pathname === '/v1/chat/completions') return stream(by, streamRequest.parse(await json(req)), res)
    req.resume()
    await once(req, 'end')
    if (pathname === '/refuse') return say(res, 422, { error: 'this order cannot be served' })
    await pause(state.workMs)
    say(res, 200, { done: by })
  }

  /** Writes words as a language model does, with the usage at the end. */
  async function stream(
    by: string,
    { max_tokens: wanted, paceMs }: z.infer<typeof streamRequest>,
    res: ServerResponse,
  ): Promise<void> {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = (value: object) => res.write(`data: ${JSON.stringify(value)}\n\n`)
    for (let sent = 0; sent < wanted && !res.destroyed; sent += wordsAtOnce) {
      chunk({ choices: [{ index: 0, delta: { content: 'word '.repeat(wordsAtOnce) }, finish_reason: null }] })
      words.set(by, (words.get(by) ?? 0) + wordsAtOnce)
      await pause(paceMs)
    }
    if (res.destroyed) return
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    chunk({ choices: [], usage: { prompt_tokens: 0, completion_tokens: wanted, total_tokens: wanted } })
    res.end('data: [DONE]\n\n')
  }

  const server = createServer((req, res) => {
    // The gateway was killed, or has cut the call.
    reply(req, res).catch(() => res.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    get workMs() {
      return state.workMs
    },
    set workMs(workMs) {
      state.workMs = workMs
    },
    get requests() {
      return state.requests
    },
    runsOf: (by) => runs.get(by) ?? 0,
    wordsOf: (by) => words.get(by) ?? 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function say(res: ServerResponse, status: number, value: object): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
