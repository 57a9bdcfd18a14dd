import { sentencesIn } from '../../../text/sentences.ts'
import { asking, fail, type Outcome, pass, warn } from '../../findings/check.ts'
import { counted, listed } from '../../findings/share.ts'
import type { WordsWanted } from '../../findings/work.ts'
import { subjectElsewhere } from '../../signals/brand-name.ts'
import { isSampleName } from '../../signals/generic-titles.ts'
import { misspelledStreet } from '../../signals/title-spelling.ts'
import { shown } from '../../site/addresses.ts'
import { isDescriptionCut } from '../../site/html/cut-description.ts'
import { isKeywordList } from '../../site/html/words.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges title and description of the home page. Engines show them in their results, and make up their own words where
 * these are missing, do not fit, or speak of something else.
 */
export function judgeTitle(home: Page, site: Site): Outcome {
  const parts = [readTitle(home), readDescription(home)]
  const evidence = parts.map(({ name, text, length }) => ({
    url: home.url,
    value: length === 0 ? `no ${name}` : `${name}, ${counted(length, 'character')}: "${shown(text, 320)}"`,
  }))
  const unfit = parts.flatMap(({ fault, ...part }) => (fault === undefined ? [] : [{ ...part, fault }]))
  const slip = misspelledStreet(site)
  const [first] = unfit
  if (first === undefined) {
    if (slip === undefined)
      return pass('Title and description have lengths that engines can show whole.', ...evidence)
    const found = warn(
      `The title spells the street “${slip.written}”, and the pages “${slip.right}”. Who looks for the street finds another one.`,
      `Write “${slip.right}” in place of “${slip.written}” in the title of ${shown(home.url)}, and wherever else it stands so.`,
      ...evidence,
    )
    return asking(found, { kind: 'title', slip })
  }
  const orders = unfit.map((part) => ({ part, order: orderFor(part) }))
  const ordered = orders.flatMap(({ order }) => (typeof order === 'string' ? [order] : []))
  const changed = orders.flatMap(({ part, order }) =>
    typeof order === 'object' && order.change !== 'write' ? [changeText(part, order)] : [],
  )
  const written = orders.filter(({ order }) => typeof order === 'object' && order.change === 'write')
  const found = (unfit.length === 1 ? warn : fail)(
    first.fault === 'of another' && unfit.length === 1
      ? `The description of the page speaks of “${shown(first.other, 80)}”, a name that stands nowhere else on the page. Engines show it to all who look for you.`
      : `The page has ${listed(unfit.map(faultText))}. Engines then cut what they show or make up their own summary.`,
    `On ${shown(home.url)}, ${listed([...ordered, ...changed, ...writing(written.map(({ part }) => part))])}.${hasEmptyDescription(home) ? ' The page has an empty description already: fill in that line, and add no second one.' : ''}${slip === undefined ? '' : ` The title spells the street “${slip.written}”, and the pages “${slip.right}”: correct it there.`}`,
    ...evidence,
  )
  const wanted = new Map(
    orders.flatMap(({ part, order }): [Part['name'], WordsWanted][] =>
      typeof order === 'object' ? [[part.name, order]] : [],
    ),
  )
  const [title, description] = [wanted.get('title'), wanted.get('description')]
  if (wanted.size === 0 && slip === undefined) return found
  return asking(found, {
    kind: 'title',
    ...(title && { title }),
    ...(description && { description }),
    ...(slip && { slip }),
    ...(unfit.some(({ fault }) => fault === 'behind an empty one') && { isBehindEmpty: true }),
  })
}

interface Part {
  readonly name: 'title' | 'description'
  readonly text: string
  /** In characters. */
  readonly length: number
  readonly min: number
  readonly max: number
  /** The name that a description of another business has. */
  readonly other: string
  readonly fault: Fault | undefined
}

type Fault =
  | 'missing'
  | 'behind an empty one'
  /** That of a template. */
  | 'sample'
  /** It describes another business. */
  | 'of another'
  /** It ends at a quotation mark within it. */
  | 'cut'
  | 'too short'
  | 'too long'

type Unfit = Part & { readonly fault: Fault }

const titleLimits = { min: 10, max: 70 }
const descriptionLimits = { min: 50, max: 170 }

function readTitle(home: Page): Part {
  const { title } = home
  const isBehindEmpty = title === '' && home.$('title').not('svg title').length > 1
  const fault = isBehindEmpty
    ? 'behind an empty one'
    : isSampleName(title)
      ? 'sample'
      : lengthFault(title, titleLimits)
  return { name: 'title', text: title, length: lengthOf(title), ...titleLimits, other: '', fault }
}

function readDescription(home: Page): Part {
  const { description } = home
  const other = subjectElsewhere(description, home)
  const fault =
    other !== undefined
      ? 'of another'
      : isDescriptionCut(home)
        ? 'cut'
        : lengthFault(description, descriptionLimits)
  return {
    name: 'description',
    text: description,
    length: lengthOf(description),
    ...descriptionLimits,
    other: other ?? '',
    fault,
  }
}

interface Limits {
  readonly min: number
  readonly max: number
}

function lengthFault(text: string, { min, max }: Limits): Fault | undefined {
  if (text === '') return 'missing'
  if (lengthOf(text) > max) return 'too long'
  return columnsOf(text) < min ? 'too short' : undefined
}

function faultText({ name, length, other, fault }: Unfit): string {
  switch (fault) {
    case 'missing':
      return `no ${name}`
    case 'behind an empty one':
      return 'an empty title before the true one'
    case 'sample':
      return 'the title of its template'
    case 'of another':
      return `a description of “${shown(other, 80)}”`
    case 'cut':
      return `a description that ends at a quotation mark within it, after ${counted(length, 'character')}`
    case 'too short':
    case 'too long':
      return `a ${name} of ${counted(length, 'character')}`
  }
}

/** What is to be done: a sentence's part where the words stay, or else which words are wanted of the owner. */
function orderFor({ name, text, length, max, fault }: Unfit): string | WordsWanted {
  if (fault === 'behind an empty one') return 'delete the empty title element that stands before the true one'
  if (fault === 'cut')
    return 'write each straight quotation mark within the text of the description as &quot;, because the first one ends it'
  // Of a list of words nothing can be left out that would make a sentence of it.
  if (fault !== 'too long' || (name === 'description' && isKeywordList(text))) return { change: 'write' }
  return {
    // Of a text that is far over, no few words can be left out.
    change: length > max * 1.25 ? 'shorten' : 'leave-out',
    such: suggestion(text, max),
  }
}

function changeText({ name, max }: Part, { change, such }: WordsWanted): string {
  const order = change === 'shorten' ? 'shorten' : 'leave a few words out of'
  return `${order} the ${name}, so that it has at most ${max} characters${such === undefined ? '' : `, such as “${such}”`}`
}

function writing(parts: readonly Part[]): string[] {
  return parts.map(
    ({ name, min, max }, place) =>
      `${place === 0 ? 'write ' : ''}a ${name} of ${min} to ${max} characters${place === parts.length - 1 ? ' to say what the site offers' : ''}`,
  )
}

function hasEmptyDescription({ $, description }: Page): boolean {
  return description === '' && $('meta[name="description" i]').length > 0
}

/** The text without its last sentences or parts, where what is left says enough. */
function suggestion(whole: string, max: number): string | undefined {
  const text = whole.slice(0, maxSuggestedFrom)
  const parts = text.split(/\s+[|–—·]\s+/u).flatMap(sentencesIn)
  for (let count = parts.length - 1; count > 0; count--) {
    const last = parts[count] ?? ''
    const shorter = text.slice(0, text.lastIndexOf(last)).replace(/[\s|–—·]+$/u, '')
    if (lengthOf(shorter) <= max) return lengthOf(shorter) * 2 >= max ? shown(shorter, max) : undefined
  }
  return undefined
}

const maxSuggestedFrom = 1_000

/** Whether engines can show a title whole, and it says something. */
export function isFitTitle(text: string): boolean {
  return lengthFault(text, titleLimits) === undefined
}

/** Whether engines can show a description whole, and it says something. */
export function isFitDescription(text: string): boolean {
  return lengthFault(text, descriptionLimits) === undefined
}

/** In characters. */
function lengthOf(text: string): number {
  return Array.from(text).length
}

/** The width of a text: a Chinese, Japanese or Korean character is as wide as two letters, and says as much. */
function columnsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0)
}

const wide =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
