import { countWords } from '../count-words.ts'
import type { BlogRequest } from '../engine.ts'
import type { BlogParts } from '../parts.ts'
import { presentText } from '../plain-text.ts'
import { renderBlog } from '../render.ts'
import { draftArticle } from './article-draft.ts'
import type { Plan } from './article-plan.ts'
import { fitToLength } from './draft.ts'
import { findIndustry } from './industry.ts'
import { readPhrase } from './phrase.ts'
import { type Ranked, rank } from './rank.ts'
import { choose } from './seed.ts'
import { findTone } from './tone.ts'
import { wordsOf } from './words.ts'

/**
 * Composes an article from the knowledge base. The topic decides industry and subjects, the tone decides the sentences
 * between them, and the keyword stands as often as reads well.
 */
export function composeArticle(request: BlogRequest): BlogParts {
  const plan = planFor(request)
  const keyword = presentText(request.targetKeyword, maxPhraseLength)
  const maxMentions = keyword === undefined ? 3 : plan.key.isLong ? 4 : 8
  for (let mentions = maxMentions; mentions > 2; mentions -= 1) {
    const parts = fitToLength(draftArticle(plan, mentions))
    if (keyword === undefined || keywordShare(parts, keyword) <= maxKeywordShare) return parts
  }
  return fitToLength(draftArticle(plan, 2))
}

const maxPhraseLength = 300

/** Of all words. Above this share, readers and search engines take the keyword for stuffing. */
const maxKeywordShare = 0.022

function planFor(request: BlogRequest): Plan {
  const asked = `${request.topic} ${request.targetKeyword ?? ''}`
  const { industry } = findIndustry({
    industry: request.industry,
    subject: asked,
  })
  const ranked = rank(industry, asked, `${asked} ${request.industry ?? ''}`)
  const [main, second, third] = rotateRest(ranked, request.topic)
  if (main === undefined || second === undefined || third === undefined) {
    throw new Error(`the ${industry.slug} profile names fewer than three opportunities`)
  }
  const topic = readPhrase(request.topic, maxPhraseLength)
  const keyword = presentText(request.targetKeyword, maxPhraseLength)
  const repeatable = topic.isLong || topic.isQuestion ? main.opportunity.subject : request.topic
  return {
    industry,
    tone: findTone(request.tone),
    topic,
    key: readPhrase(keyword ?? repeatable, maxPhraseLength),
    hasKeyword: keyword !== undefined,
    subjects: [main.opportunity, second.opportunity, third.opportunity],
    isDistant: main.relevance < 1,
    seed: `${request.topic}|${request.targetKeyword ?? ''}`,
  }
}

/**
 * Keeps the order of the opportunities that match the topic and rotates the rest by the topic, so that two articles of
 * one industry do not share the sections that neither asked for.
 */
function rotateRest(ranked: readonly Ranked[], topic: string): readonly Ranked[] {
  const matching = ranked.filter(({ relevance }, place) => relevance > 0 || place === 0)
  const rest = ranked.filter((each) => !matching.includes(each))
  const start = rest.length === 0 ? 0 : rest.indexOf(choose(rest, topic))
  return [...matching, ...rest.slice(start), ...rest.slice(0, start)]
}

/** Counts the keyword, as whole words in any case, per word of the article. */
function keywordShare(parts: BlogParts, keyword: string): number {
  const { content } = renderBlog(parts)
  const line = ` ${wordsOf(content).join(' ')} `
  const wanted = wordsOf(keyword).join(' ')
  return wanted === '' ? 0 : (line.split(` ${wanted} `).length - 1) / countWords(content)
}
