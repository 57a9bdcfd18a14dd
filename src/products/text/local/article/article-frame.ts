import { capitalized, listOf } from '../../plain-text.ts'
import { choose } from '../seed.ts'
import { wordsOf } from '../words.ts'
import { type Plan, speaker } from './article-plan.ts'
import type { Draft } from './draft.ts'

/** Writes what search engines read first: the title, the heading with the keyword, and the questions. */

/** Writes the topic as a title, with a suffix in the article's tone when the topic is short. */
export function articleTitle(plan: Plan): string {
  const { topic, tone, seed } = plan
  if (topic.isQuestion) return `${topic.heading}?`
  if (topic.isLong || /[:?!–—]/u.test(topic.heading)) return topic.heading
  const suffix = speaker(plan, 0).say(choose(tone.suffixes, seed))
  return `${topic.heading}: ${suffix}`
}

/** Writes the heading of the main subject. It names the keyword, unless the subject does already. */
export function mainHeading({ key, hasKeyword, subjects }: Plan, mentions: number): string {
  const [main] = subjects
  const named = ` ${wordsOf(main.title).join(' ')} `.includes(` ${wordsOf(key.heading).join(' ')} `)
  if (!hasKeyword || mentions < 2 || named || key.isLong) return main.title
  return `${key.heading}: begin with ${main.subject}`
}

/** Writes five questions whose answers can be read alone, as FAQ structured data needs them. */
export function questions(plan: Plan, mentions: number): Draft['faq'] {
  const { say, keyAt } = speaker(plan, mentions)
  const { subjects, tone } = plan
  const [main, second, third] = subjects
  const min = subjects.reduce((sum, { hours }) => sum + hours.min, 0)
  const max = subjects.reduce((sum, { hours }) => sum + hours.max, 0)
  return [
    {
      question: keyAt(3)('What is the first decision to make about {key}?'),
      answer: [
        say(
          `Which task comes first, and only then which product. In {field}, a strong candidate is {main}: ${main.impact} impact for ${main.effort} effort, and a volume that can be counted within a week.`,
        ),
      ],
    },
    {
      question: say('How much time is there to win in total?'),
      answer: [
        say(
          `At the volumes named above, {main}, {second}, and {third} account for ${min} to ${max} hours a month.`,
        ),
        say('They overlap a little, so plan with the lower figure and put in your own counts.'),
      ],
    },
    {
      question: say('Which tools are worth a look for {second} and {third}?'),
      answer: [
        say(
          `For {second}, look at ${listOf(second.recommendedTools)}; for {third}, at ${listOf(third.recommendedTools)}.`,
        ),
        say('Ask each vendor how data gets in, how it gets out again, and what happens when a step fails.'),
      ],
    },
    {
      question: say('What can go wrong with {second} and {third}?'),
      answer: [say(second.watchOut), { text: say(third.watchOut), rank: 3 }],
    },
    {
      question: keyAt(7)('How soon does a decision about {key} show results?'),
      answer: [
        say(capitalized(`${pace[main.effort]} is realistic for {main}, counted from the first test case.`)),
        say(
          tone.contractions
            ? 'If you do not see a change by then, make the task smaller instead of the software bigger.'
            : 'If nothing has changed by then, the task should be made smaller and not the software larger.',
        ),
      ],
    },
  ]
}

const pace = {
  low: 'two to four weeks',
  medium: 'one to three months',
  high: 'a quarter or more',
} as const
