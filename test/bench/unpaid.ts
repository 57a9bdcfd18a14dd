import { compareCpu, measureCalls, medianThroughput, type Throughput } from './measure.ts'
import type { Result } from './report.ts'
import type { BenchServer } from './servers.ts'

const rounds = 7
const calls = 20_000

/** Measures the 402 with the price, against the 200 of a bare route and the 402 of @x402/express. */
export async function benchUnpaid(servers: {
  ours: BenchServer
  bare: BenchServer
  reference: BenchServer
}): Promise<Result[]> {
  const runs = { ours: [] as Throughput[], bare: [] as Throughput[], reference: [] as Throughput[] }
  const measure = ({ url, pid }: BenchServer, status: number) =>
    measureCalls({ url: `${url}/api/analyze`, pid }, status, calls)
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
    compareCpu(
      '402 with the price, CPU µs per call; peer: bare Express 5 JSON route',
      ours,
      medianThroughput(runs.bare),
      1,
    ),
    compareCpu(
      '402 with the price, CPU µs per call; peer: @x402/express',
      ours,
      medianThroughput(runs.reference),
      0.4,
    ),
  ]
}
