import autocannon from 'autocannon'

/** The middle one: what a shared machine does now and then does not count. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const connections = 50

/** Requests per second that a server answers with `status`. Anything else ends the run. */
export async function requestsPerSecond(url: string, status: number, seconds: number): Promise<number> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"businessName":"Bright Smile Dental"}',
    connections,
    duration: seconds,
  })
  const answered = Object.entries(result.statusCodeStats ?? {})
  const others = answered.filter(([code]) => Number(code) !== status)
  if (others.length > 0 || result.errors > 0) {
    throw new Error(`${url} gave ${JSON.stringify(others)} and ${result.errors} errors`)
  }
  return result.requests.average
}

/** Microseconds of CPU that one run of `work` takes. */
export async function cpuMicros(runs: number, work: () => unknown): Promise<number> {
  for (let i = 0; i < Math.ceil(runs / 10); i++) await work()
  const before = process.cpuUsage()
  for (let i = 0; i < runs; i++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / runs
}
