import { createServer } from 'node:http'

/** The bare server that is probed beside the gateway: what slows it down is the machine. */
const reply = JSON.stringify({ status: 'ok' })
const server = createServer((_req, res) => {
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length }).end(reply)
})
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`listening ${address.port}\n`)
})
