import { beforeAll, expect, test } from 'vitest'
import { type Depth, depths } from '../../../src/products/scan/site/capture.ts'
import { breaks } from '../../support/scans/breaks.ts'
import { scanInMemory } from '../../support/scans/scan-in-memory.ts'
import type { Change } from '../../support/scans/site-changes.ts'
import { loadSite, type SavedSite, siteNames } from '../../support/servers/saved-site.ts'

/**
 * A light, a basic and a full scan put sites into about the same order. The set has the saved sites (`hostile` takes too
 * long) and variants of them that lack something.
 */
const variants: readonly [string, string][] = [
  ['dentist', 'a wall answers agents 403'],
  ['api-product', 'a challenge is shown to agents with status 200'],
  ['dentist', 'all pages ask for noindex'],
  ['shop', 'a header asks for noindex'],
  ['api-product', 'scripts write the pages'],
  ['shop', 'robots.txt refuses the bots of assistants'],
  ['api-product', 'the JSON-LD is removed'],
  ['shop', 'the text of the pages is cut to some words'],
  ['blog', 'the descriptions are removed'],
]

const sites = new Map<string, SavedSite>([
  ...siteNames()
    .filter((name) => name !== 'hostile')
    .map((name): [string, SavedSite] => [name, loadSite(name)]),
  ...variants.map(([name, change]): [string, SavedSite] => [
    `${name}: ${change}`,
    changeNamed(change)(loadSite(name)),
  ]),
])

function changeNamed(name: string): Change {
  const found = breaks.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no such change: ${name}`)
  return found.make
}

type Score = 'readinessScore' | 'aeoScore'
const scores = new Map<Depth, Record<Score, number>[]>()

beforeAll(async () => {
  for (const depth of depths) {
    const rows: Record<Score, number>[] = []
    for (const site of sites.values()) rows.push((await scanInMemory(site, depth)).analysis.report)
    scores.set(depth, rows)
  }
})

const ordered = (depth: Depth, by: Score) => scores.get(depth)?.map((row) => row[by]) ?? []

test.each<[Score, Depth, Depth]>([
  ['readinessScore', 'light', 'basic'],
  ['readinessScore', 'light', 'full'],
  ['readinessScore', 'basic', 'full'],
  ['aeoScore', 'light', 'basic'],
  ['aeoScore', 'light', 'full'],
  ['aeoScore', 'basic', 'full'],
])('by %s, a %s and a %s scan rank sites alike', (by, one, other) => {
  expect(rankCorrelation(ordered(one, by), ordered(other, by))).toBeGreaterThanOrEqual(0.8)
})

test.each(depths)(
  'in a %s scan all sites with a gate stand below all that can be read and are kept',
  (depth) => {
    const names = [...sites.keys()]
    const all = ordered(depth, 'readinessScore').map((score, place) => ({ name: names[place] ?? '', score }))
    const isGated = (name: string) => /^(?:wall|shell)$|agents|noindex|scripts write|refuses/.test(name)
    // `broken` can be read, and has hardly anything else to its credit.
    const isKept = (name: string) => name !== 'broken' && !isGated(name)
    const worstKept = Math.min(...all.filter(({ name }) => isKept(name)).map(({ score }) => score))
    expect(all.filter(({ name, score }) => isGated(name) && score >= worstKept)).toEqual([])
  },
)

test('the sites with llms.txt, markdown copies and documents for agents stand at the top', () => {
  const order = [...sites.keys()]
    .map((name, place) => ({ name, score: ordered('full', 'readinessScore')[place] ?? 0 }))
    .toSorted((one, other) => other.score - one.score)
  expect(order.slice(0, 2).map(({ name }) => name)).toEqual(['dentist', 'api-product'])
})

/** Spearman's: the correlation of the ranks, where equal values share the mean of their ranks. */
function rankCorrelation(one: readonly number[], other: readonly number[]): number {
  return correlation(ranksOf(one), ranksOf(other))
}

function ranksOf(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((another) => another < value).length
    const equal = values.filter((another) => another === value).length
    return below + (equal + 1) / 2
  })
}

function correlation(one: readonly number[], other: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanOne, meanOther] = [mean(one), mean(other)]
  const products = one.map((value, place) => (value - meanOne) * ((other[place] ?? 0) - meanOther))
  const squares = (values: readonly number[], middle: number) =>
    values.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  return (
    products.reduce((sum, value) => sum + value, 0) /
    Math.sqrt(squares(one, meanOne) * squares(other, meanOther))
  )
}
