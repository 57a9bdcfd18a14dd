import { terms } from '../knowledge/industry.ts'
import type { Tone } from './tone.ts'

/** Firm and short: states positions, gives orders of priority, never contracts. */
export const authoritative: Tone = {
  id: 'authoritative',
  aliases:
    terms(`authoritative, expert, confident, assertive, bold, commanding, decisive, direct, opinionated, strong,
    thought leadership, thought leader, leadership, visionary, academic, scholarly, analytical, critical`),
  contractions: false,
  suffixes: ['what leaders in {field} get right', 'the order in which to act'],
  openings: [
    [
      'Much of what is said about {about} is wrong in the same way: it starts with tools.',
      'Tools come last. First comes the volume of the work, then the rule that governs it, then the owner.',
      'Leaders of {organizations} who settle these three points before they decide about {key} rarely regret the outcome.',
    ],
    [
      'The debate about {about} has gone on long enough to separate what works from what merely sounds modern.',
      'What works is narrow, measured and owned by one person.',
      'Anyone responsible for {organizations} should judge every proposal about {key} by that standard.',
    ],
  ],
  roadmap: 'Three subjects come first, in this order: {main}, {second}, {third}. Everything else can wait.',
  why: {
    heading: 'The root of the problem in {field}',
    bridge: 'The facts leave little room for excuses.',
    more: 'There is a deeper cause.',
  },
  leads: [
    'Priority one is {main}.',
    'Priority two follows directly.',
    'Priority three completes the picture.',
  ],
  changes: [
    'This can be ended.',
    'The standard should be higher.',
    'A disciplined organization does it differently.',
  ],
  hours: [
    'The arithmetic is plain: {volume}, about {minutes} minutes each, {least} to {most} percent of it unnecessary. That is {min} to {max} hours a month.',
    'At {volume}, {min} to {max} hours a month are at stake.',
    'With {volume}, expect {min} to {max} hours a month, and accept no plan that promises more without a count.',
  ],
  tools:
    'Established products exist: {tools}. Demand a trial on your own cases and ignore every demonstration.',
  cautions: ['One rule is not negotiable.', 'There is a boundary.', 'Do not cross this line.'],
  week: {
    heading: 'What to do within seven days',
    intro: 'Action settles more arguments about {key} than any committee.',
    after: 'Act on the result at once, or do not begin.',
  },
  proof: {
    heading: 'The numbers that count',
    lead: 'What is not measured is not managed; it is merely discussed.',
    after: 'Take the baseline today. A target without a baseline is a wish.',
  },
  closing: {
    heading: 'The verdict',
    sentences: [
      'The evidence on {key} points in one direction.',
      'Start narrow, put one person in charge, measure in weeks.',
      'Begin with {main}. Organizations that do so will set the pace, and the others will explain why they waited.',
    ],
  },
}
