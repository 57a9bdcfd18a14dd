import { describe, expect, test } from 'vitest'
import { agentsOf } from '../../../src/products/scan/agents/agents.ts'
import { capped, gatesOf } from '../../../src/products/scan/report/gates.ts'
import { areasOfSite, totalOf } from '../../../src/products/scan/report/scoring.ts'
import { readSignals } from '../../../src/products/scan/signals/signals.ts'
import { type Capture, type Depth, depths } from '../../../src/products/scan/site/capture.ts'
import { readSite } from '../../../src/products/scan/site/read-site.ts'
import { analyze } from '../../../src/products/scan/worker/analyze.ts'
import { runAgents } from '../../../src/products/scan/worker/run-agents.ts'
import { breaks } from '../../support/scans/breaks.ts'
import { defaultNow } from '../../support/scans/captured.ts'
import { fixes } from '../../support/scans/fixes.ts'
import { captureInMemory } from '../../support/scans/scan-in-memory.ts'
import type { Rated } from '../../support/scans/site-changes.ts'
import { loadSite, type SavedSite } from '../../support/servers/saved-site.ts'

/**
 * The direction of the scores. Each change is made to three saved sites that have little in common, and each is
 * scanned at every depth. What is mended or published never lowers a score, and what is broken or removed never
 * raises one. Where a scan of that depth has to see the change, the score moves.
 */
describe.each(['dentist', 'api-product', 'shop'])('on the site %s', (name) => {
  test.each(fixes)('no score falls when $name', async (fix) => {
    for (const { depth, isSeen, readiness, aeo } of await differences(name, fix)) {
      expect(Math.min(readiness, aeo), depth).toBeGreaterThan(-tolerance)
      if (isSeen) expect(readiness + aeo, `${depth} sees it`).toBeGreaterThan(tolerance)
    }
  })
})

describe.each(['api-product', 'shop', 'blog'])('on the site %s', (name) => {
  test.each(breaks)('no score rises when $name', async (fault) => {
    for (const { depth, isSeen, readiness, aeo } of await differences(name, fault)) {
      expect(Math.max(readiness, aeo), depth).toBeLessThan(tolerance)
      if (isSeen) expect(readiness + aeo, `${depth} sees it`).toBeLessThan(-tolerance)
    }
  })
})

/** Of sums of floating-point numbers. */
const tolerance = 1e-9

async function differences(name: string, { make, seen }: Rated) {
  const least = typeof seen === 'string' ? seen : (seen[name] ?? 'never')
  const rows: { depth: Depth; isSeen: boolean; readiness: number; aeo: number }[] = []
  const changed = make(loadSite(name))
  for (const depth of depths) {
    const before = await unchanged(name, depth)
    const after = await scoresOf(changed, depth, before)
    const isSeen = least !== 'never' && depths.indexOf(depth) >= depths.indexOf(least)
    rows.push({
      depth,
      isSeen,
      readiness: after.readiness - before.readiness,
      aeo: after.aeo - before.aeo,
    })
  }
  return rows
}

interface Scores {
  readonly readiness: number
  readonly aeo: number
  readonly captured: string
}

/** The totals before they are rounded. A capture that is as it was before the change is not judged again. */
async function scoresOf(site: SavedSite, depth: Depth, before?: Scores): Promise<Scores> {
  const capture = await captureInMemory(site, depth)
  const captured = JSON.stringify(capture)
  if (captured === before?.captured) return before
  // A scan of full depth makes its report as well, which reads all of the site.
  const { areas, gates, faults } = depth === 'full' ? report(capture) : judge(capture)
  expect(faults).toEqual([])
  const total = (by: 'readiness' | 'aeo') => capped(totalOf(areas, by) ?? 0, gates)
  return { readiness: total('readiness'), aeo: total('aeo'), captured }
}

function report(capture: Capture) {
  const { analysis, findings, faults } = analyze(capture, defaultNow)
  return {
    areas: areasOfSite(readSite(capture, defaultNow), findings),
    gates: analysis.report.gates ?? [],
    faults,
  }
}

/** What the totals are made of, without the texts and the blocks of a report, which take more time than the checks. */
function judge(capture: Capture) {
  const site = readSite(capture, defaultNow)
  const agents = agentsOf(capture.depth).map(({ agent }) => agent)
  const { findings, faults } = runAgents(site, readSignals(site), agents)
  return { areas: areasOfSite(site, findings), gates: gatesOf(site), faults }
}

const known = new Map<string, Promise<Scores>>()

async function unchanged(name: string, depth: Depth): Promise<Scores> {
  const key = `${name} ${depth}`
  const scores = known.get(key) ?? scoresOf(loadSite(name), depth)
  known.set(key, scores)
  return await scores
}
