import type { Wording } from './wording.ts'

/** Only what the fix asks for: an owner with a good title must not be told to write another. */
export function titleAndDescription({ fix }: Wording): readonly string[] {
  const [isLongTitle, isLongDescription] = [
    /(?:out of|shorten) the title/.test(fix),
    /(?:out of|shorten) the description/.test(fix),
  ]
  const [isTitle, isDescription] = [
    isLongTitle || /a title of/.test(fix),
    isLongDescription || /a description of/.test(fix),
  ]
  const leaveOut = (what: string, most: number) =>
    `${fix.includes(`shorten the ${what}`) ? 'Shorten' : 'Leave a few words out of'} the ${what}, so that it has at most ${most} characters. ${suggested(fix, what)}`
  return [
    ...(isTitle || !isDescription
      ? [
          isLongTitle
            ? leaveOut('title', 70)
            : 'Write a title of 10 to 70 characters: your name, what you do, and the place.',
        ]
      : []),
    ...(isDescription || !isTitle
      ? [
          isLongDescription
            ? leaveOut('description', 170)
            : 'Write one or two sentences of 50 to 170 characters: what you offer, and for whom.',
        ]
      : []),
    `Put ${isTitle === isDescription ? 'both' : 'it'} into the message. Can you enter what search engines show where you edit your website? Then do it there.`,
  ]
}

/** A shorter text that the check has made of it. */
function suggested(fix: string, what: string): string {
  const text = new RegExp(`the ${what}, so that it has at most \\d+ characters, such as “([^”]+)”`).exec(
    fix,
  )?.[1]
  return text === undefined ? 'What stands first stays.' : `You may take this: “${text}”`
}

/** Whether words are wanted. An empty title that stands before the true one is only taken out. */
export function asksForTitleWords(fix: string): boolean {
  return /the title,|a title|description/.test(fix)
}
