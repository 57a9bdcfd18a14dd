import { shown } from '../../../site/addresses.ts'

/** A text of the site in one line, as far as its sentences are whole: a block must not publish half of one. */
export function wholeSentences(text: string): string {
  const whole = shown(text, 2_000).trim()
  const kept = upToSentence(whole, maxCharacters)
  if (whole.length > maxCharacters || /(?:…|\.\.\.)$/.test(whole)) return kept
  // Many systems cut a description at 160 characters, within a word.
  const isCut = whole.length >= 150 && whole.length <= 160 && !/[.!?。)»”"]$/u.test(whole)
  return isCut && kept !== '' ? kept : whole
}

const maxCharacters = 300

/** Whole sentences, as many as fit; empty where the first one is longer. */
export function upToSentence(text: string, characters: number): string {
  const sentences = text.match(/[^.!?。]+[.!?。]+(?=\s|$)/gu) ?? []
  let kept = ''
  for (const sentence of sentences) {
    if (`${kept}${sentence}`.trim().length > characters) break
    kept += sentence
  }
  return kept.trim()
}

/**
 * Whether a text is a list of search words: "dentist London, implants, braces, whitening". Published as what a business
 * says of itself, it tells a reader nothing.
 */
export function isKeywordList(text: string): boolean {
  if (/[.!?。！？]/u.test(text)) return false
  const words = text
    .split(/[,;|，、；·•/]/u)
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const isShort = (one: string) => one.length <= 40 && one.split(/\s+/).length <= 4
  return words.length >= 4 && words.every(isShort)
}
