import autocannon from 'autocannon'
import type { Result } from './report.ts'
import { cpuMs } from './servers.ts'

/** The middle value: single delays of a shared machine do not change it. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const connections = 50

/** What a server did with a number of calls that it answered as fast as it could. */
export interface Throughput {
  readonly perSecond: number
  /** CPU time of the server's process per call, user and system, in microseconds. */
  readonly cpuMicros: number
}

/**
 * Sends a server `calls` calls that it answers with `status`, and measures what its process has used for them. The load
 * generator takes CPU from the server on the same machine, so the CPU time says more about the server than the calls
 * per second.
 * @throws Error for any other status.
 */
export async function measureCalls(
  { url, pid }: { readonly url: string; readonly pid: number },
  status: number,
  calls: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Throughput> {
  const before = await cpuMs(pid)
  const { requests, duration } = await load(url, status, { amount: calls, headers })
  const usedMs = (await cpuMs(pid)) - before
  return { perSecond: requests.total / duration, cpuMicros: (usedMs * 1_000) / requests.total }
}

/** Takes the median of each figure. */
export function medianThroughput(runs: readonly Throughput[]): Throughput {
  return {
    perSecond: median(runs.map(({ perSecond }) => perSecond)),
    cpuMicros: median(runs.map(({ cpuMicros }) => cpuMicros)),
  }
}

/**
 * A row of CPU time per call, with the calls per second as its note.
 * @param most the target: this many times the peer's.
 */
export function compareCpu(what: string, ours: Throughput, peer: Throughput, most: number): Result {
  const ratio = ours.cpuMicros / peer.cpuMicros
  return {
    what,
    ours: ours.cpuMicros,
    peer: peer.cpuMicros,
    ratio,
    wanted: `at most ${most}${ratio > most ? ', missed' : ''}`,
    note: `${Math.round(ours.perSecond)} calls/s, peer ${Math.round(peer.perSecond)}`,
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
  const result = await load(url, 200, { duration: seconds, headers, overallRate: perSecond })
  return result.latency.p99
}

/** A number of calls as fast as they are answered, or a rate for some seconds. */
type Load = { readonly headers: Readonly<Record<string, string>> } & (
  | { readonly amount: number }
  | { readonly duration: number; readonly overallRate: number }
)

async function load(url: string, status: number, { headers, ...extent }: Load) {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"businessName":"Bright Smile Dental"}',
    connections,
    ...extent,
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
