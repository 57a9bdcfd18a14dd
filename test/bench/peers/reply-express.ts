import { readFile } from 'node:fs/promises'
import express from 'express'
import { z } from 'zod'

/**
 * Peer for discovery documents: Express 5 as it comes, which sends from memory what a gateway's reply holds: the same bytes
 * and headers. Its own ETag answers a caller that has the document.
 */
const [file = ''] = process.argv.slice(2)
const documents = z
  .array(z.object({ path: z.string(), headers: z.record(z.string(), z.string()), body: z.string() }))
  .parse(JSON.parse(await readFile(file, 'utf8')))
const app = express()
for (const { path, headers, body } of documents) {
  const bytes = Buffer.from(body)
  app.get(path, (_req, res) => {
    res.set(headers).send(bytes)
  })
}
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`listening ${address.port}\n`)
})
