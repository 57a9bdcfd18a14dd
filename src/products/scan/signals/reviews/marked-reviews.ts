import type { Evidence } from '../../findings/check.ts'
import { nodesOf, textOf } from '../../site/html/json-ld.ts'
import type { JsonLdNode, Page, Site } from '../../site/site.ts'
import { firstOf } from '../signal.ts'

export interface MarkedReviews {
  readonly evidence: Evidence
  /** A page shows the rating or a review to readers, too. */
  readonly isShown: boolean
}

/** Ratings and reviews in JSON-LD; those that readers see come first. */
export function markedReviews({ pages }: Site): MarkedReviews | undefined {
  const shown = firstOf(pages, (page) => marked(page, true))
  return shown ?? firstOf(pages, (page) => marked(page, false))
}

function marked(page: Page, isShown: boolean): MarkedReviews | undefined {
  const node = nodesOf(page, 'AggregateRating', 'Review').find((one) => isSeen(one, page) === isShown)
  if (node === undefined) return undefined
  const rating = textOf(node.properties.ratingValue)
  const value = `${node.types[0] ?? 'Review'} in JSON-LD${rating === '' ? '' : `, rating ${rating}`}`
  return { evidence: { url: page.url, value }, isShown }
}

/** By the figure of the rating or the number of its reviews, or by the words or the name of a reviewer. */
function isSeen({ properties }: JsonLdNode, page: Page): boolean {
  const text = page.text.slice(0, 200_000)
  const figures = [...ratingForms(textOf(properties.ratingValue)), ...countForms(properties)]
  if (figures.some((figure) => figure.test(text))) return true
  const words = [properties.reviewBody, properties.description, properties.author].map((one) =>
    textOf(one).trim().replace(/\s+/g, ' ').slice(0, 40),
  )
  return words.some((start) => start.length >= 3 && text.includes(start))
}

/** "4.8" is also written "4,8"; a whole number needs stars or a scale beside it. */
function ratingForms(value: string): readonly RegExp[] {
  const rating = Number(value.replace(',', '.'))
  if (value.trim() === '' || !Number.isFinite(rating) || rating < 0 || rating > 1_000) return []
  const [whole = '', part = '0'] = String(Math.round(rating * 100) / 100).split('.')
  const scale = String.raw`\s?(?:★|⭐|/|(?:von|out of|sur|su|de|di|van|stars?|sterne|étoiles|stelle|estrellas|estrelas|yıldız|звёзд|звезд)(?!\p{L}))`
  return [
    new RegExp(String.raw`(?<![\d.,])${whole}[.,]${part}(?!\d)`, 'u'),
    ...(part === '0' ? [new RegExp(String.raw`(?<![\d.,])${whole}${scale}`, 'iu')] : []),
    ...(rating === 5 ? [/(?:★|⭐)\s?(?:(?:★|⭐)\s?){4}/u] : []),
  ]
}

/** Two reviews may be two rooms: the count of few says nothing. */
function countForms(properties: JsonLdNode['properties']): readonly RegExp[] {
  const counts = [properties.reviewCount, properties.ratingCount].map((one) => textOf(one).replace(/\D/g, ''))
  return counts
    .filter((count) => count.length >= 2)
    .map((count) => new RegExp(`(?<![\\d.,])${count}(?![\\d])`, 'u'))
}
