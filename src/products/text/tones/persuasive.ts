import { terms } from '../knowledge/industry.ts'
import type { Tone } from './tone.ts'

/** Argues for acting now: cost of waiting, contrast, a clear request; with figures, without pressure tricks. */
export const persuasive: Tone = {
  id: 'persuasive',
  aliases:
    terms(`persuasive, convincing, sales, salesy, promotional, marketing, compelling, urgent, call to action, provocative,
    passionate, advertising, conversion, dramatic, challenging, action-oriented`),
  contractions: true,
  suffixes: ['the case for starting this month', 'what waiting really costs you'],
  openings: [
    [
      'Every week without a decision about {about} has a price, and you are already paying it.',
      'It does not appear on any invoice. It appears in evenings, in answers that come too late, and in good people who leave.',
      'Give this page five minutes, and you will see why a decision on {key} is easier than you think.',
    ],
    [
      'Ask yourself one question about {about}: what would you do with a free day every week?',
      'That day exists. It is hidden in tasks that your people repeat without needing to.',
      'Here is how {organizations} find it, and why a clear answer on {key} should not wait for the next budget.',
    ],
  ],
  roadmap:
    'Three changes carry most of the gain: {main}, {second}, and {third}. Look at what each costs you today, then at what you get in return, and decide for yourself.',
  why: {
    heading: 'What standing still costs in {field}',
    bridge: 'And the ground is moving.',
    more: 'It gets worse if you look closer.',
  },
  leads: [
    'Start where it hurts most: {main}.',
    'Then take on the next leak.',
    'Finally, stop walking past this one.',
  ],
  changes: ['Now compare.', 'You can have this instead.', 'It does not have to stay that way.'],
  hours: [
    'Do the sum for yourself: {volume}, about {minutes} minutes each, and {least} to {most} percent of it avoidable. That is {min} to {max} hours a month you are giving away.',
    'At {volume}, {min} to {max} hours a month come back to you.',
    'With {volume}, there are {min} to {max} hours a month on the table.',
  ],
  tools:
    'You do not need to build anything: {tools} are on the market today, and most offer a trial. Use it.',
  cautions: [
    'Is there a catch? Only one worth knowing.',
    'Do it properly, though.',
    'One condition applies.',
  ],
  week: {
    heading: 'Your first move, this week',
    intro:
      'You do not need anyone’s permission to get going on {key}, and you do not need a budget to do this much.',
    after: 'Then show the result to whoever holds the budget, and let it speak.',
  },
  proof: {
    heading: 'Proof that convinces the skeptics',
    lead: 'Doubters are right to ask for evidence, so give them some.',
    after: 'Note it today. In four weeks, you will not have to argue any more.',
  },
  closing: {
    heading: 'The choice in front of you',
    sentences: [
      'You can go on collecting opinions about {key}, or you can collect results.',
      'The first step costs you an afternoon, and doing nothing costs you one every week.',
      'Choose {main}, choose a date in the next seven days, and tell one colleague about it. That is all it takes to begin.',
    ],
  },
}
