import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { weighedAgents } from '../../../src/products/scan/agents/agents.ts'
import { captureBudgets } from '../../../src/products/scan/crawl/capture-budget.ts'

/** src/products/scan/README.md against the code. */

const room = join(import.meta.dirname, '../../../src/products/scan')
const lines = readFileSync(join(room, 'README.md'), 'utf8').split('\n')

const rows = lines
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** The cells of the table row whose first cell begins with these words. */
function rowOf(beginning: string): string[] {
  const row = rows.find(([, first = '']) => first.startsWith(beginning))
  if (row === undefined) throw new Error(`README.md has no row that begins with "${beginning}"`)
  return row
}

const { light, basic, full } = captureBudgets
const mebibytes = (bytes: number) => bytes / 1024 / 1024
const seconds = (milliseconds: number) => `${milliseconds / 1_000} s`

test.each<[string, (budget: typeof light) => string]>([
  ['requests,', ({ requests }) => String(requests)],
  ['of these to other sites', ({ foreignRequests }) => String(foreignRequests)],
  ['hosts whose', ({ hosts }) => String(hosts)],
  ['bytes kept', ({ keptBytes, sitemapBytes }) => `${mebibytes(keptBytes)} / ${mebibytes(sitemapBytes)} MiB`],
  ['pages read', ({ pages, links, pictures }) => `${pages} / ${links} / ${pictures}`],
  ['one request', ({ requestDeadlineMs }) => seconds(requestDeadlineMs)],
  ['fetching, after', ({ deadlineMs }) => seconds(deadlineMs)],
])('the README names the limits of the code in its row "%s"', (beginning, cell) => {
  expect(rowOf(beginning).slice(2, 5)).toEqual([light, basic, full].map(cell))
})

test('the README names every agent with the weights of the code', () => {
  const agents = weighedAgents.map(({ agent, weights, ofSoftware }) => [
    agent.id,
    String(weights.readiness),
    String(weights.aeo),
    String(ofSoftware),
  ])
  const named = agents
    .map(([id = '']) => rowOf(id))
    .map(([, id, , readiness, aeo, ofSoftware]) => [id, readiness, aeo, ofSoftware])
  expect(named).toEqual(agents)
})

test('every file of a scan that the README names exists', () => {
  const named = lines.flatMap((line) =>
    Array.from(line.matchAll(/`([a-z-]+\/[\w/-]+\.ts)`/g), ([, path = '']) => path),
  )
  const missing = named.filter(
    (path) =>
      ![room, join(room, '../..'), join(room, '../../..')].some((base) => existsSync(join(base, path))),
  )
  expect(named.length).toBeGreaterThan(30)
  expect(missing).toEqual([])
})
