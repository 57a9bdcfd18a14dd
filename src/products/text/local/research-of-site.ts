import type { ResearchRequest } from '../engine.ts'
import type { Opportunity } from '../knowledge/industry.ts'
import type { ResearchParts } from '../parts.ts'
import { listOf, presentText } from '../plain-text.ts'
import { pagesRead, type SiteFacts, type SiteSentence, siteNote } from '../site.ts'
import { readEvidence } from './evidence.ts'
import type { IndustryMatch } from './industry.ts'
import { rank } from './rank.ts'
import { roleLine, type Target } from './roles.ts'
import { findClosest } from './words.ts'

/** What is known before the site is read. */
export interface Lead {
  readonly company: string
  readonly match: IndustryMatch
  readonly target: Target
  /** The words that match questions to the person. */
  readonly about: string
}

/**
 * Composes the lead profile of a company whose website was read. The work that its pages speak of comes first and is
 * quoted; of the industry's pattern there is only what explains it. Two companies of one industry would otherwise get
 * the same page with another name.
 */
export function composeFromSite(request: ResearchRequest, facts: SiteFacts, lead: Lead): ResearchParts {
  const { company, match, target, about } = lead
  const { industry } = match
  const evidence = readEvidence(facts, industry)
  const hints = [request.companyName, request.industry ?? '', ...facts.offers].join(' ')
  const work = rank(industry, '', hints, (opportunity) => 2 * evidence.weight(opportunity))
    .slice(0, 3)
    .map(({ opportunity }) => opportunity)
  const quotes = evidence.quote(work)
  const [first] = work
  const [said] = quotes.filter((quote) => quote !== undefined)
  const closest = findClosest(industry.buyers.questions, `${first?.subject ?? ''} ${about}`, (each) => each)
  return {
    overview: [
      `What is known: the name ${company}${named(request)} and what ${facts.address} says. ${siteView(company, facts)}`,
      `All else is a pattern of ${industry.organizations} (${industry.scale}). Check it before you use it.`,
    ],
    painPoints: work.map((opportunity, place) => painOf(opportunity, quotes[place], facts)),
    outreach: {
      role: roleLine(target),
      angle: [
        `This person cares about ${target.role.cares}. ${target.role.angle}`,
        `${said === undefined ? `Open with “${facts.offers[0] ?? facts.about[0] ?? company}”, which its pages name` : `Open with what ${said.page === '/' ? 'the home page' : said.page} says of ${subjectOf(work, quotes, said)}`}: they can verify it in a minute.`,
      ],
      objection: target.role.objection,
      message: messageOf(company, facts, first, said),
    },
    starters: [
      ...ownQuestions(facts),
      ...otherSentences(facts, quotes).map(({ text }, place) => `${askings[place] ?? askings[0]} “${text}”`),
      ...(closest === undefined ? [] : [closest]),
    ],
    assumptions: [
      `The pattern of ${industry.field} was not verified for ${company}.`,
      siteNote(request.website, request.site),
      ...(match.how === 'given' ? [] : ['No industry was named; name it for a closer fit.']),
      ...(target.how === 'matched'
        ? []
        : ['Send a targetRole such as “operations manager” to get its angle.']),
      'No personal data was looked up.',
    ],
  }
}

const askings = [
  'Which part of this takes most time at your place:',
  'How often a week does this come up, and who does it:',
  'What would have to change before this runs by itself:',
] as const

function named({ industry }: ResearchRequest): string {
  const text = presentText(industry, 80)
  return text === undefined ? '' : `, the stated industry “${text}”`
}

/** One kind of work: what it usually takes, what the site says of it, and what to ask. */
function painOf(
  { title, subject, currentState, measure }: Opportunity,
  quote: SiteSentence | undefined,
  { address }: SiteFacts,
): ResearchParts['painPoints'][number] {
  return {
    title,
    detail: currentState,
    check:
      quote === undefined
        ? `Ask for ${measure}. Of ${subject}, ${address} says nothing.`
        : `The site says: “${quote.text}” (${quote.page}) Ask for ${measure}.`,
  }
}

function subjectOf(
  work: readonly Opportunity[],
  quotes: readonly (SiteSentence | undefined)[],
  said: SiteSentence,
): string {
  return work[quotes.indexOf(said)]?.subject ?? 'its work'
}

function messageOf(
  company: string,
  { address, offers, about, places }: SiteFacts,
  first: Opportunity | undefined,
  said: SiteSentence | undefined,
): string[] {
  const offer = offers[0] ?? about[0]
  // "In 5 Mill Lane" is no plain English, so a street gives no place.
  const [town] = places.filter((each) => !/\d/.test(each))
  const place = town === undefined ? '' : ` in ${town}`
  return [
    ...(offer === undefined ? [] : [`On ${address} I read of “${offer}”${place}.`]),
    ...(said === undefined ? [] : [`Your page says: “${said.text}”`]),
    `How much of the work on ${first?.subject ?? 'this'} goes through people’s hands at ${company} today? I would rather ask than guess.`,
    `I can show you on two pages how others go about it, and what should stay with people. A one-line no is welcome.`,
  ]
}

/** Up to three sentences of the site that tell of its work and were not quoted yet. */
function otherSentences(
  { sentences, about, customers, language }: SiteFacts,
  quotes: readonly (SiteSentence | undefined)[],
): readonly SiteSentence[] {
  if ((language ?? 'en') !== 'en') return []
  const taken = new Set([...about, ...customers, ...quotes.flatMap((quote) => quote?.text ?? [])])
  return sentences
    .filter(({ text }) => !taken.has(text) && /\b(?:we|our|us|you|your)\b/i.test(text) && text.length <= 200)
    .slice(0, askings.length)
}

/** What an outsider can conclude from the site alone. */
function siteView(company: string, facts: SiteFacts): string {
  const offers = facts.offers.slice(0, 3).map((each) => `“${each}”`)
  const place = facts.places[0]
  const sells =
    offers.length === 0
      ? `lists no offers by name on ${pagesRead(facts)}`
      : `names ${listOf(offers)} among its offers`
  const where =
    place === undefined ? '' : ` and gives ${place} as its ${/\d/.test(place) ? 'address' : 'place'}`
  const isBookable = facts.contact.includes('online booking')
  const reach =
    facts.contact.length === 0
      ? `No way to get through was found on ${pagesRead(facts)}, which is itself worth a question.`
      : isBookable
        ? 'Customers can book online, so do not open with that.'
        : `Customers get through by ${listOf(facts.contact)}; no way to book online was seen.`
  const costs =
    facts.prices.length === 0
      ? `It states no prices on ${pagesRead(facts)}.`
      : `It states prices (${facts.prices.slice(0, 2).join('; ')}).`
  return `The site of ${company} ${sells}${where}. ${costs} ${reach}`
}

/** Questions that only this business can be asked. */
function ownQuestions(facts: SiteFacts | undefined): string[] {
  if (facts === undefined) return []
  const [first, second] = facts.offers
  return [
    ...(first === undefined
      ? []
      : [
          `Your site names “${first}”: from the first contact to the invoice, which step of it costs your team most time?`,
        ]),
    ...(first === undefined || second === undefined
      ? []
      : [`What does somebody who asks for “${second}” have to tell you that you know already?`]),
    ...(facts.contact.length === 0 || facts.contact.includes('online booking')
      ? []
      : [
          `What share of the people who reach you by ${listOf(facts.contact, 'or')} want an appointment or a price?`,
        ]),
  ]
}
