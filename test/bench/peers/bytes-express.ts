import { readFile } from 'node:fs/promises'
import express from 'express'
import { z } from 'zod'

/** Peer for discovery documents: Express 5 that sends the same bytes from memory, by path. */
const [file = ''] = process.argv.slice(2)
const documents = z
  .array(z.object({ path: z.string(), type: z.string(), body: z.string() }))
  .parse(JSON.parse(await readFile(file, 'utf8')))
const app = express()
app.disable('x-powered-by')
app.disable('etag')
for (const { path, type, body } of documents) {
  const bytes = Buffer.from(body)
  app.get(path, (_req, res) => {
    res.setHeader('content-type', type)
    res.send(bytes)
  })
}
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`listening ${address.port}\n`)
})
