import { pathOf } from './addresses.ts'
import { type Capture, repliesFor } from './capture.ts'
import { nodesOf } from './html/json-ld.ts'
import type { Link, Page, Profile } from './site.ts'

/**
 * Tells what kind of site it is, by signs on the site itself. Checks for an API, a shop or articles apply
 * only where there is one: a dentist needs no API description.
 */
export function profileOf(parts: {
  readonly home: Page | undefined
  readonly pages: readonly Page[]
  readonly capture: Capture
}): Profile {
  const pages =
    parts.home === undefined
      ? parts.pages
      : [parts.home, ...parts.pages.filter((page) => page !== parts.home)]
  const links = pages.flatMap((page) => page.links.filter((link) => link.isInternal))
  const shop = isShop(pages, links)
  return {
    api: isApi(links),
    app: isApp(pages, links, shop),
    shop,
    content: isContent(pages, links, parts.capture),
  }
}

/**
 * By what the pages show to people: links to documentation or to a host for developers. A description for
 * programs (OpenAPI, a Link header, WebAPI markup) is no sign, because a site that publishes one would then be
 * expected to have all the others and would lose points by it.
 */
function isApi(links: readonly Link[]): boolean {
  return links.some(
    (link) =>
      /^(?:api|developers?)\./.test(hostOf(link.url)) ||
      (/^\/(?:[a-z]{2}\/)?(?:api|apis|developers?|api-docs|api-reference|swagger|redoc)(?:[/.]|$)/i.test(
        pathOf(link.url),
      ) &&
        !isDescription(link.url)) ||
      /^\/(?:[a-z]{2}\/)?docs\/(?:api|reference|rest|graphql)/i.test(pathOf(link.url)) ||
      /^(?:(?:rest )?apis?(?: docs| documentation| reference)?|(?:get |create |request )?(?:an |your )?api keys?|for developers|developers|developer (?:docs|documentation|portal))$/i.test(
        link.text,
      ),
  )
}

function isDescription(url: string): boolean {
  return /\.(?:json|ya?ml)$/i.test(pathOf(url))
}

/** A login makes a site an application unless it is a shop, because shops have accounts, too. */
function isApp(pages: readonly Page[], links: readonly Link[], isShop: boolean): boolean {
  if (
    pages.some(
      (page) => nodesOf(page, 'SoftwareApplication', 'WebApplication', 'MobileApplication').length > 0,
    )
  )
    return true
  if (isShop) return false
  return (
    pages.some((page) => page.$('input[type="password"]').length > 0) ||
    links.some(
      (link) =>
        /^(?:app|dashboard|console|login|accounts?)\./.test(hostOf(link.url)) ||
        /^\/(?:[a-z]{2}\/)?(?:log-?in|sign-?in|sign-?up|register|dashboard|console|app)(?:[/.]|$)/i.test(
          pathOf(link.url),
        ) ||
        /^(?:log ?in|sign ?in|sign ?up|start (?:your )?free trial|go to (?:the )?(?:app|dashboard))$/i.test(
          link.text,
        ),
    )
  )
}

function isShop(pages: readonly Page[], links: readonly Link[]): boolean {
  return (
    pages.some(
      (page) =>
        nodesOf(page, 'Product', 'OnlineStore').length > 0 ||
        nodesOf(page, 'Offer').some(({ properties }) => 'price' in properties && 'sku' in properties) ||
        page.$('meta[property="og:type"][content="product" i], meta[property^="product:price"]').length > 0 ||
        page.$('form[action*="/cart" i], [class~="add_to_cart_button"], [data-add-to-cart]').length > 0,
    ) ||
    links.some((link) =>
      /^\/(?:[a-z]{2}\/)?(?:cart|basket|checkout|warenkorb|panier|carrito)(?:[/.]|$)/i.test(pathOf(link.url)),
    )
  )
}

function isContent(pages: readonly Page[], links: readonly Link[], capture: Capture): boolean {
  return (
    pages.some(
      (page) =>
        nodesOf(page, 'Article').length > 0 ||
        page.$('meta[property="og:type"][content="article" i]').length > 0,
    ) ||
    links.some((link) =>
      /^\/(?:[a-z]{2}\/)?(?:blog|news|articles?|magazine|insights|journal|stories|posts|newsroom)(?:[/.]|$)/i.test(
        pathOf(link.url),
      ),
    ) ||
    repliesFor(capture, 'feed').some(
      (feed) =>
        feed.status === 200 && /<(?:item|entry)[\s>]|"items"\s{0,4}:\s{0,4}\[\s{0,99}\{/.test(feed.body),
    )
  )
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? ''
}
