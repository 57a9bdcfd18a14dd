import { setTimeout as sleep } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { z } from 'zod'
import { scanStepSchema, startedSchema } from '../../edge/handlers/scans/replies.ts'
import { CommandError } from '../command-error.ts'
import { otherVersion, readError, unreachable } from './refusal.ts'

/** Starts and follows scans over the public HTTP interface, with an API key or on the free quota. */
export interface ScanClient {
  /** @throws CommandError with the gateway's message when it refuses. */
  start(request: ScanRequest): Promise<{ readonly scanId: string; readonly message: string }>
  /** Yields each step until the scan is complete or has failed. Reconnects when the connection breaks. */
  follow(scanId: string): AsyncIterable<Step>
  /** @returns the body of GET results, unchanged. */
  results(scanId: string): Promise<string>
  /** @returns the report as a page for people. */
  page(scanId: string): Promise<string>
}

interface ScanRequest {
  readonly url: string
  readonly email?: string | undefined
  readonly scanType?: string | undefined
  /** Seconds. */
  readonly maxAge?: string | undefined
}

type Step = z.infer<typeof scanStepSchema>

/** The details of a refusal that help a person. */
const refusalDetails = z.looseObject({
  problem: z.string().optional(),
  issues: z.array(z.object({ field: z.string(), problem: z.string() })).optional(),
})

const timeoutMs = 60_000
/** The gateway sends a line at least every 15 seconds, so a longer silence means that the connection is dead. */
const maxSilenceMs = 45_000
const maxReconnections = 20
const reconnectAfterMs = 1_000

/** @param base address of the gateway, without a trailing slash. */
export function createScanClient(base: string, key: string | undefined): ScanClient {
  const credentials: Record<string, string> = key === undefined ? {} : { 'x-mcp-api-key': key }

  async function send(path: string, init: RequestInit): Promise<Response> {
    let response: Response
    try {
      response = await fetch(`${base}${path}`, {
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
        ...init,
        headers: { ...credentials, ...Object.fromEntries(new Headers(init.headers)) },
      })
    } catch (cause) {
      throw unreachable(base, cause)
    }
    if (!response.ok) throw await refusal(response)
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
      throw otherVersion(base)
    },

    async *follow(scanId) {
      let lastEventId = ''
      for (let connections = 0; connections <= maxReconnections; connections += 1) {
        const connection = new AbortController()
        const response = await send(`/api/insights/scan/${scanId}/stream`, {
          headers: {
            accept: 'text/event-stream',
            ...(lastEventId === '' ? {} : { 'last-event-id': lastEventId }),
          },
          signal: connection.signal,
        })
        if (response.status === 204 || !response.body) return
        for await (const { id, data } of readEvents(response.body, connection)) {
          lastEventId = id ?? lastEventId
          const step = scanStepSchema.parse(JSON.parse(data))
          yield step
          if (step.status === 'complete' || step.status === 'error') return
        }
        await sleep(reconnectAfterMs)
      }
      throw new CommandError(
        `The stream of scan ${scanId} broke off ${maxReconnections} times. The scan goes on; see its status at ${base}/api/insights/scan/${scanId}/status`,
      )
    },

    page: async (scanId) =>
      (await send(`/api/insights/scan/${scanId}/results`, { headers: { accept: 'text/html' } })).text(),

    results: async (scanId) => (await send(`/api/insights/scan/${scanId}/results`, {})).text(),
  }
}

/** Yields events until the connection ends, breaks or falls silent; the caller then connects again. */
async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>, connection: AbortController) {
  const silence = setTimeout(() => connection.abort(), maxSilenceMs)
  const watch = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      silence.refresh()
      controller.enqueue(chunk)
    },
  })
  const events = body
    .pipeThrough(watch)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  try {
    yield* events
  } catch {
    // The caller reconnects after the last event; if the error persists, that request reports it.
  } finally {
    clearTimeout(silence)
    connection.abort()
  }
}

async function refusal(response: Response): Promise<CommandError> {
  const { code, message, details } = await readError(response, response.url)
  const { problem, issues = [] } = refusalDetails.safeParse(details).data ?? {}
  // The gateway's own message is for programs that can wait or pay.
  if (code === 'RATE_LIMIT') {
    const wait = formatWait(Number(response.headers.get('retry-after')))
    return new CommandError(
      `The quota or rate for this kind of scan is used up; try again in ${wait}. Each API key (--key-file) has limits of its own.`,
    )
  }
  const lines = issues.map((issue) => `${issue.field} ${issue.problem}`)
  return new CommandError(
    [`${message} (${code})`, ...(problem === undefined ? [] : [problem]), ...lines].join('\n'),
  )
}

/** Formats a wait as `6 h 42 min`, `3 min` or `20 s`. */
function formatWait(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
