import { once } from '../once.ts'
import { kindWords } from './kind-words.ts'

/** Compares link texts, headings and parts of addresses with the phrases of `kind-words.ts`. */

/** Whether a short text names the kind: a link's text or a heading. */
export function isTextOfKind(text: string, kind: string): boolean {
  if (text.length > maxCharacters) return false
  return !isTitle(text, kind) && isMatch(folded(text), kind)
}

/**
 * "Rendez-vous en 2014", "Reservations about the new law", "About version 2": a year, or a word that says of
 * what, makes it the title of a text. "Rendez-vous en ligne" asks for one.
 */
export function isTitle(text: string, kind: string): boolean {
  return text.length <= maxCharacters && titles[kind]?.test(folded(text)) === true
}

/** Whether a part of a path names the kind: `ueber-uns`, `aboutus`, `privacy-policy-2`. */
export function isPathPartOfKind(part: string, kind: string): boolean {
  if (part.length > maxCharacters) return false
  const text = folded(part)
  return !isTitle(part, kind) && (isMatch(text, kind) || phrasesOf(kind).joined.has(text))
}

const maxCharacters = 80

/** Of texts as `folded` writes them. */
const titles: Readonly<Partial<Record<string, RegExp>>> = {
  about:
    /^(?:about|uber|a propos de|acerca de|sobre|over) (?:(?:this|the|diese|dieses|cette|esta|este|deze) )?(?:(?:latest|new|current|neue) )?(?:release|version|versie|update|upgrade|ausgabe|changes|changelog|v ?\d|\d)/u,
  booking:
    /(?:^| )(?:19|20)\d{2}(?: |$)|^(?:rendez vous (?:en(?! ligne)|au(?! (?:cabinet|salon))|aux|a(?! domicile)|dans|du|des|le|demain|sur(?! (?:internet|doctolib)))|(?:an? )?appointments? (?:of|to|as)|reservations? (?:about|on the|of)|appuntament[oi] (?:con(?! (?:il |la )?(?:medico|dottor))|al|alla|in)|citas? (?:con(?! (?:el |la )?(?:medico|doctor))|a ciegas)|encontros? (?:com|de)|afspraken (?:over|met)|termine (?:der|des|im|am))(?: |$)/u,
}

interface Phrases {
  readonly all: ReadonlySet<string>
  /** Without spaces, as addresses write them: `aboutus`. Only of two words or more. */
  readonly joined: ReadonlySet<string>
  /** May stand within a longer text. */
  readonly within: ReadonlySet<string>
}

/** How many words a text with a phrase in it may have, and where the phrase may stand. Other kinds: none. */
const room: Readonly<Partial<Record<string, { readonly words: number; readonly isAnywhere: boolean }>>> = {
  about: { words: 3, isAnywhere: false },
  contact: { words: 4, isAnywhere: false },
  pricing: { words: 3, isAnywhere: false },
  booking: { words: 4, isAnywhere: false },
  privacy: { words: 7, isAnywhere: true },
  terms: { words: 7, isAnywhere: true },
  imprint: { words: 5, isAnywhere: true },
}

function isMatch(text: string, kind: string): boolean {
  if (text === '') return false
  const phrases = phrasesOf(kind)
  if (phrases.all.has(text) || compounds[kind]?.test(text) === true) return true
  const space = room[kind]
  if (space === undefined) return false
  if (isUnspaced(text))
    return text.length <= 16 && includesAny(text.replaceAll(specialist, ''), phrases.within)
  const words = text.split(' ')
  if (words.length > space.words) return false
  // A text has at most 28 such parts, and a kind hundreds of phrases.
  return words.some((_, from) =>
    words.some(
      (_, last) =>
        from <= last &&
        (space.isAnywhere || from === 0 || last === words.length - 1) &&
        phrases.within.has(words.slice(from, last + 1).join(' ')),
    ),
  )
}

/** "전문의", a specialist in medicine, ends as "문의" does, an enquiry. */
const specialist = '전문의'

function includesAny(text: string, phrases: ReadonlySet<string>): boolean {
  return [...phrases].some((phrase) => text.includes(phrase))
}

/**
 * German and Dutch join words: "Behandlungstermin buchen", "Zimmerpreise", "Trainerteam". No list can hold them all, so
 * their last part decides, and for an appointment also its first part or a verb: a "Liefertermin" is booked by no one.
 * Of texts as `folded` writes them.
 */
const compounds: Readonly<Partial<Record<string, RegExp>>> = {
  about:
    /^(?:das |unser |het |ons )?(?!steam|team)\p{L}{3,20}team$|^(?:die |unsere |de |onze )?(?:firmen|unternehmens|betriebs|praxis|haus|hof|familien|vereins|club|schul|gemeinde|bedrijfs|familie|verenigings)(?:geschichte|historie|chronik|philosophie|profil|portrat|portraet|portrait|geschiedenis|filosofie)$/u,
  pricing:
    /^(?:unsere |onze )?\p{L}{3,20}(?:preise|preisliste|tarife|gebuhren|gebuehren|prijzen|tarieven|prijslijst)$/u,
  booking:
    /^(?:[\p{L}]{2,12} ){0,2}\p{L}{3,20}(?:termin|termine|afspraak) (?:online )?(?:buchen|vereinbaren|anfragen|reservieren|sichern|maken|boeken|plannen)$|^(?:behandlungs|beratungs|kennenlern|besichtigungs|probe|erst|arzt|zahnarzt|friseur|video|foto|impf)termine?$|^\p{L}{3,20}(?:reservierung|reservierungen|reservering|terminbuchung|terminvergabe|terminvereinbarung)$/u,
}

/** Chinese, Japanese and Korean texts have no spaces that could bound a phrase. */
function isUnspaced(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)
}

const byKind = once(() => new Map<string, Phrases>())

function phrasesOf(kind: string): Phrases {
  const seen = byKind().get(kind)
  if (seen !== undefined) return seen
  const written = Object.entries(kindWords[kind] ?? {}).flatMap(([language, line]) =>
    line.split('|').flatMap((phrase) => spellings(phrase, language)),
  )
  const plain = written.map((phrase) => folded(phrase.replace(/^=/, '')))
  const phrases = {
    all: new Set(plain),
    joined: new Set(plain.filter((phrase) => phrase.includes(' ')).map((one) => one.replaceAll(' ', ''))),
    within: new Set(written.filter((phrase) => !phrase.startsWith('=')).map(folded)),
  }
  byKind().set(kind, phrases)
  return phrases
}

/** German addresses write ä as ae. */
function spellings(phrase: string, language: string): string[] {
  if (language !== 'de' || !/[äöü]/.test(phrase)) return [phrase]
  return [phrase, phrase.replace(/[äöü]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? letter)]
}

/** For comparison: lower case, without accents and punctuation, words separated by one space. */
export function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ıß]/g, (letter) => (letter === 'ı' ? 'i' : 'ss'))
    .replace(/[أإآ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه')
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u0640\u064b-\u0652]/g, '')
    .normalize('NFC')
    .replace(/['’ʼ]/g, ' ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}
