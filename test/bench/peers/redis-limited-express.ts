import express from 'express'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { createClient } from 'redis'

/** Peer for limits in Redis: Express 5 with one JSON route behind one rate of rate-limiter-flexible. */
const [url = ''] = process.argv.slice(2)
const client = createClient({ url, disableOfflineQueue: true })
await client.connect()
const limiter = new RateLimiterRedis({
  storeClient: client,
  useRedisPackage: true,
  points: 999_999,
  duration: 1,
})

const app = express()
app.disable('x-powered-by')
app.post('/api/analyze', express.json(), async (req, res) => {
  try {
    const { remainingPoints } = await limiter.consume(req.headers['x-mcp-api-key']?.toString() ?? '')
    res.set({ 'x-ratelimit-limit': '999999', 'x-ratelimit-remaining': String(remainingPoints) })
    res.json({ success: true, echo: req.body })
  } catch (refusal) {
    res.status(refusal instanceof RateLimiterRes ? 429 : 503).json({})
  }
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`listening ${address.port}\n`)
})
