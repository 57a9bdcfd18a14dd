import type { Industry } from '../knowledge/industry.ts'
import { knowledge } from '../knowledge/knowledge.ts'
import { listOf } from '../plain-text.ts'
import { foreignKindsIn } from './foreign-kinds.ts'
import { findIndustry, type IndustryMatch } from './industry.ts'
import { type Ranked, rank, relevanceOf, stemsMet } from './rank.ts'
import { withoutTrades } from './trades.ts'
import { subjectWords, unknownWords } from './vocabulary.ts'
import { stem, wordsOf } from './words.ts'

/**
 * Decides whether the knowledge base can say something about a topic or a question. An article on volunteers at food
 * banks would otherwise become one about loan documents, because both texts have the word "bank" in them.
 */
export type SubjectFit =
  | { readonly isKnown: true; readonly ranked: readonly Ranked[] }
  /** `problem` completes "The topic …". */
  | { readonly isKnown: false; readonly problem: string }

/**
 * @param text the topic or question.
 * @param hints words that rule out work which such a business does not have.
 * @param isQuestion a question may tell of other things beside its task, a topic may not.
 */
export function fitSubject(
  industry: Industry,
  text: string,
  hints: string,
  { isQuestion = false }: { readonly isQuestion?: boolean } = {},
): SubjectFit {
  // Whom the text is for is known by then: the industry of a trade is that of small businesses.
  const asked = industry.slug === 'other' ? withoutTrades(text) : text
  const kinds = foreignKindsIn(asked)
  const strange = [
    ...kinds,
    ...unknownWords(asked).filter(
      (word) => !kinds.some((kind) => word.startsWith(kind) || kind.includes(word)),
    ),
  ]
  if (strange.length > 0) {
    const words = listOf(strange.slice(0, 6).map((word) => `“${word}”`))
    return { isKnown: false, problem: `has words that match nothing it knows: ${words}` }
  }
  const task = withoutReaders(asked)
  const words = subjectWords(task)
  const ranked = rank(industry, words.join(' '), hints)
  if (words.length === 0) {
    return aboutWork.test(asked)
      ? { isKnown: true, ranked }
      : { isKnown: false, problem: 'names no task or process' }
  }
  const stems = words.map(stem)
  const metBy = (each: Ranked) => stemsMet(stems, each.opportunity)
  // The work that has a word for more of the subject comes first.
  const closest = ranked.toSorted((a, b) => metBy(b).length - metBy(a).length)
  const [best] = closest
  const met = best === undefined ? [] : metBy(best)
  const head = headOf(task)
  const isCovered = isQuestion
    ? met.length * 3 >= stems.length
    : met.length * 2 > stems.length && (!stems.includes(head) || met.includes(head))
  return best !== undefined &&
    relevanceOf(stems, best.opportunity) >= (isQuestion ? minRelevance / 2 : minRelevance) &&
    isCovered
    ? { isKnown: true, ranked: closest.map((each) => withRelevance(each, stems)) }
    : { isKnown: false, problem: `is not among the work that it knows of ${industry.field}` }
}

/** What the caller asked for is relevant, whichever industry it is borrowed from. */
function withRelevance(each: Ranked, stems: readonly string[]): Ranked {
  return { ...each, relevance: Math.max(each.relevance, stemsMet(stems, each.opportunity).length) }
}

/** "Faster quotes for machine shops" is about quotes; whom it is for is known by then. */
function withoutReaders(asked: string): string {
  const [, task, readers] = /^(.+?) (?:for|at|in) (.+?)[.?!]*$/i.exec(asked) ?? []
  if (task === undefined || readers === undefined || wordsOf(readers).length > 6) return asked
  return findIndustry({ subject: readers }).isSure ? task : asked
}

/** The weight of a word in `topics` that no more than a fifth of the industry's other work shares. */
const minRelevance = 1.5

/** A topic without a task of its own is about all of them when it speaks of work itself. */
const aboutWork =
  /\b(?:automat\w+|paperwork|admin\w*|office work|back office|efficien\w+|productiv\w+|workflows?|processes|repetitive|manual work|busywork|save (?:time|hours)|hours|where (?:do we|should we|to) (?:start|begin)|what should we|first step|best first)\b/i

/** The stem of the last word before the first preposition: "customer service training for nurses" is about training. */
function headOf(text: string): string {
  const [phrase = ''] = text.split(
    /[,:;?(]| (?:for|in|with|without|at|of|that|who|and|or|from|on|to|by|when|before|after) /i,
    1,
  )
  return stem(wordsOf(phrase).at(-1) ?? '')
}

/**
 * Finds the industry of an article: the one named, else the one of the readers behind "for", else the one whose work
 * the topic names, else all small businesses.
 */
export function industryOfTopic(topic: string, named: string | undefined): IndustryMatch {
  if (named !== undefined) return findIndustry({ industry: named })
  const [, readers] = /^.+? for (.+)$/i.exec(topic) ?? []
  const ofReaders = readers === undefined ? undefined : findIndustry({ subject: readers })
  if (ofReaders?.isSure) return ofReaders
  const ofTopic = findIndustry({ subject: topic })
  if (ofTopic.isSure) return ofTopic
  const [own, general] = [ofTopic.industry, knowledge.other].map(
    (industry) => rank(industry, topic, topic)[0]?.relevance ?? 0,
  )
  return (own ?? 0) > (general ?? 0) ? ofTopic : { industry: knowledge.other, how: 'unknown', isSure: false }
}
