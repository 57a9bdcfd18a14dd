import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { bombOf } from './bombs.ts'
import { listen } from './listen.ts'
import { createShop } from './shop.ts'

/** An HTTP server that replies as the query asks, and counts what was given away. */

type Behavior = (res: ServerResponse, query: URLSearchParams) => void | Promise<void>

export async function startReplies(): Promise<{ readonly url: string }> {
  const shop = createShop()
  const behaviors: Readonly<Record<string, Behavior>> = {
    '/work': (res) => say(res, 200, { done: true }),
    '/draw': (res) => say(res, 200, { done: true }),
    '/size': (res) => say(res, 200, { done: true }),
    '/v1/chat/completions': (res, query) =>
      query.get('answer') === '200'
        ? say(res, 200, { choices: [], usage: { prompt_tokens: 9, completion_tokens: 9 } })
        : say(res, 400, { error: { message: 'the request is wrong' } }),
    '/items': (res, query) => sendBomb(res, query),
    '/everything': (res, query) => sendBomb(res, query),
    '/words': (res, query) => sendBomb(res, query),
    '/drip': drip,
    '/nothing/head': (res) => void res.writeHead(200, { 'content-length': 1_000 }).end(),
    '/nothing/204': (res) => void res.writeHead(204).end(),
    '/nothing/304': (res) => void res.writeHead(304, { etag: '"a"' }).end(),
    '/nothing/empty': (res) => void res.writeHead(200, { 'content-length': 0 }).end(),
    '/no-items': (res) => say(res, 200, { data: [] }),
    '/told/premium': (res) => say(res, 200, { given: shop.given() }),
  }

  async function reply(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const target = req.url ?? '/'
    const end = target.indexOf('?')
    const path = end < 0 ? target : target.slice(0, end)
    const query = new URLSearchParams(end < 0 ? '' : target.slice(end + 1))
    req.resume()
    await once(req, 'end')
    if (path.startsWith('/shop/')) return shop.reply(target.slice('/shop'.length), res)
    const behavior = behaviors[path]
    if (behavior) await behavior(res, query)
    else say(res, 404, { error: 'nothing here' })
  }

  const server = createServer((req, res) => {
    // The gateway or its caller has left.
    reply(req, res).catch(() => res.destroy())
  })
  server.on('upgrade', (req: IncomingMessage, socket) => {
    socket.on('error', () => undefined)
    const query = new URLSearchParams(req.url?.split('?', 2)[1] ?? '')
    const bytes = Number(query.get('bytes') ?? 1_000)
    const sent = Number(query.get('sent') ?? bytes)
    socket.write(`HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: ${bytes}\r\n\r\n`)
    socket.end(Buffer.alloc(Math.min(sent, bytes), 'x'))
  })
  server.keepAliveTimeout = 60_000
  return { url: await listen(server) }
}

function say(res: ServerResponse, status: number, value: object): void {
  const text = JSON.stringify(value)
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length }).end(text)
}

function sendBomb(res: ServerResponse, query: URLSearchParams): void {
  const { headers, body } = bombOf(query)
  res.writeHead(200, headers).end(body)
}

/** One byte in each chunk, and each chunk in a segment of its own, `apart` milliseconds after the one before. */
async function drip(res: ServerResponse, query: URLSearchParams): Promise<void> {
  res.writeHead(200, { 'content-type': query.get('type') ?? 'text/plain' })
  res.socket?.setNoDelay(true)
  const apart = Number(query.get('apart') ?? 0)
  for (let left = Number(query.get('bytes') ?? 1_000); left > 0 && !res.destroyed; left -= 1) {
    if (!res.write('x')) await Promise.race([once(res, 'drain'), once(res, 'close')])
    if (apart) await pause(apart)
    else await turn()
  }
  res.end()
}
