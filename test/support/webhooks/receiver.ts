import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { z } from 'zod'
import { secret } from './box.ts'

/** What a receiver got, and how it judged it. */
export interface Received {
  readonly id: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly payload: {
    readonly type: string
    readonly event: string
    readonly timestamp: string
    readonly data: unknown
  }
  /** Whether `standardwebhooks` accepts it with the receiver's secret. */
  readonly isGenuine: boolean
}

export interface Receiver {
  /** `http://127.0.0.1:9000/hooks` */
  readonly url: string
  /** `127.0.0.1:9000`, for ALLOW_PRIVATE_TARGETS. */
  readonly target: string
  readonly received: readonly Received[]
  /** The events in the order in which they came. */
  readonly events: readonly string[]
  /** Answers from now on; 204 unless set. */
  answer: (received: Received, res: ServerResponse) => void
  /** Waits for a number of deliveries. */
  gets(count: number): Promise<readonly Received[]>
  close(): Promise<void>
}

const payloadSchema = z.strictObject({
  type: z.string(),
  event: z.string(),
  timestamp: z.iso.datetime(),
  data: z.unknown(),
})

/** A receiver as a subscriber writes it, with the library `standardwebhooks`. */
export async function startReceiver(key: string | Buffer = Buffer.from(secret)): Promise<Receiver> {
  const verifier = typeof key === 'string' ? new Webhook(key) : new Webhook(key, { format: 'raw' })
  const received: Received[] = []
  const server = createServer((req, res) => {
    void read(req).then((body) => {
      const headers = Object.fromEntries(
        Object.entries(req.headers).map(([name, value]) => [name, String(value)]),
      )
      const one = {
        id: headers['webhook-id'] ?? '',
        path: req.url ?? '',
        headers,
        body,
        payload: payloadSchema.parse(JSON.parse(body)),
        isGenuine: isGenuine(verifier, body, headers),
      }
      received.push(one)
      receiver.answer(one, res)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    target: `127.0.0.1:${port}`,
    received,
    get events() {
      return received.map(({ payload }) => payload.event)
    },
    answer: (_received, res) => void res.writeHead(204).end(),
    async gets(count: number) {
      await expect
        .poll(() => received.length, { interval: 10, message: 'deliveries did not arrive' })
        .toBeGreaterThanOrEqual(count)
      return received
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

function isGenuine(verifier: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    verifier.verify(body, headers)
    return true
  } catch {
    return false
  }
}

async function read(req: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
