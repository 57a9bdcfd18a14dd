import { terms } from '../knowledge/industry.ts'
import type { Tone } from './tone.ts'

/** Light and witty: images and asides, never at the cost of the facts or of the people in them. */
export const playful: Tone = {
  id: 'playful',
  aliases:
    terms(`playful, witty, humorous, humor, humour, funny, fun, quirky, lighthearted, light-hearted, cheeky, ironic,
    sarcastic, entertaining, creative, whimsical, energetic, enthusiastic, excited, amusing`),
  contractions: true,
  suffixes: ['fewer chores, more coffee', 'how to stop feeding the paper monster'],
  openings: [
    [
      'Somewhere a person is reading their ninth article about {about} while the real work quietly has puppies under the desk.',
      'We can do better than that, and nobody has to buy a robot with eyes.',
      'What follows is a cheerful but honest look at what {organizations} can do about {key} before lunch. Well, before several lunches.',
    ],
    [
      'Every office has a task that everybody hates, nobody owns, and which somehow gets done anyway, usually by the nicest person in the room.',
      'This article about {about} is for that person.',
      'Bring a pen and a slightly rebellious mood, and let us have a word about {key}.',
    ],
  ],
  roadmap:
    'On today’s menu: {main} as a starter, {second} as the main course, and {third} for dessert. You will learn what usually goes wrong in the kitchen, what it could taste like, and how many hours it saves on washing up.',
  why: {
    heading: 'Who let this get so complicated?',
    bridge: 'The plot thickens.',
    more: 'Enter the second villain.',
  },
  leads: [
    'Curtain up for {main}, a comedy in several acts.',
    'Next, a classic of the genre.',
    'And for the encore, one with a big sigh in it.',
  ],
  changes: [
    'Now let us rewrite that scene.',
    'Imagine the director’s cut.',
    'There is a happier ending, and no dragon has to be slain.',
  ],
  hours: [
    'Out comes the calculator: {volume}, about {minutes} minutes each, minus {least} to {most} percent of the nuisance. Result: {min} to {max} hours a month, and not a single rabbit was pulled out of a hat.',
    'With {volume}, that is {min} to {max} hours a month, or a respectable number of naps.',
    'For {volume}, call it {min} to {max} hours a month. Frame the number if you like.',
  ],
  tools: 'Ready-made helpers go by the names of {tools}. Take one out for a date before you marry it.',
  cautions: [
    'A word from the department of cold water.',
    'Before you pop the cork.',
    'Small print, but the good kind.',
  ],
  week: {
    heading: 'Homework, but the fun sort',
    intro: 'No manifesto on {key} required; this fits between two coffees.',
    after: 'If it flops, you have got a good story. If it works, you have got a better one.',
  },
  proof: {
    heading: 'Keeping score without a whistle',
    lead: 'Enthusiasm is lovely, and it fades around week three, which is why numbers were invented.',
    after: 'Write it on the whiteboard before someone draws a cat there.',
  },
  closing: {
    heading: 'And they lived productively ever after',
    sentences: [
      'Nobody ever said on a vacation that they wished they had spent more time worrying about {key}.',
      'So give the dull part to a machine that cannot be bored, and keep the good part.',
      'Start with {main}. The monster under the desk is smaller than it sounds.',
    ],
  },
}
