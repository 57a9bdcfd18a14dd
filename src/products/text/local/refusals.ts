import { GatewayError } from '../../../core/errors.ts'
import type { AnalysisRequest, BlogRequest, Refusals, ResearchRequest } from '../engine.ts'
import { type Industry, industrySlugs } from '../knowledge/industry.ts'
import { knowledge } from '../knowledge/knowledge.ts'
import { listOf, presentText } from '../plain-text.ts'
import { factsOf, type SiteReading } from '../site.ts'
import { findUnprintable } from '../unprintable.ts'
import { findTone, tones } from './article/tone.ts'
import { foreignKindsIn } from './foreign-kinds.ts'
import { findIndustry, type IndustryMatch } from './industry.ts'
import { findRole } from './roles.ts'
import { findScale, maxFactor, withoutSize } from './scale.ts'
import { fitSubject, industryOfTopic, type SubjectFit } from './subject.ts'
import { withoutTrades } from './trades.ts'
import { unknownWords } from './vocabulary.ts'
import { wordsOf } from './words.ts'

/**
 * What the built-in engine refuses: it knows eleven industries and some seventy kinds of work, in English. A text about
 * anything else would be filler that is not worth its price. Each refusal names the field and what to send instead.
 */
export const refusals: Refusals = {
  analysis(request) {
    const { businessName, industry, question } = request
    return (
      findUnprintable(businessName, industry, question) ??
      findBusinessFault(request, businessName, 'question') ??
      findQuestionFault(request)
    )
  },

  research(request) {
    const { companyName, industry, targetRole } = request
    return (
      findUnprintable(companyName, industry, targetRole) ??
      findBusinessFault(request, companyName, 'industry') ??
      findRoleFault(request)
    )
  },

  blog(request) {
    const { topic, targetKeyword, industry } = request
    return (
      findUnprintable(topic, targetKeyword, industry) ?? findTopicFault(request) ?? findToneFault(request)
    )
  },
}

interface Business {
  readonly industry?: string | undefined
  readonly website?: string | undefined
  readonly question?: string | undefined
  readonly site?: SiteReading | undefined
}

/** The industry of a business, by everything that is known of it. */
export function industryOfBusiness(request: Business, name: string): IndustryMatch {
  const { industry, website, question, site } = request
  return findIndustry({
    industry,
    name,
    website,
    question,
    read: factsOf(site)?.industry,
    trade: factsOf(site)?.trade,
  })
}

/** Of a website that was not read yet, nothing is known: the same check runs again when it was. */
function isUnread({ website, site }: Business): boolean {
  return presentText(website) !== undefined && site === undefined
}

function findBusinessFault(request: Business, name: string, sizeField: string): GatewayError | undefined {
  const facts = factsOf(request.site)
  const [kind] = foreignKindsIn([name, request.industry ?? ''].join(' . '))
  if (kind !== undefined) {
    return notKnown(
      'industry',
      `It has no profile for this kind of organization (“${kind}”).`,
      `Its profiles are: ${profileNames}.`,
    )
  }
  if (facts !== undefined && facts.language !== undefined && facts.language !== 'en' && !isNamed(request)) {
    return notKnown(
      'industry',
      `The website is in another language (${facts.language}), and the engine reads English only.`,
      `Name the industry, one of: ${industrySlugs.join(', ')}.`,
    )
  }
  const match = industryOfBusiness(request, name)
  if (!match.isSure) {
    if (isUnread(request)) return undefined
    const named = presentText(request.industry, 80)
    const problem =
      named === undefined
        ? `Nothing in the request says for sure what kind of business this is.${failureOf(request.site)}`
        : `It has no profile for the industry “${named}”.`
    return notKnown('industry', problem, `Send industry as one of: ${industrySlugs.join(', ')}.`)
  }
  const { named: size, factor } = findScale(match.industry, sizeTexts(request, name))
  if (size === undefined || factor <= maxFactor) return undefined
  return notKnown(
    sizeField,
    `Its profile of ${match.industry.field} describes ${match.industry.scale}, and “${size}” is far from that.`,
    'Ask about one site or one team.',
  )
}

/** The fields that can name a size, the caller's own words first. */
export function sizeTexts(request: Business, name: string): readonly (string | undefined)[] {
  return [request.question, request.industry, name]
}

function isNamed({ industry }: Business): boolean {
  return presentText(industry) !== undefined
}

function failureOf(site: SiteReading | undefined): string {
  return site?.outcome === 'failed' ? ` The website could not be read: ${site.problem}` : ''
}

function findQuestionFault(request: AnalysisRequest): GatewayError | undefined {
  const question = presentText(request.question, 600)
  if (question === undefined) return undefined
  const match = industryOfBusiness(request, request.businessName)
  if (!match.isSure) return undefined
  const { industry } = match
  const [kind] = foreignKindsIn(question)
  const fit = fitQuestion(industry, question, `${request.businessName} ${request.industry ?? ''}`)
  if (fit.isKnown && kind === undefined) return undefined
  const problem =
    kind === undefined && !fit.isKnown
      ? `The question ${fit.problem}.`
      : `The question is about something without a profile (“${kind}”).`
  return notKnown(
    'question',
    problem,
    `Ask in English about one of these, or leave the question out: ${subjectsOf(industry)}.`,
  )
}

/** A question may tell more than it asks, so some strange words do no harm as long as its task is known. */
export function fitQuestion(industry: Industry, question: string, hints: string): SubjectFit {
  const told = industry.slug === 'other' ? withoutTrades(question) : question
  const strange = unknownWords(told)
  const words = wordsOf(withoutSize(told))
  if (strange.length * 2 >= words.length)
    return { isKnown: false, problem: 'has hardly a word that the engine knows' }
  const known = words.filter((word) => !strange.includes(word)).join(' ')
  return fitSubject(industry, known, hints, { isQuestion: true })
}

function findRoleFault(request: ResearchRequest): GatewayError | undefined {
  const match = industryOfBusiness(request, request.companyName)
  if (!match.isSure) return undefined
  const { industry } = match
  if (findRole(industry, request.targetRole).how !== 'unknown') return undefined
  return notKnown(
    'targetRole',
    `It knows no such role in ${industry.field}.`,
    `Send one of: ${[...new Set([...industry.buyers.roles, ...knowledge.other.buyers.roles].map(({ title }) => title))].join('; ')}.`,
  )
}

function findTopicFault({ topic, targetKeyword, industry: named }: BlogRequest): GatewayError | undefined {
  const match = industryOfTopic(topic, presentText(named))
  if (presentText(named) !== undefined) {
    const [kind] = foreignKindsIn(named ?? '')
    if (!match.isSure || kind !== undefined) {
      return notKnown(
        'industry',
        `It has no profile for the industry “${presentText(named, 80)}”.`,
        `Send industry as one of: ${industrySlugs.join(', ')}.`,
      )
    }
  }
  const { industry } = match
  const fit = fitSubject(industry, topic, `${topic} ${named ?? ''}`)
  if (!fit.isKnown) {
    return notKnown(
      'topic',
      `The topic ${fit.problem}.`,
      `It writes in English about work such as: ${subjectsOf(industry)}.`,
    )
  }
  const strange = targetKeyword === undefined ? [] : unknownWords(withoutTrades(targetKeyword))
  if (strange.length === 0 && foreignKindsIn(targetKeyword ?? '').length === 0) return undefined
  return notKnown(
    'targetKeyword',
    `The keyword has words that match nothing it knows: ${listOf(strange.map((word) => `“${word}”`))}.`,
    'Send a keyword about the topic, or none.',
  )
}

function findToneFault({ tone }: BlogRequest): GatewayError | undefined {
  if (findTone(tone) !== undefined) return undefined
  return notKnown(
    'tone',
    `It writes in no tone like “${presentText(tone, 60)}”.`,
    `Send one of: ${tones.map(({ id }) => id).join(', ')}; or leave it out.`,
  )
}

function subjectsOf(industry: Industry): string {
  const all =
    industry.slug === 'other'
      ? industry.opportunities
      : [...industry.opportunities, ...knowledge.other.opportunities.slice(0, 4)]
  return all.map(({ subject }) => subject).join(', ')
}

const profileNames = Object.values(knowledge)
  .map(({ slug, scale }) => `${slug} (${scale})`)
  .join('; ')

function notKnown(field: string, problem: string, hint: string): GatewayError {
  return new GatewayError('TEXT_NOT_KNOWN', { field, problem }, { hint: `${problem} ${hint}` })
}
