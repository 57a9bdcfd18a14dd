import { countWords } from '../../count-words.ts'
import type { BlogRequest } from '../../engine.ts'
import type { Industry } from '../../knowledge/industry.ts'
import type { BlogParts } from '../../parts.ts'
import { presentText } from '../../plain-text.ts'
import { renderBlog } from '../../render.ts'
import { professional } from '../../tones/professional.ts'
import { type Ranked, relevanceOf } from '../rank.ts'
import { refusals } from '../refusals.ts'
import { fitSubject, industryOfTopic } from '../subject.ts'
import { stemsOf, wordsOf } from '../words.ts'
import { draftArticle } from './article-draft.ts'
import type { Plan } from './article-plan.ts'
import { fitToLength } from './draft.ts'
import { readPhrase } from './phrase.ts'
import { findTone } from './tone.ts'

/**
 * Composes an article from the knowledge base. The topic decides industry and subjects, the tone decides the sentences
 * between them, and the keyword stands as often as reads well.
 * @throws GatewayError TEXT_NOT_KNOWN, TEXT_DECLINED.
 */
export function composeArticle(request: BlogRequest): BlogParts {
  const refusal = refusals.blog(request)
  if (refusal) throw refusal
  const plan = planFor(request)
  const keyword = presentText(request.targetKeyword, maxPhraseLength)
  const maxMentions = keyword === undefined ? 3 : plan.key.isLong ? 4 : 8
  for (let mentions = maxMentions; mentions > 2; mentions -= 1) {
    const parts = thinOut(fitToLength(draftArticle(plan, mentions)), plan, keyword)
    if (keyword === undefined || keywordShare(parts, keyword) <= maxKeywordShare) return parts
  }
  return thinOut(fitToLength(draftArticle(plan, 2)), plan, keyword)
}

/** A reader notices a phrase that stands there more often. */
const maxMentionsOfSubject = 9

/**
 * Where the keyword is the main subject itself, every sentence about the subject would name it. After the first nine
 * mentions the paragraphs say "this work" instead.
 */
function thinOut(parts: BlogParts, { subjects: [main] }: Plan, keyword: string | undefined): BlogParts {
  const subject = main.subject.toLowerCase()
  if (keyword?.toLowerCase() !== subject) return parts
  const phrase = new RegExp(`(?<![\\p{L}\\p{N}])${subject}(?![\\p{L}\\p{N}-])`, 'giu')
  const fixed = [
    parts.title,
    ...parts.sections.map(({ heading }) => heading),
    ...parts.faq.map(({ question }) => question),
  ]
  let left = maxMentionsOfSubject - fixed.reduce((sum, each) => sum + (each.match(phrase)?.length ?? 0), 0)
  const thin = (text: string) =>
    text.replace(phrase, (found) => {
      left -= 1
      return left >= 0 ? found : found.charAt(0) === subject.charAt(0) ? 'this work' : 'This work'
    })
  return {
    ...parts,
    introduction: parts.introduction.map(thin),
    sections: parts.sections.map((section) => ({
      ...section,
      paragraphs: section.paragraphs.map(thin),
      steps: section.steps.map(thin),
      after: section.after.map(thin),
    })),
    faq: parts.faq.map(({ question, answer }) => ({ question, answer: thin(answer) })),
  }
}

const maxPhraseLength = 300

/** Of all words. Above this share, readers and search engines take the keyword for stuffing. */
const maxKeywordShare = 0.022

function planFor(request: BlogRequest): Plan {
  const { industry } = industryOfTopic(request.topic, presentText(request.industry))
  const hints = `${request.topic} ${request.targetKeyword ?? ''} ${request.industry ?? ''}`
  const fit = fitSubject(industry, request.topic, hints)
  if (!fit.isKnown) throw new Error(`the topic was accepted, and it ${fit.problem}`)
  const [main, second, third] = relatedRest(fit.ranked, industry)
  if (main === undefined || second === undefined || third === undefined) {
    throw new Error(`the ${industry.slug} profile names fewer than three opportunities`)
  }
  const topic = readPhrase(request.topic, maxPhraseLength)
  const keyword = presentText(request.targetKeyword, maxPhraseLength)
  const repeatable = topic.isLong || topic.isQuestion ? main.opportunity.subject : request.topic
  return {
    industry,
    tone: findTone(request.tone) ?? professional,
    topic,
    key: readPhrase(keyword ?? repeatable, maxPhraseLength),
    hasKeyword: keyword !== undefined,
    subjects: [main.opportunity, second.opportunity, third.opportunity],
    seed: `${request.topic}|${request.targetKeyword ?? ''}`,
  }
}

/**
 * Keeps the order of the opportunities that match the topic, and puts the others behind them by how much they have in
 * common with the first: the neighbors of a subject belong to an article on it, and any other work would be filler.
 */
function relatedRest(ranked: readonly Ranked[], industry: Industry): readonly Ranked[] {
  const [first] = ranked
  if (first === undefined) return []
  const { opportunity } = first
  const wanted = stemsOf([opportunity.title, opportunity.description, ...opportunity.topics].join(' '))
  const closeness = (each: Ranked) =>
    each === first
      ? Number.POSITIVE_INFINITY
      : 3 * each.relevance +
        relevanceOf(wanted, each.opportunity) +
        (industry.opportunities.includes(each.opportunity) ? 2 : 0)
  return ranked.toSorted((a, b) => closeness(b) - closeness(a))
}

/** Counts the keyword, as whole words in any case, per word of the article. */
function keywordShare(parts: BlogParts, keyword: string): number {
  const { content } = renderBlog(parts)
  const line = ` ${wordsOf(content).join(' ')} `
  const wanted = wordsOf(keyword).join(' ')
  return wanted === '' ? 0 : (line.split(` ${wanted} `).length - 1) / countWords(content)
}
