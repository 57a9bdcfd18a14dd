import type { ResearchRequest } from '../engine.ts'
import type { Industry, PainPoint } from '../knowledge/industry.ts'
import type { ResearchParts } from '../parts.ts'
import { listOf, presentText } from '../plain-text.ts'
import { factsOf, type SiteFacts, siteNote } from '../site.ts'
import { readEvidence } from './evidence.ts'
import type { IndustryMatch } from './industry.ts'
import { rank } from './rank.ts'
import { industryOfBusiness, refusals } from './refusals.ts'
import { findRole, type Target } from './roles.ts'
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
  const painPoints = nearestFirst(industry.painPoints, `${about} ${hook}`)
  return {
    overview: overview(request, company, match),
    painPoints: painPoints.map((pain) => ({
      title: pain.title,
      detail: pain.detail,
      check: [pain.sign, ...shownOnSite(facts, pain)].join(' '),
    })),
    outreach: {
      role: roleLine(target),
      angle: angle(company, painPoints, target),
      objection: target.role.objection,
      message: message(company, industry, request, hook, opening),
    },
    starters: [
      ...questions.filter((each) => each !== opening),
      `If ${company} could take one recurring task off your list this quarter, which would you choose, and what has kept it there?`,
      `Who besides you would notice first if that task simply disappeared?`,
    ],
    assumptions: assumptions(request, company, match, target),
  }
}

function overview(request: ResearchRequest, company: string, { industry, how }: IndustryMatch): string[] {
  const facts = factsOf(request.site)
  const evidence = readEvidence(facts)
  const subjects = rank(industry, '', hintsOf(request), evidence.weight).slice(0, 3)
  const named = presentText(request.industry, 80)
  const known = [
    `the name ${company}`,
    ...(named === undefined ? [] : [`the stated industry “${named}”`]),
    ...(facts === undefined ? [] : [`what ${facts.address} says, quoted below`]),
  ]
  const source =
    how === 'given' ? 'on that basis' : `from it the industry was inferred as ${industry.field}, and`
  return [
    `What is known about the company: ${listOf(known)}. No register and no news were consulted; ${source} the pattern below describes ${industry.organizations}. Read the pattern as something to check, not as facts about ${company}.`,
    `The pattern assumes ${industry.scale}. Such an organization serves ${industry.customers}, and its working days are shaped by ${listOf(industry.workflows.map((workflow) => `“${workflow.name.toLowerCase()}”`))}.`,
    ...(facts === undefined ? [] : [siteView(company, facts)]),
    `Where such an organization automates, the first candidates are ${listOf(subjects.map(({ opportunity }) => opportunity.subject))}.`,
  ]
}

/** What an outsider can conclude from the site alone. */
function siteView(company: string, facts: SiteFacts): string {
  const offers = facts.offers.slice(0, 3).map((each) => `“${each}”`)
  const place = facts.places[0]
  const sells = offers.length === 0 ? 'lists no offers by name' : `names ${listOf(offers)} among its offers`
  const where = place === undefined ? '' : ` and gives ${place} as its place`
  const isBookable = facts.contact.includes('online booking')
  const reach =
    facts.contact.length === 0
      ? 'Its pages show no way to get through, which is itself worth a question.'
      : isBookable
        ? 'Customers can book online, so do not open with that.'
        : `Customers get through by ${listOf(facts.contact)}; no way to book online was seen.`
  const costs =
    facts.prices.length === 0
      ? 'It states no prices on the pages that were read.'
      : `It states prices (${facts.prices.slice(0, 2).join('; ')}).`
  return `The site of ${company} ${sells}${where}. ${costs} ${reach}`
}

/** The sentence of the site that has most words of a pain point. */
function shownOnSite(facts: SiteFacts | undefined, pain: PainPoint): string[] {
  const wanted = `${pain.title} ${pain.detail} ${pain.sign}`
  const found = facts === undefined ? undefined : findClosest(facts.sentences, wanted, ({ text }) => text, 3)
  return found === undefined ? [] : [`The site says: “${found.text}” (${found.page})`]
}

function roleLine({ role, title, how }: Target): string {
  switch (how) {
    case 'matched':
      return title === role.title ? title : `${title} (profile used: ${role.title})`
    case 'default':
      return `${title}, the usual first contact, because no role was named`
    case 'unknown':
      return `${title} (no profile matches this title; the angle follows the usual first contact, ${role.title})`
  }
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
  const facts = factsOf(request.site)
  const [said] = facts === undefined ? [] : [facts.offers[0] ?? facts.about[0]]
  return [
    ...(said === undefined || facts === undefined ? [] : [`On ${facts.address} I read of “${said}”.`]),
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
  return nearest === undefined ? painPoints : [nearest, ...painPoints.filter((pain) => pain !== nearest)]
}

/** Rotates the items by the company, so that two companies of one industry get different pages. */
function rotate(items: readonly string[], company: string): readonly string[] {
  const start = items.indexOf(choose(items, company))
  return [...items.slice(start), ...items.slice(0, start)]
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
