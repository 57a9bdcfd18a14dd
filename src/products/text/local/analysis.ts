import type { AnalysisRequest } from '../engine.ts'
import type { Industry, Opportunity } from '../knowledge/industry.ts'
import type { AnalysisParts, OpportunityParts } from '../parts.ts'
import { listOf, presentText } from '../plain-text.ts'
import { siteNote } from '../site-note.ts'
import { answerQuestion } from './answer.ts'
import { findIndustry, type IndustryMatch } from './industry.ts'
import { findQuickWin } from './quick-win.ts'
import { type Ranked, rank } from './rank.ts'

/**
 * Composes an analysis from the knowledge base. The text names its assumptions: its figures are typical of an industry,
 * not measured at the caller's business.
 */
export function composeAnalysis(request: AnalysisRequest): AnalysisParts {
  const name = presentText(request.businessName, 120) ?? 'this business'
  const question = presentText(request.question, 600)
  const match = findIndustry({ ...request, name: request.businessName })
  const { industry } = match
  const hints = `${request.businessName} ${request.industry ?? ''}`
  const ranked = rank(industry, question ?? '', hints)
  const best = ranked[0]?.opportunity
  if (best === undefined) throw new Error(`the ${industry.slug} profile names no opportunity`)
  const top = ranked.slice(0, 3).map(({ opportunity }) => opportunity)
  const quickWin = findQuickWin(best)
  return {
    industry: industry.slug,
    summary: summary(name, industry, ranked.slice(0, 3)),
    answer: question === undefined ? [] : [...answerQuestion(question, industry, ranked)],
    opportunities: top.map(toParts),
    quickWin: { title: quickWin.title, why: quickWin.why, steps: [...quickWin.steps] },
    assumptions: assumptions(request, name, match, top, ranked),
  }
}

function summary(name: string, industry: Industry, ranked: readonly Ranked[]): string {
  const top = ranked.map(({ opportunity }) => opportunity)
  const min = top.reduce((sum, each) => sum + each.hours.min, 0)
  const max = top.reduce((sum, each) => sum + each.hours.max, 0)
  const [first] = ranked
  const reason =
    first === undefined
      ? ''
      : first.relevance > 0
        ? `Start with ${first.opportunity.subject}, the closest match to your question.`
        : `Start with ${first.opportunity.subject}: ${first.opportunity.impact} impact for ${first.opportunity.effort} effort.`
  return [
    `For ${name}, the hours most worth winning back are likely to sit in ${listOf(top.map((each) => each.subject))}.`,
    `At volumes typical of ${industry.scale}, the three together return ${min} to ${max} hours a month.`,
    reason,
    'The quick win further down is a first step that fits into a week.',
  ].join(' ')
}

function toParts(opportunity: Opportunity): OpportunityParts {
  return {
    title: opportunity.title,
    description: opportunity.description,
    currentState: opportunity.currentState,
    potentialState: opportunity.potentialState,
    hoursMin: opportunity.hours.min,
    hoursMax: opportunity.hours.max,
    basis: opportunity.hours.basis,
    impact: opportunity.impact,
    effort: opportunity.effort,
    approach: [...opportunity.automationApproach],
    tools: [...opportunity.recommendedTools],
    caution: opportunity.watchOut,
  }
}

function assumptions(
  request: AnalysisRequest,
  name: string,
  match: IndustryMatch,
  top: readonly Opportunity[],
  ranked: readonly Ranked[],
): string[] {
  const { industry, how } = match
  const borrowed = top.filter((each) => !industry.opportunities.includes(each))
  return [
    industryNote(request, match),
    `Volumes and hours are typical of ${industry.scale}; they were not measured at ${name}. Put your own counts into each basis to get your own hours.`,
    siteNote(request.website),
    ...(borrowed.length === 0 || how === 'unknown'
      ? []
      : [
          `Your question reaches beyond what is special to ${industry.field}, so ${listOf(borrowed.map((each) => each.subject))} come from general practice.`,
        ]),
    ...(request.question !== undefined && ranked.every(({ relevance }) => relevance === 0)
      ? ['Nothing in the question pointed to one opportunity, so the order follows impact, effort and hours.']
      : []),
    'Tools are named as examples of their kind; check price, data protection and fit before buying.',
  ]
}

function industryNote(request: AnalysisRequest, { industry, how }: IndustryMatch): string {
  const sent = presentText(request.industry, 80)
  const profile = `the profile for ${industry.field}`
  switch (how) {
    case 'given':
      return `You named the industry as “${sent ?? industry.name}”; ${profile} was used.`
    case 'inferred':
      return sent === undefined
        ? `No industry was named; it was inferred from the other fields, and ${profile} was used.`
        : `The industry “${sent}” has no profile of its own; from the other fields, ${profile} fits best.`
    case 'unknown':
      return sent === undefined
        ? `No industry was named and nothing in the request pointed to one, so ${profile} was used. Name the industry for a closer fit.`
        : `The industry “${sent}” has no profile of its own, so ${profile} was used.`
  }
}
