import express from 'express'

/** Peer for the whole gateway: Express 5 with one JSON route. */
const app = express()
app.disable('x-powered-by')
app.post('/api/analyze', express.json(), (req, res) => {
  res.json({ success: true, echo: req.body })
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`listening ${address.port}\n`)
})
