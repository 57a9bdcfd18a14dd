import { languageName } from '../../../../core/text/language-name.ts'
import { asking, fail, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { isWrittenLater } from '../../findings/scripted/written-later.ts'
import { counted } from '../../findings/share.ts'
import { languageOf } from '../../signals/page-language.ts'
import { shown } from '../../site/addresses.ts'
import { findOpening, lineBelowTop, type Opening, proseAbove } from '../../site/html/opening.ts'
import type { TextBlock } from '../../site/html/text-blocks.ts'
import { countWords, fillerPart, isFiller } from '../../site/html/words.ts'
import type { Page, Site } from '../../site/site.ts'
import { defines, hasNamedSubject, mayDefine } from './defining-sentences.ts'
import { type Grammar, grammars } from './grammars.ts'

/**
 * Judges whether the first paragraph after the main heading defines the subject: a length that can be
 * quoted, and a sentence that says who is or does what. From a slogan a model would have to make up that
 * sentence. Only running text is judged: a false verdict would have an owner rewrite a copyright line.
 */
export function judgeAnswerFirst(home: Page, site: Site): Outcome {
  const language = languageOf(home).code
  const knownGrammars =
    language === undefined ? [...grammars.values()] : [grammars.get(language) ?? []].flat()
  if (knownGrammars.length === 0) {
    return unmeasured(`Defining sentences in ${languageName(language ?? '')} are not known to this check.`)
  }
  const opening = findOpening(home)
  if (opening.kind !== 'prose' && isWrittenLater(home, site))
    return unmeasured('Scripts write the text of the page. None are run, so its opening was not seen.')
  if (opening.kind === 'unclear')
    return unmeasured(
      'The page has text, but none of it was surely recognised as the paragraph that opens it: it stands in cards, lists or cells.',
    )
  // A design may have its first sentence above the main heading, or as a heading below it.
  const above = [...proseAbove(home), ...lineBelowTop(home)].find(
    (block) => isGood(measure(block, home, knownGrammars)) && !isFiller(block.text),
  )
  const passed = (block: TextBlock) =>
    pass('A paragraph at the beginning says what this is, in a length that can be quoted.', {
      url: home.url,
      value: quoteOf(block.text, countWords(block.text)),
    })
  if (opening.kind !== 'prose') return above === undefined ? judgeMissing(home, opening) : passed(above)
  const judged = opening.paragraphs.map((block) => ({ block, ...measure(block, home, knownGrammars) }))
  const good = judged.find((one) => isGood(one) && !isFiller(one.block.text))
  if (good !== undefined) return passed(good.block)
  if (above !== undefined) return passed(above)
  const [first] = judged
  if (first === undefined) return unmeasured('No paragraph was recognised as the opening of the page.')
  const { isFit, isDefining, words, block } = first
  const address = shown(home.url)
  if (isFiller(block.text)) {
    return asking(
      fail(
        'The first paragraph holds filler text that came with a template. An engine may quote it as what you say of yourself.',
        `Put a paragraph of 20 to 90 words in its place on ${address} that says who you are, what you offer and for whom. Look for more such text ${site.pages.length > 1 ? 'on this page and the others' : 'further down'}.`,
        { url: home.url, value: `"${shown(fillerPart(block.text), 80)}"` },
      ),
      { kind: 'opening', change: 'replace' },
    )
  }
  if (opening.isDoubtful)
    return unmeasured(
      'Above the first paragraph stands a text in a card, a list or a cell that may open the page, too.',
    )
  if (opening.later.some((later) => isGood(measure(later, home, knownGrammars))))
    return unmeasured(
      'The page has no main heading and no main element. A paragraph further down says what this is, and it cannot be told whether it opens the page.',
    )
  const isPlain = !isDefining && !mayDefine(block.text, language)
  if (isFit && !isPlain)
    return unmeasured(
      'The first paragraph has a good length. Whether one of its sentences says who does what could not be told: its verbs are not known to this check.',
    )
  const faults = [
    ...(isFit ? [] : [`The first paragraph has ${counted(words, 'word')}; 20 to 90 can be quoted.`]),
    ...(isPlain ? ['It does not say in a plain sentence who does what.'] : []),
  ]
  const isShort = words < 20
  // A sentence that says who does what is there, and a few words more make a passage of it.
  const isNearly = isDefining && isShort && words >= 15
  const found = isNearly
    ? warn(
        `The first paragraph says who does what in ${counted(words, 'word')}; passages of 20 to 90 are quoted best.`,
        `Extend the first paragraph of ${address} to 20 to 90 words. Add what it lacks of these: what you offer, where and for whom.`,
        { url: home.url, value: quoteOf(block.text, words) },
      )
    : fail(
        `${faults.join(' ').replace(/^It /, 'The first paragraph ')} An engine may not find a passage that sums up the page.`,
        isPlain
          ? `Add to the first paragraph of ${address} a plain sentence that says who does what for whom.${isFit ? '' : ' Keep it to 20 to 90 words.'}`
          : `${isShort ? 'Extend' : 'Shorten'} the first paragraph of ${address} to 20 to 90 words${isShort ? ': add what you offer, where and for whom' : ''}.`,
        { url: home.url, value: quoteOf(block.text, words) },
      )
  return asking(found, { kind: 'opening', change: isPlain ? 'add-sentence' : isShort ? 'extend' : 'shorten' })
}

/** A page with a heading or with nothing, and no sentence that could open it. */
function judgeMissing(home: Page, opening: Extract<Opening, { readonly kind: 'lines' | 'none' }>): Outcome {
  const { hasTop } = opening
  const value = !hasTop
    ? '0 h1 elements with text, 0 paragraphs of running text'
    : opening.kind === 'lines'
      ? quoteOf(opening.first.text, countWords(opening.first.text))
      : 'no running text after the h1'
  const found = fail(
    hasTop
      ? `No paragraph of running text follows the main heading${opening.kind === 'lines' ? ', only short lines' : ''}, so there is no opening that an engine could quote.`
      : 'The page has no h1 and no paragraph of running text, so there is no opening that an engine could quote.',
    `Begin ${shown(home.url)} with ${hasTop ? '' : 'an h1 and '}a paragraph of 20 to 90 words that says who you are, what you offer and for whom.`,
    { url: home.url, value },
  )
  return asking(found, { kind: 'opening', change: 'write' })
}

function quoteOf(text: string, words: number): string {
  return `${counted(words, 'word')}: "${shown(text, 150)}"`
}

interface Measures {
  readonly words: number
  readonly isFit: boolean
  readonly isDefining: boolean
}

function isGood({ isFit, isDefining }: Measures): boolean {
  return isFit && isDefining
}

/** The whole paragraph, or one of its lines where line breaks divide it, as readers see them. */
function measure({ text, lines }: TextBlock, home: Page, known: readonly Grammar[]): Measures {
  const rated = [text, ...(lines.length > 1 ? lines : [])].slice(0, 10).map((part) => ({
    words: countWords(part),
    isFit: isQuotable(part),
    isDefining: known.some((grammar) => defines(part, grammar)) || hasNamedSubject(part, home),
  }))
  const [whole] = rated
  const best = rated.find(isGood) ?? whole
  return best ?? { words: 0, isFit: false, isDefining: false }
}

/** A reader may count "La-Chapelle-Largeaux" as one word or as three; the limit must not hang on that. */
function isQuotable(text: string): boolean {
  const words = countWords(text)
  const bySpaces = text.split(/\s+/).length
  return words >= 20 && (words <= 90 || (bySpaces <= 90 && bySpaces * 2 > words))
}
