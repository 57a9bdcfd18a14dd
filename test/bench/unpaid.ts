import { median, requestsPerSecond } from './measure.ts'
import type { Result } from './report.ts'

const rounds = 5
const seconds = 3

/** How fast the price is told: our 402 next to a bare route's 200 and the reference middleware's 402. */
export async function benchUnpaid(urls: {
  ours: string
  bare: string
  reference: string
}): Promise<Result[]> {
  const runs = { ours: [] as number[], bare: [] as number[], reference: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const sample = {
      bare: await requestsPerSecond(`${urls.bare}/api/analyze`, 200, seconds),
      ours: await requestsPerSecond(`${urls.ours}/api/analyze`, 402, seconds),
      reference: await requestsPerSecond(`${urls.reference}/api/analyze`, 402, seconds),
    }
    // The first round warms up.
    if (round === 0) continue
    runs.bare.push(sample.bare)
    runs.ours.push(sample.ours)
    runs.reference.push(sample.reference)
  }
  const [ours, bare, reference] = [median(runs.ours), median(runs.bare), median(runs.reference)]
  return [
    {
      what: 'unpaid 402, requests/s against a bare Express 5 JSON route',
      ours,
      peer: bare,
      ratio: ours / bare,
      wanted: 'at least 0.7',
    },
    {
      what: 'unpaid 402, requests/s against @x402/express',
      ours,
      peer: reference,
      ratio: ours / reference,
      wanted: 'at least 2.5',
    },
  ]
}
