import { describe, expect, test } from 'vitest'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import type { Outcome } from '../../../../src/products/scan/findings/check.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../support/scans/checks.ts'

const home = 'https://site.example/'

function run(id: string, entries: Entries): Outcome {
  return runCheck(structuredData, id, site(entries, { depth: 'basic' }))
}

function ofHome(id: string, body: string): Outcome {
  return run(id, { [home]: body })
}

/** Runs a check on pages below an empty home page. */
function ofPages(id: string, pages: Readonly<Record<string, string>>): Outcome {
  const entries = Object.entries(pages).map(([path, body]) => [`https://site.example${path}`, body])
  return run(id, { [home]: '<p>x</p>', ...Object.fromEntries(entries) })
}

const ld = (...nodes: readonly object[]) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes })}</script>`

test('the structured-data checks keep their ids and weights', () => {
  expect(structuredData.checks.map(({ id, weight }) => `${id} ${weight}`).join(', ')).toBe(
    'parse-errors 4, organization 5, required-props 4, page-type 4, same-as 3, agreement 3, website-node 2, breadcrumbs 2, open-graph 2, richness 2',
  )
})

test.each(structuredData.checks.map(({ id }) => id))('%s is unmeasured when no page was seen', (id) => {
  expect(run(id, { [home]: { status: 503 } }).result).toBe('unmeasured')
})

test.each([
  ['na', 'no block', '<p>x</p>'],
  ['pass', 'one block', ld({ '@type': 'Person', name: 'A' })],
  [
    'fail',
    'a comma too many',
    `${ld({ '@type': 'Person' })}<script type="application/ld+json">{"a":1,}</script>`,
  ],
  [
    'fail',
    'a block beyond 512 KiB',
    `<script type="application/ld+json">"${'x'.repeat(512 * 1024)}"</script>`,
  ],
] as const)('parse-errors is %s for %s', (result, _, body) => {
  expect(ofHome('parse-errors', body).result).toBe(result)
})

describe('organization', () => {
  const whole = {
    '@type': 'Dentist',
    name: 'Bright',
    url: home,
    logo: { '@type': 'ImageObject', url: '/logo.png' },
  }

  test.each([
    ['pass', whole],
    ['pass', { ...whole, name: [['Bright']] }],
    ['warn', { ...whole, logo: '' }],
    ['warn', { ...whole, name: undefined }],
    ['fail', { ...whole, logo: [], url: undefined }],
    ['warn', { ...whole, '@type': 'Person' }],
  ] as const)('organization is %s for %j', (result, node) => {
    expect(ofHome('organization', ld(node)).result).toBe(result)
  })

  test('organization judges the fullest description of all pages', () => {
    const outcome = ofPages('organization', {
      '/a': ld({ '@type': 'Organization', name: 'Bright' }),
      '/b': ld(whole),
    })
    expect(outcome.result).toBe('pass')
    expect(quotesOf(outcome)).toContain('Dentist "Bright"')
  })
})

describe('required-props', () => {
  test.each([
    ['na', { '@type': 'Service', name: 'Hire' }, ''],
    ['na', { '@type': 'Organization', '@id': '#org' }, ''],
    [
      'pass',
      {
        '@type': 'BlogPosting',
        headline: 'A',
        datePublished: '2026-01-01',
        author: { '@type': 'Person', name: 'B' },
      },
      '',
    ],
    ['fail', { '@type': 'BlogPosting', headline: 'A', author: 'B' }, 'datePublished'],
    [
      'pass',
      { '@type': 'Product', name: 'A', offers: { '@type': 'Offer', price: 0, priceCurrency: 'EUR' } },
      '',
    ],
    ['na', { '@type': 'Product', name: 'A' }, ''],
    ['fail', { '@type': 'Product', description: 'A' }, 'Product without name'],
    ['pass', { '@type': 'ProductGroup', name: 'A', hasVariant: [{ '@type': 'Product', name: 'B' }] }, ''],
    ['fail', { '@type': 'Product', name: 'A', offers: { '@type': 'Offer', price: '9' } }, 'priceCurrency'],
    ['na', { '@type': 'Service', name: 'A', subjectOf: { '@type': 'Product', name: 'A' } }, ''],
    ['pass', { '@type': 'Service', offers: { '@type': 'Offer', itemOffered: { '@type': 'Service' } } }, ''],
    ['fail', { '@type': 'FAQPage', mainEntity: [{ '@type': 'Question', name: 'Why?' }] }, 'acceptedAnswer'],
    ['fail', { '@type': 'Restaurant', name: 'A' }, 'address'],
    ['fail', { '@type': 'AggregateRating', ratingValue: 4 }, 'ratingCount or reviewCount'],
  ] as const)('required-props is %s for %j', (result, node, missing) => {
    const outcome = ofHome('required-props', ld(node))
    expect(outcome.result).toBe(result)
    expect(quotesOf(outcome)).toContain(missing)
  })
})

const reviewed =
  '<div class="testimonial"><blockquote>The lamp gives a warm light every evening of the week.</blockquote> – Simone Hall</div>'

test.each([
  ['a price', '<p>€ 29.00</p>', 'Product without offers'],
  ['a review', reviewed, 'Product without review'],
  ['a rating', '<p>4.8 out of 5 stars (120)</p>', 'Product without aggregateRating'],
  ['a price and a review', `<p>€ 29.00</p>${reviewed}`, 'Product without offers or review'],
])('required-props asks a Product for what its page shows: %s', (_fact, body, missing) => {
  for (const type of ['Product', 'ProductGroup']) {
    const outcome = ofHome('required-props', `${ld({ '@type': type, name: 'A' })}${body}`)
    expect(quotesOf(outcome)).toBe(missing.replace('Product', type))
  }
})

describe('page-type', () => {
  const article = '<h1>A</h1>'
  const declared =
    article +
    ld({
      '@type': 'Article',
      headline: 'A',
      datePublished: '2026-01-01',
      author: { '@type': 'Person', name: 'B' },
    })
  const product = ld({
    '@type': 'Product',
    name: 'A',
    offers: { '@type': 'Offer', price: '9', priceCurrency: 'EUR' },
  })

  test.each([
    ['na', { '/about': article }],
    ['na', { '/blog/a': `${article}${article}${product}` }],
    ['pass', { '/blog/a': declared }],
    ['fail', { '/blog/a': article }],
    [
      'pass',
      {
        '/blog/a': declared,
        '/blog/b': declared,
        '/blog/c': declared,
        '/blog/d': article,
        '/blog/e': article,
      },
    ],
    ['fail', { '/blog/a': declared, '/blog/b': declared, '/blog/d': article, '/blog/e': article }],
    ['pass', { '/products/a': product }],
    ['fail', { '/products/a': ld({ '@type': 'Product', name: 'A' }) }],
    ['fail', { '/x': '<meta property="og:type" content="product">' }],
    ['pass', { '/faq': ld({ '@type': 'FAQPage', mainEntity: [{ '@type': 'Question' }] }) }],
    ['fail', { '/faq': ld({ '@type': 'FAQPage' }) }],
    ['fail', { '/hilfe': '<h1>Frequently asked questions</h1><p>What is it?</p><p>Is it safe?</p>' }],
  ] as const)('page-type is %s for %j', (result, pages) => {
    expect(ofPages('page-type', pages).result).toBe(result)
  })

  test('page-type asks to complete the node that stands, and for no second one', () => {
    const post = ld({
      '@type': 'BlogPosting',
      headline: 'Brushing',
      author: { '@type': 'Person', name: 'Ann' },
    })
    const pages = { '/blog/brushing': `<h1>Brushing</h1>${post}` }
    expect(ofPages('page-type', pages)).toMatchObject({
      result: 'fail',
      fix: `Add datePublished to the BlogPosting node in the JSON-LD of ${home}blog/brushing.`,
    })
  })

  test('page-type ignores og:type when the template calls every page a product', () => {
    const every = '<meta property="og:type" content="product">'
    const outcome = run('page-type', {
      [home]: every,
      'https://site.example/shipping': every,
      'https://site.example/x/privacy': every,
    })
    expect(outcome.result).toBe('na')
  })

  test('page-type does not take an about or terms page for a product', () => {
    const pages = { '/about-us': '<meta property="og:type" content="product">' }
    expect(ofPages('page-type', pages).result).toBe('na')
  })

  test('page-type does not take the home page for a product', () => {
    expect(ofHome('page-type', '<meta property="og:type" content="product">').result).toBe('na')
  })
})

test.each([
  ['pass', ['https://a.example/x', 'https://b.example/x']],
  ['warn', 'https://a.example/x'],
  ['warn', ['https://a.example/x', 'https://a.example/x', '/profile', 'https://www.site.example/me', 7]],
  ['fail', ['@name']],
  ['fail', undefined],
] as const)('same-as is %s for %j', (result, sameAs) => {
  expect(ofHome('same-as', ld({ '@type': 'Organization', name: 'A', sameAs })).result).toBe(result)
})

describe('agreement', () => {
  const named = (name: string, page: string) => ld({ '@type': 'Organization', name }) + page
  const priced = (price: string | number, text: string) =>
    ld({ '@type': 'Offer', price, priceCurrency: 'EUR' }) + text

  test.each([
    ['na', '<title>A</title>'],
    ['pass', named('Bright Smile Ltd.', '<title>Dentist | BrightSmile</title>')],
    ['pass', named('Ada', '<h1>Ada repairs bikes</h1>')],
    ['pass', named('Ada', '<meta property="og:site_name" content="Ada">')],
    ['fail', named('Ada', '<title>Canada trips</title>')],
    ['fail', named('Other GmbH', '<title>Bright Smile</title>')],
    ['pass', priced('1299.50', 'Now € 1.299,50 only')],
    ['pass', priced(1299.5, 'Now $1,299.50 only')],
    ['pass', priced('49.00', 'From 49 € a month')],
    ['pass', priced('49', 'From 49.00 a month')],
    ['fail', priced('49', 'From 149, 490, 49.90 or 1,049')],
    ['fail', priced('49', 'Price on request')],
    ['fail', priced('49', '<p hidden>49</p>')],
    ['na', priced('0', 'Free')],
  ] as const)('agreement is %s for %s', (result, body) => {
    expect(ofHome('agreement', body).result).toBe(result)
  })
})

test.each([
  ['pass', ld({ '@type': 'WebSite', name: 'A', url: home })],
  ['fail', ld({ '@type': 'WebSite', name: 'A' })],
  ['fail', '<p>x</p>'],
] as const)('website-node is %s for %s', (result, body) => {
  expect(ofHome('website-node', body).result).toBe(result)
})

describe('breadcrumbs', () => {
  const trail = ld({ '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', position: 1 }] })
  const deep = (good: number, bad: number) =>
    Object.fromEntries(
      Array.from({ length: good + bad }, (_, at) => [`/a/${at}`, at < good ? trail : '<p>x</p>'] as const),
    )

  test.each([
    ['na', { '/about': '<p>x</p>' }],
    ['pass', deep(2, 0)],
    ['warn', deep(3, 2)],
    ['fail', deep(2, 2)],
    ['fail', { '/a/b': ld({ '@type': 'BreadcrumbList' }) }],
  ] as const)('breadcrumbs is %s for %j', (result, pages) => {
    expect(ofPages('breadcrumbs', pages).result).toBe(result)
  })
})

test.each([
  ['pass', ['title', 'description', 'image', 'type']],
  ['warn', ['title', 'description', 'image']],
  ['fail', ['title', 'description']],
] as const)('open-graph is %s for %j', (result, names) => {
  const body = names.map((name) => `<meta property="og:${name}" content="https://site.example/x">`).join('')
  expect(ofHome('open-graph', body).result).toBe(result)
})

test('open-graph names the missing properties', () => {
  expect(quotesOf(ofHome('open-graph', '<p>x</p>'))).toBe(
    '0 of 4 Open Graph properties; og:title, og:description, og:image and og:type are missing',
  )
})

test('open-graph tells what is empty from what is missing', () => {
  const outcome = ofHome(
    'open-graph',
    '<meta property="og:title" content=""><meta property="og:type" content="website">',
  )
  expect(quotesOf(outcome)).toBe(
    '1 of 4 Open Graph properties; og:description and og:image are missing; og:title is empty',
  )
  expect('fix' in outcome ? outcome.fix : '').toContain('has og:title already, without a text')
})

test('same-as speaks of a missing Organization or Person when there is none', () => {
  expect(quotesOf(ofHome('same-as', '<p>x</p>'))).toBe('no Organization or Person in the JSON-LD')
})

describe('richness', () => {
  const node = (count: number) => ({
    '@type': 'Service',
    '@id': '#a',
    empty: '',
    ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, 'x'])),
  })

  test.each([
    ['na', []],
    ['na', [{ '@type': 'FAQPage', mainEntity: [] }]],
    ['pass', [node(5)]],
    ['pass', [node(9), node(1)]],
    ['warn', [node(4)]],
    ['warn', [node(3)]],
    ['fail', [node(2)]],
    ['fail', [node(3), node(2)]],
  ] as const)('richness is %s for %j', (result, nodes) => {
    expect(ofHome('richness', ld(...nodes)).result).toBe(result)
  })
})
