import { expect, test } from 'vitest'
import { industrySlugs } from '../../../src/products/text/knowledge/industry.ts'
import { knowledge, profiles, tradeProfiles } from '../../../src/products/text/knowledge/knowledge.ts'
import { findQuickWin } from '../../../src/products/text/local/quick-win.ts'

/** The local engine sells the knowledge base; every industry must keep these promises. */

const industries = profiles
const everyOpportunity = industries.flatMap(({ opportunities }) => opportunities)

test.each(industrySlugs)(
  'the knowledge about %s has enough opportunities, workflows, roles, facts and aliases to be sold',
  (slug) => {
    const industry = knowledge[slug]
    expect(industry.slug).toBe(slug)
    expect(industry.opportunities.length).toBeGreaterThanOrEqual(6)
    expect(industry.workflows.length).toBeGreaterThanOrEqual(3)
    expect(industry.painPoints.length).toBeGreaterThanOrEqual(4)
    expect(industry.buyers.roles.length).toBeGreaterThanOrEqual(4)
    expect(industry.buyers.hooks.length).toBeGreaterThanOrEqual(3)
    expect(industry.buyers.questions.length).toBeGreaterThanOrEqual(5)
    expect(industry.facts.length).toBeGreaterThanOrEqual(4)
    expect(industry.aliases.length).toBeGreaterThanOrEqual(40)
    for (const workflow of industry.workflows) {
      expect(workflow.steps.length).toBeGreaterThanOrEqual(4)
      expect(workflow.steps.some(({ isManual }) => isManual)).toBe(true)
    }
  },
)

test.each(Object.entries(tradeProfiles))(
  'the profile of %s is as full as that of an industry',
  (_, profile) => {
    expect(profile.opportunities.length).toBeGreaterThanOrEqual(6)
    expect(profile.workflows.length).toBeGreaterThanOrEqual(3)
    expect(profile.painPoints.length).toBeGreaterThanOrEqual(4)
    expect(profile.buyers.roles.length).toBeGreaterThanOrEqual(4)
    expect(profile.facts.length).toBeGreaterThanOrEqual(4)
  },
)

test.each([knowledge.healthcare, tradeProfiles.dentistry])(
  '$name has one note for each visit of a day',
  ({ opportunities }) => {
    const perDay = (unit: RegExp) =>
      opportunities
        .map(({ hours: { task } }) => task)
        .find((task) => task.per === 'day' && unit.test(task.unit))?.count
    expect(perDay(/notes/)).toBe(perDay(/visits/))
  },
)

test('every opportunity has a range of hours, a basis that explains it, tools and a first step', () => {
  for (const opportunity of everyOpportunity) {
    const { hours } = opportunity
    expect(Number.isInteger(hours.min) && Number.isInteger(hours.max), opportunity.id).toBe(true)
    expect(hours.min, opportunity.id).toBeGreaterThan(0)
    expect(hours.max, opportunity.id).toBeGreaterThan(hours.min)
    expect(hours.basis).toContain(hours.volume)
    expect(opportunity.recommendedTools.length, opportunity.id).toBeGreaterThanOrEqual(2)
    expect(opportunity.automationApproach.length, opportunity.id).toBeGreaterThanOrEqual(3)
    expect(opportunity.topics.length, opportunity.id).toBeGreaterThanOrEqual(8)
    expect(findQuickWin(opportunity).steps.length, opportunity.id).toBeGreaterThanOrEqual(4)
  }
})

test('ids and titles are unique, and each opportunity has exactly one quick win', () => {
  const ids = everyOpportunity.map(({ id }) => id)
  const titles = everyOpportunity.map(({ title }) => title)
  const wins = industries.flatMap(({ quickWins }) => quickWins.map(({ opportunity }) => opportunity))
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(titles).size).toBe(titles.length)
  expect(wins.toSorted()).toEqual(ids.toSorted())
})

test('every text is a complete sentence without markup, so that sentences can follow each other', () => {
  const sentences = [
    ...everyOpportunity.flatMap((each) => [
      each.description,
      each.currentState,
      each.potentialState,
      each.watchOut,
    ]),
    ...industries.flatMap(({ painPoints, facts, buyers, quickWins, workflows }) => [
      ...painPoints.flatMap(({ detail, sign }) => [detail, sign]),
      ...facts,
      ...buyers.hooks,
      ...buyers.roles.flatMap(({ objection, angle }) => [objection, angle]),
      ...quickWins.flatMap(({ why, steps }) => [why, ...steps]),
      ...workflows.flatMap(({ description, currentState }) => [description, currentState]),
    ]),
  ]
  for (const each of sentences) expect(each).toMatch(/^\p{Lu}[^{}<>*_`[\]]*\.$/u)
  for (const { buyers } of industries) for (const each of buyers.questions) expect(each).toMatch(/\?$/)
})

test('no sentence about an opportunity is used twice', () => {
  const long = everyOpportunity.flatMap(({ description, currentState, potentialState, watchOut }) => [
    description,
    currentState,
    potentialState,
    watchOut,
  ])
  expect(new Set(long).size).toBe(long.length)
})
