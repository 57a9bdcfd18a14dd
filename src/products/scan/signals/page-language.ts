import { eld } from 'eld/extrasmall'
import { type Element, textWithin } from '../site/html/visible-text.ts'
import type { Page, Site } from '../site/site.ts'

/**
 * Tells the language of a page by its text. Many pages declare a wrong one: templates come with `lang="en"`.
 * A check that looked for English words on such a page would report everything as missing. This module loads
 * 29 MB of letter frequencies, so only the threads that judge captures may import it.
 */
export interface PageLanguage {
  /** The language of the text, else the declared one. In ISO 639-1: `de`, `zh`. */
  readonly code: string | undefined
  /** Undefined when the text is too short or mixed. */
  readonly detected: string | undefined
  /** The first part of html[lang]. */
  readonly declared: string | undefined
}

const known = new WeakMap<Page, PageLanguage>()

/** The language of one page, detected once. */
export function languageOf(page: Page): PageLanguage {
  const seen = known.get(page)
  if (seen !== undefined) return seen
  const declared = page.language
  const text = proseOf(page)
  const found = detect(text)
  const isBoth =
    found !== undefined &&
    ((isWrittenIn(text, declared) && isLatin(found)) || isAlsoIn(page.lines, declared, found))
  const detected = isBoth ? undefined : found
  const language = { code: detected ?? declared, detected, declared }
  known.set(page, language)
  return language
}

/** Whether a page says its text in the declared language as well, line by line. A style sheet hides one of the two. */
function isAlsoIn(lines: readonly string[], declared: string | undefined, found: string): boolean {
  if (declared === undefined || declared === found) return false
  const languages = lines
    .filter((line) => (line.match(/\p{L}/gu)?.length ?? 0) >= minLineLetters)
    .slice(0, maxLines)
    .flatMap((line) => {
      const result = eld.detect(line.slice(0, pieceCharacters))
      return result.isReliable() ? [result.language] : []
    })
  const count = (code: string) => languages.filter((language) => language === code).length
  return count(declared) >= 3 && count(declared) * 2 >= count(found)
}

const minLineLetters = 40
const maxLines = 60

/**
 * Without samples of code, whose words are English on a page in any language, and without dialogs: an English page may have
 * kept those of its original.
 */
function proseOf({ $, mainText, text }: Page): string {
  const hasCode = $('pre, code').length > 0
  if (hasCode || $('.modal, [role="dialog"]').length > 0) {
    const isLeftOut = (element: Element) => isBesideProse.test(element.name) || isDialog(element)
    const prose = textWithin($('body').toArray(), isLeftOut)
    // Where a dialog holds nearly all, it is the text.
    if (hasCode || (prose.length >= minCharacters && prose.length * 4 >= text.length)) return prose
  }
  return mainText.length >= minCharacters ? mainText : text
}

function isDialog({ attribs }: Element): boolean {
  return attribs.role === 'dialog' || /(?:^|\s)modal(?:\s|$)/.test((attribs.class ?? '').slice(0, 300))
}

const isBesideProse = /^(?:pre|code|kbd|samp|nav|footer|aside)$/

/**
 * Whether a fair share of the letters is of the script of the declared language. Notes on software in Japanese are full of
 * English words, and no page in English has a tenth of its letters in kana.
 */
function isWrittenIn(text: string, declared: string | undefined): boolean {
  const script = declared === undefined ? undefined : scripts.get(declared)
  if (script === undefined) return false
  const start = text.slice(0, 20_000)
  const letters = start.match(/\p{L}/gu)?.length ?? 0
  return (start.match(script)?.length ?? 0) * 10 > letters
}

const scripts: ReadonlyMap<string, RegExp> = new Map([
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['lo', /\p{Script=Lao}/gu],
  ['km', /\p{Script=Khmer}/gu],
  ['my', /\p{Script=Myanmar}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['ka', /\p{Script=Georgian}/gu],
  ['hy', /\p{Script=Armenian}/gu],
  ...['ar', 'fa', 'ur'].map((code) => [code, /\p{Script=Arabic}/gu] as const),
  ...['ru', 'uk', 'bg', 'be', 'sr', 'mk', 'kk'].map((code) => [code, /\p{Script=Cyrillic}/gu] as const),
  ...['hi', 'mr', 'ne'].map((code) => [code, /\p{Script=Devanagari}/gu] as const),
])

function isLatin(language: string): boolean {
  return !scripts.has(language)
}

/** The language of the site: that of its home page, else that of most other pages. */
export function siteLanguage({ home, pages }: Site): string | undefined {
  const own = home && languageOf(home)
  if (own?.detected !== undefined) return own.detected
  const counts = new Map<string, number>()
  for (const page of pages) {
    const { detected } = languageOf(page)
    if (detected !== undefined) counts.set(detected, (counts.get(detected) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? own?.declared
}

const minCharacters = 200
/** The detector reads a thousand characters, so a long text is read in several places. */
const pieceCharacters = 900
const maxPieces = 5
const minPiece = 250

/** The language that most pieces of a text have; undefined when no language has more than half of them. */
function detect(text: string): string | undefined {
  const pieces = piecesOf(text)
  const counts = new Map<string, number>()
  for (const piece of pieces) {
    const language = languageOfPiece(piece)
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most !== undefined && most[1] * 2 > pieces.length ? most[0] : undefined
}

function piecesOf(text: string): string[] {
  const whole = text.slice(0, 100_000)
  // Two parts of a short text have to agree, because names and menus in another language may fill one.
  const least = whole.length >= 2 * minPiece ? 2 : 1
  const count = Math.min(maxPieces, Math.max(least, Math.floor(whole.length / pieceCharacters)))
  const distance = Math.floor(whole.length / count)
  return Array.from({ length: count }, (_, index) =>
    whole.slice(index * distance, index * distance + Math.min(distance, pieceCharacters)),
  )
}

function languageOfPiece(piece: string): string | undefined {
  const letters = piece.match(/\p{L}/gu)?.length ?? 0
  if (isMixed(piece, letters)) return undefined
  const script = scriptOf(piece, letters)
  if (script === unsure) return undefined
  if (script !== undefined) return script
  if (letters < minLetters) return undefined
  const result = eld.detect(piece)
  return result.isReliable() ? result.language : undefined
}

/** With fewer letters, brand names and menus decide. */
const minLetters = 100

/** Whether a text says all of it twice: in Latin letters and in those of another alphabet. */
function isMixed(piece: string, letters: number): boolean {
  const share = (pattern: RegExp) => (piece.match(pattern)?.length ?? 0) / Math.max(letters, 1)
  const latin = share(/\p{Script=Latin}/gu)
  const other = share(
    /[\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]/gu,
  )
  return latin > 0.35 && other > 0.2
}

/** A few signs of Japanese among Chinese ones: a menu or a list of Japanese names. */
const unsure = 'unsure'

/**
 * Chinese, Japanese and Korean by their letters alone. Pages in these languages hold many Latin words, which
 * would confuse the detector.
 */
function scriptOf(piece: string, letters: number): string | undefined {
  const share = (pattern: RegExp) => (piece.match(pattern)?.length ?? 0) / Math.max(letters, 1)
  if (letters < 8) return undefined
  if (share(/\p{Script=Hangul}/gu) > 0.25) return 'ko'
  const kana = share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)
  const han = share(/\p{Script=Han}/gu)
  if (kana + han < 0.25) return undefined
  if (kana > 0.1) return 'ja'
  return kana > 0.01 ? unsure : 'zh'
}

/**
 * Whether a declared language contradicts the text. Close relatives are not told apart safely, so between
 * them nothing is said.
 */
export function isWronglyDeclared({ detected, declared }: PageLanguage): boolean {
  if (detected === undefined || declared === undefined || detected === declared) return false
  return !relatives.some((family) => family.has(detected) && family.has(declared))
}

const relatives: readonly ReadonlySet<string>[] = [
  'da no nb nn sv fo is',
  'ms id tl jv su',
  'hr sr bs sh sl mk',
  'es ca gl pt eu oc ast an',
  'it co sc fur scn la',
  'fr oc br',
  'cs sk',
  'ru bg uk be mk sr',
  'fa ar ur ps ku ckb',
  'hi mr ne sa bh',
  'az tr tk uz ky kk tt',
  'zh yue cmn wuu nan',
  'nl af fy li',
  'de gsw nds lb bar',
  'en sco',
  'fil tl',
  'iw he yi',
].map((codes) => new Set(codes.split(' ')))
