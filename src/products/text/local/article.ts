import { countWords } from '../count-words.ts'
import type { BlogRequest } from '../engine.ts'
import type { BlogParts } from '../parts.ts'
import { presentText } from '../plain-text.ts'
import { renderBlog } from '../render.ts'
import { draft } from './article-draft.ts'
import type { Plan } from './article-plan.ts'
import { settle } from './draft.ts'
import { findIndustry } from './industry.ts'
import { readPhrase } from './phrase.ts'
import { type Ranked, rank } from './rank.ts'
import { choose } from './seed.ts'
import { findTone } from './tone.ts'
import { wordsOf } from './words.ts'

/**
 * Composes an article from the knowledge base: the topic chooses industry and subjects, the tone
 * chooses the sentences between them, and the keyword is placed as often as reads well.
 */
export function article(request: BlogRequest): BlogParts {
  const plan = planFor(request)
  const keyword = presentText(request.targetKeyword, maxPhrase)
  const most = keyword === undefined ? 3 : plan.key.isLong ? 4 : 8
  for (let mentions = most; mentions > 2; mentions -= 1) {
    const parts = settle(draft(plan, mentions))
    if (keyword === undefined || keywordShare(parts, keyword) <= maxShare) return parts
  }
  return settle(draft(plan, 2))
}

const maxPhrase = 300

/** Above this share of all words a keyword reads like stuffing, and search engines treat it so. */
const maxShare = 0.022

function planFor(request: BlogRequest): Plan {
  const asked = `${request.topic} ${request.targetKeyword ?? ''}`
  const { industry } = findIndustry({
    industry: request.industry,
    subject: asked,
  })
  const ranked = rank(industry, asked, `${asked} ${request.industry ?? ''}`)
  const [main, second, third] = varied(ranked, request.topic)
  if (main === undefined || second === undefined || third === undefined) {
    throw new Error(`the ${industry.slug} profile names fewer than three opportunities`)
  }
  const topic = readPhrase(request.topic, maxPhrase)
  const keyword = presentText(request.targetKeyword, maxPhrase)
  const repeatable = topic.isLong || topic.isQuestion ? main.opportunity.subject : request.topic
  return {
    industry,
    tone: findTone(request.tone),
    topic,
    key: readPhrase(keyword ?? repeatable, maxPhrase),
    hasKeyword: keyword !== undefined,
    subjects: [main.opportunity, second.opportunity, third.opportunity],
    isDistant: main.relevance < 1,
    seed: `${request.topic}|${request.targetKeyword ?? ''}`,
  }
}

/**
 * Keeps the order of what matches the topic and turns the rest by the topic, so that two articles of
 * one trade do not share the sections that neither of them asked for.
 */
function varied(ranked: readonly Ranked[], topic: string): readonly Ranked[] {
  const matching = ranked.filter(({ relevance }, place) => relevance > 0 || place === 0)
  const rest = ranked.filter((each) => !matching.includes(each))
  const start = rest.length === 0 ? 0 : rest.indexOf(choose(rest, topic))
  return [...matching, ...rest.slice(start), ...rest.slice(0, start)]
}

/** Occurrences of the keyword, as whole words in any case, for each word of the article. */
function keywordShare(parts: BlogParts, keyword: string): number {
  const { content } = renderBlog(parts)
  const line = ` ${wordsOf(content).join(' ')} `
  const wanted = wordsOf(keyword).join(' ')
  return wanted === '' ? 0 : (line.split(` ${wanted} `).length - 1) / countWords(content)
}
