import { hash } from 'node:crypto'
import express from 'express'
import { RateLimiterRedis, RateLimiterRes, RateLimiterUnion } from 'rate-limiter-flexible'
import { createClient } from 'redis'

/**
 * Peer for keys with limits in Redis: Express 5 with one JSON route for known keys, behind a rate, a day and a month of
 * rate-limiter-flexible. Like the gateway it knows a key by its SHA-256, and tells the limit with the fewest calls left.
 */
const [url = '', key = ''] = process.argv.slice(2)
const client = createClient({ url, disableOfflineQueue: true })
await client.connect()

const keys = new Map([[hash('sha256', key), { id: 'first' }]])

const limits = { rate: [999_999, 1], day: [100_000_000, 86_400], month: [100_000_000, 30 * 86_400] } as const
const limiters = new RateLimiterUnion(
  ...Object.entries(limits).map(
    ([keyPrefix, [points, duration]]) =>
      new RateLimiterRedis({ storeClient: client, useRedisPackage: true, keyPrefix, points, duration }),
  ),
)

const app = express()
app.disable('x-powered-by')
app.post('/api/analyze', express.json(), async (req, res) => {
  const holder = keys.get(hash('sha256', req.headers['x-mcp-api-key']?.toString() ?? ''))
  if (!holder) {
    res.status(401).json({})
    return
  }
  try {
    const counted = await limiters.consume(holder.id)
    const closest = Object.values(counted).reduce((least, window) =>
      window.remainingPoints < least.remainingPoints ? window : least,
    )
    res.set({
      'x-ratelimit-limit': String(closest.remainingPoints + closest.consumedPoints),
      'x-ratelimit-remaining': String(closest.remainingPoints),
      'x-ratelimit-reset': String(Math.ceil(closest.msBeforeNext / 1000)),
    })
    res.json({ success: true, echo: req.body })
  } catch (refusals) {
    const isFull =
      typeof refusals === 'object' &&
      refusals !== null &&
      Object.values(refusals).every((refusal) => refusal instanceof RateLimiterRes)
    res.status(isFull ? 429 : 503).json({})
  }
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`listening ${address.port}\n`)
})
