import { describe, expect, test } from 'vitest'
import { agentsOf } from '../../../src/products/scan/agents/agents.ts'
import { samplePages } from '../../../src/products/scan/crawl/pages/sample-pages.ts'
import { provenBlocks } from '../../../src/products/scan/report/blocks/proven-blocks.ts'
import { readSignals } from '../../../src/products/scan/signals/signals.ts'
import type { Site } from '../../../src/products/scan/site/site.ts'
import { site } from '../../support/scans/captured.ts'

/** Blocks that speak of single pages: they say what the page shows, and name each page once. */

const at = (path: string) => `https://bramble.example${path}`
const agents = agentsOf('full').map(({ agent }) => agent)

function blockOf(one: Site, settled: string) {
  const found = provenBlocks(one, readSignals(one), agents).find(({ settles }) => settles.includes(settled))
  if (found === undefined) throw new Error(`no block settles ${settled}`)
  return found.block
}

const product = (stock: string) =>
  site({
    [at('/')]: '<title>Bramble</title><main><h1>Bramble</h1><a href="/product/fig">Fig</a></main>',
    [at('/product/fig')]:
      `<title>Fig</title><body><h1>Fig</h1><p class="price">£18.50</p><button>Add to basket</button>${stock}</body>`,
  })

describe('the offer of a product', () => {
  test.each([
    ['<p class="stock">Out of stock</p>', 'OutOfStock'],
    ['<p class="stock">12 in stock</p>', 'InStock'],
    ['<span>Ausverkauft</span>', 'OutOfStock'],
  ])('%s on the page is said as availability', (stock, availability) => {
    const { text, missing } = blockOf(product(stock), 'structured-data/page-type')
    expect(text).toContain(`"availability": "https://schema.org/${availability}"`)
    expect(missing).toEqual([])
  })

  test.each([
    [''],
    ['<a href="/product/soap"><span>Sold out</span></a>'],
    ['<p>In stock</p><p>Out of stock</p>'],
  ])('with "%s" the availability is left out and named as missing', (stock) => {
    const { text, missing } = blockOf(product(stock), 'structured-data/page-type')
    expect(text).not.toContain('availability')
    expect(missing).toEqual(['whether each product is in stock (availability of its offer)'])
  })
})

describe('addresses that do something', () => {
  const home = at('/')
  const actions = [
    '/shop/?add-to-cart=126',
    '/?wc-ajax=get_refreshed_fragments',
    '/account?action=logout',
    '/list?unsubscribe=7',
    '/shop/?remove_item=3',
    '/logout',
  ].map(at)

  test('are never read by a scan', () => {
    const links = [...actions, at('/shop/')].map((url) => ({ url, isNavigation: false }))
    const sitemapUrls = actions.map((loc) => ({ loc }))
    const { named, rest } = samplePages({ home, links, sitemapUrls, isAllowed: () => true }, [], 20)
    expect([...named, ...rest]).toEqual([at('/shop/')])
  })

  test('are in no list of pages, and a page with several addresses is listed once', () => {
    const shop =
      '<title>Shop</title><link rel="canonical" href="https://bramble.example/shop/"><main><h1>Shop</h1></main>'
    const one = site({
      [home]:
        '<title>Bramble</title><meta name="description" content="Candles and soaps, poured and boiled in Totnes for people who like slow evenings."><main><h1>Bramble</h1></main>',
      [at('/shop/?add-to-cart=126')]: shop,
      [at('/shop/?orderby=price')]: shop,
      [at('/shop/')]: shop,
      [at('/llms.txt')]: { status: 404 },
      [at('/sitemap.xml')]: { status: 404 },
      [at('/robots.txt')]: 'User-agent: *\nAllow: /',
    })
    expect(blockOf(one, 'core-snapshot/llms-sane').text.match(/bramble\.example\/shop\/[^)]*/g)).toEqual([
      'bramble.example/shop/',
    ])
    expect(blockOf(one, 'core-snapshot/sitemap').text.match(/<loc>[^<]*shop[^<]*/g)).toEqual([
      '<loc>https://bramble.example/shop/',
    ])
  })
})

describe('the way from the home page', () => {
  const nav = '<nav><a href="/shop/">Shop</a> <a href="/imprint/index.html">Imprint</a></nav>'
  const namesIn = (text: string) => Array.from(text.matchAll(/"name": "(.*)"/g), ([, name]) => name)
  const wayTo = (path: string, html: string) =>
    blockOf(
      site({
        [at('/')]:
          `<title>Bramble</title><meta property="og:site_name" content="Bramble">${nav}<main><h1>Bramble</h1></main>`,
        [at('/shop/')]: `<title>Shop</title>${nav}<main><h1>All that we pour and boil for you</h1></main>`,
        [at(path)]: html,
      }),
      'structured-data/breadcrumbs',
    ).text

  test('is the one that the page shows', () => {
    const trail =
      '<nav class="woocommerce-breadcrumb"><a href="/">Home</a> / <a href="/shop/">Shop</a> / Wild Fig</nav>'
    const text = wayTo('/product/fig/', `<title>Fig</title>${trail}<main><h1>Wild Fig Candle</h1></main>`)
    expect(namesIn(text)).toEqual(['Home', 'Shop', 'Wild Fig'])
  })

  test('calls pages as the menu does, at the addresses that the site links', () => {
    const text = wayTo('/shop/candles', `<title>Candles</title>${nav}<main><h1>Candles</h1></main>`)
    expect(namesIn(text)).toEqual(['Bramble', 'Shop', 'Candles'])
    expect(text).toContain('"item": "https://bramble.example/shop/"')
  })

  test('does not name a page twice, once for its folder', () => {
    const text = wayTo(
      '/club/imprint/index.html',
      `<title>Imprint</title>${nav}<main><h1>Imprint</h1></main>`,
    )
    expect(namesIn(text)).toEqual(['Bramble', 'Imprint'])
  })
})
