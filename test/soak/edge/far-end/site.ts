import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { listen } from './listen.ts'

/**
 * A website that holds its first reply until it is told to go on, and then takes its time with each: followers can
 * gather before a scan of it moves, and its events come one after the other.
 */
export async function startSlowSite(): Promise<{ readonly url: string }> {
  let gate = Promise.withResolvers<void>()
  let replyMs = 0

  async function reply(path: string, res: ServerResponse): Promise<void> {
    await gate.promise
    await pause(replyMs)
    const found = path === '/' || path === '/robots.txt'
    const body = path === '/' ? page : ''
    res.writeHead(found ? 200 : 404, { 'content-type': path === '/' ? 'text/html' : 'text/plain' }).end(body)
  }

  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://site')
    switch (pathname) {
      case '/told/hold':
        gate = Promise.withResolvers<void>()
        replyMs = Number(searchParams.get('ms') ?? 0)
        res.end()
        return
      case '/told/go':
        gate.resolve()
        res.end()
        return
      default:
        reply(pathname, res).catch(() => res.destroy())
    }
  })
  return { url: await listen(server) }
}

const page = `<!doctype html><html lang="en"><title>Small shop</title><h1>Shop</h1>
<p>We sell small things by post. <a href="/about">About us</a> <a href="/prices">Prices</a> <a href="/contact">Contact</a></p></html>`
