import { setTimeout as pause } from 'node:timers/promises'
import type { Case } from './requests.ts'

export interface Latencies {
  readonly requests: number
  /** Replies that were not 200. */
  readonly refused: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/**
 * Sends requests at a steady rate, whether or not the ones before have their reply. A latency begins when the request
 * was due, so a gateway that stops for a second is slow for every request of that second.
 */
export async function load(
  url: string,
  headers: Readonly<Record<string, string>>,
  { paths }: Case,
  rate: number,
  seconds: number,
): Promise<Latencies> {
  const times: number[] = []
  let refused = 0
  const startedAt = performance.now()
  const send = async (path: string, dueAt: number) => {
    const reply = await fetch(url + path, { headers })
    await reply.arrayBuffer()
    if (reply.status !== 200) refused += 1
    times.push(performance.now() - dueAt)
  }
  const sent: Promise<void>[] = []
  for (let at = 0; at < rate * seconds; at += 1) {
    const dueAt = startedAt + (at * 1_000) / rate
    const wait = dueAt - performance.now()
    if (wait > 0) await pause(wait)
    sent.push(send(paths[at % paths.length] ?? '/', dueAt))
  }
  await Promise.all(sent)
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { requests: times.length, refused, p50: at(0.5), p99: at(0.99), max: at(1) }
}
