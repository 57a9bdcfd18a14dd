import type { AnalysisRequest } from '../engine.ts'
import type { Industry, Opportunity } from '../industries/industry.ts'
import type { AnalysisParts, OpportunityParts } from '../parts.ts'
import { listOf, presentText } from '../plain-text.ts'
import { answer } from './answer.ts'
import { type Found, findIndustry } from './industry.ts'
import { type Ranked, rank } from './rank.ts'

/**
 * Composes an analysis from the knowledge base. It says what it assumed, because the figures are
 * typical of an industry and not measured at the caller's business.
 */
export function analysis(request: AnalysisRequest): AnalysisParts {
  const name = presentText(request.businessName, 120) ?? 'this business'
  const question = presentText(request.question, 600)
  const found = findIndustry({ ...request, name: request.businessName })
  const { industry } = found
  const hints = `${request.businessName} ${request.industry ?? ''}`
  const ranked = rank(industry, question ?? '', hints)
  const top = ranked.slice(0, 3).map(({ opportunity }) => opportunity)
  return {
    industry: industry.slug,
    summary: summary(name, industry, top),
    answer: question === undefined ? [] : [...answer(question, industry, ranked)],
    opportunities: top.map(opportunityParts),
    quickWin: quickWin(industry, ranked),
    assumptions: assumptions(request, name, found, top, ranked),
  }
}

function summary(name: string, industry: Industry, top: readonly Opportunity[]): string {
  const least = top.reduce((sum, each) => sum + each.hours.min, 0)
  const most = top.reduce((sum, each) => sum + each.hours.max, 0)
  const [first] = top
  return [
    `For ${name}, the hours most worth winning back are likely to sit in ${listOf(top.map((each) => each.subject))}.`,
    `At volumes typical of ${industry.scale}, the three together return ${least} to ${most} hours a month.`,
    first === undefined
      ? ''
      : `Start with ${first.subject}: it promises ${first.impact} impact for ${first.effort} effort, and the quick win below is a first step that fits into a week.`,
  ].join(' ')
}

/** An opportunity in the form the renderer takes. */
export function opportunityParts(opportunity: Opportunity): OpportunityParts {
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
