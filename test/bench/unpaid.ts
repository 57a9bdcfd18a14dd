import { median, requestsPerSecond } from './measure.ts'
import type { Result } from './report.ts'

const rounds = 5
const seconds = 3

/** Measures the 402 with the price, against the 200 of a bare route and the 402 of @x402/express. */
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
      what: '402 with the price, requests/s; peer: bare Express 5 JSON route',
      ours,
      peer: bare,
      ratio: ours / bare,
      wanted: 'at least 0.7',
    },
    {
      what: '402 with the price, requests/s; peer: @x402/express',
      ours,
      peer: reference,
      ratio: ours / reference,
      wanted: 'at least 2.5',
    },
  ]
}
