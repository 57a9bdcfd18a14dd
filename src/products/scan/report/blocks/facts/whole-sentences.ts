import { sentenceEndsIn } from '../../../../text/sentences.ts'
import { shown } from '../../../site/addresses.ts'
import { isDescriptionCut } from '../../../site/html/cut-description.ts'
import type { Page } from '../../../site/site.ts'

/** The description of a page in whole sentences; empty where it is cut within the first one. */
export function wholeDescription(page: Page): string {
  return isDescriptionCut(page) ? upToSentence(page.description, 300) : wholeSentences(page.description)
}

/** A text of the site in one line, as far as its sentences are whole: a block must not publish half of one. */
export function wholeSentences(text: string): string {
  const whole = shown(text, 2_000).trim()
  const kept = upToSentence(whole, maxCharacters)
  if (whole.length > maxCharacters || /(?:…|\.\.\.)$/.test(whole)) return kept
  // Many systems cut a description at 160 characters, within a word; a Chinese or Japanese one at about 100.
  const isCut =
    !/[.!?。！？)）」』»”"]$/u.test(whole) &&
    ((whole.length >= 150 && whole.length <= 160) || (whole.length >= 80 && whole.includes('。')))
  return isCut && kept !== '' ? kept : whole
}

const maxCharacters = 300

/** Whole sentences, as many as fit; empty where the first one is longer. */
export function upToSentence(text: string, characters: number): string {
  const read = text.slice(0, maxRead)
  const end = sentenceEndsIn(read).findLast((one) => read.slice(0, one).trim().length <= characters)
  return read.slice(0, end ?? 0).trim()
}

/** Longer texts are no descriptions. */
const maxRead = 5_000
