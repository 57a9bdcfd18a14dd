import { setTimeout as sleep } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { z } from 'zod'
import { scanStepSchema, startedSchema } from '../../edge/handlers/scans/replies.ts'
import { GatewayUnusable, readError, unreachable } from './gateway.ts'

/** A scan as its caller makes it, over the same HTTP interface as everybody else. */
export interface ScanClient {
  /** @throws GatewayUnusable with the gateway's own words when it refuses. */
  start(request: ScanRequest): Promise<{ readonly scanId: string; readonly message: string }>
  /** Each step of the scan, over broken connections, until it is complete or has failed. */
  follow(scanId: string): AsyncIterable<Step>
  /** The reply of GET results, as it came. */
  results(scanId: string): Promise<string>
}

interface ScanRequest {
  readonly url: string
  readonly email?: string | undefined
  readonly scanType?: string | undefined
  /** Seconds. */
  readonly maxAge?: string | undefined
}

type Step = z.infer<typeof scanStepSchema>

/** What helps a person of the details of a refusal. */
const refusalDetails = z.looseObject({
  problem: z.string().optional(),
  issues: z.array(z.object({ field: z.string(), problem: z.string() })).optional(),
})

const deadlineMs = 60_000
/** The gateway says something every 15 seconds; silence means that it is gone. */
const silenceMs = 45_000
const maxReconnections = 20
const pauseMs = 1_000

/** @param base address of the gateway, without a trailing slash. */
export function createScanClient(base: string, key: string | undefined): ScanClient {
  const credentials: Record<string, string> = key === undefined ? {} : { 'x-mcp-api-key': key }

  async function send(path: string, init: RequestInit): Promise<Response> {
    let response: Response
    try {
      response = await fetch(`${base}${path}`, {
        signal: AbortSignal.timeout(deadlineMs),
        redirect: 'error',
        ...init,
        headers: { ...credentials, ...Object.fromEntries(new Headers(init.headers)) },
      })
    } catch (cause) {
      throw unreachable(base, cause)
    }
    if (!response.ok) throw await refused(response)
    return response
  }

  return {
    async start({ url, email, scanType, maxAge }) {
      const query = maxAge === undefined ? '' : `?max_age=${encodeURIComponent(maxAge)}`
      const response = await send(`/api/insights/scan${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url, email, scanType }),
      })
      const parsed = startedSchema.safeParse(await response.json())
      if (parsed.success) return parsed.data
      throw new GatewayUnusable(`${base} answers, but not as this version of tollgate does.`)
    },

    async *follow(scanId) {
      let seen = ''
      for (let connections = 0; connections <= maxReconnections; connections += 1) {
        const lost = new AbortController()
        const response = await send(`/api/insights/scan/${scanId}/stream`, {
          headers: { accept: 'text/event-stream', ...(seen === '' ? {} : { 'last-event-id': seen }) },
          signal: lost.signal,
        })
        if (response.status === 204 || !response.body) return
        for await (const { id, data } of eventsOf(response.body, lost)) {
          seen = id ?? seen
          const told = scanStepSchema.parse(JSON.parse(data))
          yield told
          if (told.status === 'complete' || told.status === 'error') return
        }
        await sleep(pauseMs)
      }
      throw new GatewayUnusable(
        `The stream of scan ${scanId} broke off ${maxReconnections} times. The scan goes on: ask for its status at ${base}/api/insights/scan/${scanId}/status`,
      )
    },

    results: async (scanId) => (await send(`/api/insights/scan/${scanId}/results`, {})).text(),
  }
}

/** Ends when the connection does, and when nothing has come for too long; the caller connects again. */
async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>, lost: AbortController) {
  const silent = setTimeout(() => lost.abort(), silenceMs)
  const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      silent.refresh()
      controller.enqueue(chunk)
    },
  })
  const events = body
    .pipeThrough(heard)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  try {
    yield* events
  } catch {
    // A connection that breaks is taken up again behind the last event; what breaks for good is told then.
  } finally {
    clearTimeout(silent)
    lost.abort()
  }
}

async function refused(response: Response): Promise<GatewayUnusable> {
  const { code, message, details: told } = await readError(response, response.url)
  const details = refusalDetails.safeParse(told).data ?? {}
  const wait = Number(response.headers.get('retry-after'))
  // What the gateway says of this is for programs that can wait or pay.
  if (code === 'RATE_LIMIT') {
    return new GatewayUnusable(
      `No more scans of this kind for now; more in ${duration(wait)}. An API key (--key-file) has limits of its own.`,
    )
  }
  const issues = details.issues?.map(({ field, problem }) => `${field} ${problem}`) ?? []
  const more = [...(details.problem === undefined ? [] : [details.problem]), ...issues]
  return new GatewayUnusable([`${message} (${code})`, ...more].join('\n'))
}

/** `6 h 42 min`, `3 min`, `20 s`. */
function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
