import { type IndustrySlug, industrySlugs } from '../../../text/knowledge/industry.ts'
import { pathOf } from '../../site/addresses.ts'
import { metaOf } from '../../site/html/elements.ts'
import { folded } from '../../site/kinds/kind-phrases.ts'
import { once } from '../../site/once.ts'
import { isLibrary, profileOf } from '../../site/profile.ts'
import type { JsonLdNode, Page, Site } from '../../site/site.ts'
import { namesDentalTreatments } from './dental-treatments.ts'
import { industryTypes } from './industry-types.ts'
import { industryWords } from './industry-words.ts'
import { everydayWords, tradeWords } from './other-words.ts'

/**
 * Tells the industry of a site by its home page alone, so that every depth of scan says the same. Its
 * schema.org types decide first, because they were written for programs. Otherwise the words decide with
 * which its title, main heading and description describe it. Running text is left out because it mentions too
 * many subjects. Where no industry leads clearly, it is `other`.
 */
export function industryOf(site: Site): IndustrySlug {
  return readIndustry(site).slug
}

export interface IndustrySignal {
  readonly slug: IndustrySlug
  /** `unclear`: neither markup nor words decide, and `slug` is `other`. */
  readonly how: 'markup' | 'words' | 'shop' | 'unclear'
}

export function readIndustry(site: Site): IndustrySignal {
  const seen = known.get(site)
  if (seen !== undefined) return seen
  const signal = industrySignal(site)
  known.set(site, signal)
  return signal
}

/** A dozen checks and blocks of one scan ask for it. */
const known = new WeakMap<Site, IndustrySignal>()

function industrySignal(site: Site): IndustrySignal {
  const { home } = site
  if (home === undefined) return { slug: 'other', how: 'unclear' }
  const declared = declaredIndustry(home)
  if (declared !== undefined) return { slug: declared, how: 'markup' }
  const written = industryByWords(home)
  if (written !== undefined) return { slug: written, how: 'words' }
  const { shop, api } = profileOf({
    home,
    pages: [home],
    capture: { ...site.capture, exchanges: [home.reply] },
  })
  if (shop) return isRestaurant(home) ? { slug: 'other', how: 'words' } : { slug: 'retail', how: 'shop' }
  return api || isLibrary(home) ? { slug: 'technology', how: 'words' } : { slug: 'other', how: 'unclear' }
}

/** A restaurant that sells vouchers in a basket: it links a menu, and its text begins with what it is. */
function isRestaurant({ links, mainText }: Page): boolean {
  const hasMenu = links.some(
    ({ url, isInternal }) =>
      isInternal && /\/(?:menus?|speisekarte|carte|carta|menukaart)\/?$/i.test(pathOf(url)),
  )
  return (
    hasMenu &&
    scoreOf([{ line: ` ${folded(mainText.slice(0, 1_000))} `, weight: 1 }], vocabulary().get('other') ?? []) >
      0
  )
}

/** Types that say what the site is about. A school that a lawyer attended stands inside another node. */
function declaredIndustry(home: Page): IndustrySlug | undefined {
  const own = home.jsonLd.nodes.filter(({ isTop }) => isTop)
  return industryTypes.find(([, types]) => own.some((node) => isOfType(node, types)))?.[0]
}

function isOfType({ types }: JsonLdNode, wanted: ReadonlySet<string>): boolean {
  return types.some((type) => wanted.has(type))
}

/** Whether the title, the headings or the description name a trade for which the list has no industry. */
export function namesTrade(home: Page): boolean {
  return scoreOf(linesOf(home), trades()) >= minScore
}

/** "Format Gallery", "Mike's Recipes": all that speaks for `other` is one word which every site may use. */
function isEverydayWord(lines: readonly Line[]): boolean {
  const found = (vocabulary().get('other') ?? []).filter((phrase) =>
    lines.some(({ line }) => line.includes(phrase)),
  )
  return found.length === 1 && found.every((phrase) => everyday().has(phrase))
}

interface Line {
  readonly line: string
  readonly weight: number
}

/** The industry with the most weight of words; undefined when it has too little, or not more than another. */
function industryByWords(home: Page): IndustrySlug | undefined {
  const lines = linesOf(home)
  const scores = industrySlugs
    .filter((slug) => slug !== 'other' || !isEverydayWord(lines))
    .map((slug) => {
      const phrases = vocabulary().get(slug) ?? []
      const named = scoreOf(lines, phrases) + (slug === 'healthcare' ? degreeScore(home) : 0)
      return { slug, score: Math.max(named, headingScore(home, phrases)) }
    })
    .sort((a, b) => b.score - a.score)
  const [first, second] = scores
  const isClear = first !== undefined && first.score >= minScore && first.score !== second?.score
  if (isClear) return first.slug
  // Who sells to dentists names what they do, too, and shops and schools have words of their own above.
  return namesDentalTreatments(home) ? 'healthcare' : undefined
}

function linesOf(home: Page): Line[] {
  const headings = home.headings.slice(0, 12)
  // A blog may write the title of each article, a link to it, as a main heading.
  const isList = home.$('h1 a[href]').length > 2
  const fields: readonly (readonly [text: string, weight: number])[] = [
    [home.title.slice(0, 300), 3],
    [metaOf(home, 'og:site_name').slice(0, 100), 2],
    [
      home.headings
        .filter(({ level }) => level === 1)
        .slice(0, 12)
        .map(textOf)
        .join(' | '),
      isList ? 1 : 3,
    ],
    [home.description.slice(0, 500) || metaOf(home, 'og:description').slice(0, 500), 2],
    [
      headings
        .filter(({ level }) => level > 1)
        .map(textOf)
        .join(' | '),
      1,
    ],
  ]
  return fields.map(([text, weight]) => ({ line: ` ${folded(text)} `, weight }))
}

/** One word of the title, or of the description and a heading. */
const minScore = 3

/** Three headings that name the trade say as much as a title: a template may have left its own title. */
function headingScore({ headings }: Page, phrases: readonly string[]): number {
  const naming = headings.slice(0, 12).filter((heading) => {
    const line = ` ${folded(textOf(heading))} `
    return phrases.some((phrase) => line.includes(phrase))
  })
  return naming.length >= 3 ? minScore : 0
}

function degreeScore(home: Page): number {
  const named = [home.title, ...home.headings.filter(({ level }) => level === 1).map(textOf)]
  return named.some((text) => doctorOfDentistry.test(text.slice(0, 300))) ? minScore : 0
}

function textOf({ text }: { readonly text: string }): string {
  return text.slice(0, 120)
}

function scoreOf(lines: readonly Line[], phrases: readonly string[]): number {
  return lines.reduce((sum, { line, weight }) => {
    const found = phrases.filter((phrase) => line.includes(phrase))
    // "Dental clinic" is one statement and not three: the longest phrases count, at most two of a field.
    const longest = found.filter((one) => !found.some((other) => other !== one && other.includes(one.trim())))
    return sum + weight * Math.min(2, longest.length)
  }, 0)
}

/** "Ada Lind, DDS", "Ada Lind DMD": the degree behind a name of two words. */
export const doctorOfDentistry =
  /\p{Lu}[\p{L}.'’-]*,?\s\p{Lu}[\p{L}.'’-]+,?\s(?:D\.D\.S\.|D\.M\.D\.|DDS|DMD)(?![\p{L}\s]{0,2}\p{Lu}\p{Ll})/u

/** Phrases with the spaces that bound them, so that a plain search finds whole words only. */
const vocabulary = once(() => new Map(industrySlugs.map((slug) => [slug, phrasesIn(industryWords[slug])])))

const trades = once(() => phrasesIn(tradeWords))
const everyday = once(() => new Set(phrasesIn(everydayWords)))

function phrasesIn(words: string): string[] {
  return [...new Set(words.split('|').map(bounded))].filter((phrase) => phrase.trim() !== '')
}

function bounded(phrase: string): string {
  const text = folded(phrase.replace(/\*$/, ''))
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(text))
    return text
  if (phrase.startsWith('*')) return `${text} `
  return phrase.endsWith('*') ? ` ${text}` : ` ${text} `
}
