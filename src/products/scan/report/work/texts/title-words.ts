import type { WordsWanted } from '../../../findings/work.ts'
import type { Wording } from './wording.ts'

/** Only what the check asks for: an owner with a good title must not be told to write another. */
export function titleAndDescription({ work }: Wording): readonly string[] {
  if (work?.kind !== 'title') return []
  const { title, description, slip } = work
  return [
    ...(title === undefined
      ? []
      : [
          shortened('title', 70, title) ??
            'Write a title of 10 to 70 characters: your name, what you do, and the place.',
        ]),
    ...(description === undefined
      ? []
      : [
          shortened('description', 170, description) ??
            'Write one or two sentences of 50 to 170 characters: what you offer, and for whom.',
        ]),
    ...(slip === undefined
      ? []
      : [
          `The title says “${slip.written}”, and your pages say “${slip.right}”. Is that how your street is written? Then the message is right as it is.`,
        ]),
    ...(title === undefined && description === undefined
      ? []
      : [
          `Put ${title !== undefined && description !== undefined ? 'both' : 'it'} into the message. Can you enter what search engines show where you edit your website? Then do it there.`,
        ]),
  ]
}

function shortened(what: string, most: number, { change, such }: WordsWanted): string | undefined {
  if (change === 'write') return undefined
  const order = change === 'shorten' ? `Shorten the ${what}` : `Leave a few words out of the ${what}`
  return `${order}, so that it has at most ${most} characters. ${such === undefined ? 'What stands first stays.' : `You may take this: “${such}”`}`
}
