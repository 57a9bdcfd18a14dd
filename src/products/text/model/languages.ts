import { eld } from 'eld/extrasmall'

/**
 * Tells the language of a request and of an answer. The gateway decides the language and tells the model: a model that
 * guesses may answer a French topic in English, which the caller cannot use.
 */

/** The language to write in, by ISO 639-1: that of the caller's sentences, English where they are too short to tell. */
export function languageOf(...sentences: readonly (string | undefined)[]): string {
  const text = sentences.filter((each) => each !== undefined).join('. ')
  if (text.trim().length < minCharacters && !/[^\p{Script=Latin}\P{L}]/u.test(text)) return 'en'
  const found = eld.detect(text)
  return found.language !== '' && found.isReliable() ? found.language : 'en'
}

/** A shorter text in Latin letters is often a name. */
const minCharacters = 15

/** The language that a text is in for sure, unless it is the wanted one or one of its close relatives. */
export function otherLanguage(text: string, wanted: string): string | undefined {
  const found = eld.detect(text)
  if (found.language === '' || !found.isReliable() || found.language === wanted) return undefined
  return relatives.some((group) => group.includes(wanted) && group.includes(found.language))
    ? undefined
    : found.language
}

/** Languages that a detector cannot tell apart in a text of a few hundred words. */
const relatives: readonly (readonly string[])[] = [
  ['da', 'no', 'nb', 'nn', 'sv'],
  ['hr', 'sr', 'bs', 'sl'],
  ['cs', 'sk'],
  ['id', 'ms'],
  ['es', 'ca', 'gl', 'pt'],
  ['ru', 'uk', 'bg', 'be', 'mk'],
  ['hi', 'mr', 'ne'],
  ['fa', 'ur', 'ar'],
  ['zh', 'ja'],
]
