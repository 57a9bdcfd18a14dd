import { sentencesIn } from '../../../text/sentences.ts'
import { wordsOf } from '../../site/html/words.ts'
import type { Page } from '../../site/site.ts'
import type { Grammar } from './grammars.ts'

/** Whether one sentence of a paragraph says that something is something, or does something. */
export function defines(paragraph: string, grammar: Grammar): boolean {
  return sentencesIn(paragraph).some((sentence) => {
    const words = wordsOf(sentence)
    return (
      (words.length >= 6 && (trade.test(sentence) || apposition.test(sentence))) ||
      words.some((_, at) => isEquation(words, at, grammar) || isDeed(words, at, grammar))
    )
  })
}

/** "Example — a workshop for bicycles": a dash in place of "is". */
const apposition =
  /^[^—–:;]{2,60}\s[—–-]\s(?:(?:an?|the|eine?|der|die|das|une?|le|la|un[ao]?|il|el|een|de|o|um|uma)\s|это\s|\p{Script=Cyrillic}{3,})/iu

/** These words say what a business does: "A company dedicated to wines", "The group is concerned with bees". */
const trade =
  /(?<!\p{L})(?:dedicated to|devoted to|concerned with|aims? to|focus(?:es|ed|ing)? on|brings? together|speciali[sz](?:ed|ing|es?) in|spezialisiert auf|spécialisée?s? (?:dans|en)|dedicad[ao]s? (?:a|al|la|en)|especializad[ao]s? e[nm]|specializzat[aoei] (?:in|nel\p{L}*)|gespecialiseerd in|специализир\p{L}+ на)(?!\p{L})/iu

/**
 * A sentence of six words or more that begins with a name from the title or the domain says something about
 * its bearer, with whatever verb: "ID Thriverse bridges technology and infrastructure". So does the part behind a comma:
 * "In the heart of the city, Alura brings the best for your hair".
 */
export function hasNamedSubject(paragraph: string, { title, url, headings }: Page): boolean {
  const label = new URL(url).hostname.replace(/^www\./, '').split('.')[0] ?? ''
  const tops = headings.flatMap(({ level, text }) => (level === 1 ? [text.replace(edition, '')] : []))
  const names = [...title.split(/\s[-–—|·•:»]\s|\|/), ...tops, label]
    .map(joined)
    .filter((name) => name.length >= 5)
    // "CYAM" of "CYAM Yerres": a short name in capitals.
    .concat(...(title.match(/(?<!\p{L})\p{Lu}{3,8}(?!\p{L})/gu) ?? []).map(joined))
  const parts = sentencesIn(paragraph).flatMap((sentence) => [sentence, ...partsAfterCommas(sentence)])
  return parts.some((part) => {
    const words = wordsOf(part)
    const starts = [0, 1, 2, 3, 4].map((at) => joined(words.slice(at).join(' ')).slice(0, 80))
    return words.length >= 6 && names.some((name) => starts.some((start) => start.startsWith(name)))
  })
}

/** "II Congress on Bees 2024" is called the Congress on Bees. */
const edition = /^(?:[IVX]{1,5}|\d{1,3}(?:st|nd|rd|th|\.|[ºª°o])?)\s(?=\p{L})|[\s,]+(?:19|20)\d{2}$/gu

function partsAfterCommas(sentence: string): string[] {
  const clauses = sentence.split(/,\s/).slice(0, 5)
  return clauses.slice(1).map((_, at) => clauses.slice(at + 1).join(', '))
}

function joined(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** "is a shop", "is also the shop", "is Leeds's oldest shop", "are plumbers"; not "is open". */
function isEquation(
  words: readonly string[],
  at: number,
  { copulas, determiners, numerals, isNoun }: Grammar,
): boolean {
  const [copula = '', next = '', afterNext = '', more] = words.slice(at, at + 4)
  if (!copulas.has(copula)) return false
  if (determiners.has(next) || /^(?:more|mehr|plus|más|più|meer|mais|to|über)$/.test(next))
    return afterNext !== ''
  if (numerals.has(next)) return afterNext !== '' && !ofMeasure.test(afterNext)
  return isNoun(next) || (determiners.has(afterNext) && more !== undefined)
}

/** "We are two minutes from the station" says where something is, and not what. */
const ofMeasure =
  /^(?:m(?:in(?:ut\p{L}*)?|eters?|etros?|ètres?|eilen|iles?|onths?|onate)|k(?:m|ilomet\p{L}*|ilómetros?)|hours?|stunden?|uren?|days?|tagen?|steps?|schritte?|geh\p{L}*|auto\p{L}*|blocks?|straßen|weeks?|wochen|years?|jahre|jaar|años|anos|anni|ans|times|mal|veces|vezes|fois|volte|reasons?|gründe)$/u

/** A subject acts on an object: "the workshop repairs bicycles". "Our designs for you" holds a noun. */
function isDeed(words: readonly string[], at: number, grammar: Grammar): boolean {
  const verb = words[at] ?? ''
  const before = words[at - 1]
  if (words[at + 1] === undefined) return false
  if (before === undefined) return grammar.dropsSubject && grammar.verbs.has(verb)
  if (grammar.determiners.has(before)) return false
  if (grammar.verbs.has(verb)) return true
  // In English these verbs are also nouns ("sales and repair"), so a subject must precede them.
  return (
    grammar.bareVerbs.has(verb) &&
    (/[^'s]s$/.test(before) || words.slice(Math.max(0, at - 3), at).some((word) => pronouns.has(word)))
  )
}

const pronouns: ReadonlySet<string> = new Set("we i they you who that we'll i'll they'll".split(' '))

/**
 * Whether a sentence may say who does what with words that the check does not know. Three sentences, or one about "us",
 * are too much to call them a slogan.
 */
export function mayDefine(text: string, language: string | undefined): boolean {
  return (
    (sentencesIn(text).length >= 3 && !isRepetitive(text)) ||
    (firstPerson.test(text) && !greeting.test(text)) ||
    (/^(?:es|it|pt)$/.test(language ?? '') && dropsUs.test(text))
  )
}

/** "Window cleaning by window cleaners for clean windows": words for search engines. */
function isRepetitive(text: string): boolean {
  const words = wordsOf(text)
  return new Set(words).size * 10 < words.length * 6
}

const firstPerson =
  /(?<![\p{L}'’-])(?:we|we['’](?:re|ve|ll)|i|i['’](?:m|ve)|wir|ich|nous|je|nosotr[oa]s|noi|nós|wij|ik|which|who)(?!\p{L})/iu

const dropsUs = /(?<!\p{L})\p{L}{2,20}(?:[aei]mos|iamo)(?!\p{L})/iu

const greeting =
  /^[^\p{L}]{0,3}(?:welcome|(?:herzlich )?willkommen|bienvenue|bienvenid[oa]s?|benvenut[oiae]|bem-vind[oa]s?|welkom)(?!\p{L})/iu
