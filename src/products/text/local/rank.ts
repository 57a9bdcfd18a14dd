import type { Industry, Opportunity } from '../knowledge/industry.ts'
import { knowledge, profiles } from '../knowledge/knowledge.ts'
import { withoutTrades } from './trades.ts'
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
 * @param shown how much the business shows of the work.
 */
export function rank(
  industry: Industry,
  asked: string,
  hints = '',
  shown: (opportunity: Opportunity) => number = () => 0,
): readonly Ranked[] {
  const wanted = stemsOf(asked)
  const leaning = stemsOf(hints)
  // A barber shop sells appointments and not goods, whatever its name says.
  const kind = withoutTrades(hints)
  const own = industry.opportunities
    .filter((opportunity) => !isUnfit(opportunity, kind))
    .map((opportunity) => ({
      opportunity,
      relevance: relevanceOf(wanted, opportunity),
      lean: relevanceOf(leaning, opportunity) / 2 + payoff(opportunity) + shown(opportunity),
    }))
  const closest = Math.max(0, ...own.map(({ relevance }) => relevance))
  const borrowed = lenders
    .filter(({ slug }) => slug !== industry.slug)
    .flatMap(({ slug, share }) =>
      knowledge[slug].opportunities
        .filter((opportunity) => !isUnfit(opportunity, kind))
        .map((opportunity) => ({
          opportunity,
          relevance: share * relevanceOf(wanted, opportunity),
          // General work fits every business, but what its industry has of its own comes first.
          lean: payoff(opportunity) + shown(opportunity) / 2 - (slug === 'other' ? 5 : 0),
          isGeneral: slug === 'other',
        })),
    )
    .filter(({ relevance, isGeneral }) => relevance > Math.max(1, closest) || isGeneral)
    // General work that is not asked for only fills up what an industry lacks.
    .map((each) => (each.relevance > Math.max(1, closest) ? each : { ...each, relevance: 0 }))
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

/** Whether such a company does not have this work. */
function isUnfit(opportunity: Opportunity, hints: string): boolean {
  return phraseScore(hints, unfitPhrases.get(opportunity) ?? []) > 0
}

const unfitPhrases = new Map(
  profiles
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

/** How many of the stems the opportunity has a word for. */
export function stemsMet(stems: readonly string[], opportunity: Opportunity): readonly string[] {
  const weights = vocabulary.get(opportunity)
  return stems.filter((each) => (weights?.get(each) ?? 0) > 0)
}

/** How much of the opportunity's vocabulary some stems have. */
export function relevanceOf(stems: readonly string[], opportunity: Opportunity): number {
  const weights = vocabulary.get(opportunity)
  return [...new Set(stems)].reduce((sum, each) => sum + (weights?.get(each) ?? 0), 0)
}

/** The stems that a title or topic of the opportunity has and few others of its industry. */
export function strongStems(stems: readonly string[], opportunity: Opportunity): readonly string[] {
  const weights = vocabulary.get(opportunity)
  return [...new Set(stems)].filter((each) => (weights?.get(each) ?? 0) >= 1)
}

/** The stems of each opportunity, and how much each stem tells it apart from the others of its industry. */
const vocabulary: ReadonlyMap<Opportunity, ReadonlyMap<string, number>> = new Map(
  profiles.flatMap(({ opportunities }) => {
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
