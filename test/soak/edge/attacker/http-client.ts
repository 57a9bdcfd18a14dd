import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'undici'
import { z } from 'zod'
import type { Ground } from '../case.ts'

/** Sends requests as HTTP clients do, over connections that stay open, and counts them. */
export interface HttpClient {
  call(one: HttpCall): Promise<HttpAnswer>
}

interface HttpCall {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT'
  /** With its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The local address that it comes from; the attacker's first one when left out. */
  readonly from?: string
  readonly patienceMs?: number
}

interface HttpAnswer {
  /** 0 without a reply. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const patience = 60_000
const failure = z.object({ code: z.string() })

export function createHttpClient({
  url,
  tally,
  addressOf,
}: Pick<Ground, 'addressOf' | 'tally' | 'url'>): HttpClient {
  const agents = new Map<string, Agent>()

  function agentOf(from: string): Agent {
    const agent = agents.get(from) ?? new Agent({ localAddress: from, headersTimeout: patience })
    agents.set(from, agent)
    return agent
  }

  return {
    async call({ method = 'GET', path, headers = {}, body, from = addressOf(0), patienceMs = patience }) {
      const head = Object.entries(headers).reduce(
        (sum, [name, value]) => sum + name.length + value.length + 4,
        method.length + path.length + 20,
      )
      tally.sent(head + Buffer.byteLength(body ?? ''))
      try {
        const reply = await request(url + path, {
          dispatcher: agentOf(from),
          method,
          headers,
          body: body ?? null,
          signal: AbortSignal.timeout(patienceMs),
        })
        const text = await reply.body.text()
        tally.received(Buffer.byteLength(text))
        tally.answered(reply.statusCode)
        return { status: reply.statusCode, headers: reply.headers, text }
      } catch (error) {
        const { data } = failure.safeParse(error)
        tally.answered(data?.code ?? (error instanceof Error ? error.name : 'broken'))
        return { status: 0, headers: {}, text: '' }
      }
    },
  }
}
