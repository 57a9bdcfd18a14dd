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
  const sentences = sentencesIn(text.slice(0, maxRead))
  let kept = ''
  let begun = ''
  for (const sentence of sentences) {
    begun += sentence
    if (abbreviation.test(begun)) continue
    if (`${kept}${begun}`.trim().length > characters) break
    kept += begun
    begun = ''
  }
  return kept.trim()
}

/** Longer texts are no descriptions. */
const maxRead = 5_000

/** A full stop within "e.g." ends no sentence, and behind a Chinese or Japanese one no blank follows. */
function sentencesIn(text: string): string[] {
  let from = 0
  return Array.from(text.matchAll(/[.!?]+|[。！？]+/g)).flatMap(({ 0: marks, index }) => {
    const end = index + marks.length
    if (/[.!?]/.test(marks) && end < text.length && !/\s/.test(text.charAt(end))) return []
    const sentence = text.slice(from, end)
    from = end
    return [sentence]
  })
}

/** "Founded by Dr." goes on. */
const abbreviation =
  /(?<!\p{L})(?:dr|dra|mr|mrs|ms|prof|st|ste|no|nr|ca|approx|bzw|inkl|tel|str|av|sr|sra|dott|ing|dipl|med|ul|hab|jr|vs|e\.g|i\.e|z\.\s?b|d\.\s?h|u\.\s?a)\.$/iu
