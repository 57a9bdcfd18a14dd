import { fail, notApplicable, type Outcome, pass } from '../../findings/check.ts'
import { counted } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'

import { countWords, sentencesOf, syllablesOf, wordsOf } from '../../site/html/words.ts'
import type { Page } from '../../site/site.ts'
import { functionWordsOf } from './function-words.ts'

/**
 * Judges the prose itself by its figures, reading grade and repetitions. All content pages count together,
 * because one short page says little about how a site is written.
 */
export function judgeEvidence(pages: readonly Page[]): Outcome {
  const sizes = pages.map((page) => ({
    page,
    words: countWords(page.mainText),
    figures: Array.from(page.mainText.matchAll(figure), ([text]) => text),
  }))
  const words = sizes.reduce((sum, one) => sum + one.words, 0)
  const figures = sizes.reduce((sum, one) => sum + one.figures.length, 0)
  if (words < 100)
    return notApplicable(`The content pages have only ${counted(words, 'word')}, too few to ask for figures.`)
  const reason = `The content pages have ${counted(figures, 'figure')} with a unit, per cent or currency in ${words} words.`
  const evidence = [...sizes]
    .sort((a, b) => b.figures.length - a.figures.length)
    .slice(0, 3)
    .map(({ page, ...one }) => ({
      url: page.url,
      value: `${counted(one.figures.length, 'figure')} in ${counted(one.words, 'word')}${one.figures.length > 0 ? `: ${shown(one.figures.slice(0, 4).join('; '), 100)}` : ''}`,
    }))
  if (figures * 100 >= words) return pass(reason, ...evidence)
  const barest = sizes.reduce((best, one) => (lackOf(one) > lackOf(best) ? one : best))
  return fail(
    `${reason} At least one per 100 words is asked for, because statements with figures are cited more than general praise.`,
    `Put numbers to the statements on ${shown(barest.page.url)}: prices, durations, sizes, results in per cent.`,
    ...evidence,
  )
}

function lackOf({ words, figures }: { readonly words: number; readonly figures: readonly string[] }): number {
  return words - figures.length * 100
}

/** Each run of digits is tried once, from its start. The bounded length keeps a page full of digits cheap. */
const figure =
  /(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|CAD|AUD|JPY|INR|SEK|NOK|DKK|PLN))\s?\d[\d.,]{0,20}|(?<![\d.,])\d[\d.,]{0,20}[\s-]?(?:[%‰€£¥₹°]|(?:percent|per cent|prozent|pour cent|USD|EUR|GBP|CHF|CAD|AUD|JPY|INR|SEK|NOK|DKK|PLN|dollars?|euros?|pounds?|ms|s|sec|seconds?|min|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tagen?|wochen?|monaten?|jahren?|jahre?|secondes?|heures?|jours?|semaines?|mois|ans|años?|días?|horas?|minutos?|mg|g|kg|lbs?|oz|t|tons?|tonnes?|mm|cm|m|km|inch|inches|ft|feet|yards?|miles?|mph|km\/h|ml|cl|l|lit(?:er|re)s?|gallons?|w|kw|kwh|mw|gw|v|volts?|watts?|hz|khz|mhz|ghz|kb|mb|gb|tb|pb|kbit|mbit|gbit|mbps|gbps|px|dpi|rpm|hp|million|billion|thousand|times|x)(?![\p{L}\p{N}]))/giu

export function judgeReadability(pages: readonly Page[]): Outcome {
  const english = pages.filter(({ language }) => language === 'en')
  if (english.length === 0)
    return notApplicable('No content page says that it is in English, and the grade is defined for English.')
  const paragraphs = english.flatMap((page) => page.mainPart.paragraphs)
  const words = paragraphs.flatMap(wordsOf)
  if (words.length < 100) {
    return notApplicable(
      `The paragraphs have only ${counted(words.length, 'word')}, too few for a reading grade.`,
    )
  }
  const sentences = paragraphs.reduce((sum, paragraph) => sum + sentencesOf(paragraph).length, 0)
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0)
  const exact = (0.39 * words.length) / Math.max(sentences, 1) + (11.8 * syllables) / words.length - 15.59
  const grade = Math.round(exact * 10) / 10
  const evidence = {
    url: english[0]?.url ?? '',
    value: `grade ${grade}: ${words.length} words, ${sentences} sentences, ${syllables} syllables on ${counted(english.length, 'page')}`,
  }
  if (grade >= 6 && grade <= 12)
    return pass(`The text has a Flesch-Kincaid grade of ${grade}, within 6 to 12.`, evidence)
  return fail(
    grade > 12
      ? `The text has a Flesch-Kincaid grade of ${grade}, above the 6 to 12 that this check asks for. Long sentences easily lose a part of their meaning in a summary.`
      : `The text has a Flesch-Kincaid grade of ${grade}, below the 6 to 12 that this check asks for. That is easy to read; a summary of it may have to join what the short sentences leave unconnected.`,
    grade > 12
      ? `Split long sentences and use shorter words, beginning with ${shown(english[0]?.url ?? '')}.`
      : `Join some short sentences with their reasons and details, beginning with ${shown(english[0]?.url ?? '')}; the words may stay simple.`,
    evidence,
  )
}

export function judgeStuffing(pages: readonly Page[]): Outcome {
  const measured = pages.flatMap((page) => {
    const functionWords = functionWordsOf(page.language ?? 'en')
    const words = functionWords === undefined ? [] : wordsOf(page.mainText)
    return functionWords === undefined || words.length < 300
      ? []
      : [{ page, total: words.length, ...mostFrequent(words, functionWords) }]
  })
  if (measured.length === 0) {
    return notApplicable(
      'No page has 300 words or more in a language whose common words are known to this check.',
    )
  }
  const stuffed = measured.filter(({ count, total }) => count * 1000 > total * 25)
  const evidence = (stuffed.length > 0 ? stuffed : measured)
    .slice(0, 5)
    .map(({ page, word, count, total }) => ({
      url: page.url,
      value: `"${shown(word, 60)}" ${counted(count, 'time')} in ${total} words`,
    }))
  const [first] = stuffed
  if (first === undefined)
    return pass(
      `On ${counted(measured.length, 'long page')}, no word is more than 2.5 % of the text.`,
      ...evidence,
    )
  return fail(
    `On ${stuffed.length} of ${counted(measured.length, 'long page')}, one word is more than 2.5 % of the text, which can read as manipulation.`,
    `Use "${shown(first.word, 60)}" less often on ${shown(first.page.url)}.`,
    ...evidence,
  )
}

/** Counts words of four letters or more that are not grammatical. With equal counts the first one wins. */
function mostFrequent(
  words: readonly string[],
  grammar: ReadonlySet<string>,
): { word: string; count: number } {
  const counts = new Map<string, number>()
  for (const word of words) {
    if (/^\p{L}[\p{L}\p{M}'-]{3,}$/u.test(word) && !grammar.has(word))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  let top = { word: '', count: 0 }
  for (const [word, count] of counts) if (count > top.count) top = { word, count }
  return top
}
