import { languageName } from '../../../../core/text/language-name.ts'
import { fail, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { counted } from '../../findings/share.ts'
import { languageOf } from '../../signals/page-language.ts'
import { shown } from '../../site/addresses.ts'
import { firstParagraph } from '../../site/html/first-paragraph.ts'
import { countWords, isFiller, sentencesOf, wordsOf } from '../../site/html/words.ts'
import type { Page } from '../../site/site.ts'
import { type Grammar, grammars } from './grammars.ts'

/**
 * Judges whether the first paragraph after the main heading defines the subject: a length that can be
 * quoted, and a sentence that says who is or does what. From a slogan a model would have to make up that
 * sentence.
 */
export function judgeAnswerFirst(home: Page): Outcome {
  const language = languageOf(home).code
  const knownGrammars =
    language === undefined ? [...grammars.values()] : [grammars.get(language) ?? []].flat()
  if (knownGrammars.length === 0) {
    return unmeasured(`Defining sentences in ${languageName(language ?? '')} are not known to this check.`)
  }
  const address = shown(home.url)
  const hasTop = home.headings.some(({ level }) => level === 1)
  const paragraph = firstParagraph(home)
  if (paragraph === undefined) {
    return fail(
      hasTop
        ? 'No paragraph (p element) with text follows the main heading, so there is no opening that an engine could quote.'
        : 'The page has no h1 and no paragraph (p element) with text, so there is no opening that an engine could quote.',
      `Begin ${address} with ${hasTop ? '' : 'an h1 and '}a paragraph of 20 to 90 words that says who you are, what you offer and for whom.`,
      {
        url: home.url,
        value: hasTop ? 'no p element after the h1' : '0 h1 elements with text, 0 p elements with text',
      },
    )
  }
  const words = countWords(paragraph)
  if (isFiller(paragraph)) {
    return fail(
      'The first paragraph is filler text that came with a template. An engine may quote it as what you say of yourself.',
      `Put a paragraph of 20 to 90 words in its place on ${address} that says who you are, what you offer and for whom. Look for more such text on the other pages.`,
      { url: home.url, value: `"${shown(paragraph, 80)}"` },
    )
  }
  const evidence = { url: home.url, value: `${counted(words, 'word')}: "${shown(paragraph, 150)}"` }
  const isFit = words >= 20 && words <= 90
  const isDefining =
    knownGrammars.some((grammar) => defines(paragraph, grammar)) || hasNamedSubject(paragraph, home)
  if (isFit && isDefining)
    return pass('The first paragraph says what this is, in a length that can be quoted.', evidence)
  const faults = [
    ...(isFit ? [] : [`The first paragraph has ${counted(words, 'word')}; 20 to 90 can be quoted.`]),
    ...(isDefining ? [] : ['It does not say in a plain sentence who does what.']),
  ]
  return fail(
    `${faults.join(' ').replace(/^It /, 'The first paragraph ')} An engine may not find a passage that sums up the page.`,
    isDefining
      ? `${words < 20 ? 'Extend' : 'Shorten'} the first paragraph of ${address} to 20 to 90 words${words < 20 ? ': add what you offer, where and for whom' : ''}.`
      : `Add to the first paragraph of ${address} a plain sentence that says who does what for whom.${isFit ? '' : ' Keep it to 20 to 90 words.'}`,
    evidence,
  )
}

function defines(paragraph: string, grammar: Grammar): boolean {
  return sentencesOf(paragraph).some((sentence) => {
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
function hasNamedSubject(paragraph: string, { title, url, headings }: Page): boolean {
  const label = new URL(url).hostname.replace(/^www\./, '').split('.')[0] ?? ''
  const tops = headings.flatMap(({ level, text }) => (level === 1 ? [text.replace(edition, '')] : []))
  const names = [...title.split(/\s[-–—|·•:»]\s|\|/), ...tops, label]
    .map(joined)
    .filter((name) => name.length >= 5)
    // "CYAM" of "CYAM Yerres": a short name in capitals.
    .concat(...(title.match(/(?<!\p{L})\p{Lu}{3,8}(?!\p{L})/gu) ?? []).map(joined))
  const parts = sentencesOf(paragraph).flatMap((sentence) => [sentence, ...partsAfterCommas(sentence)])
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
  { copulas, determiners, isNoun }: Grammar,
): boolean {
  const [copula = '', next = '', afterNext = '', more] = words.slice(at, at + 4)
  if (!copulas.has(copula)) return false
  if (determiners.has(next) || /^(?:more|mehr|plus|más|più|meer|mais|to|über)$/.test(next))
    return afterNext !== ''
  return isNoun(next) || (determiners.has(afterNext) && more !== undefined)
}

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
