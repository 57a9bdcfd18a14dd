import autocannon from 'autocannon'
import type { Result } from './report.ts'
import { cpuMs } from './servers.ts'

/** The middle value: single delays of a shared machine do not change it. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const connections = 50

export interface Throughput {
  readonly perSecond: number
  /** CPU time of the server's process per call, in microseconds. */
  readonly cpuMicros: number
}

/**
 * Measures how many requests a second a server answers with `status`, and the CPU time its process uses for each. The
 * load generator takes CPU from the server on the same machine, so the CPU time says more about the server.
 * @throws Error for any other status.
 */
export async function measureThroughput(
  { url, pid }: { readonly url: string; readonly pid: number },
  status: number,
  seconds: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Throughput> {
  const before = await cpuMs(pid)
  const { requests } = await load(url, status, { seconds, headers })
  const usedMs = (await cpuMs(pid)) - before
  return { perSecond: requests.average, cpuMicros: (usedMs * 1_000) / requests.total }
}

/** Takes the median of each figure. */
export function medianThroughput(runs: readonly Throughput[]): Throughput {
  return {
    perSecond: median(runs.map(({ perSecond }) => perSecond)),
    cpuMicros: median(runs.map(({ cpuMicros }) => cpuMicros)),
  }
}

/** A row of requests per second, with the CPU time per call as its note. */
export function compareThroughput(what: string, ours: Throughput, peer: Throughput, wanted: string): Result {
  return {
    what,
    ours: ours.perSecond,
    peer: peer.perSecond,
    ratio: ours.perSecond / peer.perSecond,
    wanted,
    note: `CPU per call ${Math.round(ours.cpuMicros)} µs, peer ${Math.round(peer.cpuMicros)} µs`,
  }
}

/** Measures the 99th percentile of the time to a reply of 200, in milliseconds, at a steady rate of calls. */
export async function latencyP99(
  url: string,
  perSecond: number,
  seconds: number,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const result = await load(url, 200, { seconds, headers, perSecond })
  return result.latency.p99
}

interface Load {
  readonly seconds: number
  readonly headers: Readonly<Record<string, string>>
  /** By default as many as the server can answer. */
  readonly perSecond?: number
}

async function load(url: string, status: number, { seconds, headers, perSecond }: Load) {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"businessName":"Bright Smile Dental"}',
    connections,
    duration: seconds,
    ...(perSecond === undefined ? {} : { overallRate: perSecond }),
  })
  const statuses = Object.entries(result.statusCodeStats ?? {})
  const others = statuses.filter(([code]) => Number(code) !== status)
  if (others.length > 0 || result.errors > 0) {
    throw new Error(`${url} answered ${JSON.stringify(others)} and had ${result.errors} errors`)
  }
  return result
}

/** Measures the CPU time of one run of `work` in this process, in microseconds. */
export async function cpuMicros(runs: number, work: () => unknown): Promise<number> {
  for (let i = 0; i < Math.ceil(runs / 10); i++) await work()
  const before = process.cpuUsage()
  for (let i = 0; i < runs; i++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / runs
}
