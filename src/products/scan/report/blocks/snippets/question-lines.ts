import type { SiteFacts } from '../facts/facts.ts'

export interface QuestionLine {
  readonly question: string
  readonly answer: string
}

/**
 * The beginning of a page of questions: those that the site's own facts answer. An answer needs 20 words to be quoted,
 * so each asks for more.
 */
export function questionLines(language: string | undefined, facts: SiteFacts): readonly QuestionLine[] {
  const words = known[language ?? '']
  const { telephone, email, address } = facts
  const ways = [telephone, email].filter((way) => way !== undefined).join(', ')
  const place = placeOf(language, address)
  return [
    ...(words !== undefined && ways !== ''
      ? [{ question: words.ways, answer: `${ways}. ${words.waysMore}` }]
      : []),
    ...(words !== undefined && place !== undefined
      ? [{ question: words.place, answer: `${place}. ${words.placeMore}` }]
      : []),
  ]
}

/**
 * The address in the order in which its readers write it: in English the town before the code. A street without town and
 * code leads no visitor to a door, so it is no answer.
 */
function placeOf(language: string | undefined, address: SiteFacts['address']): string | undefined {
  const { streetAddress, postalCode, addressLocality: town, addressRegion } = address ?? {}
  const addressLocality =
    town !== undefined && addressRegion !== undefined ? `${town}, ${addressRegion}` : town
  const behind = (language === 'en' ? [addressLocality, postalCode] : [postalCode, addressLocality])
    .filter((part) => part !== undefined)
    .join(' ')
  return streetAddress === undefined || behind === '' ? undefined : `${streetAddress}, ${behind}`
}

const known: Readonly<
  Record<
    string,
    { readonly ways: string; readonly waysMore: string; readonly place: string; readonly placeMore: string }
  >
> = {
  en: {
    ways: 'How can I reach you?',
    waysMore: 'SAY WHEN SOMEBODY ANSWERS, AND WHAT TO DO OUTSIDE THESE HOURS',
    place: 'Where do I find you?',
    placeMore: 'SAY HOW TO GET THERE, WHERE TO PARK, AND WHETHER THERE ARE STEPS',
  },
  de: {
    ways: 'Wie erreiche ich Sie?',
    waysMore: 'SAGEN SIE, WANN JEMAND ANTWORTET UND WAS AUSSERHALB DIESER ZEITEN GILT',
    place: 'Wo finde ich Sie?',
    placeMore: 'SAGEN SIE, WIE MAN HINKOMMT, WO MAN PARKT UND OB ES STUFEN GIBT',
  },
}
