import { readFile } from 'node:fs/promises'
import express from 'express'

/** Peer for documents: Express 5 that serialises the document of a file for each request. */
const [file = ''] = process.argv.slice(2)
const document: unknown = JSON.parse(await readFile(file, 'utf8'))
const app = express()
app.disable('x-powered-by')
app.get('/pricing', (_req, res) => {
  res.json(document)
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`listening ${address.port}\n`)
})
