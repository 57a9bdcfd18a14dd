import { GatewayError } from '../../../core/errors.ts'
import type { AnalysisRequest } from '../engine.ts'
import type { Opportunity } from '../knowledge/industry.ts'
import type { AnalysisParts, OpportunityParts } from '../parts.ts'
import { capitalized, listOf, presentText } from '../plain-text.ts'
import { factsOf, type SiteFacts, type SiteReading, type SiteSentence, siteNote } from '../site.ts'
import { answerQuestion } from './answer.ts'
import { readEvidence } from './evidence.ts'
import type { IndustryMatch } from './industry.ts'
import { findQuickWin } from './quick-win.ts'
import { type Ranked, rank } from './rank.ts'
import { fitQuestion, industryOfBusiness, refusals, sizeTexts } from './refusals.ts'
import { findScale, type Scale, scaled } from './scale.ts'
import type { SubjectFit } from './subject.ts'

/**
 * Composes an analysis from the knowledge base and from what was read of the website. The text names its assumptions:
 * its figures are typical of an industry, fitted to the size that the caller named, and not measured at the business.
 * @throws GatewayError TEXT_NOT_KNOWN, TEXT_DECLINED.
 */
export function composeAnalysis(request: AnalysisRequest): AnalysisParts {
  const refusal = refusals.analysis(request)
  if (refusal) throw refusal
  const name = presentText(request.businessName, 120) ?? 'this business'
  const question = presentText(request.question, 600)
  const match = industryOfBusiness(request, request.businessName)
  const { industry } = match
  const scale = findScale(industry, sizeTexts(request, request.businessName))
  const evidence = readEvidence(factsOf(request.site), industry)
  const hints = hintsOf(request)
  const fit = question === undefined ? undefined : fitQuestion(industry, question, hints)
  const ordered = orderOf(rank(industry, '', hints, evidence.weight), fit)
  const ranked = ordered.flatMap((each) => {
    const opportunity = scaled(each.opportunity, scale)
    const isFit = !scale.isAlone || each.opportunity.alone === true
    return opportunity && isFit ? [{ ...each, opportunity, original: each.opportunity }] : []
  })
  const top = ranked.slice(0, 3)
  const [best] = top
  if (best === undefined || top.length < 3) throw tooLittleFor(scale)
  const quotes = evidence.quote(top.map(({ original }) => original))
  const quickWin = findQuickWin(best.opportunity)
  const [offer] = factsOf(request.site)?.offers ?? []
  return {
    industry: industry.slug,
    summary: summary(name, match, top, scale, factsOf(request.site)),
    answer: question === undefined ? [] : [...answerQuestion(question, industry, ranked)],
    opportunities: top.map(({ opportunity }, place) => ({
      ...toParts(opportunity),
      seen: seenLine(quotes[place]),
    })),
    quickWin: {
      title: quickWin.title,
      why: quickWin.why,
      steps: [
        ...(offer === undefined ? [] : [`Choose one offer of the site to begin with, such as “${offer}”.`]),
        ...quickWin.steps,
      ],
    },
    assumptions: assumptions(request, name, match, top, scale, quotes),
  }
}

/** What the question is about comes first, in its order; the business decides the rest. */
function orderOf(usual: readonly Ranked[], fit: SubjectFit | undefined): readonly Ranked[] {
  if (fit === undefined || !fit.isKnown) return usual
  const asked = fit.ranked.filter(({ relevance }) => relevance > 0)
  const rest = usual.filter(({ opportunity }) => !asked.some((each) => each.opportunity === opportunity))
  return [...asked, ...rest]
}

function tooLittleFor({ named }: Scale): GatewayError {
  const problem = `It knows too little work that fits “${named ?? 'this size'}”.`
  return new GatewayError(
    'TEXT_NOT_KNOWN',
    { field: 'question', problem },
    { hint: `${problem} Leave the size out, or ask about a larger team.` },
  )
}

/** Words that rule out work: those of the name and the industry, and those of the site's own description. */
function hintsOf({ businessName, industry, site }: AnalysisRequest): string {
  const facts = factsOf(site)
  return [businessName, industry ?? '', facts?.name ?? '', ...(facts?.offers ?? [])].join(' ')
}

function seenLine(sentence: SiteSentence | undefined): string {
  return sentence === undefined ? '' : `“${sentence.text}” (${sentence.page})`
}

function summary(
  name: string,
  { industry }: IndustryMatch,
  ranked: readonly Ranked[],
  scale: Scale,
  facts: SiteFacts | undefined,
): string {
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
  const [offer, other] = facts?.offers ?? []
  const offers = [offer, other].filter((each) => each !== undefined)
  const shown =
    facts === undefined || offers.length === 0
      ? ''
      : ` around what its site offers, such as ${listOf(offers.map((each) => `“${each}”`))}`
  return [
    `For ${name}, the hours most worth winning back are likely to sit in ${listOf(top.map((each) => each.subject))}${shown}.`,
    scale.named === undefined
      ? `At volumes typical of ${industry.scale}, the three together return ${min} to ${max} hours a month.`
      : `At volumes fitted to “${scale.named}”, the three together return ${min} to ${max} hours a month.`,
    reason,
    'The quick win further down is a first step that fits into a week.',
  ].join(' ')
}

function toParts(opportunity: Opportunity): Omit<OpportunityParts, 'seen'> {
  return {
    title: opportunity.title,
    description: opportunity.description,
    currentState: opportunity.currentState,
    potentialState: opportunity.potentialState,
    hoursMin: opportunity.hours.min,
    hoursMax: opportunity.hours.max,
    volume: volumeOf(opportunity),
    impact: opportunity.impact,
    effort: opportunity.effort,
    approach: [...opportunity.automationApproach],
    tools: [...opportunity.recommendedTools],
    caution: opportunity.watchOut,
  }
}

function volumeOf({ hours: { task } }: Opportunity): OpportunityParts['volume'] {
  const { count, unit, per, minutes, removed } = task
  return { count, unit, per, minutes, removedFrom: removed[0], removedTo: removed[1] }
}

function assumptions(
  request: AnalysisRequest,
  name: string,
  match: IndustryMatch,
  ranked: readonly (Ranked & { readonly original: Opportunity })[],
  scale: Scale,
  quotes: readonly (SiteSentence | undefined)[],
): string[] {
  const { industry } = match
  const borrowed = ranked.filter(({ original }) => !industry.opportunities.includes(original))
  return [
    industryNote(request, match),
    scale.named === undefined
      ? `Volumes and hours are typical of ${industry.scale}; they were not measured at ${name}. Put your own counts into each basis to get your own hours.`
      : `Volumes are those of ${industry.scale}, computed for “${scale.named}” in proportion; they were not measured at ${name}. Put your own counts into each basis to get your own hours.`,
    siteNote(request.website, request.site),
    ...unseenNote(ranked, quotes, request.site),
    ...(borrowed.length === 0
      ? []
      : [
          `${capitalized(listOf(borrowed.map(({ opportunity }) => opportunity.subject)))} ${borrowed.length === 1 ? 'comes' : 'come'} from general practice and ${borrowed.length === 1 ? 'is' : 'are'} not special to ${industry.field}.`,
        ]),
    'Tools are named as examples of their kind; check price, data protection and fit before buying.',
  ]
}

/** Names the work that rests on the industry alone. */
function unseenNote(
  ranked: readonly Ranked[],
  quotes: readonly (SiteSentence | undefined)[],
  site: SiteReading | undefined,
): string[] {
  const unseen = ranked.filter((_, place) => quotes[place] === undefined)
  if (site?.outcome !== 'read' || unseen.length === 0) return []
  return [
    `The pages that were read say nothing about ${listOf(
      unseen.map(({ opportunity }) => opportunity.subject),
      'or',
    )}; what stands there is the pattern of the industry.`,
  ]
}

function industryNote(request: AnalysisRequest, { industry, how }: IndustryMatch): string {
  const profile = `the profile for ${industry.field}`
  switch (how) {
    case 'given':
      return `You named the industry as “${presentText(request.industry, 80) ?? industry.name}”; ${profile} was used.`
    case 'read':
      return `No industry was named; the website shows it, and ${profile} was used.`
    case 'inferred':
    case 'unknown':
      return `No industry was named; it was inferred from the other fields, and ${profile} was used.`
  }
}
