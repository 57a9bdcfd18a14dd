import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request as it arrived. */
interface Heard {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Behavior = (res: ServerResponse, heard: Heard, req: IncomingMessage) => void

/** A server behind the gateway. A test sets what each path does. */
export interface FarEnd {
  readonly url: string
  /** Sets what a path does from now on. Other paths reply 404. */
  on(path: string, behavior: Behavior): void
  /** The complete requests of a path. */
  heard(path: string): readonly Heard[]
  /** Paths of requests whose head has arrived. */
  readonly begun: readonly string[]
  /** Paths of requests whose connection broke. */
  readonly broken: readonly string[]
  close(): Promise<void>
}

export async function startFarEnd(): Promise<FarEnd> {
  const behaviors = new Map<string, Behavior>()
  const requests: Heard[] = []
  const begun: string[] = []
  const broken: string[] = []
  const server = createServer(async (req, res) => {
    const { method = '', url = '', headers } = req
    begun.push(pathOf(url))
    const body = await text(req).catch(() => undefined)
    if (body === undefined) {
      broken.push(pathOf(url))
      return
    }
    const heard = { method, path: url, headers, body }
    requests.push(heard)
    const behavior = behaviors.get(pathOf(url))
    if (behavior) behavior(res, heard, req)
    else res.writeHead(404).end('nothing here')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    on: (path, behavior) => void behaviors.set(path, behavior),
    begun,
    broken,
    heard: (path) => requests.filter((one) => pathOf(one.path) === path),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const pathOf = (url: string) => url.split('?', 1).join()

/** A JSON reply in one piece. */
export const says =
  (value: unknown, status = 200): Behavior =>
  (res) => {
    const body = JSON.stringify(value)
    res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    res.end(body)
  }

/** The reply of a language model by OpenAI's protocol, with the usage it reports. */
export const answers = (prompt: number, completion: number): Behavior =>
  says({
    choices: [{ message: { role: 'assistant', content: 'Certainly.' } }],
    usage: { prompt_tokens: prompt, completion_tokens: completion },
  })

/** One event of such a model. */
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
export const words = (content: string) => event({ choices: [{ delta: { content } }] })
export const usage = (prompt: number, completion: number) =>
  event({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } })
