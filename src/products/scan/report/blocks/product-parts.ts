import { typedPages } from '../../agents/structured-data/page-type.ts'
import { shown } from '../../site/addresses.ts'
import { pricesIn } from '../../site/amounts.ts'
import { attributeOf, metaOf } from '../../site/html/elements.ts'
import { nodesOf } from '../../site/html/json-ld.ts'
import { textWithin } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import { imageOf } from './facts/own-pictures.ts'
import { dollarOf, priceOf } from './facts/stated-prices.ts'
import type { PagePart } from './page-parts.ts'
import { availabilityOn } from './product-availability.ts'

/**
 * The Product and its Offer for pages of products that do not say so, with the name and the price that the page
 * shows. A page that shows no price, or several, gets none: a wrong price would be published as the owner's own.
 */
export function productParts(site: Site): PagePart[] {
  const dollar = dollarOf(site.pages)
  return typedPages(site)
    .filter(({ kind, isDeclared }) => kind === 'product' && !isDeclared)
    .flatMap(({ page }) => {
      const name = shown(page.headings.find(({ level }) => level === 1)?.text ?? '', 150)
      const price = seenPrice(page, dollar)
      if (name === '' || price === undefined) return []
      const [own, ...others] = nodesOf(page, 'Product').filter(({ isTop }) => isTop)
      if (others.length > 0) return []
      const { offers: _, ...stated } = own?.properties ?? {}
      const stock = availabilityOn(page)
      const image = metaOf(page, 'og:image') || imageOf(page, site)
      const node = {
        '@type': 'Product',
        ...(image !== undefined && { image }),
        ...(page.description !== '' && { description: shown(page.description, 300) }),
        ...stated,
        name: stated.name ?? name,
        url: page.url,
        offers: {
          '@type': 'Offer',
          price: price.price,
          priceCurrency: price.currency,
          ...(stock !== undefined && { availability: `https://schema.org/${stock}` }),
          url: page.url,
        },
      }
      return [{ page, node, ...(own !== undefined && { replaces: 'Product' }) }]
    })
}

type Price = NonNullable<ReturnType<typeof priceOf>>

/** The only price in the elements that are called so, else the only amount in the main part. */
function seenPrice(page: Page, dollar: string | undefined): Price | undefined {
  const called = page.elements
    .filter(({ node, isHidden, region }) => !isHidden && region !== 'footer' && isCalledPrice(node))
    .flatMap(({ node }) => priceOf(textWithin([node]), dollar) ?? [])
  return only(called) ?? (called.length > 0 ? undefined : onlyAmount(page.mainText, dollar))
}

function onlyAmount(text: string, dollar: string | undefined): Price | undefined {
  const amounts = pricesIn(text, 20)
  const prices = amounts.flatMap((amount) => priceOf(amount, dollar) ?? [])
  return prices.length === amounts.length ? only(prices) : undefined
}

function only(prices: readonly Price[]): Price | undefined {
  const [first] = prices
  const isOne = prices.every(({ price, currency }) => price === first?.price && currency === first.currency)
  return isOne ? first : undefined
}

function isCalledPrice(node: Page['elements'][number]['node']): boolean {
  const name = `${attributeOf(node, 'class')} ${attributeOf(node, 'itemprop')}`.slice(0, 300)
  return /price/i.test(name) && !/old|was|regular|compare|list|strike|per-?unit/i.test(name)
}
