import type { Evidence } from '../findings/check.ts'
import { documentsOf } from '../findings/document.ts'
import { depthOf, pathOf } from '../site/addresses.ts'
import { addsToCart } from '../site/html/cart-words.ts'
import { attributeOf, spokenText } from '../site/html/elements.ts'
import { formsOf } from '../site/html/forms.ts'
import { nodesOf, textOf } from '../site/html/json-ld.ts'
import { isLinkOfKind } from '../site/kinds/page-kinds.ts'
import { linksToKind } from '../site/linked-pages.ts'
import { comparesGoods, emptyCart, goodsOf } from '../site/profile.ts'
import type { Link, Page, Site } from '../site/site.ts'
import { unknown } from './contact/contact-finders.ts'
import { isOrder } from './contact-path.ts'
import { readOpenApi } from './openapi.ts'
import { firstService, type Service } from './services.ts'
import { firstOf, type Signal, seenPages } from './signal.ts'

/** Signals of what can be bought or called without a person. */

/**
 * `shop`: the site has a cart or a checkout. `offers`: its markup has goods with prices. `goods`: it shows
 * goods without either. `absent`: it sells no goods; a price list of services is not a shop.
 */
export interface ShopSignal extends Signal<'shop' | 'offers' | 'goods' | 'absent'> {
  /** `unknown` when no product page was read. */
  readonly productMarkup: 'found' | 'none' | 'unknown'
}

export function readShop(site: Site, services: readonly Service[]): ShopSignal {
  const productMarkup = productMarkupOf(site)
  // A plugin for shops or payments may be installed on a site that sells nothing.
  const sells = site.profile.shop || site.pages.some(hasOrderButton)
  const platforms = sells ? services : services.filter(({ name }) => !plugins.has(name))
  const shop =
    firstOf(site.pages, findCart) ??
    firstService(platforms, 'shop') ??
    (site.profile.shop ? firstOf(site.pages, findOrder) : undefined)
  if (shop) return { how: 'shop', evidence: [shop], productMarkup }
  if (site.pages.length === 0) return { how: 'unknown', evidence: [], productMarkup }
  const own = findOwnShop(site)
  if (own && !isShopHost(own.link.url)) return { ...unknown(own.link), productMarkup }
  if (own) return { how: 'shop', evidence: [own.evidence], productMarkup }
  const offer = site.profile.shop ? firstOf(site.pages, findOffer) : undefined
  if (offer) return { how: 'offers', evidence: [offer], productMarkup }
  const goods = comparesGoods(site.pages) ? undefined : firstOf(site.pages, findProduct)
  if (goods || site.profile.shop)
    return {
      how: 'goods',
      evidence: goods ? [goods] : ownSigns(site, 'goods, by links or markup'),
      productMarkup,
    }
  return { how: 'absent', evidence: [], productMarkup }
}

/** Software for shops that leaves traces where nothing is sold. */
const plugins: ReadonlySet<string> = new Set(
  'WooCommerce,Stripe,PayPal,Paddle,Adobe Commerce,OpenCart,PrestaShop'.split(','),
)

/** A button that sends an order. */
function findOrder({ elements, url }: Page): Evidence | undefined {
  for (const { name, node } of elements) {
    const text = name === 'button' ? spokenText(node, 30) : ''
    if (sendsOrder.test(text)) return { url, value: `button "${text}"` }
  }
  return undefined
}

const sendsOrder =
  /^(?:(?:enviar|hacer|realizar|confirmar) (?:el |tu |mi )?pedido|(?:send|place|confirm) (?:the |my |your |an )?order|(?:zahlungspflichtig |jetzt )?bestellen|passer (?:la )?commande|invia (?:l['’])?ordine|(?:enviar|fazer|confirmar) (?:o )?pedido|bestelling plaatsen|siparişi? (?:ver|gönder|tamamla)|оформить заказ|注文する|주문하기|提交订单|送出訂單)$/iu

/** A button or link that says "buy", "order" or "add to cart". */
export function hasOrderButton(page: Page): boolean {
  return page.elements.some(
    ({ name, node }) => (name === 'button' || name === 'a') && isOrder(spokenText(node, 20)),
  )
}

/** Looks for Product markup or a product feed. A product page is known by its address or its order button. */
function productMarkupOf(site: Site): ShopSignal['productMarkup'] {
  if (site.pages.some((page) => nodesOf(page, 'Product').length > 0)) return 'found'
  if (site.pages.some(hasProductFeed)) return 'found'
  const isSeen = site.pages.some(
    (page) =>
      page !== site.home &&
      (/\/products?\/[^/]/i.test(pathOf(page.url)) || formsOf(page).some(({ use }) => use === 'cart')),
  )
  return isSeen ? 'none' : 'unknown'
}

function hasProductFeed(page: Page): boolean {
  return page.elements.some(
    ({ name, node }) =>
      name === 'link' &&
      attributeOf(node, 'rel').toLowerCase() === 'alternate' &&
      /atom|rss|json/.test(attributeOf(node, 'type')) &&
      /product|collection|catalog/i.test(attributeOf(node, 'href')),
  )
}

/** With a price: without one nothing can be compared or bought. */
function findOffer(page: Page): Evidence | undefined {
  const offer = nodesOf(page, 'Offer', 'AggregateOffer').find(
    ({ properties }) =>
      textOf(properties.price) !== '' ||
      textOf(properties.lowPrice) !== '' ||
      properties.priceSpecification !== undefined,
  )
  return offer && { url: page.url, value: `${offer.types[0] ?? 'Offer'} in JSON-LD` }
}

function findProduct(page: Page): Evidence | undefined {
  return goodsOf(page).length > 0
    ? { url: page.url, value: 'Product in JSON-LD, without an offer' }
    : undefined
}

function findCart(page: Page): Evidence | undefined {
  const form = formsOf(page).find(({ use }) => use === 'cart')
  if (form) return { url: page.url, value: form.label }
  const link = page.links.find(
    ({ url, isInternal }) =>
      isInternal && /\/(?:cart|basket|checkout|warenkorb|panier|carrito)\/?$/i.test(pathOf(url)),
  )
  if (link) return { url: page.url, value: `link to ${link.url}` }
  const button = page.elements.find(
    ({ name, node }) => (name === 'button' || name === 'a') && addsToCart(spokenText(node, 20)),
  )
  if (button) return { url: page.url, value: `button "${spokenText(button.node, 20)}"` }
  const [words] = emptyCart.exec(page.text.slice(0, 200_000)) ?? []
  return words === undefined ? undefined : { url: page.url, value: `"${words}"` }
}

/** A link "Shop" to another host: the own shop, which was not read. */
function findOwnShop({ home, pages }: Site): { link: Link; evidence: Evidence } | undefined {
  return firstOf(pages, (page) => {
    const link = page.links.find(
      ({ url, text, isInternal, isNavigation }) =>
        !isInternal && (isNavigation || page === home) && ownShop.test(text.trim()) && !isAppStore.test(url),
    )
    return link && { link, evidence: { url: page.url, value: `link "${link.text}" to ${link.url}` } }
  })
}

const isAppStore = /^https?:\/\/(?:[\w-]+\.)*(?:google|apple|microsoft|steampowered|mozilla)\.(?:com|org)\//i

/** The whole text of the link. */
const ownShop =
  /^(?:(?:our |visit (?:our|the) |to the |zum |official )?(?:online[- ]?)?(?:shop|store|webshop)|onlineshop|zum shop|(?:notre |la )?boutique(?: en ligne)?|(?:nuestra )?tienda(?: online)?|(?:il nostro )?negozio online|(?:nossa )?loja(?: online| virtual)?|(?:onze )?webwinkel|(?:online )?mağaza(?:mız)?|(?:интернет-)?магазин|المتجر|متجرنا|(?:公式|オンライン)?(?:ショップ|ストア)|通販サイト|(?:공식|온라인)\s?(?:몰|쇼핑몰|스토어)(?: 이동| ?바로가기)?|쇼핑몰(?: 이동| ?바로가기)?|(?:官方|在线|線上)?(?:商城|商店|网店|網店))\s*[→›»>↗]?$/iu

/** By its address: `roseeshop.com`, `store.example.com`, an account at a place where many sell. */
function isShopHost(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return (
    /(?:shop|store|mall|boutique|tienda|loja)(?:$|[.-])|(?:^|\.)(?:shop|store)/i.test(host) ||
    /(?:^|\.)(?:etsy\.com|ebay\.\w+|smartstore\.naver\.com|base\.shop|stores\.jp|taobao\.com|tmall\.com|bigcartel\.com|ecwid\.com)$/i.test(
      host,
    )
  )
}

/** `found`: the site offers an HTTP API, as its documentation or a description of it shows. */
export interface ApiSignal extends Signal<'found' | 'absent'> {
  /** Whether an OpenAPI description was found; `unknown` when none was requested or a reply is missing. */
  readonly description: 'found' | 'none' | 'unknown'
  /** Documentation, an integrations page or an automation service. */
  readonly integrations: Evidence | undefined
}

export function readApi(site: Site, services: readonly Service[]): ApiSignal {
  const description = descriptionOf(site)
  // A page deep within a tree called "docs" may be about anything.
  const docs = linksToKind(site, 'docs').find(
    (link) =>
      !/\/(?:categor(?:y|ies)|tags?|topics?)\//i.test(pathOf(link.url)) &&
      isOwnDocs(link, site) &&
      // "Start" within the manual of a library tells how to begin, and nothing of how to connect.
      (isLinkOfKind({ ...link, isInternal: false }, 'docs') ||
        (depthOf(link.url) <= 2 && namesDocs.test(pathOf(link.url)))),
  )
  const linked = docs && { url: docs.url, value: `link "${docs.text}"` }
  const integrations = linked ?? firstService(services, 'automation')
  if (site.profile.api || description === 'found') {
    return {
      how: 'found',
      evidence: linked ? [linked] : [describedAt(site) ?? ownSigns(site, 'by its links or markup')].flat(),
      description,
      integrations,
    }
  }
  return {
    how: site.pages.length === 0 ? 'unknown' : 'absent',
    evidence: seenPages(site),
    description,
    integrations,
  }
}

/** The API of another service, which a text names, tells nothing of how to connect with this site. */
function isOwnDocs({ url, isInternal, isNavigation }: Link, { registrableDomain }: Site): boolean {
  const [label = ''] = registrableDomain.split('.')
  return isInternal || isNavigation || (label.length >= 3 && url.toLowerCase().includes(label))
}

/** As the last part of a path, or what connects as any part. */
const namesDocs =
  /\/(?:docs?|documentation|developers?|reference)\/?$|\/(?:api|apis|integrations?|connectors?|webhooks?|developers?)(?:[/.-]|$)/i

/** Documents that may describe an API. */
function descriptionsOf(site: Site) {
  return [
    ...documentsOf(site.capture, 'service-desc'),
    ...documentsOf(site.capture, 'well-known').filter(({ url }) => /openapi|swagger/i.test(pathOf(url))),
  ]
}

function describedAt(site: Site): Evidence | undefined {
  const good = descriptionsOf(site).find(
    (document) => document.state === 'present' && readOpenApi(document.answer).state === 'good',
  )
  return good && { url: good.url, value: 'a description of an API' }
}

function descriptionOf(site: Site): ApiSignal['description'] {
  const documents = descriptionsOf(site)
  if (
    describedAt(site) !== undefined ||
    site.pages.some((page) =>
      page.links.some(({ url }) => /(?:openapi|swagger)\.(?:json|ya?ml)$/i.test(pathOf(url))),
    )
  ) {
    return 'found'
  }
  return documents.length === 0 || documents.some(({ state }) => state === 'unseen') ? 'unknown' : 'none'
}

function ownSigns({ origin }: Site, value: string): Evidence[] {
  return [{ url: `${origin}/`, value }]
}
