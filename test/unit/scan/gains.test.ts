import { expect, test } from 'vitest'
import { agentsOf } from '../../../src/products/scan/agents/agents.ts'
import type { Finding } from '../../../src/products/scan/findings/check.ts'
import { gainsOf } from '../../../src/products/scan/report/gains.ts'
import { capped, gatesOf } from '../../../src/products/scan/report/gates.ts'
import { areasOf, totalOf } from '../../../src/products/scan/report/scoring.ts'
import { readSignals } from '../../../src/products/scan/signals/signals.ts'
import { type Depth, depths } from '../../../src/products/scan/site/capture.ts'
import { readSite } from '../../../src/products/scan/site/read-site.ts'
import { runAgents } from '../../../src/products/scan/worker/run-agents.ts'
import { defaultNow } from '../../support/scans/captured.ts'
import { captureInMemory } from '../../support/scans/scan-in-memory.ts'
import { loadSite } from '../../support/servers/saved-site.ts'

async function judge(name: string, depth: Depth) {
  const site = readSite(await captureInMemory(loadSite(name), depth), defaultNow)
  const agents = agentsOf(depth)
  const { findings } = runAgents(
    site,
    readSignals(site),
    agents.map(({ agent }) => agent),
  )
  return { agents, findings, gates: gatesOf(site), areas: areasOf(agents, findings) }
}

test.each(depths)('in a %s scan a check gains what the total would rise by if it passed', async (depth) => {
  const { agents, findings, gates, areas } = await judge('shop', depth)
  const gains = gainsOf(areas, gates)
  expect(gains.length).toBeGreaterThan(depth === 'light' ? 0 : 5)
  for (const { checkId, gain } of gains.slice(0, 5)) {
    const mended = findings.map(
      (finding): Finding =>
        `${finding.agent}/${finding.check}` === checkId
          ? { ...finding, result: 'pass', evidence: [] }
          : finding,
    )
    const before = totalOf(areas, 'readiness') ?? 0
    const after = totalOf(areasOf(agents, mended), 'readiness') ?? 0
    expect(gain, checkId).toBeCloseTo(capped(after, gates) - capped(before, gates), 1)
  }
})

test('gains are listed with the largest of both totals first, and none is negative', async () => {
  const { areas, gates } = await judge('broken', 'full')
  const sums = gainsOf(areas, gates).map(({ gain, aeoGain }) => gain + aeoGain)
  expect(sums).toEqual(sums.toSorted((one, other) => other - one))
  expect(sums.filter((sum) => sum < 0)).toEqual([])
})

test.each<[string, string, Depth]>([
  ['wall', 'core-snapshot/reach', 'light'],
  ['wall', 'crawl-access/bot-wall', 'full'],
  ['shell', 'core-snapshot/ssr-text', 'light'],
  ['shell', 'render-performance/js-shell', 'full'],
])('on the site %s only %s gains anything while the gate is closed (%s scan)', async (name, check, depth) => {
  const { areas, gates } = await judge(name, depth)
  const [first, ...others] = gainsOf(areas, gates)
  expect(first?.checkId).toBe(check)
  expect(first?.gain).toBeGreaterThan(0)
  if (name === 'wall') expect(others.filter(({ gain }) => gain > 0)).toEqual([])
})
