import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../src/platform/chain/local/port.ts'
import { median } from './measure.ts'
import type { Result } from './report.ts'
import { residentMb, startProgram } from './servers.ts'

const rounds = 3

/** Measures the time from starting the gateway to its first 402, with a new and a used data folder, and its memory. */
export async function benchStart(): Promise<Result[]> {
  const cold: number[] = []
  const warm: number[] = []
  const memory: number[] = []
  for (let round = 0; round < rounds; round++) {
    const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
    try {
      cold.push((await startOnce(dataDir)).seconds)
      const second = await startOnce(dataDir)
      warm.push(second.seconds)
      memory.push(second.residentMb)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  }
  return [
    {
      what: 'start with a new data folder, seconds to the first 402',
      ours: median(cold),
      wanted: 'at most 8',
    },
    {
      what: 'start with a used data folder, seconds to the first 402',
      ours: median(warm),
      wanted: 'at most 2.5',
    },
    {
      what: 'embedded gateway 3 s after its first 402, resident MB',
      ours: median(memory),
      wanted: 'under 450',
    },
  ]
}

async function startOnce(dataDir: string): Promise<{ seconds: number; residentMb: number }> {
  const environment = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    DEV_CHAIN_PORT: String(await freePort()),
    LOG_LEVEL: 'error',
  }
  const startedAt = performance.now()
  const server = await startProgram('../../src/main.ts', [], environment)
  try {
    const response = await fetch(`${server.url}/api/analyze`, { method: 'POST' })
    if (response.status !== 402) throw new Error(`the first reply had status ${response.status}`)
    const seconds = (performance.now() - startedAt) / 1000
    await pause(3_000)
    return { seconds, residentMb: await residentMb(server.pid) }
  } finally {
    await server.stop()
  }
}
