import { compareThroughput, measureThroughput, medianThroughput, type Throughput } from './measure.ts'
import type { Result } from './report.ts'
import type { BenchServer } from './servers.ts'

const rounds = 5
const seconds = 3

/** Measures the 402 with the price, against the 200 of a bare route and the 402 of @x402/express. */
export async function benchUnpaid(servers: {
  ours: BenchServer
  bare: BenchServer
  reference: BenchServer
}): Promise<Result[]> {
  const runs = { ours: [] as Throughput[], bare: [] as Throughput[], reference: [] as Throughput[] }
  const measure = ({ url, pid }: BenchServer, status: number) =>
    measureThroughput({ url: `${url}/api/analyze`, pid }, status, seconds)
  for (let round = 0; round <= rounds; round++) {
    const bare = await measure(servers.bare, 200)
    const ours = await measure(servers.ours, 402)
    const reference = await measure(servers.reference, 402)
    // The first round warms up.
    if (round === 0) continue
    runs.bare.push(bare)
    runs.ours.push(ours)
    runs.reference.push(reference)
  }
  const ours = medianThroughput(runs.ours)
  return [
    compareThroughput(
      '402 with the price, requests/s; peer: bare Express 5 JSON route',
      ours,
      medianThroughput(runs.bare),
      'at least 0.7',
    ),
    compareThroughput(
      '402 with the price, requests/s; peer: @x402/express',
      ours,
      medianThroughput(runs.reference),
      'at least 2.5',
    ),
  ]
}
