import { spokenText } from '../../site/html/elements.ts'
import { around } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'

export type Availability = 'InStock' | 'OutOfStock'

/**
 * Whether the product of a page can be had, by the words that the page shows. An assistant offers what has a price and
 * no word of its stock. Badges in links and lists belong to other products. Where the statements differ, none is taken.
 */
export function availabilityOn(page: Page): Availability | undefined {
  const found = new Set<Availability>()
  for (const { node, isHidden: isUnseen, region } of page.elements) {
    if (isUnseen || (region !== undefined && region !== 'main') || !isOfText(node.name)) continue
    // A label is short: a longer text that says "in stock" tells a story.
    const stated = statedIn(spokenText(node, 20))
    if (stated !== undefined && !around(node).some(({ name }) => name === 'a' || name === 'li'))
      found.add(stated)
  }
  const [only] = found
  return found.size === 1 ? only : undefined
}

function isOfText(name: string): boolean {
  return /^(?:p|span|div|strong|b|em|dd|td)$/.test(name)
}

function statedIn(text: string): Availability | undefined {
  if (text.length > 60) return undefined
  if (outOfStock.test(text)) return 'OutOfStock'
  return inStock.test(text) ? 'InStock' : undefined
}

const outOfStock =
  /^(?:availability: ?)?(?:(?:currently )?(?:out of stock|sold out|unavailable)|(?:derzeit |zurzeit )?(?:nicht (?:vorrätig|auf lager|verfügbar|lieferbar)|ausverkauft|vergriffen)|(?:en )?rupture de stock|épuisée?|agotad[oa]|sin existencias|esaurit[oa]|non disponibile|esgotad[oa]|uitverkocht|niet op voorraad|stokta yok|tükendi|нет в наличии)[.!]?$/iu
const inStock =
  /^(?:availability: ?)?(?:(?:only )?\d{0,5} ?(?:left )?in stock|\d{0,5} ?(?:auf lager|vorrätig)|\d{0,5} ?en stock|\d{0,5} ?disponibil[ei]|\d{0,5} ?hay existencias|\d{0,5} ?em estoque|\d{0,5} ?op voorraad|stokta|в наличии)(?: \(.{1,40}\))?[.!]?$/iu
