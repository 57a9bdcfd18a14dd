import { countWords, wordLimits } from '../count-words.ts'
import { hoursSaved } from '../knowledge/industry.ts'
import type { AnalysisParts, BlogParts, OpportunityParts, ResearchParts } from '../parts.ts'
import { oneLine, presentText } from '../plain-text.ts'
import { renderBlog } from '../render.ts'
import { sentencesIn } from '../sentences.ts'
import { factsOf, type SiteReading } from '../site.ts'
import { otherLanguage } from './languages.ts'

/**
 * Finds what is wrong with an answer of the right shape. A buyer counts the keyword, reads a sentence twice and
 * multiplies the hours; so does this file, and the model is asked again with the first fault it finds.
 * Each function returns a sentence for the model, or undefined for an answer that may be sold.
 */

export function findAnalysisFault(
  { answer, opportunities, summary, quickWin, assumptions }: AnalysisParts,
  request: { readonly question?: string | undefined; readonly site?: SiteReading | undefined },
  language: string,
): string | undefined {
  const asked = presentText(request.question) !== undefined
  if (asked && answer.length === 0) return 'The question was not answered.'
  const prose = [
    summary,
    ...answer,
    ...opportunities.flatMap(({ title, description, currentState, potentialState, approach, caution }) => [
      approach.join(', '),
      title,
      description,
      currentState,
      potentialState,
      caution,
    ]),
    quickWin.why,
    ...quickWin.steps,
    ...assumptions,
  ]
  return (
    firstOf(opportunities, findHoursFault) ??
    findTotalFault(opportunities, [summary, ...answer]) ??
    firstOf(opportunities, ({ seen }) => findQuoteFault(seen, request.site)) ??
    findRepetition(prose) ??
    findLanguageFault(prose, language)
  )
}

export function findResearchFault(
  { overview, painPoints, outreach, starters }: ResearchParts,
  request: { readonly site?: SiteReading | undefined },
  language: string,
): string | undefined {
  const message = outreach.message.join(' ')
  if (countWords(message) > maxMessageWords)
    return `The first message had ${countWords(message)} words; it may have ${maxMessageWords}.`
  if (/\[[^\]]{2,40}\]|\{[^}]{2,40}\}/.test(message))
    return 'The first message had a placeholder in brackets.'
  const closed = starters.find((each) => !/[?？؟]\s*$/u.test(each))
  if (closed !== undefined) return `The conversation starter “${oneLine(closed, 80)}” is not a question.`
  const prose = [
    ...overview,
    ...painPoints.flatMap(({ title, detail, check }) => [title, detail, check]),
    ...outreach.angle,
    outreach.objection,
    ...outreach.message,
    ...starters,
  ]
  return (
    findQuoteFault(overview.join(' '), request.site) ??
    findRepetition(prose) ??
    findLanguageFault(prose, language)
  )
}

/** What is asked for is 120; people and models count differently. */
const maxMessageWords = 150

export function findBlogFault(
  parts: BlogParts,
  request: { readonly targetKeyword?: string | undefined },
  language: string,
): string | undefined {
  const { content } = renderBlog(parts)
  const words = countWords(content)
  if (words < wordLimits.min || words > wordLimits.max)
    return `The article had ${words} words; it needs ${wordLimits.min} to ${wordLimits.max}.`
  const prose = [
    ...parts.introduction,
    ...parts.sections.flatMap(({ heading, paragraphs, steps, after }) => [
      heading,
      ...paragraphs,
      ...steps,
      ...after,
    ]),
    ...parts.faq.flatMap(({ question, answer }) => [question, answer]),
  ]
  return (
    findKeywordFault(content, request.targetKeyword) ??
    findFaqFault(parts) ??
    findRepetition(prose) ??
    findLanguageFault(prose, language)
  )
}

const keywordLimits = { min: 5, max: 10 } as const

function findKeywordFault(content: string, targetKeyword: string | undefined): string | undefined {
  const keyword = presentText(targetKeyword, 100)
  if (keyword === undefined) return undefined
  const count = occurrences(content, keyword)
  return count < keywordLimits.min || count > keywordLimits.max
    ? `The keyword “${keyword}” stood ${count} times in the article; it needs ${keywordLimits.min} to ${keywordLimits.max}.`
    : undefined
}

/** Counts whole words in any case, as search engines do. */
function occurrences(text: string, keyword: string): number {
  const plain = (line: string) => line.normalize('NFKC').toLowerCase().replace(/\\/g, '').replace(/\s+/g, ' ')
  const wanted = plain(keyword).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return plain(text).match(new RegExp(`(?<![\\p{L}\\p{N}])${wanted}(?![\\p{L}\\p{N}])`, 'gu'))?.length ?? 0
}

function findFaqFault({ faq, sections }: BlogParts): string | undefined {
  const wrong = faq.find(({ question }) => !/[?？؟;]\s*$/u.test(question))
  if (wrong) return `“${oneLine(wrong.question, 80)}” in faq does not end with a question mark.`
  const short = faq.find(({ answer }) => answer.length < 60 && countWords(answer) < 10)
  if (short) return `The answer to “${oneLine(short.question, 80)}” is too short to stand on its own.`
  if (new Set(faq.map(({ question }) => comparable(question))).size < faq.length)
    return 'Two questions in faq are the same.'
  if (sections.some(({ heading }) => /^(?:faqs?|frequently asked questions)\b/i.test(heading.trim())))
    return 'Questions and answers belong into faq, not into a section.'
  return sections.some(({ steps }) => steps.length >= 3)
    ? undefined
    : 'No section has steps; one section needs four to six of them.'
}

function findHoursFault({ title, hoursMin, hoursMax, volume }: OpportunityParts): string | undefined {
  const { min, max } = hoursSaved({ ...volume, removed: [volume.removedFrom, volume.removedTo] })
  if (volume.removedFrom > volume.removedTo) return `In “${title}”, removedFrom exceeds removedTo.`
  const isNear = (told: number, computed: number) => Math.abs(told - computed) <= Math.max(1, computed * 0.05)
  return isNear(hoursMin, min) && isNear(hoursMax, max)
    ? undefined
    : `The hours of “${oneLine(title, 80)}” do not multiply out: ${volume.count} ${volume.unit} a ${volume.per} at ${volume.minutes} minutes with ${volume.removedFrom} to ${volume.removedTo} percent removed are ${min} to ${max} hours a month, not ${hoursMin} to ${hoursMax}.`
}

/** Hours a month that the prose names must be those of the opportunities or their sum. */
function findTotalFault(
  opportunities: readonly OpportunityParts[],
  prose: readonly string[],
): string | undefined {
  const mins = opportunities.map(({ hoursMin }) => hoursMin)
  const maxs = opportunities.map(({ hoursMax }) => hoursMax)
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
  const known = [...mins, ...maxs, sum(mins), sum(maxs)]
  for (const [, from, to] of prose.join(' ').matchAll(hoursInProse)) {
    const named = [from, to].flatMap((each) => (each === undefined ? [] : [Number(each)]))
    const wrong = named.find((each) => !known.some((one) => Math.abs(one - each) <= 2))
    if (wrong !== undefined)
      return `The text names ${wrong} hours a month; the opportunities are ${mins.join(', ')} to ${maxs.join(', ')} hours, together ${sum(mins)} to ${sum(maxs)}.`
  }
  return undefined
}

const hoursInProse = /\b(\d{1,4})(?:\s*(?:to|-|–|and)\s*(\d{1,4}))? hours (?:a|per|each|every) month/gi

/** A quotation has to stand on the site: an invented one costs the buyer a customer. */
function findQuoteFault(text: string, site: SiteReading | undefined): string | undefined {
  const facts = factsOf(site)
  for (const [, quoted] of text.matchAll(/[“"]([^”"]{12,})[”"]/gu)) {
    if (quoted === undefined) continue
    const said = facts === undefined ? '' : comparable(JSON.stringify(facts))
    if (facts !== undefined && said.includes(comparable(quoted))) continue
    return `“${oneLine(quoted, 100)}” is quoted and does not stand in the site’s data. Quote word for word, or leave it out.`
  }
  return undefined
}

/** A sentence, or nearly the same sentence, that stands twice. */
function findRepetition(prose: readonly string[]): string | undefined {
  const sentences = prose.flatMap(sentencesIn).filter((each) => countWords(each) >= 6)
  const known: { readonly sentence: string; readonly pairs: ReadonlySet<string> }[] = []
  for (const sentence of sentences) {
    const pairs = pairsOf(sentence)
    const twin = known.find((other) => overlapOf(pairs, other.pairs) > 0.8)
    if (twin) return `It repeats itself: “${oneLine(sentence, 120)}” stands there twice.`
    known.push({ sentence, pairs })
  }
  return undefined
}

function pairsOf(sentence: string): ReadonlySet<string> {
  const words = comparable(sentence).split(' ')
  return new Set(words.slice(1).map((word, index) => `${words[index] ?? ''} ${word}`))
}

function overlapOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((each) => other.has(each)).length
  return shared / Math.max(1, Math.min(one.size, other.size))
}

function comparable(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ')
}

function findLanguageFault(prose: readonly string[], language: string): string | undefined {
  const other = otherLanguage(prose.join(' '), language)
  return other === undefined
    ? undefined
    : `It was written in the language “${other}”; it has to be “${language}”.`
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = find(item)
    if (fault !== undefined) return fault
  }
  return undefined
}
