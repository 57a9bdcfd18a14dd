import { nodesOf } from '../site/html/json-ld.ts'
import { isPathOfKind } from '../site/page-kinds.ts'
import type { Site } from '../site/site.ts'
import type { Signals } from './signals.ts'

/**
 * Whether the site only publishes: articles or documentation, without a price, a shop, booking, a telephone number or
 * markup of a place that customers visit. Such a site has no enquiries or orders that could cost hours.
 */
export function isPublication(
  { pages, profile, origin }: Site,
  { pricing, shop, booking }: Signals,
): boolean {
  const publishes =
    profile.content ||
    profile.api ||
    /^https?:\/\/(?:docs?|developers?|blog|wiki)\./.test(origin) ||
    pages.some(({ url }) => isPathOfKind(url, 'docs'))
  return publishes && !sells()

  function sells(): boolean {
    return (
      pricing.how === 'amounts' ||
      pricing.how === 'on-request' ||
      shop.how === 'shop' ||
      booking.how === 'scheduler' ||
      booking.how === 'contact' ||
      pages.some((page) => page.phones.length > 0 || nodesOf(page, 'LocalBusiness').length > 0)
    )
  }
}
