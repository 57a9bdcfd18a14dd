import type { Industry, Opportunity } from '../knowledge/industry.ts'
import { knowledge } from '../knowledge/knowledge.ts'
import { phraseScore, stemsOf, weighPhrases } from './words.ts'

/**
 * Ranks the opportunities for one request. Words shared with the question decide first; a word that all opportunities
 * of an industry share ("patient" in a clinic) counts little. The usual payoff decides the rest.
 */

export interface Ranked {
  readonly opportunity: Opportunity
  /** Overlap with the question; 0 when no word matched. */
  readonly relevance: number
}

/**
 * Orders an industry's opportunities, best first. When an opportunity of another industry matches the question better
 * (lead scoring for a software company), it is borrowed from there.
 * @param asked the subject of the caller's question.
 * @param hints words such as the company name: they shift the order a little, and rule out work that such a company
 *   does not have.
 */
export function rank(industry: Industry, asked: string, hints = ''): readonly Ranked[] {
  const wanted = stemsOf(asked)
  const leaning = stemsOf(hints)
  const own = industry.opportunities.map((opportunity) => ({
    opportunity,
    relevance: overlap(wanted, opportunity),
    lean: overlap(leaning, opportunity) / 2 + payoff(opportunity) - misfit(opportunity, hints),
  }))
  const closest = Math.max(...own.map(({ relevance }) => relevance))
  const borrowed = lenders
    .filter(({ slug }) => slug !== industry.slug)
    .flatMap(({ slug, share }) =>
      knowledge[slug].opportunities.map((opportunity) => ({
        opportunity,
        relevance: share * overlap(wanted, opportunity),
        lean: payoff(opportunity),
      })),
    )
    .filter(({ relevance }) => relevance > Math.max(1, closest))
  return [...own, ...borrowed]
    .map((each) => ({ ...each, order: 4 * each.relevance + each.lean }))
    .toSorted((a, b) => b.order - a.order || a.opportunity.id.localeCompare(b.opportunity.id, 'en'))
    .map(({ opportunity, relevance }) => ({ opportunity, relevance }))
}

/**
 * The industries whose opportunities fit elsewhere, and the share of their match that counts. The general ones fit
 * best. Work with patients, students, tenants or supervisory authorities is never borrowed.
 */
const lenders = [
  { slug: 'other', share: 0.7 },
  { slug: 'marketing', share: 0.5 },
  { slug: 'consulting', share: 0.5 },
  { slug: 'technology', share: 0.4 },
  { slug: 'retail', share: 0.4 },
  { slug: 'professional-services', share: 0.4 },
  { slug: 'manufacturing', share: 0.4 },
] as const

/** Enough to put an opportunity behind all others, unless the question names it. */
function misfit(opportunity: Opportunity, hints: string): number {
  return phraseScore(hints, unfitPhrases.get(opportunity) ?? []) > 0 ? 8 : 0
}

const unfitPhrases = new Map(
  Object.values(knowledge)
    .flatMap(({ opportunities }) => opportunities)
    .map((opportunity) => [opportunity, weighPhrases(opportunity.unfit ?? [])] as const),
)

/** The value of an opportunity without a question: impact, then ease, then hours. */
function payoff(opportunity: Opportunity): number {
  const scale = { high: 3, medium: 2, low: 1 } as const
  return (
    2 * scale[opportunity.impact] + (4 - scale[opportunity.effort]) + Math.min(opportunity.hours.max, 60) / 60
  )
}

function overlap(stems: readonly string[], opportunity: Opportunity): number {
  const weights = vocabulary.get(opportunity)
  return [...new Set(stems)].reduce((sum, each) => sum + (weights?.get(each) ?? 0), 0)
}

/** The stems of each opportunity, and how much each stem tells it apart from the others of its industry. */
const vocabulary: ReadonlyMap<Opportunity, ReadonlyMap<string, number>> = new Map(
  Object.values(knowledge).flatMap(({ opportunities }) => {
    const weighted = opportunities.map((opportunity) => ({ opportunity, weights: weightsOf(opportunity) }))
    return weighted.map(({ opportunity, weights }) => {
      const rare = [...weights].map(([each, weight]) => {
        const sharing = weighted.filter((neighbor) => neighbor.weights.has(each)).length
        return [each, weight * (1 - (sharing - 1) / opportunities.length)] as const
      })
      return [opportunity, new Map(rare)] as const
    })
  }),
)

/** A word in the title counts more than a mention in a description. */
function weightsOf(opportunity: Opportunity): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const each of stemsOf(text)) weights.set(each, Math.max(weight, weights.get(each) ?? 0))
  }
  add([opportunity.currentState, opportunity.potentialState, opportunity.watchOut].join(' '), 0.5)
  add([opportunity.description, opportunity.measure, opportunity.category].join(' '), 1)
  add(opportunity.topics.join(' '), 2)
  add([opportunity.title, opportunity.subject, ...opportunity.recommendedTools].join(' '), 3)
  return weights
}
