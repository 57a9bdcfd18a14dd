import { articlesOf } from '../../site/articles.ts'
import { nodesOf } from '../../site/html/json-ld.ts'
import { countWords } from '../../site/html/words.ts'
import { folded } from '../../site/kind-phrases.ts'
import { linksToKind } from '../../site/linked-pages.ts'
import { once } from '../../site/once.ts'
import type { Page, Site } from '../../site/site.ts'
import { namesTrade, readIndustry } from '../industry/industry.ts'
import { hasOrderButton } from '../offer-signals.ts'
import { offerWords } from './offer-words.ts'
import { amountsOf } from './prices.ts'

/**
 * Whether anything on the site shows that it offers goods or services. Much of the web sells nothing: notes, references of
 * formats, lectures, a page about oneself. A report that took every site for a business would ask a student for prices.
 * A telephone number or an address is no sign, because a site that adds one must not be asked for more.
 */
export function showsOffer(site: Site): boolean {
  const { home, pages, profile } = site
  if (profile.shop || profile.app) return true
  if ((['pricing', 'booking', 'shop'] as const).some((kind) => linksToKind(site, kind).length > 0))
    return true
  if (home !== undefined && isTrade(site, home)) return true
  // A story may tell of sums that are no prices of the site.
  const articles = new Set(articlesOf(site).map(({ page }) => page))
  return pages.some(
    (page) =>
      nodesOf(page, ...offered).length > 0 ||
      hasOrderButton(page) ||
      namesOffer(page) ||
      (!articles.has(page) && amountsOf(page).length > 0),
  )
}

/** Where a page has hardly any text, nothing tells yet whether its owner sells something. */
export function offersNothing(site: Site): boolean {
  return countWords(site.home?.text ?? '') >= 20 && !showsOffer(site)
}

const offered = ['Offer', 'AggregateOffer', 'OfferCatalog', 'Product', 'Service', 'Menu', 'LocalBusiness']

/** Industries that consist of businesses. Schools and software do not: courses of students and notes belong there, too. */
function isTrade(site: Site, home: Page): boolean {
  const { slug, how } = readIndustry(site)
  if (slug === 'other') return how === 'words' && namesTrade(home)
  return how !== 'unclear' && !(['education', 'technology'] as const).some((one) => one === slug)
}

/** By its links and headings: "Our services", "Produkte", "サービス内容". */
function namesOffer({ links, headings }: Page): boolean {
  const texts = [
    ...links.filter(({ isInternal }) => isInternal).map(({ text }) => text),
    ...headings.map(({ text }) => text),
  ]
  return texts.some((text) => text.length <= 60 && phrases().has(folded(text)))
}

const phrases = once(() => new Set(Object.values(offerWords).flatMap((line) => line.split('|').map(folded))))
