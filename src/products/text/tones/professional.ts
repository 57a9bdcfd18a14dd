import { terms } from '../knowledge/industry.ts'
import type { Tone } from './tone.ts'

/** The default: measured, impersonal, without contractions. */
export const professional: Tone = {
  id: 'professional',
  aliases:
    terms(`professional, formal, business, corporate, neutral, serious, polished, executive, journalistic,
    informative, informational, objective, clear, standard, default, balanced, respectful, b2b`),
  contractions: false,
  suffixes: ['where the hours go and how to win them back', 'a practical guide for {organizations}'],
  openings: [
    [
      'Most discussions about {about} begin with software and end without a change in anyone’s working day.',
      'The better starting point is the work itself: who does it, how often, and what has to wait in the meantime.',
      'This article takes that route for {organizations} and shows where a decision about {key} pays off first.',
    ],
    [
      'Decisions about {about} are often postponed because the subject looks larger than it is.',
      'Seen up close, it consists of a few recurring tasks, each with a known volume and a known cost in minutes.',
      'For {organizations}, a sober conversation about {key} begins with three of them.',
    ],
  ],
  roadmap:
    'Three subjects stand out: {main}, {second}, and {third}. For each, the following sections describe how it is usually done today, what a better arrangement looks like, and what it takes to get there.',
  why: {
    heading: 'Why the problem persists in {field}',
    bridge: 'The underlying conditions are well known.',
    more: 'A second cause is less visible.',
  },
  leads: [
    'The first candidate is {main}, because the present practice is easy to observe.',
    'The second area deserves the same scrutiny.',
    'The third area is met every week and seldom discussed.',
  ],
  changes: [
    'A better arrangement is within reach.',
    'With the routine part automated, the sequence changes.',
    'The alternative is well understood.',
  ],
  hours: [
    'Take {volume} at about {minutes} minutes each: removing {least} to {most} percent of that effort returns {min} to {max} hours a month.',
    'At {volume}, a saving of {min} to {max} hours a month is a reasonable planning figure.',
    'An organization with {volume} can expect to recover {min} to {max} hours a month.',
  ],
  tools:
    'Products such as {tools} cover this ground, and a trial with real cases reveals more than a feature comparison.',
  cautions: ['One point calls for care.', 'A limit should be respected here.', 'One reservation applies.'],
  week: {
    heading: 'A first step that fits into one week',
    intro: 'The full plan on {key} can wait until a small trial has produced a figure.',
    after: 'The result, whatever it shows, is a better basis for the next decision than an estimate.',
  },
  proof: {
    heading: 'How to tell whether it works',
    lead: 'A change that is not measured will be judged by the loudest voice in the room.',
    after: 'Record the figure before the change, and again after four weeks.',
  },
  closing: {
    heading: 'Conclusion',
    sentences: [
      'Progress on {key} seldom depends on a single large decision.',
      'It depends on choosing one recurring task, describing it honestly, and removing the part that needs no judgment.',
      'Organizations that begin with {main} and measure the result have, after a month, what most plans lack: evidence.',
    ],
  },
}
