import type { Opportunity } from '../knowledge/industry.ts'
import { listOf, sentence } from '../plain-text.ts'
import { articleTitle, mainHeading, questions } from './article-frame.ts'
import { figures, type Plan, speaker } from './article-plan.ts'
import type { Draft, Line } from './draft.ts'
import { findQuickWin } from './quick-win.ts'
import { choose } from './seed.ts'
import { findClosest } from './words.ts'

/**
 * Drafts an article: why the problem persists, three subjects, a first step, how to measure, a conclusion and the
 * questions. Lines with a rank are the ones a reader misses least.
 * @param mentions how many of the places that can name the keyword do so.
 */
export function draftArticle(plan: Plan, mentions: number): Draft {
  const { tone, subjects } = plan
  const [main, second, third] = subjects
  const { say, keyAt } = speaker(plan, mentions)
  const opening = choose(tone.openings, plan.seed)
  const [pain, otherPain] = painPoints(plan)
  const win = findQuickWin(main)
  return {
    title: articleTitle(plan),
    introduction: [opening.map((each) => keyAt(plan.hasKeyword ? 0 : never)(each)), [say(tone.roadmap)]],
    sections: [
      {
        heading: say(tone.why.heading),
        paragraphs: [
          [say(pain), say(tone.why.bridge), say(fact(plan))],
          [optional(5, `${say(tone.why.more)} ${say(otherPain)}`), keyAt(4)(choose(bridges, plan.seed))],
        ],
      },
      {
        heading: mainHeading(plan, mentions),
        paragraphs: [
          [say(tone.leads[0]), say(main.currentState)],
          [say(tone.changes[0]), say(main.potentialState), say(tone.hours[0], figures(main))],
          [
            say(tone.tools, { tools: listOf(main.recommendedTools) }),
            optional(4, say(`The building blocks are ${listOf(main.automationApproach)}.`)),
            say(tone.cautions[0]),
            say(main.watchOut),
          ],
        ],
      },
      subjectSection(plan, second, 1, 6),
      subjectSection(plan, third, 2, 7),
      {
        heading: say(tone.week.heading),
        paragraphs: [[keyAt(5)(tone.week.intro), say(sentence(win.title)), say(win.why)]],
        steps: win.steps.map((step) => say(step)),
        after: [[say(tone.week.after)]],
      },
      {
        heading: say(tone.proof.heading),
        paragraphs: [
          [
            say(tone.proof.lead),
            say(`For {main}, the figure to follow is ${main.measure}.`),
            optional(2, say(`For {second}, it is ${second.measure}.`)),
            say(tone.proof.after),
            optional(1, keyAt(6)(choose(settlements, plan.seed))),
          ],
        ],
      },
      {
        heading: say(tone.closing.heading),
        paragraphs: [tone.closing.sentences.map((each) => keyAt(2)(each))],
      },
    ],
    faq: questions(plan, mentions),
  }
}

const bridges = [
  'It is one reason why so much advice on {key} remains without effect.',
  'Any plan about {key} has to begin with this condition and not with a product.',
  'Whoever leaves this out will read another article on {key} next year.',
]

const settlements = [
  'A figure also settles most arguments about {key}.',
  'With a figure in hand, the next conversation about {key} will be shorter.',
  'Without one, every opinion on {key} is as good as any other.',
]

/** A place beyond every number of mentions: it never names the keyword. */
const never = Number.POSITIVE_INFINITY

function subjectSection(
  plan: Plan,
  subject: Opportunity,
  position: 1 | 2,
  rank: number,
): Draft['sections'][number] {
  const { tone } = plan
  const { say } = speaker(plan, 0)
  return {
    heading: subject.title,
    paragraphs: [
      [say(tone.leads[position]), say(subject.currentState)],
      [
        say(tone.changes[position]),
        say(subject.potentialState),
        say(tone.hours[position], figures(subject)),
        optional(rank, say(`It takes ${listOf(subject.automationApproach)}.`)),
      ],
    ],
  }
}

function optional(rank: number, text: string): Line {
  return { text, rank }
}

/** Finds the two pain points nearest to the topic. */
function painPoints({ industry, subjects, seed }: Plan): readonly [string, string] {
  const wanted = `${seed} ${subjects[0].title} ${subjects[0].topics.join(' ')}`
  const first = findClosest(industry.painPoints, wanted, ({ title, detail }) => `${title} ${detail}`)
  const start = first === undefined ? 0 : industry.painPoints.indexOf(first)
  const at = (index: number) => industry.painPoints[index % industry.painPoints.length]?.detail ?? ''
  return [at(start), at(start + 1)]
}

function fact({ industry, subjects, seed }: Plan): string {
  const wanted = `${seed} ${subjects[0].title} ${subjects[0].topics.join(' ')}`
  return findClosest(industry.facts, wanted, (each) => each) ?? choose(industry.facts, seed)
}
