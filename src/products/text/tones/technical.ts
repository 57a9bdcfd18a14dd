import { terms } from '../knowledge/industry.ts'
import type { Tone } from './tone.ts'

/** Exact and structural: inputs, outputs, failure modes; for readers who will build it. */
export const technical: Tone = {
  id: 'technical',
  aliases:
    terms(`technical, engineering, developer, detailed, in-depth, deep dive, precise, scientific, data-driven, educational,
    instructional, tutorial, how-to, explanatory, thorough, documentation, nerdy, geeky`),
  contractions: false,
  suffixes: ['inputs, rules and failure modes', 'an implementation view'],
  openings: [
    [
      'Material about {about} usually lists features and leaves out the data flow.',
      'This article does the reverse: it names the events that start the work, the records that are read and written, and the points at which a human decision is required.',
      'The scope is {organizations}; the goal is a design for work on {key} that can be tested step by step.',
    ],
    [
      'A useful specification about {about} fits on one page: trigger, input, rule, output, exception, owner.',
      'Most failed projects can be traced to one of these six fields being empty.',
      'The sections below fill them in for {organizations} and derive requirements on {key} from observed workloads.',
    ],
  ],
  roadmap:
    'Three components are covered: {main}, {second}, and {third}. Each section states the current process, the target process, the expected load and the relevant constraint.',
  why: {
    heading: 'Problem statement',
    bridge: 'The following constraint applies.',
    more: 'A second failure mode compounds the first.',
  },
  leads: [
    'Component 1 is {main}. Current process:',
    'Component 2. Current process:',
    'Component 3. Current process:',
  ],
  changes: ['Target process:', 'Target process:', 'Target process:'],
  hours: [
    'Load model: {volume} at about {minutes} minutes each; with {least} to {most} percent removed, the yield is {min} to {max} hours a month.',
    'Load: {volume}. Expected yield: {min} to {max} hours a month.',
    'For {volume}, the model gives {min} to {max} hours a month.',
  ],
  tools:
    'Candidate products are {tools}; compare them by their interfaces, their audit log and their behavior when the other side is down.',
  cautions: ['Constraint:', 'Constraint:', 'Constraint:'],
  week: {
    heading: 'Minimal test setup',
    intro: 'Before anything larger is built on {key}, run the smallest version that yields a measurement.',
    after: 'Keep the log of this run; it is the regression test for every later version.',
  },
  proof: {
    heading: 'Metrics and acceptance',
    lead: 'Acceptance needs a baseline, a metric and a date, agreed before the change goes live.',
    after: 'Sample before and after with the same query, over windows of equal length.',
  },
  closing: {
    heading: 'Summary',
    sentences: [
      'The requirements on {key} reduce to a trigger, a rule, a record and a queue for exceptions.',
      'Implement {main} first, because its input is available and its effect can be measured within weeks.',
      'Make each step safe to repeat, log what was decided and why, and let a person own the exceptions.',
    ],
  },
}
