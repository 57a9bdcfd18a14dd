import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { watchLag } from './lag.ts'
import type { Felt, Probes, ProbeTargets } from './prober.ts'

/** The thread of `prober.ts`. */

const everyMs = 10
/** A probe that was not answered by then counts with this time. */
const patienceMs = 30_000

const targets: ProbeTargets = workerData
const gateway = createLine(targets.gateway)
const peer = createLine(targets.peer)
let timer: NodeJS.Timeout | undefined
let lag: ReturnType<typeof watchLag> | undefined

parentPort?.on('message', async (told: 'begin' | 'stop') => {
  if (told === 'begin') {
    lag = watchLag()
    timer = setInterval(() => {
      gateway.ask()
      peer.ask()
    }, everyMs)
    return
  }
  clearInterval(timer)
  const lagMs = lag?.stop() ?? 0
  const probes: Probes = { gateway: await gateway.answered(), peer: await peer.answered(), lagMs }
  parentPort?.postMessage(probes)
})

/** One server that is asked. */
function createLine(url: string): { ask(): void; answered(): Promise<Felt> } {
  // As many connections as there are probes without an answer: no probe waits for another one.
  const agent = new Agent({ keepAlive: true })
  const open = new Set<Promise<void>>()
  let times: number[] = []
  let failed = 0

  function ask(): void {
    const startedAt = performance.now()
    const asked = new Promise<boolean>((resolve) => {
      const req = get(url, { agent, signal: AbortSignal.timeout(patienceMs) }, (res) => {
        res.resume()
        res.once('end', () => resolve(res.statusCode === 200))
        res.once('error', () => resolve(false))
      })
      req.once('error', () => resolve(false))
    }).then((isAnswered) => {
      times.push(performance.now() - startedAt)
      if (!isAnswered) failed += 1
      open.delete(asked)
    })
    open.add(asked)
  }

  return {
    ask,
    async answered() {
      await Promise.all(open)
      const felt = describe(times, failed)
      times = []
      failed = 0
      return felt
    },
  }
}

function describe(times: readonly number[], failed: number): Felt {
  const sorted = times.toSorted((a, b) => a - b)
  /** The smallest time that this share of the probes did not exceed. */
  const at = (share: number) =>
    Number((sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0).toFixed(1))
  return { probes: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1), failed }
}
