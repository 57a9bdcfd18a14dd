import { hoursInWords } from '../../../signals/contact/hours-by-day.ts'
import type { SiteFacts } from '../facts/facts.ts'
import { internationalPhone } from '../facts/own-country.ts'

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
  if (words === undefined) return []
  const { telephone = '', email, address, country, openingHours } = facts
  const phone = telephone === '' ? undefined : (internationalPhone(telephone, country) ?? telephone)
  const ways = [phone, email].filter((way) => way !== undefined).join(', ')
  const place = placeOf(language, address)
  const hours = hoursInWords(openingHours, words.days)
  return [
    ...(ways === ''
      ? []
      : [{ question: words.ways, answer: `${ways}. ${hours === '' ? words.waysMore : words.waysSoon}` }]),
    ...(hours === '' ? [] : [{ question: words.hours, answer: `${hours}. ${words.hoursMore}` }]),
    ...(place === undefined ? [] : [{ question: words.place, answer: `${place}. ${words.placeMore}` }]),
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

interface Words {
  readonly ways: string
  /** What is asked for where the hours are not known. */
  readonly waysMore: string
  readonly waysSoon: string
  readonly hours: string
  readonly hoursMore: string
  readonly place: string
  readonly placeMore: string
  /** From Monday on. */
  readonly days: readonly string[]
}

const known: Readonly<Record<string, Words>> = {
  en: {
    ways: 'How can I reach you?',
    waysMore: 'SAY WHEN SOMEBODY ANSWERS, AND WHAT TO DO OUTSIDE THESE HOURS',
    waysSoon: 'SAY HOW SOON YOU ANSWER',
    hours: 'When are you open?',
    hoursMore:
      'CHECK THAT NO DAY IS MISSING. SAY HOW ONE GETS AN APPOINTMENT, AND WHO HELPS OUTSIDE THESE HOURS',
    place: 'Where do I find you?',
    placeMore: 'SAY HOW TO GET THERE, WHERE TO PARK, AND WHETHER THERE ARE STEPS',
    days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  },
  de: {
    ways: 'Wie erreiche ich Sie?',
    waysMore: 'SAGEN SIE, WANN JEMAND ANTWORTET UND WAS AUSSERHALB DIESER ZEITEN GILT',
    waysSoon: 'SAGEN SIE, WIE SCHNELL SIE ANTWORTEN',
    hours: 'Wann haben Sie geöffnet?',
    hoursMore:
      'PRÜFEN SIE, OB EIN TAG FEHLT. SAGEN SIE, WIE MAN EINEN TERMIN BEKOMMT UND WER AUSSERHALB DIESER ZEITEN HILFT',
    place: 'Wo finde ich Sie?',
    placeMore: 'SAGEN SIE, WIE MAN HINKOMMT, WO MAN PARKT UND OB ES STUFEN GIBT',
    days: ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'],
  },
}
