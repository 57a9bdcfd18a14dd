import { Agent } from 'node:http'
import express from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'

/** Peer for the proxy: Express 5 with http-proxy-middleware, which keeps its connections to the upstream. */
const [target = ''] = process.argv.slice(2)
const app = express()
app.disable('x-powered-by')
app.use('/up', createProxyMiddleware({ target, agent: new Agent({ keepAlive: true, maxSockets: 256 }) }))
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`listening ${address.port}\n`)
})
