import { sentencesIn } from '../../../text/sentences.ts'
import { asking, fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { isFilledPage } from '../../findings/scripted/filled-pages.ts'
import { isWrittenLater } from '../../findings/scripted/written-later.ts'
import { counted } from '../../findings/share.ts'
import { languageOf } from '../../signals/page-language.ts'
import { isOnePersons } from '../../signals/site-kind/one-person.ts'
import { kindOfSite } from '../../signals/site-kind/site-kind.ts'
import { shown } from '../../site/addresses.ts'
import { amountsIn } from '../../site/amounts.ts'
import { isArchive } from '../../site/contact/contact-pages.ts'
import { headedAmounts } from '../../site/headed-amounts.ts'
import { countWords, isFiller, syllablesOf, wordsOf } from '../../site/html/words.ts'
import { noticesOf } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges the prose itself by its figures and its reading grade. All content pages count together,
 * because one short page says little about how a site is written. References of functions, pages of parishes and those of
 * one person make no claims that a figure would prove.
 */
export function judgeEvidence(content: readonly Page[], site: Site): Outcome {
  const kind = kindOfSite(site)
  if (/^(?:library|faith|person|event)$/.test(kind) || isOnePersons(site))
    return notApplicable(
      `Figures are asked of texts that claim something, not of the site of ${asked[kind] ?? 'one person'}.`,
    )
  const pages = content.filter(
    (page) => (page === site.home || !isReference(page)) && !isFilledPage(page, site),
  )
  if (pages.length === 0)
    return unmeasured('Scripts write the text of the pages. None are run, so it was not read.')
  const sizes = pages.map((page) => ({
    page,
    ...measure(page),
  }))
  const words = sizes.reduce((sum, one) => sum + one.words, 0)
  const figures = sizes.reduce((sum, one) => sum + one.figures.length, 0)
  if (words < 100)
    return notApplicable(`The content pages have only ${counted(words, 'word')}, too few to ask for figures.`)
  const things = sizes.reduce((sum, one) => sum + thingsIn(one.page.mainPart.prose, one.figures), 0)
  const reason = `The main text of the content pages has ${counted(figures, 'figure')} with a unit, per cent or currency in ${words} words.${things > 0 && figures * 100 < words ? ` ${counted(things, 'more number')} may count something, too; the words behind them are not known to this check.` : ''}`
  const isGood = figures * 100 >= words
  // A greeting of 2021 is not rewritten.
  const isPast = ({ url }: Page) => isArchive(url, site.now)
  // Where there is advice, the pages that lack most come first.
  const ranked = isGood
    ? sizes.toSorted((a, b) => b.figures.length - a.figures.length).slice(0, 3)
    : sizes
        .toSorted((a, b) => Number(isPast(a.page)) - Number(isPast(b.page)) || lackOf(b) - lackOf(a))
        .slice(0, 5)
  const evidence = ranked.map(({ page, ...one }) => ({
    url: page.url,
    value: `${counted(one.figures.length, 'figure')} in ${counted(one.words, 'word')}${one.figures.length > 0 ? `: ${shown(one.figures.slice(0, 4).join('; '), 100)}` : ''}`,
  }))
  if (isGood) return pass(reason, ...evidence)
  const elsewhere = figuresElsewhere(content, site)
  if ((figures + elsewhere) * 100 >= words)
    return pass(`${reason} ${counted(elsewhere, 'more stands', 'more stand')} on other pages.`, ...evidence)
  if ((figures + things) * 100 >= words) return unmeasured(reason)
  const found = fail(
    `${reason}${elsewhere === 0 ? '' : ` ${counted(elsewhere, 'more stands', 'more stand')} on other pages.`} At least one per 100 words is asked for, because statements with figures are cited more than general praise.`,
    'Add figures that you know to be true where you tell what you do, such as amounts, durations and sizes. One in 100 words is enough.',
    ...evidence,
  )
  return asking(found, { kind: 'figures' })
}

/** A list of prices is no prose, and states figures. */
function figuresElsewhere(content: readonly Page[], site: Site): number {
  const notices = noticesOf(site)
  return site.pages
    .filter((page) => !(content.includes(page) || notices.has(page) || isReference(page)))
    .reduce((sum, page) => sum + measure(page).figures.length, 0)
}

const asked: Readonly<Record<string, string>> = {
  library: 'a library for programmers',
  faith: 'a community of faith',
  person: 'one person',
  event: 'an event',
}

/** What a template left as filler states nothing. */
function measure(page: Page): { words: number; figures: readonly string[] } {
  const { prose, paragraphs } = page.mainPart
  const text = paragraphs.filter(isFiller).reduce((rest, filler) => rest.replace(filler, ' '), prose)
  return { words: countWords(text), figures: [...figuresIn(text), ...headedAmounts(page)] }
}

/** A manual or a list of functions, by its samples of code. */
function isReference({ mainPart, mainText }: Page): boolean {
  return mainPart.codeWords * 5 > countWords(mainText)
}

/** Numbers before a word that is no unit: "12 rooms", "40 familles". Times, dates, years and labels count nothing. */
function thingsIn(text: string, figures: readonly string[]): number {
  // "400 metri" of "400 metri quadri" was counted before.
  const rest = figures.slice(0, 1_000).reduce((left, one) => left.replace(one, ' '), text)
  return [...rest.matchAll(thing)].filter(([found]) => !isYear(found) && !/^(?:19|20)\d{2}\s/.test(found))
    .length
}

const thing =
  /(?<![\d.,:_/№#-]|\p{L})(?!0\d)\d{1,3}(?:[.,]\d{3})*(?:[.,]\d{1,2})?\+?\s(?=\p{Ll}{4,}|(?!(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC))\p{Lu}{3,}(?!\p{Ll}))|(?<![\d.,]|\p{L}{2})\d{1,3}(?:[.,]\d{3})+(?![\d.,]\d)/gu

function lackOf({ words, figures }: { readonly words: number; readonly figures: readonly string[] }): number {
  return words - figures.length * 100
}

function figuresIn(written: string): readonly string[] {
  const text = written.replace(readingTime, ' ')
  const measured = [...text.matchAll(figure)].filter(
    (match) => !isTime(match[0]) && !isYear(match[0]) && !isQuoted(text, match) && !isLabel(text, match),
  )
  return [
    ...amountsIn(text, 10_000),
    ...measured.map(([one]) => one),
    ...Array.from(text.matchAll(spelled), ([one]) => one),
    ...Array.from(text.matchAll(sinceWhen), ([one]) => one),
  ]
}

/** Years that are written in words, such as "más de cinco años". */
const spelled =
  /(?<!\p{L})(?:(?:two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|fifty) years|(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|fünfzehn|zwanzig|dreißig|vierzig|fünfzig) jahren?|(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|quince|veinte|treinta|cuarenta|cincuenta) años|(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|quinze|vingt|trente|quarante|cinquante) ans|(?:due|tre|quattro|cinque|sei|sette|otto|nove|dieci|quindici|venti|trenta|quaranta|cinquanta) anni|(?:dois|três|quatro|cinco|seis|sete|oito|nove|dez|quinze|vinte|trinta|quarenta|cinquenta) anos|(?:twee|drie|vier|vijf|zes|zeven|acht|negen|tien|vijftien|twintig|dertig|veertig|vijftig) jaar)(?!\p{L})/giu

/** The year in which something began, which is a fact about its owner. */
const sinceWhen =
  /(?<!\p{L})(?:since|seit|depuis|desde|dal|sinds|od roku|с)\s(?:the year\s|dem jahr\s)?(?:\p{L}{3,9}\.?\s|(?:0?[1-9]|1[0-2])[/.])?(?:1[89]|20)\d{2}(?!\d)/giu

/** What a theme writes beside the date of an article: "1 min · Jane Doe", "5 min read". */
const readingTime =
  /[·•|]\s?\d{1,3}\s?(?:mins?|minutes?|minuten|minuti|minutos|мин(?:ут[аы]?)?|dk|dakika|分钟?|分鐘|분)(?=\.?\s?[·•|])|\d{1,3}[\s-]?(?:mins?|minutes?|minuten|minuti|minutos|мин(?:ут[аы]?)?|dk|dakika|分钟?|分鐘|분)\.?\s?(?:read(?:ing time)?(?!\p{L})|lesezeit|lesedauer|de lecture|de lectura|di lettura|de leitura|leestijd|lezen|okuma|чтения|で読め|读完|阅读)/giu

/** "9.00 uur", "10.30 h" and "9.00 Uhr" name a time of day, as "11:00" does. Hours that something takes have no minutes. */
function isTime(found: string): boolean {
  return /^(?:[01]?\d|2[0-4])\.[0-5]\d\s?(?:uur|h|ore|saat|час\p{L}{0,2})$/iu.test(found)
}

/** "2021年", "в 2012 году" and "1990s" name a time; "2012T" is an edition. */
function isYear(found: string): boolean {
  return (
    /^(?:1[5-9]|20)\d{2}(?:\s?(?:年|년|г|год|года|second)|[ts+])$/iu.test(found) ||
    // "CVPR 2024 project page", "2025 Jour" for the article of a journal: one thing is never counted so.
    /^(?:19|20)\d{2}\s(?:project|client|customer|user|patient|employee|people|day|week|month|year|hour|minute|tag|woche|monat|jahr|stunde|jour|semaine|année|heure|día|semana|año|hora|giorno|anno|ano|dia)$/iu.test(
      found,
    )
  )
}

/** "09 T. 12.05." is a note of a court, "4 Day 1" counts days, "26年" is a year or an age, "5G" a network, and "25hours" a name. */
function isLabel(text: string, { 0: found, index }: RegExpExecArray): boolean {
  const next = text.slice(index + found.length, index + found.length + 4)
  return (
    /^[2-6]G$/.test(found) ||
    /^\d+\p{Script=Latin}{4,}$/u.test(found) ||
    (/\s\p{Lu}$/u.test(found) && next.startsWith('.')) ||
    (/\s\p{Lu}\p{Ll}+$/u.test(found) && /^\s\d/.test(next)) ||
    // "8월 21일" is a day, and "明治13年" is 1880.
    (/일$/u.test(found) && /월\s?$/u.test(text.slice(Math.max(0, index - 2), index))) ||
    (/年$/u.test(found) &&
      /(?:明治|大正|昭和|平成|令和)\s?$/u.test(text.slice(Math.max(0, index - 4), index))) ||
    (/^2\d\s?[年년]$/u.test(found) && !/^[間目간]/u.test(next)) ||
    // "2019.12.28年末": the end of a year.
    (/年$/u.test(found) && /^[末始度]/u.test(next)) ||
    // "– Anna Lind, 40 years": the age of somebody who is quoted.
    (/^\d{1,2}\s/.test(found) &&
      /[–—―-]\s?[\p{L}\p{M}'’. ]{2,40}[,،、]\s?$/u.test(text.slice(Math.max(0, index - 50), index))) ||
    // A counter that a script has not begun: "0 years".
    /^0\+?\s?\p{L}/u.test(found) ||
    // "1066 CV Amsterdam" is a place, and "4 T I J D" a number before letters that stand apart.
    (/^[1-9]\d{3}\s[A-Z]{2}$/.test(found) && /^,?\s\p{Lu}/u.test(next)) ||
    (/\s\p{Lu}$/u.test(found) && /^\s\p{Lu}\s/u.test(next))
  )
}

/** The mark behind the number closes a quotation that was opened before: `"1.0"` has no inches. */
function isQuoted(text: string, { 0: found, index }: RegExpExecArray): boolean {
  if (!found.endsWith('"')) return false
  const before = text.slice(Math.max(0, index - 300), index)
  const isOpen = (part: string) => (part.match(/"/g)?.length ?? 0) % 2 === 1
  return before.endsWith('"') || (isOpen(before) && isOpen(before.replace(/\d"(?=[ .,;)])/g, ' ')))
}

/** Numbers with a unit, in the languages of `kindLanguages`. */
const units =
  'percent|per cent|prozent|pour cent|por ciento|per cento|por cento|procent|yüzde|процент(?:ов|а)?|dollars?|euros?|pounds?|ms|sec|seconds?|min|minutes?|h|hrs?|hours?|days?|business days?|working days?|weeks?|months?|years?|' +
  'sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|secondes?|heures?|jours?|semaines?|mois|ans|années?|años?|días?|horas?|minutos?|segundos|semanas|meses|anni|anno|giorni|ore|minuti|secondi|mesi|settimane|anos?|dias|' +
  'jaar|dagen|uur|minuten|seconden|maanden|weken|yıl(?:da|lık)?|gün(?:de|lük)?|saat(?:te|lik)?|dakika(?:da|lık)?|saniye|ay(?:da|a|lık)?|hafta(?:da|lık)?|seans|diş|hasta|kişi|cells?|words?|лет|года?|год|месяц(?:ев|а)?|час(?:ов|а)?|минут[аы]?|дней|дня|день|секунд|недел[иь]|шт|чел|' +
  'سنة|سنوات|عاما?|أعوام|يوما?|أيام|ساعة|ساعات|دقيقة|دقائق|شهرا?|أشهر|أسبوع|أسابيع|عميل|مشروع|' +
  'mg|g|kg|lbs?|oz|t|tons?|tonnes?|mm|cm|m|km|m²|m2|qm|inch|inches|ft|feet|yards?|miles?|mph|km/h|ml|cl|lit(?:er|re)s?|gallons?|w|kw|kwh|mah|ah|ma|mw|gw|volts?|watts?|hz|khz|mhz|ghz|kb|mb|gb|tb|pb|kbit|mbit|gbit|mbps|gbps|px|dpi|rpm|hp|mesh|million|billion|thousand|times|cc|cm3|cm³|cv|ps|bhp|litros?|litri|мм|см|м|км|кг|г|мл|л|млн|тыс|' +
  'customers?|clients?|users?|patients?|projects?|employees?|people|countries|kunden|mitarbeiter(?:innen)?|personen|clienti|clientes|pessoas|personas|personnes|medewerkers|' +
  'guests?|reviews?|gäste|bewertungen|ospiti|recensioni|huéspedes|reseñas|opiniones|hóspedes|avaliações|invités|avis|gasten|beoordelingen|misafir|yorum|гост(?:ь|я|ей)|отзыв(?:а|ов)?|' +
  'square (?:foot|feet|met(?:er|re)s?|kilomet(?:er|re)s?|miles?)|sq\\.?\\s?(?:ft|m)|quadratmetern?|mètres carrés|metros cuadrados|metri quadr(?:at)?i|metros quadrados|vierkante meter|metrekare|кв\\.?\\s?м|acres?|hectares?|hektar|hectáreas?|ettar[oi]|hectaren|гектар(?:а|ов)?|pax|' +
  'mal|fois|veces|volte|vezes|keer|sessions?|sitzungen|séances|sesiones|sedute|sessioni|incontri|sessões|sessies|mins|mètres?|metros?|metri|met(?:er|re)s?|m3|m³|' +
  'pages?|seiten|páginas?|pagin[ae]|страниц[аы]?|pollici|pulgadas|polegadas|zoll|pouces|дюйм(?:а|ов)?|inç'

/** Counters of Chinese, Japanese and Korean, which follow the number directly. */
const counters =
  '年間?(?!代)|[ヶか个個]月間?|月間|日間|日(?:以内|後|前)|天|時間|小时|小時|分[钟鐘間]?|秒|名|人|件|回|社|歳|岁|歲|家|次|[万萬億亿](?![円元圓圆])|[多余]?(?:款|台|种|種|位|套|张|張|项|項|倍|块|塊|公斤|公里|平方米)(?!位)|点|種類|店舗|개월|년|일|시간|분|초|명|건|회|개|주년|세|만(?!원)|배|％'

/**
 * Each run of digits is tried once, from its start. The bounded length keeps a page full of digits cheap. Single letters stuck to a number ("4v") are names in code and formulas, the
 * comma of "119, x" ends what stands before it, and "11:00 uur" and "07" are a time and a code.
 */
const figure = new RegExp(
  `(?<![\\d.,:_/第제]|\\d-\\d{1,2}-|\\p{Script=Latin})(?!0\\d)\\d(?:[\\d.,]{0,20}\\d)?(?:[kKmMbB]?\\+(?![\\p{L}\\d])|\\+?[\\s-]?(?:[%‰°٪″]|"(?=[ .,;)])|(?:${units})(?!(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}])[\\p{L}\\p{N}_])|(?:${counters}))|\\s[lv](?![\\p{L}\\p{N}_'’]))|(?<![\\p{L}\\d])%\\d{1,3}(?:,\\d{1,2})?(?![\\d%])`,
  'giu',
)

/** Templates declare English, and a page that mixes scripts is not told apart from it by its letters alone. */
function isLatin({ mainPart }: Page): boolean {
  const text = mainPart.paragraphs.join(' ').slice(0, 50_000)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return (text.match(/\p{Script=Latin}/gu)?.length ?? 0) * 10 >= letters * 9
}

export function judgeReadability(pages: readonly Page[], site: Site): Outcome {
  if (pages.every((page) => isWrittenLater(page, site)))
    return unmeasured('Scripts write the text of the pages. None are run, so it was not read.')
  const english = pages.filter((page) => languageOf(page).code === 'en' && isLatin(page))
  if (english.length === 0)
    return unmeasured(
      pages.some((page) => languageOf(page).code !== undefined)
        ? 'No content page is in English, and the grade is defined for English only.'
        : 'The language of the content pages could not be told, and the grade is defined for English only.',
    )
  const written = english.flatMap((page) => page.mainPart.paragraphs)
  const paragraphs = written.filter((paragraph) => !isFiller(paragraph))
  if (paragraphs.length * 2 < written.length)
    return unmeasured('Most paragraphs are filler text (lorem ipsum), which no grade is defined for.')
  const words = paragraphs.flatMap(wordsOf)
  if (words.length < 100 && english.some(({ mainText }) => countWords(mainText) >= 300))
    return unmeasured(
      'The text of the pages stands in no paragraphs (p elements), which the grade is taken from.',
    )
  if (words.length < 100) {
    return notApplicable(
      `The paragraphs have only ${counted(words.length, 'word')}, too few for a reading grade.`,
    )
  }
  const sentences = paragraphs.reduce((sum, paragraph) => sum + sentencesIn(paragraph).length, 0)
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0)
  const exact = (0.39 * words.length) / Math.max(sentences, 1) + (11.8 * syllables) / words.length - 15.59
  const grade = Math.round(exact * 10) / 10
  const sizes = english
    .map(({ url, mainPart }) => ({
      url,
      words: mainPart.paragraphs.filter((one) => !isFiller(one)).flatMap(wordsOf).length,
    }))
    .filter((one) => one.words > 0)
    .toSorted((one, other) => other.words - one.words)
  // Most of the words decide, so the pages that have them come first.
  const evidence = sizes.slice(0, 5).map(({ url, words: own }, at) => ({
    url,
    value:
      at === 0
        ? `grade ${grade}: ${words.length} words, ${sentences} sentences, ${syllables} syllables on ${counted(english.length, 'page')}; ${own} of the words here`
        : `${own} of the words`,
  }))
  const hasLongSentences = words.length / Math.max(sentences, 1) > 18
  if (grade <= 12) return pass(`The text has a Flesch-Kincaid grade of ${grade}, at most 12.`, ...evidence)
  const found = fail(
    `The text has a Flesch-Kincaid grade of ${grade}, above the 12 that this check asks for. ${hasLongSentences ? 'Long sentences easily lose a part of their meaning in a summary.' : 'Its sentences are short; its long words make it hard to read.'}`,
    `${hasLongSentences ? 'Split long sentences and use shorter words' : 'Use shorter words where there are any'}, beginning with ${shown(evidence[0]?.url ?? '')}.`,
    ...evidence,
  )
  return asking(found, { kind: 'plain-words', areSentencesLong: hasLongSentences })
}
