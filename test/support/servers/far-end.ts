import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** What one request came to at the far end. */
interface Heard {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Behaviour = (res: ServerResponse, heard: Heard, req: IncomingMessage) => void

/** A server behind the gateway, whose paths each do what a test wants of them at the moment. */
export interface FarEnd {
  readonly url: string
  /** What this path does from now on; others answer 404. */
  on(path: string, behaviour: Behaviour): void
  /** What has come in at this path, once its body was there. */
  heard(path: string): readonly Heard[]
  /** Paths of requests whose head has come in. */
  readonly begun: readonly string[]
  /** Paths of requests that broke off before they were whole. */
  readonly broken: readonly string[]
  close(): Promise<void>
}

export async function startFarEnd(): Promise<FarEnd> {
  const behaviours = new Map<string, Behaviour>()
  const requests: Heard[] = []
  const begun: string[] = []
  const broken: string[] = []
  const server = createServer(async (req, res) => {
    const { method = '', url = '', headers } = req
    begun.push(pathOf(url))
    // Whoever sends it may break off.
    const body = await text(req).catch(() => undefined)
    if (body === undefined) {
      broken.push(pathOf(url))
      return
    }
    const heard = { method, path: url, headers, body }
    requests.push(heard)
    const behaviour = behaviours.get(pathOf(url))
    if (behaviour) behaviour(res, heard, req)
    else res.writeHead(404).end('nothing here')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    on: (path, behaviour) => void behaviours.set(path, behaviour),
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

/** A reply in JSON, in one piece. */
export const says =
  (value: unknown, status = 200): Behaviour =>
  (res) => {
    const body = JSON.stringify(value)
    res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    res.end(body)
  }

/** What a language model that speaks OpenAI's protocol says, and how much it says it was. */
export const answers = (prompt: number, completion: number): Behaviour =>
  says({
    choices: [{ message: { role: 'assistant', content: 'Certainly.' } }],
    usage: { prompt_tokens: prompt, completion_tokens: completion },
  })

/** One event of such a model. */
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
export const words = (content: string) => event({ choices: [{ delta: { content } }] })
export const usage = (prompt: number, completion: number) =>
  event({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } })
