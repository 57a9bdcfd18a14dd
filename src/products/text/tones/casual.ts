import { terms } from '../knowledge/industry.ts'
import type { Tone } from './tone.ts'

/** Spoken and relaxed: short sentences, "you", contractions, no ceremony. */
export const casual: Tone = {
  id: 'casual',
  aliases:
    terms(`casual, conversational, relaxed, informal, laid-back, laid back, chatty, simple, easygoing, plain, everyday,
    down to earth, colloquial, storytelling, narrative, blog, authentic, candid, honest`),
  contractions: true,
  suffixes: ['what actually helps', 'the short, honest version'],
  openings: [
    [
      'Okay, let us talk about {about}.',
      'You have seen the big promises. You have also seen what happens on Monday, when the phone rings and nobody has time for promises.',
      'So here is the no-fuss take on {key} for people who work in {field}.',
    ],
    [
      'Here is the thing about {about}: most of it is boring, and the boring part is where your hours go.',
      'Good news, because boring work is exactly what you can hand over.',
      'No jargon, no ten-year plan, just some straight talk on {key}.',
    ],
  ],
  roadmap:
    'We will go through three things: {main}, {second}, and {third}. What it looks like now, what it could look like, and what you get out of it. That is it.',
  why: {
    heading: 'So why is this still a thing?',
    bridge: 'And here is a bit most people miss.',
    more: 'Oh, and there is this one too.',
  },
  leads: [
    'First up is {main}, and you know how this goes.',
    'Next one, and it is a time sink.',
    'Last one, and it is worth your while.',
  ],
  changes: ['Now the nicer version.', 'It does not have to be like that.', 'Here is the easy way.'],
  hours: [
    'Quick math: {volume}, about {minutes} minutes each. Lose {least} to {most} percent of that and you have got {min} to {max} hours a month back.',
    'With {volume}, we are talking {min} to {max} hours a month.',
    'Got {volume}? Then it is something like {min} to {max} hours a month.',
  ],
  tools: 'Want a shortcut? Have a look at {tools}. Try one for a week before you pay for anything.',
  cautions: ['One heads-up.', 'Small catch.', 'Just do not overdo it.'],
  week: {
    heading: 'Try this before Friday',
    intro: 'Forget the master plan about {key} for a minute and do this one thing.',
    after: 'Did it help? Keep it. Did it not? Bin it and try the next thing.',
  },
  proof: {
    heading: 'Did it work, though?',
    lead: 'Gut feeling is nice, but a number ends the argument.',
    after: 'Scribble it on a sticky note now and check it again in a month.',
  },
  closing: {
    heading: 'That is the whole story',
    sentences: [
      'You can read a lot more on {key}, or you can just start.',
      'Pick {main}, give it two weeks, see what happens.',
      'Worst case, you have lost an afternoon. Best case, you get one back every week.',
    ],
  },
}
