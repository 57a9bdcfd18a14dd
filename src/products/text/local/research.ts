import type { ResearchRequest } from '../engine.ts'
import type { Industry, PainPoint } from '../knowledge/industry.ts'
import type { ResearchParts } from '../parts.ts'
import { listOf, presentText } from '../plain-text.ts'
import { factsOf, siteNote } from '../site.ts'
import type { IndustryMatch } from './industry.ts'
import { rank } from './rank.ts'
import { industryOfBusiness, refusals } from './refusals.ts'
import { composeFromSite } from './research-of-site.ts'
import { findRole, roleLine, type Target } from './roles.ts'
import { choose } from './seed.ts'
import { findClosest } from './words.ts'

/**
 * Composes a lead profile from the pattern of an industry. It states no fact about the company that the caller did not
 * send and the website does not say: a seller who repeats an invented fact in a first message loses the customer.
 * @throws GatewayError TEXT_NOT_KNOWN, TEXT_DECLINED.
 */
export function composeResearch(request: ResearchRequest): ResearchParts {
  const refusal = refusals.research(request)
  if (refusal) throw refusal
  const company = presentText(request.companyName, 120) ?? 'the company'
  const match = industryOfBusiness(request, request.companyName)
  const { industry } = match
  const target = findRole(industry, request.targetRole)
  const about = describeTarget(target)
  const hooks = rotate(industry.buyers.hooks, company)
  const hook = findClosest(hooks, about, (each) => each) ?? hooks[0] ?? ''
  const questions = rotate(industry.buyers.questions, company)
  const opening = findClosest(questions, `${about} ${hook}`, (each) => each) ?? questions[0] ?? ''
  const facts = factsOf(request.site)
  if (facts !== undefined) return composeFromSite(request, facts, { company, match, target, about })
  const painPoints = nearestFirst(industry.painPoints, `${about} ${hook}`)
  return {
    overview: overview(request, company, match),
    painPoints: painPoints.slice(0, 5).map(({ title, detail, sign }) => ({ title, detail, check: sign })),
    outreach: {
      role: roleLine(target),
      angle: angle(company, painPoints, target),
      objection: target.role.objection,
      message: message(company, industry, request, hook, opening),
    },
    starters: [
      ...questions.filter((each) => each !== opening).slice(0, 5),
      `If ${company} could take one recurring task off your list this quarter, which would you choose, and what has kept it there?`,
      `Who besides you would notice first if that task simply disappeared?`,
    ],
    assumptions: assumptions(request, company, match, target),
  }
}

function overview(request: ResearchRequest, company: string, { industry, how }: IndustryMatch): string[] {
  const subjects = rank(industry, '', hintsOf(request)).slice(0, 3)
  const named = presentText(request.industry, 80)
  const known = [`the name ${company}`, ...(named === undefined ? [] : [`the stated industry “${named}”`])]
  const source = sourceOf(industry, how)
  return [
    `What is known about the company: ${listOf(known)}. No register and no news were consulted; ${source} the pattern below describes ${industry.organizations}. Read the pattern as something to check, not as facts about ${company}.`,
    `The pattern assumes ${industry.scale}. Such an organization serves ${industry.customers}, and its working days are shaped by ${listOf(industry.workflows.map((workflow) => `“${workflow.name.toLowerCase()}”`))}.`,
    `Where such an organization automates, the first candidates are ${listOf(subjects.map(({ opportunity }) => opportunity.subject))}.`,
  ]
}

function sourceOf(industry: Industry, how: IndustryMatch['how']): string {
  if (how === 'given') return 'on that basis'
  if (industry.slug === 'other') return 'its trade has no profile of its own, so'
  return `from it the industry was inferred as ${industry.field}, and`
}

function angle(company: string, [pain]: readonly PainPoint[], { role }: Target): string[] {
  return [
    `This person cares about ${role.cares}. ${role.angle}`,
    `Before you write, check the sign for “${pain?.title ?? 'the first pain point'}” above. If ${company} shows it, open with that observation; if not, take the next pain point that does show. An observation they can verify in a minute earns more attention than praise.`,
  ]
}

function message(
  company: string,
  industry: Industry,
  request: ResearchRequest,
  hook: string,
  question: string,
): string[] {
  const [first] = rank(industry, `${hook} ${question}`, hintsOf(request))
  return [
    hook,
    `I do not know how this looks at ${company}, so I would rather ask than guess: ${lowerFirst(question)}`,
    `If it is a live subject, I can show you on two pages how ${industry.organizations} approach ${first?.opportunity.subject ?? 'it'}, including what should stay with people. If it is not, a one-line no is welcome and I will leave it there.`,
  ]
}

function assumptions(
  request: ResearchRequest,
  company: string,
  match: IndustryMatch,
  target: Target,
): string[] {
  return [
    `Everything beyond the fields you sent is a pattern of ${match.industry.field} and has not been verified for ${company}.`,
    siteNote(request.website, request.site),
    ...(match.how === 'given' ? [] : ['No industry was named; name it for a closer fit.']),
    ...(target.how === 'matched'
      ? []
      : ['Send a targetRole such as “operations manager” to get the angle for that seat.']),
    'No personal data was looked up; find the person’s name and present duties before writing.',
  ]
}

function hintsOf({ companyName, industry = '', site }: ResearchRequest): string {
  return [companyName, industry, ...(factsOf(site)?.offers ?? [])].join(' ')
}

/** The words that match hooks, questions and pain points to the person. */
function describeTarget({ role, title }: Target): string {
  return [title, role.title, role.cares, role.angle, role.objection].join(' ')
}

/** Returns all pain points, the one nearest to the person first. */
function nearestFirst(painPoints: readonly PainPoint[], interests: string): readonly PainPoint[] {
  const nearest = findClosest(painPoints, interests, ({ title, detail }) => `${title} ${detail}`)
  return painPoints.toSorted((a, b) => Number(b === nearest) - Number(a === nearest))
}

/** Rotates the items by the company, so that two companies of one industry get different pages. */
function rotate(items: readonly string[], company: string): readonly string[] {
  const start = items.indexOf(choose(items, company))
  return [...items.slice(start), ...items.slice(0, start)]
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
