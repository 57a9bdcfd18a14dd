import { addressKey, isSameSite, pathOf } from './addresses.ts'
import { type Capture, repliesFor } from './capture.ts'
import { metaOf } from './html/elements.ts'
import { nodesOf, textOf } from './html/json-ld.ts'
import type { JsonLdNode, Link, Page, Profile } from './site.ts'

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
  const gone = new Set(
    parts.capture.exchanges.flatMap((exchange) =>
      exchange.outcome === 'replied' && (exchange.status === 404 || exchange.status === 410)
        ? [addressKey(exchange.url)]
        : [],
    ),
  )
  const shop = isShop(pages, links)
  return {
    api: isApi(pages, links),
    app: isApp(pages, links, shop),
    shop,
    content: isContent(
      pages,
      links.filter(
        ({ url }) =>
          !gone.has(addressKey(url)) &&
          // The manual of a library calls its chapters articles.
          !(pages[0] !== undefined && /\/articles?(?:\/|$)/i.test(pathOf(url)) && isLibrary(pages[0])),
      ),
      parts.capture,
    ),
  }
}

/** Whether visitors buy on the site or work with it. Any other site only tells of something that is done elsewhere. */
export function isUsedOnline({ profile }: { readonly profile: Profile }): boolean {
  return profile.shop || profile.app || profile.api
}

/**
 * By what the pages show to people: links to documentation or to a host for developers. A description for
 * programs (OpenAPI, a Link header, WebAPI markup) is no sign, because a site that publishes one would then be
 * expected to have all the others and would lose points by it.
 */
function isApi(pages: readonly Page[], links: readonly Link[]): boolean {
  if (links.some(isWebApi)) return true
  const found = links.filter(isSomeApi)
  if (found.length === 0 || pages.some(isLibrary)) return false
  // The functions of a program are called an API, too: one on the web is described by requests.
  const targets = new Set(found.map(({ url }) => addressKey(url)))
  const read = pages.filter(({ url }) => targets.has(addressKey(url)))
  return read.length === 0 || read.some(({ text }) => speaksOfRequests.test(text.slice(0, 100_000)))
}

const speaksOfRequests =
  /\b(?:GET|POST|PUT|PATCH|DELETE) ?(?:\/|https?:)|\bcurl\b|\bhttps?:\/\/api\.|\b(?:REST(?:ful)?|Rest API|GraphQL|OAuth|Bearer|[Ww]ebhooks?|[Ee]ndpoints?|API [Kk]eys?)\b/

/** Only an API on the web has these: a host, keys, a description for HTTP. */
function isWebApi(link: Link): boolean {
  const path = pathOf(link.url)
  return (
    (/^(?:api|developers?)\./.test(hostOf(link.url)) && !isDownload.test(path)) ||
    (/^\/(?:[a-z]{2}\/)?(?:swagger|redoc)(?:[/.]|$)/i.test(path) && !isDescription(link.url)) ||
    /^\/(?:[a-z]{2}\/)?docs\/(?:rest|graphql)/i.test(path) ||
    /^(?:rest apis?(?: docs| documentation| reference)?|(?:get |create |request )?(?:an |your )?api keys?)$/i.test(
      link.text,
    )
  )
}

/** A file that visitors load from the host of an API: contacts, an app, a picture. */
const isDownload =
  /\/downloads?\/|\.(?:vcf|ics|apk|aab|ipa|exe|msi|dmg|pkg|deb|rpm|appimage|zip|gz|tgz|rar|7z|pdf|docx?|xlsx?|pptx?|csv|epub|png|jpe?g|gif|webp|avif|svg|ico|mp[34]|webm|mov|ogg|wav|woff2?|ttf)$/i

function isSomeApi(link: Link): boolean {
  const path = pathOf(link.url)
  // Notes on programming have "API" as a topic.
  if (/\/(?:categor(?:y|ies)|tags?|topics?|archives?|blog|posts?|articles?|notes?)\//i.test(path))
    return false
  return (
    (/^\/(?:[a-z]{2}\/)?(?:api|apis|developers?|api-docs|api-reference)(?:[/.]|$)/i.test(path) &&
      !isDescription(link.url)) ||
    /^\/(?:[a-z]{2}\/)?docs\/(?:api|reference)/i.test(path) ||
    /^(?:apis?(?: docs| documentation| reference)?|for developers|developers|developer (?:docs|documentation|portal))$/i.test(
      link.text,
    )
  )
}

/**
 * The documentation of a library says how to install it, and calls its functions an API. Nothing there can be
 * called over the web.
 */
export function isLibrary(page: Page): boolean {
  const text = page.text.slice(0, 100_000)
  return (
    install.test(text) ||
    (saysLibrary.test(text) &&
      page.links.some(({ url }) => repository.test(url)) &&
      page.links.some(isDocs)) ||
    nodesOf(page, 'SoftwareSourceCode').some(({ isTop }) => isTop) ||
    isNamedAfterCode(page) ||
    (page.links.some(({ url }) => packagePage.test(url)) &&
      (docsTitle.test(page.title) || docsGenerator.test(metaOf(page, 'generator'))))
  )
}

/** "Lark.js", with samples of code and a link to a repository called "lark": the manual of that library. */
function isNamedAfterCode({ title, links, mainPart }: Page): boolean {
  if (mainPart.codeWords < minCodeWords) return false
  const name = (text: string) => text.toLowerCase().replace(/[^a-z0-9]|\.?js$/g, '')
  const [first = ''] = title.trim().split(/\s/)
  const own = name(first)
  return (
    own.length >= 3 &&
    links.some(({ url }) => repository.test(url) && name(pathOf(url).split('/')[2] ?? '') === own)
  )
}

const minCodeWords = 100

/** Beside a link to its code and one to its documentation. */
const saysLibrary =
  /\b(?:collection|set|family|suite) of (?:[\p{L}-]{2,20} ){0,3}(?:libraries|packages|modules)\b|\b(?:installable|available|published|distributed) (?:via|from|through|on|with|as an?) (?:npm|pypi|pip|conda|crates\.io|cargo|rubygems|maven central|packagist|cran)\b/iu

const repository = /^https?:\/\/(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)\/[\w-]/i

function isDocs({ url, text }: Link): boolean {
  return (
    /^(?:(?:read the )?docs|documentation|api(?: docs| reference)?|reference)$/i.test(text.trim()) ||
    /\/(?:docs|documentation)(?:\/|$)/i.test(pathOf(url))
  )
}

/** Where packages of a library are published. */
const packagePage =
  /^https?:\/\/(?:www\.)?(?:pypi\.org\/project|npmjs\.com\/package|crates\.io\/crates|rubygems\.org\/gems|packagist\.org\/packages|hex\.pm\/packages|pkg\.go\.dev|nuget\.org\/packages|anaconda\.org|cran\.r-project\.org|search\.maven\.org|central\.sonatype\.com)\//i

const docsTitle = /(?:documentation|docs|api reference|user guide|manual)$/i

const docsGenerator =
  /^(?:mkdocs|pkgdown|sphinx|docusaurus|vitepress|vuepress|doxygen|jsdoc|typedoc|rustdoc|javadoc|mdbook|antora)/i

const install =
  /(?:^|[\s$>`])(?:(?:python3? -m )?pip3? install|pipx install|uv add|poetry add|conda install|npm (?:install|i|add) (?!-g)|yarn add|pnpm add|bun add|cargo add|gem install|go get|composer require|dotnet add package|mix deps\.get|nimble install|luarocks install) ?[\w@"'./:-]|(?<![\w.])(?:install\.packages|(?:remotes|devtools|pak)::\w{2,20}|install_github|BiocManager::install|Pkg\.add)\(/m

function isDescription(url: string): boolean {
  return /\.(?:json|ya?ml)$/i.test(pathOf(url))
}

/**
 * Markup on the home page, an address of the application itself, or a login beside an invitation to try or to
 * join. A login alone is no application: clubs, schools and practices have an area for members. A consultant
 * shows on other pages what software he made. Shops have accounts, too.
 */
function isApp(pages: readonly Page[], links: readonly Link[], isShop: boolean): boolean {
  const [first] = pages
  const programs = first ? nodesOf(first, 'SoftwareApplication', 'WebApplication', 'MobileApplication') : []
  if (programs.some((one) => !isInstalled(one))) return true
  if (isShop) return false
  if (links.some(isApplication)) return true
  const hasLogin = pages.some((page) => page.$('input[type="password"]').length > 0) || links.some(isLogin)
  return hasLogin && links.some(isInvitation)
}

/** What is installed on a computer or a telephone runs there, and not on the site. */
function isInstalled({ types, properties }: JsonLdNode): boolean {
  const system = textOf(properties.operatingSystem)
  return (
    !types.includes('WebApplication') &&
    (types.includes('MobileApplication') ||
      /^(?:(?:windows|mac ?os|linux|android|ios|ipados|ubuntu)[\w .+]{0,20}(?:[,/&]|$|and )\s*)+/i.test(
        system,
      ))
  )
}

function isApplication({ url, text }: Link): boolean {
  return (
    /^(?:app|dashboard|console)\./.test(hostOf(url)) ||
    /^\/(?:[a-z]{2}\/)?(?:dashboard|console|app)(?:[/.]|$)/i.test(pathOf(url)) ||
    /^(?:start (?:your )?free trial|go to (?:the )?(?:app|dashboard))$/i.test(text)
  )
}

function isLogin({ url, text }: Link): boolean {
  return (
    /^(?:login|accounts?)\./.test(hostOf(url)) ||
    /^\/(?:[a-z]{2}\/)?(?:log-?in|sign-?in)(?:[/.]|$)/i.test(pathOf(url)) ||
    /^(?:log ?in|sign ?in)$/i.test(text)
  )
}

function isInvitation({ url, text }: Link): boolean {
  return (
    /^\/(?:[a-z]{2}\/)?(?:sign-?up|register|free-trial|demo|pricing)(?:[/.]|$)/i.test(pathOf(url)) ||
    /^(?:sign ?up(?: (?:free|now|for free))?|get started(?: free)?|try (?:it )?(?:for )?free|(?:book|request|get) a demo|create (?:an )?account)$/i.test(
      text,
    )
  )
}

function isShop(pages: readonly Page[], links: readonly Link[]): boolean {
  const compares = comparesGoods(pages)
  return (
    pages.some(
      (page) =>
        !compares &&
        (goodsOf(page).length > 0 ||
          nodesOf(page, 'OnlineStore').length > 0 ||
          nodesOf(page, 'Offer').some(({ properties }) => 'price' in properties && 'sku' in properties) ||
          page.$('meta[property="og:type"][content="product" i], meta[property^="product:price"]').length >
            0 ||
          page.$('form[action*="/cart" i], [class~="add_to_cart_button"], [data-add-to-cart]').length > 0),
    ) ||
    links.some((link) =>
      /^\/(?:[a-z]{2}\/)?(?:cart|basket|checkout|warenkorb|panier|carrito|carrinho|carrello|winkelwagen|winkelmand|sepet|sepetim|korzina|koszyk)(?:[/.]|$)/i.test(
        pathOf(link.url),
      ),
    ) ||
    pages.some((page) => emptyCart.test(page.text.slice(0, 200_000)))
  )
}

/** Products in the markup. A firm that calls itself one, to show stars in search results, sells no goods by that. */
export function goodsOf(page: Page): readonly JsonLdNode[] {
  const firms = new Set(
    nodesOf(page, 'Organization', 'Brand').map(({ properties }) => textOf(properties.name).toLowerCase()),
  )
  // What an offer without a price speaks of is hired out or made to order.
  const unpriced = new Set(
    nodesOf(page, 'Offer')
      .filter(({ properties }) => !['price', 'priceSpecification'].some((name) => name in properties))
      .flatMap(({ properties }) => textOf(properties.itemOffered).toLowerCase() || []),
  )
  return nodesOf(page, 'Product').filter(({ properties }) => {
    const name = textOf(properties.name).toLowerCase()
    return !firms.has(name) && (!unpriced.has(name) || isFilled(properties.offers))
  })
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== ''
}

/** Whether the pages compare goods: all offers in their markup, beside ranges of prices, are those of other sites. */
export function comparesGoods(pages: readonly Page[]): boolean {
  const offers = pages.flatMap((page) =>
    nodesOf(page, 'Offer').flatMap(({ types, properties }) =>
      types.includes('AggregateOffer') ? [] : [{ url: textOf(properties.url), page }],
    ),
  )
  return offers.length > 0 && offers.every(({ url, page }) => URL.canParse(url) && !isSameSite(url, page.url))
}

/** What a cart says before anything is in it. Nothing is sold where one gathers what is asked about. */
export const emptyCart =
  /(?:your |the )?(?<!(?:enquiry|inquiry|quote) )(?:cart|basket|shopping bag) is (?:currently )?empty|warenkorb ist (?:noch |derzeit )?leer|panier est (?:actuellement )?vide|carrito est[áa] vac[íi]o|carrello è vuoto|carrinho (?:est[áa]|t[áa]) vazio|winkel(?:wagen|mand) is leeg|sepet(?:iniz|in)? (?:şu an )?boş|корзина пуста|سلة (?:التسوق|المشتريات)(?: الخاصة بك)? فارغة|カートは空|カートに商品がありません|장바구니가 비어|购物车(?:是空|为空|还没有)|購物車(?:是空|為空|沒有)/iu

function isContent(pages: readonly Page[], links: readonly Link[], capture: Capture): boolean {
  return (
    pages.some(
      (page) =>
        nodesOf(page, 'Article').length > 0 ||
        // Templates write og:type of an article on any page; one that was published has a date.
        (page.$('meta[property="og:type"][content="article" i]').length > 0 &&
          page.$('meta[property^="article:"], time[datetime]').length > 0),
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
