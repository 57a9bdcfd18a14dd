import { describe, expect, test } from 'vitest'
import type { Agent } from '../../../src/products/scan/agents/agent.ts'
import { agentsForSoftware, agentsOf, weighedAgents } from '../../../src/products/scan/agents/agents.ts'
import { extraIds } from '../../../src/products/scan/agents/extras.ts'
import {
  type Finding,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
  warn,
} from '../../../src/products/scan/findings/check.ts'
import { areaSkill, effortOf } from '../../../src/products/scan/playbook/area-skills.ts'
import {
  areasOf,
  countingAreas,
  scoreAgent,
  totalOf,
  worstFirst,
} from '../../../src/products/scan/report/scoring.ts'
import { readSignals } from '../../../src/products/scan/signals/signals.ts'
import { depths } from '../../../src/products/scan/site/capture.ts'
import { runAgents } from '../../../src/products/scan/worker/run-agents.ts'
import { site } from '../../support/scans/captured.ts'

const seen = { url: 'https://site.example/', value: 'seen' }
const outcomes = {
  pass: pass('Fine.', seen),
  warn: warn('Half.', 'Mend it.', seen),
  fail: fail('Wrong.', 'Mend it.', seen),
  na: notApplicable('Nothing here.'),
  unmeasured: unmeasured('No answer.'),
}

/** Makes findings of one agent from results and weights: `'pass 4, fail 2'`. */
function findings(text: string, agent = 'one'): Finding[] {
  return text.split(', ').map((part, place) => {
    const [result = '', weight] = part.split(' ')
    const isExtra = result.startsWith('extra-')
    const outcome = Object.entries(outcomes).find(([name]) => name === result.replace('extra-', ''))?.[1]
    if (outcome === undefined) throw new Error(`no such result: ${part}`)
    return {
      ...outcome,
      agent,
      check: `check-${place}`,
      title: `Check ${place}`,
      weight: Number(weight),
      isExtra,
    }
  })
}

describe('the score of an agent', () => {
  test.each<[string, number | undefined, number]>([
    ['pass 5, pass 1', 100, 100],
    ['fail 5, fail 1', 0, 100],
    ['warn 3', 50, 100],
    ['pass 5, fail 4, warn 1', 55, 100],
    ['pass 1, fail 2', 33, 100],
    ['pass 2, fail 1', 67, 100],
    ['pass 2, na 2', 100, 100],
    ['pass 2, na 3', undefined, 100],
    ['pass 1, na 8', undefined, 100],
    ['pass 1, unmeasured 2', undefined, 33],
    ['pass 2, unmeasured 2', 100, 50],
    ['pass 1, fail 1, unmeasured 1', 50, 66],
    ['pass 199, unmeasured 1', 100, 99],
    ['pass 1, fail 0', 100, 100],
    ['unmeasured 4, na 1', undefined, 0],
    ['na 4', undefined, 0],
    ['pass 0', undefined, 0],
  ])('an agent with %s scores %s at a coverage of %s', (text, score, coverage) => {
    expect(scoreAgent(findings(text))).toMatchObject({ score, coverage })
  })

  test.each<[string, string, number]>([
    ['passes', 'pass 4, fail 4', 50],
    ['passes and is extra', 'pass 4, fail 4, extra-pass 8', 75],
    ['is half there and extra', 'pass 4, fail 4, extra-warn 8', 67],
    ['is missing and extra', 'pass 4, fail 4, extra-fail 8', 50],
  ])('a check that %s adds what it earns and costs nothing more', (_case, text, score) => {
    expect(scoreAgent(findings(text)).score).toBe(score)
  })
})

describe('a score of the site', () => {
  const agent = (id: string): Agent => ({ id, name: id.toUpperCase(), checks: [] })
  const agents = [
    { agent: agent('one'), weights: { readiness: 10, aeo: 20 } },
    { agent: agent('two'), weights: { readiness: 30, aeo: 0 } },
    { agent: agent('six'), weights: { readiness: 60, aeo: 5 } },
  ]

  test('a total is the weighted mean of its checks and leaves out an area of weight 0', () => {
    const areas = areasOf(agents, [
      ...findings('pass 1', 'one'),
      ...findings('fail 1', 'two'),
      ...findings('warn 1', 'six'),
    ])
    expect(totalOf(areas, 'readiness')).toBe(40)
    expect(totalOf(areas, 'aeo')).toBe(90)
    expect(countingAreas(areas, 'aeo').map(({ name }) => name)).toEqual(['ONE', 'SIX'])
  })

  test('a total leaves out an area in which nothing was measured', () => {
    const areas = areasOf(agents, [
      ...findings('pass 1', 'one'),
      ...findings('fail 1', 'two'),
      ...findings('unmeasured 5', 'six'),
    ])
    expect(totalOf(areas, 'readiness')).toBe(25)
    expect(countingAreas(areas, 'readiness').map(({ name }) => name)).toEqual(['ONE', 'TWO'])
  })

  test('an area counts by the share of its checks that were made, also below half', () => {
    const areas = areasOf(agents, [...findings('fail 1', 'one'), ...findings('pass 1, na 9', 'six')])
    expect(areas.map(({ score }) => score)).toEqual([0, undefined, undefined])
    expect(totalOf(areas, 'readiness')).toBeCloseTo((100 * 6) / (10 + 6))
  })

  test('a total is undefined when no area that counts for it was measured', () => {
    const areas = areasOf(agents, [...findings('na 1', 'one'), ...findings('pass 1', 'two')])
    expect(totalOf(areas, 'readiness')).toBe(100)
    expect(totalOf(areas, 'aeo')).toBeUndefined()
  })
})

test('worstFirst orders issues by cost, keeps the order of equal ones and drops those without cost', () => {
  const order = worstFirst(findings('warn 5, fail 2, fail 0, pass 5, fail 3, warn 4, unmeasured 9'))
  expect(order.map(({ check }) => check)).toEqual(['check-4', 'check-0', 'check-1', 'check-5'])
})

describe('running agents', () => {
  const checked = (run: () => Outcome): Agent => ({
    id: 'core-snapshot',
    name: 'Core snapshot',
    checks: [
      { id: 'first', title: 'First', weight: 2, run },
      { id: 'second', title: 'Second', weight: 3, run: () => outcomes.pass },
    ],
  })
  const page = site({ 'https://site.example/': '<h1>Bikes</h1>' })

  test('a check that throws is unmeasured, is reported for the log and does not stop other checks', () => {
    const { findings: results, faults } = runAgents(page, readSignals(page), [
      checked(() => {
        throw new Error('bad\u202e page')
      }),
    ])
    expect(results.map(({ check, result }) => [check, result])).toEqual([
      ['first', 'unmeasured'],
      ['second', 'pass'],
    ])
    expect(faults).toEqual(['core-snapshot/first: Error: bad\\u{202e} page'])
  })

  test('text that a check quotes is cut and has no invisible characters', () => {
    const hostile = `\u200b${'x'.repeat(5000)}`
    const evidence = Array.from({ length: 90 }, (_, place) => ({
      url: `https://site.example/${place}/${hostile}`,
      value: hostile,
    }))
    const [finding] = runAgents(page, readSignals(page), [
      checked(() => fail(hostile, hostile, ...evidence)),
    ]).findings
    expect(finding).toMatchObject({ agent: 'core-snapshot', check: 'first', title: 'First', weight: 2 })
    if (finding?.result !== 'fail') throw new Error('the check did not fail')
    expect(finding.evidence.length).toBeLessThanOrEqual(60)
    expect(finding.evidence[0]?.value).toMatch(/^\\u\{200b\}x{100,}…$/)
    expect(finding.evidence[0]?.value.length).toBeLessThanOrEqual(400)
    expect(JSON.stringify(finding).length).toBeLessThan(13_000)
    expect(JSON.stringify(finding)).not.toContain('\u200b')
  })
})

test('repeated evidence is quoted once', () => {
  const home = { url: 'https://site.example', value: 'title: "Slow site", "Slow site"' }
  const agent: Agent = {
    id: 'one',
    name: 'One',
    checks: [
      {
        id: 'first',
        title: 'First',
        weight: 2,
        run: () =>
          fail('Bad.', 'Mend it.', home, { ...home, url: `${home.url}/` }, home, {
            url: 'https://site.example/about',
            value: '"Slow site", "Slow site two"',
          }),
      },
    ],
  }
  const bikes = site({ 'https://site.example/': '<h1>Bikes</h1>' })
  const [finding] = runAgents(bikes, readSignals(bikes), [agent]).findings
  expect(finding).toMatchObject({
    evidence: [
      { url: 'https://site.example/', value: 'title: "Slow site"' },
      { url: 'https://site.example/about', value: '"Slow site", "Slow site two"' },
    ],
  })
})

describe('the table of agents', () => {
  test('the weights of the agents add up to 100 for each score', () => {
    const total = (by: 'readiness' | 'aeo') =>
      weighedAgents.reduce((sum, { weights }) => sum + weights[by], 0)
    expect([total('readiness'), total('aeo')]).toEqual([100, 100])
    expect(weighedAgents.reduce((sum, { ofSoftware }) => sum + ofSoftware, 0)).toBe(100)
  })

  test('the documents for agents weigh more where a site offers an API or an application', () => {
    const weightsOf = (api: boolean) =>
      Object.fromEntries(
        (api ? agentsForSoftware('full') : agentsOf('full')).map(({ agent, weights }) => [
          agent.id,
          weights.readiness,
        ]),
      )
    expect(weightsOf(true)['agent-protocols']).toBe(30)
    expect(weightsOf(false)['agent-protocols']).toBe(15)
  })

  test('the depths run 1, 4 and 12 agents, and ids and names are unique', () => {
    expect(depths.map((depth) => agentsOf(depth).length)).toEqual([1, 4, 12])
    expect(new Set(weighedAgents.map(({ agent }) => agent.id)).size).toBe(12)
    expect(new Set(weighedAgents.map(({ agent }) => agent.name)).size).toBe(12)
    for (const { agent } of weighedAgents) {
      expect(new Set(agent.checks.map(({ id }) => id)).size, agent.id).toBe(agent.checks.length)
    }
  })

  test('each agent has a skill of its own in the playbook', () => {
    const names = weighedAgents.map(({ agent }) => areaSkill(agent.id, agent.name).name)
    expect(names.filter((name) => name.startsWith('Mend '))).toEqual([])
    expect(new Set(names).size).toBe(12)
  })

  test('exceptions of effort name existing checks, and each finding gets its effort', () => {
    for (const { agent } of weighedAgents) {
      const { except = {} } = areaSkill(agent.id, agent.name)
      const ids = agent.checks.map(({ id }) => id)
      for (const check of Object.values(except).flat()) expect(ids, agent.id).toContain(check)
    }
    const efforts = [
      'render-performance/js-shell',
      'core-snapshot/ssr-text',
      'render-performance/viewport',
      'agent-protocols/link-header',
      'agent-protocols/mcp',
      'security-safety/hsts',
      'structured-data/page-type',
      'new-agent/thing',
    ].map(effortOf)
    expect(efforts).toEqual(['high', 'medium', 'low', 'low', 'high', 'low', 'medium', 'medium'])
  })

  test('extras name existing checks', () => {
    const ids = weighedAgents.flatMap(({ agent }) => agent.checks.map(({ id }) => `${agent.id}/${id}`))
    expect(extraIds.filter((id) => !ids.includes(id))).toEqual([])
  })

  test('a light scan counts for both scores', () => {
    expect(agentsOf('light')[0]?.weights).toEqual({ readiness: 10, aeo: 10 })
  })
})
