import type { Industry, Opportunity } from '../knowledge/industry.ts'
import { knowledge } from '../knowledge/knowledge.ts'
import { phraseScore, stemsOf } from './words.ts'

/**
 * Puts opportunities in order for one request. What the caller asked for decides first, by shared
 * words, where a word that every neighbor shares ("patient" in a clinic) counts little; what usually pays
 * off decides the rest.
 */

export interface Ranked {
  readonly opportunity: Opportunity
  /** Overlap with what was asked; 0 when nothing matched. */
  readonly relevance: number
}

/**
 * Orders an industry's opportunities, best first. `asked` is what the caller wants to know about,
 * `hints` are words that only lean the order, such as a company name, and rule out what such a company does not do. When the question is met better
 * by something that is not special to the industry, such as lead scoring for a software company, those
 * opportunities are lent from where they are at home.
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
  const lent = lenders
    .filter(({ slug }) => slug !== industry.slug)
    .flatMap(({ slug, share }) =>
      knowledge[slug].opportunities.map((opportunity) => ({
        opportunity,
        relevance: share * overlap(wanted, opportunity),
        lean: payoff(opportunity),
      })),
    )
    .filter(({ relevance }) => relevance > Math.max(1, closest))
  return [...own, ...lent]
    .map((each) => ({ ...each, order: 4 * each.relevance + each.lean }))
    .toSorted((a, b) => b.order - a.order || a.opportunity.id.localeCompare(b.opportunity.id, 'en'))
    .map(({ opportunity, relevance }) => ({ opportunity, relevance }))
}

/**
 * Whose opportunities fit elsewhere, and how much of their match counts. The general ones fit best;
 * what belongs to patients, pupils, tenants or supervisors is never lent.
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

/** Enough to put an opportunity behind all others unless it was asked for by name. */
function misfit({ unfit = [] }: Opportunity, hints: string): number {
  return phraseScore(hints, unfit, () => 1) > 0 ? 8 : 0
}

/** What an opportunity is worth when nobody asked for anything: impact, then ease, then hours. */
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

/** For each opportunity its stems and how much each says about it among its neighbors. */
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

/** What an opportunity is named after counts more than a passing mention. */
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
