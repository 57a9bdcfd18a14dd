import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { median } from './measure.ts'
import type { Result } from './report.ts'
import { type BenchServer, cpuMs, startProgram } from './servers.ts'

const rounds = 5
const seconds = 3

/** Measures the price list as JSON, against a bare route that serialises the same document for each request. */
export async function benchDocuments({ ours }: { ours: BenchServer }): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  const file = join(folder, 'pricing.json')
  const document = await (await fetch(`${ours.url}/pricing`)).text()
  await writeFile(file, document)
  const peer = await startProgram('peers/document-express.ts', [file], {})
  try {
    const runs = { ours: [] as Run[], peer: [] as Run[] }
    for (let round = 0; round <= rounds; round++) {
      const [peers, own] = [await measure(peer), await measure(ours)]
      // The first round warms up.
      if (round === 0) continue
      runs.peer.push(peers)
      runs.ours.push(own)
    }
    const micros = (found: readonly Run[]) => median(found.map(({ cpuMicros }) => cpuMicros))
    const perSecond = (found: readonly Run[]) => Math.round(median(found.map((run) => run.perSecond)))
    return [
      {
        what: 'document from the catalog, CPU µs per call; peer: bare Express 5 that serialises it',
        ours: micros(runs.ours),
        peer: micros(runs.peer),
        ratio: micros(runs.ours) / micros(runs.peer),
        wanted: 'at most 0.8',
        note: `GET /pricing, ${Math.round(document.length / 1000)} kB; requests/s ${perSecond(runs.ours)}, peer ${perSecond(runs.peer)}`,
      },
    ]
  } finally {
    await peer.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Run {
  readonly cpuMicros: number
  readonly perSecond: number
}

async function measure({ url, pid }: BenchServer): Promise<Run> {
  const before = await cpuMs(pid)
  const { requests, non2xx, errors } = await autocannon({
    url: `${url}/pricing`,
    connections: 50,
    duration: seconds,
  })
  if (non2xx + errors > 0) throw new Error(`${url} failed ${non2xx + errors} times`)
  return {
    cpuMicros: (((await cpuMs(pid)) - before) * 1_000) / requests.total,
    perSecond: requests.average,
  }
}
