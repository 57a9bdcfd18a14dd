import { unseen } from '../../../site/addresses.ts'

/**
 * Whether a file of the site may stand in a message that its owner sends. The author of the file could otherwise write a part
 * of the message: its lines begin where ours do. What no reader can see could hide words or turn their direction.
 */
export function isFitToQuote(file: string): boolean {
  return !unseen.test(file.replace(/\s/gu, '')) && !file.split(/\r?\n|\r/).some(looksLikeOurs)
}

/** Marks, blanks and digits before the words, and letters of another script that look like ours, change nothing for a reader. */
function looksLikeOurs(line: string): boolean {
  const words = line
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const start = words.findIndex((word) => /\p{L}/u.test(word))
  return (start >= 0 && ours.test(words.slice(start).join(' '))) || words.some(isOfTwoScripts)
}

function isOfTwoScripts(word: string): boolean {
  return /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word)
}

/** How lines of a message begin. */
const ours =
  /^(?:part \d|here the lines end|our answers|please (?:change|use|add|pass)|this part is for|what (?:else )?(?:there is )?to do|where it was seen|seen today|i shall have the site|put each answer|replace|send this)(?!\p{L})/iu

/** As `isFitToQuote`, for robots.txt: it has rules, comments and nothing else. */
export function isFitRobots(file: string): boolean {
  return (
    isFitToQuote(file) &&
    file.split(/\r?\n|\r/).every((line) => /^\s{0,20}(?:#.*|[A-Za-z-]{2,40}\s{0,5}:.*)?\s*$/.test(line))
  )
}
