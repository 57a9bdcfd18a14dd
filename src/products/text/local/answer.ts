import type { Industry, Opportunity } from '../knowledge/industry.ts'
import { listOf } from '../plain-text.ts'
import type { Ranked } from './rank.ts'
import { findClosest } from './words.ts'

/**
 * Answers the caller's question from the opportunity that matches it best. The wording of the question decides which
 * facts the answer has: tools for a question about tools, risks for a question about risks.
 */
export function answerQuestion(
  question: string,
  industry: Industry,
  ranked: readonly Ranked[],
): readonly string[] {
  const [first, second] = ranked
  if (first === undefined) return []
  if (first.relevance === 0) return answerInGeneral(question, first.opportunity)
  const { opportunity } = first
  const asked = sentencesFor(question)
  const chosen = asked.length === 0 || asksHow.test(question) ? [how, ...asked] : asked
  const pain = findClosest(industry.painPoints, question, ({ title, detail }) => `${title} ${detail}`, 2)
  const fact = findClosest(industry.facts, question, (each) => each, chosen.includes(risk) ? 1 : 2)
  return [
    `The closest match to your question is ${opportunity.subject}, ranked first below.${pain === undefined ? '' : ` ${pain.detail}`}`,
    ...[...new Set(chosen)].slice(0, 3).map((write) => write(opportunity)),
    ...(fact === undefined ? [] : [`Worth knowing: ${fact}`]),
    ...(second !== undefined && second.relevance > first.relevance / 3
      ? [`Related, and ranked second below: ${second.opportunity.subject}.`]
      : []),
  ]
}

/** "How can we …" asks for a way, even beside another question; "how much" and "how long" ask for a figure. */
const asksHow = /\bhow (?!much|long|many|expensive)/i

type Sentence = (opportunity: Opportunity) => string

const how: Sentence = ({ automationApproach, measure }) =>
  `How to go about it: put these building blocks in place one after the other: ${listOf(automationApproach)}. Begin with one team or one kind of case, and follow one figure from the first day: ${measure}.`

const time: Sentence = ({ hours }) =>
  `How much time: ${hours.min} to ${hours.max} hours a month, assuming ${hours.basis}. With another volume the hours change in proportion.`

const money: Sentence = ({ hours, recommendedTools }) =>
  `What it costs and returns: prices change too often to be quoted here, so set the offers of ${listOf(recommendedTools, 'or')} against ${hours.min} to ${hours.max} hours a month at your own hourly cost, and add about a month of those hours for setting it up.`

const tools: Sentence = ({ recommendedTools, automationApproach }) =>
  `Which tools: ${listOf(recommendedTools)} are established choices. Whichever you try, it should give you ${listOf(automationApproach)}.`

const beginning: Sentence = ({ measure, automationApproach }) =>
  `Where to start: note today’s figure for ${measure}. Then put in place the first building block, ${automationApproach[0] ?? 'a single test case'}, for one team or one kind of case, and widen it when the figure moves.`

const risk: Sentence = ({ watchOut }) =>
  `What to be careful about: ${watchOut} Keep a record of what was decided automatically, and let a person own the exceptions.`

const measuring: Sentence = ({ measure }) =>
  `How to measure it: follow ${measure}. Take the figure before you change anything and again after four weeks.`

const intents: readonly { readonly pattern: RegExp; readonly sentence: Sentence }[] = [
  {
    pattern:
      /\b(risks?|safe|safely|secure|security|privacy|complian\w+|legal|legally|gdpr|hipaa|ferpa|careful|danger\w*|wrong)\b/i,
    sentence: risk,
  },
  {
    pattern:
      /\b(costs?|price[sd]?|pricing|budget|expensive|cheap\w*|afford|roi|worth|pay ?back|return on)\b/i,
    sentence: money,
  },
  { pattern: /\b(tools?|software|apps?|platforms?|vendors?|products?|systems?)\b/i, sentence: tools },
  { pattern: /\b(hours?|how much time|time sav\w+|save time|how long)\b/i, sentence: time },
  {
    pattern: /\b(start|starting|begin|first step|where do we|where should|prioriti\w+|this week|quick)\b/i,
    sentence: beginning,
  },
  { pattern: /\b(measure|measuring|kpis?|metrics?|success|know (?:if|whether))\b/i, sentence: measuring },
]

function sentencesFor(question: string): readonly Sentence[] {
  return intents.filter(({ pattern }) => pattern.test(question)).map(({ sentence }) => sentence)
}

function answerInGeneral(question: string, best: Opportunity): readonly string[] {
  const asked = sentencesFor(question)
  return [
    `The question names no single task, so the answer is the strongest candidate: ${best.subject}. ${best.description}`,
    ...(asked.length === 0 ? [how] : asked).slice(0, 2).map((write) => write(best)),
  ]
}
