import { terms } from '../knowledge/industry.ts'
import type { Tone } from './tone.ts'

/** Warm and encouraging: speaks to "you", contracts, reassures. */
export const friendly: Tone = {
  id: 'friendly',
  aliases:
    terms(`friendly, warm, approachable, welcoming, kind, helpful, encouraging, supportive, empathetic, caring,
    personal, gentle, positive, optimistic, upbeat, inspirational, inspiring, motivational, human, inviting`),
  contractions: true,
  suffixes: ['a friendly guide to getting time back', 'small steps that make your week easier'],
  openings: [
    [
      'If you have been reading about {about} and feel more tired than before, you are in good company.',
      'There is a lot of advice around, and most of it forgets that you already have a full day.',
      'So let us keep it simple: here is what people in {field} can do about {key} without turning everything upside down.',
    ],
    [
      'You do not need to be a technical person to make progress on {about}.',
      'What you need is a cup of coffee, an honest look at your week, and one thing you would love to stop doing.',
      'This guide is here to help you think about {key} one calm step at a time.',
    ],
  ],
  roadmap:
    'We will look at three things together: {main}, {second}, and {third}. For each one you will see what it often looks like now, what it could look like, and how much time you might get back.',
  why: {
    heading: 'It is not your fault that this takes so long',
    bridge: 'It helps to know one more thing.',
    more: 'And there is something else you may recognize.',
  },
  leads: [
    'Let us begin with {main}, since you will probably recognize the scene.',
    'Next comes something that quietly wears people out.',
    'And here is the last one, because fixing it feels surprisingly good.',
  ],
  changes: [
    'Now picture an easier version.',
    'Here is how it can feel instead.',
    'It really can be simpler than that.',
  ],
  hours: [
    'Say you have {volume} at about {minutes} minutes each: if {least} to {most} percent of that goes away, you get {min} to {max} hours back every month.',
    'With {volume}, that could give you {min} to {max} hours a month for nicer things.',
    'If you handle {volume}, you can hope for {min} to {max} hours a month.',
  ],
  tools:
    'If you would like to try something ready-made, {tools} are good places to look, and most let you test before you pay.',
  cautions: [
    'One gentle warning, though.',
    'Please keep one thing in mind.',
    'Just be a little careful here.',
  ],
  week: {
    heading: 'Something you can try this week',
    intro:
      'You do not have to settle every question about {key} first; here is one thing that fits between two meetings.',
    after: 'If it does not work the first time, that is fine, because you will know what to change.',
  },
  proof: {
    heading: 'How you will notice that it helps',
    lead: 'You will feel the difference, and it is still nice to see it in a number.',
    after: 'Write the number down before you start, and be proud of it four weeks later.',
  },
  closing: {
    heading: 'You have got this',
    sentences: [
      'Nobody gets everything right about {key} at the first attempt, and nobody has to.',
      'Choose one small thing, ask the people who do the work what would help, and give it two weeks.',
      'Starting with {main} is plenty, and your future self will thank you for it.',
    ],
  },
}
