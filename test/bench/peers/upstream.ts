import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** The upstream of the gateway and the peer: a kilobyte of JSON, any number of bytes, and three events. */
const json = JSON.stringify({ text: 'x'.repeat(1_000 - '{"text":""}'.length) })
const piece = Buffer.alloc(65_536, 'x')

const server = createServer(async (req, res) => {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://upstream')
  switch (pathname) {
    case '/json':
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': json.length }).end(json)
      return
    case '/bytes': {
      let left = Number(searchParams.get('count') ?? 0)
      res.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': left })
      while (left > 0 && !res.destroyed) {
        const chunk = left < piece.length ? piece.subarray(0, left) : piece
        left -= chunk.length
        if (!res.write(chunk)) await drained(res)
      }
      res.end()
      return
    }
    case '/events':
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let n = 0; n < 3 && !res.destroyed; n += 1) {
        res.write(`data: ${n}\n\n`)
        await pause(20)
      }
      res.end()
      return
    default:
      res.writeHead(404).end()
  }
})
/** Resolves when the reply can take more, or is closed. */
function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done)
      resolve()
    }
    res.on('drain', done).on('close', done)
  })
}

server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`listening ${address.port}\n`)
})
