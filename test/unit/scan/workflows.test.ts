import { expect, test } from 'vitest'
import { industryOf } from '../../../src/products/scan/signals/industry/industry.ts'
import { readSignals } from '../../../src/products/scan/signals/signals.ts'
import { workflowsAndOpportunities } from '../../../src/products/scan/signals/workflows.ts'
import { type Entries, type Options, site } from '../../support/scans/captured.ts'

const at = 'https://site.example'
const page = (html: string) => ({ [`${at}/`]: html })
const jsonLd = (node: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`
const map = (count: number) => ({
  [`${at}/sitemap.xml`]: `<urlset>${Array.from({ length: count }, (_, n) => `<url><loc>${at}/p${n}</loc></url>`).join('')}</urlset>`,
})

function read(entries: Entries, options: Options = {}) {
  const seen = site(entries, options)
  return workflowsAndOpportunities(seen, readSignals(seen))
}

function ids(entries: Entries, options: Options = {}) {
  return read(entries, options).opportunities.map(({ id }) => id)
}

// A site with reviews and a newsletter gives no opportunity, so each row adds only its own.
const quiet = `${jsonLd({ '@type': 'AggregateRating', ratingValue: 5 })}<form><input type="email" name="mail"></form>`
const lead = '<form><input type="email" name="mail"><textarea name="text"></textarea></form>'
const four = Array.from({ length: 4 }, (_, n) => `<h3>What is ${n}?</h3><p>So.</p>`).join('')
const faqMarkup = jsonLd({
  '@type': 'FAQPage',
  mainEntity: [{ '@type': 'Question', name: 'Why so?', acceptedAnswer: { '@type': 'Answer', text: 'So.' } }],
})
const product = { [`${at}/products/mug`]: '<form action="/cart/add"><button>Add to cart</button></form>' }
const openApi = (entry: Entries[string]) => ({
  ...page(`${quiet}<a href="/developers">Developers</a>`),
  [`${at}/openapi.json`]: entry,
})

test.each<[string, string | undefined, Entries]>([
  ['enquiries by mail only', 'opp-lead-intake', page(`${quiet}<a href="mailto:ann@site.example">x</a>`)],
  ['a form without a customer system', 'opp-crm-sync', page(quiet + lead)],
  [
    'a form with a customer system',
    undefined,
    page(`${quiet}${lead}<script src="https://js.hs-scripts.com/1.js"></script>`),
  ],
  [
    'appointments by telephone only',
    'opp-self-service-scheduling',
    page(`${quiet}<h2>Appointments</h2><a href="tel:2175550142">call</a>`),
  ],
  [
    'no FAQ beside a support mailbox',
    'opp-support-answers',
    page(`${quiet}${lead}<script src="https://js.hs-scripts.com/1.js"></script>support@site.example`),
  ],
  ['answered questions without markup', 'opp-answer-markup', page(quiet + four)],
  ['answered questions with markup', undefined, page(quiet + four + faqMarkup)],
  ['no newsletter', 'opp-content-pipeline', page(jsonLd({ '@type': 'AggregateRating', ratingValue: 5 }))],
  [
    'a blog of 91 days',
    'opp-content-pipeline',
    {
      ...page(quiet),
      [`${at}/blog/a`]: `${jsonLd({ '@type': 'Article', headline: 'a', datePublished: '2026-08-22' })}<h1>a</h1>`,
    },
  ],
  [
    'a blog of 90 days',
    undefined,
    {
      ...page(quiet),
      [`${at}/blog/a`]: `${jsonLd({ '@type': 'Article', headline: 'a', datePublished: '2026-08-23' })}<h1>a</h1>`,
    },
  ],
  [
    'applications by mail only',
    'opp-applicant-screening',
    {
      ...page(
        `${quiet}${lead}<script src="https://js.hs-scripts.com/1.js"></script><a href="/careers">Careers</a>`,
      ),
      [`${at}/careers`]: '<a href="mailto:jobs@site.example">x</a>',
    },
  ],
  ['products without markup', 'opp-catalogue-enrichment', { ...page(quiet), ...product }],
  ['a shop whose product pages were not read', undefined, page(`${quiet}<a href="/cart">Cart</a>`)],
  [
    'no reviews of a business',
    'opp-review-requests',
    page('<h2>Our services</h2><form><input type="email" name="mail"></form>'),
  ],
  [
    'no reviews of a site that sells nothing',
    undefined,
    page('<form><input type="email" name="mail"></form>'),
  ],
  ['an API without a description', 'opp-api-description', openApi({ purpose: 'well-known', status: 404 })],
  [
    'an API whose description was not looked for',
    undefined,
    page(`${quiet}<a href="/developers">Developers</a>`),
  ],
  [
    'an API whose description gave no answer',
    undefined,
    openApi({ purpose: 'well-known', failed: 'timeout' }),
  ],
  [
    'an API with a description',
    undefined,
    openApi({ purpose: 'well-known', body: '{"openapi":"3.1.0","paths":{"/a":{}}}' }),
  ],
])('%s gives the opportunity %s', (_title, id, entries) => {
  expect(ids(entries)).toEqual(id === undefined ? [] : [id])
})

test.each([
  [0, 9, '6–12 hours a month, estimated'],
  [49, 9, '6–12 hours a month, estimated'],
  [50, 12, '8–16 hours a month, estimated'],
  [500, 12, '8–16 hours a month, estimated'],
  [501, 18, '12–24 hours a month, estimated'],
])('a sitemap of %i addresses gives %d hours: %s', (count, hours, range) => {
  const [first] = read({
    ...page(`${quiet}<a href="mailto:ann@site.example">x</a>`),
    ...map(count),
  }).opportunities
  expect(first).toMatchObject({ estimatedTimeSavingsHours: hours, estimatedTimeSavingsRange: range })
})

test('opportunities are ordered by impact for the effort, then by hours', () => {
  const everything = {
    ...page(
      `<a href="mailto:hello@site.example">x</a> <h2>Our services</h2><h2>Appointments</h2> <a href="tel:2175550142">c</a><a href="/careers">Careers</a>`,
    ),
    [`${at}/careers`]: '<a href="mailto:jobs@site.example">x</a>',
  }
  const { opportunities } = read(everything)
  expect(opportunities.map(({ id, priority }) => `${priority} ${id}`)).toEqual([
    '1 opp-self-service-scheduling',
    '2 opp-lead-intake',
    '3 opp-review-requests',
    '4 opp-content-pipeline',
    '5 opp-applicant-screening',
  ])
})

test('a light scan concludes nothing from pages that it did not read', () => {
  const home = page('<a href="/services">Services</a><a href="mailto:support@site.example">x</a>')
  expect(ids(home, { depth: 'light' })).toEqual(['opp-lead-intake'])
  expect(ids(home)).toEqual(['opp-lead-intake', 'opp-review-requests', 'opp-content-pipeline'])
})

test('a manual workflow has manual steps and quotes what was seen and where', () => {
  const { workflows } = read(page(`${quiet}<a href="mailto:ann@site.example">x</a>`))
  expect(workflows).toHaveLength(1)
  expect(workflows[0]).toMatchObject({ automationPotential: 'high', isDeterministic: true })
  expect(workflows[0]?.steps?.every(({ isManual }) => isManual)).toBe(true)
  expect(workflows[0]?.currentState).toContain('ann@site.example (https://site.example/)')
})

test('a process that already runs through software is a workflow without an opportunity', () => {
  const { workflows, opportunities } = read(page(`${quiet}<a href="https://calendly.com/x">Book</a>`))
  expect(opportunities).toEqual([])
  expect(workflows).toMatchObject([{ name: 'Online booking', automationPotential: 'low' }])
})

test('the shell of an application gives no opportunity', () => {
  expect(ids(page('<div id="root"></div><script src="/main.js"></script>'))).toEqual([])
})

test.each([
  ['an inline script', '<div id="app"></div><script>start()</script>', 'other'],
  [
    'a title and links without text',
    '<title>Shop of boats</title><a href="/a"></a><script src="/m.js"></script>',
    'retail',
  ],
  [
    'a title and a description of a dentist',
    '<title>Clínica Dental en Irún</title><meta name="description" content="Dentistas de la familia"><div id="root"></div><script src="/m.js"></script>',
    'healthcare',
  ],
])(
  'a shell with %s gives no opportunity, and its industry is what it says of itself',
  (_what, html, industry) => {
    expect(ids(page(html))).toEqual([])
    expect(industryOf(site(page(html)))).toBe(industry)
    expect(readSignals(site(page(html))).reviews.how).toBe('unknown')
  },
)

test('one mailbox gives one opportunity and two give two', () => {
  expect(ids(page(`${quiet}<a href="mailto:hello@site.example">x</a>`))).toEqual(['opp-lead-intake'])
  expect(ids(page(`${quiet}<a href="mailto:ann@site.example">x</a> support@site.example`))).toEqual([
    'opp-lead-intake',
    'opp-support-answers',
  ])
})

test('a site with documentation gets no opportunity for support answers', () => {
  const crm = '<script src="https://js.hs-scripts.com/1.js"></script>'
  expect(ids(page(`${quiet}${lead}${crm}support@site.example<a href="/docs">Docs</a>`))).toEqual([])
})

test('the hours of an opportunity are called an estimate', () => {
  const [first] = read(page(`${quiet}<a href="mailto:ann@site.example">x</a>`)).opportunities
  expect(first?.estimatedTimeSavingsRange).toContain('estimated')
})

test('e-mail is not called the only way when a telephone number is shown', () => {
  const [first] = read(
    page(`${quiet}<a href="mailto:ann@site.example">x</a><a href="tel:2175550142">c</a>`),
  ).opportunities
  expect(first?.id).toBe('opp-lead-intake')
  expect(first?.currentState).not.toMatch(/only|[Ss]omebody/)
})

test('an opportunity for scheduling names a general form beside the telephone', () => {
  const { opportunities } = read({
    ...page(`${quiet}<a href="/contact">Book an appointment</a><a href="tel:2175550142">c</a>`),
    [`${at}/contact`]: lead,
  })
  const scheduling = opportunities.find(({ id }) => id === 'opp-self-service-scheduling')
  expect(scheduling?.currentState).toContain('by telephone or a general form')
  expect(scheduling?.currentState).toContain('link "Book an appointment"')
})

const posts = (lastmod: string) => ({
  ...page('<a href="/blog">Blog</a>'),
  [`${at}/sitemap.xml`]: `<urlset><url><loc>${at}/blog/a</loc><lastmod>${lastmod}</lastmod></url></urlset>`,
})

test('an old lastmod leaves the blog unknown, and a new one makes it fresh', () => {
  const old = readSignals(site(posts('2024-01-01'), { depth: 'light' })).blog
  expect(old.how).toBe('unknown')
  const fresh = readSignals(site(posts('2026-11-01'), { depth: 'light' })).blog
  expect(fresh.how).toBe('fresh')
  expect(fresh.evidence[0]?.value).toContain('lastmod')
})

test('without a page there are no workflows and no opportunities', () => {
  expect(read({ [`${at}/`]: { failed: 'dns' } })).toEqual({ workflows: [], opportunities: [] })
})

test.each<[string, string, string]>([
  [
    'healthcare',
    'a type of schema.org goes before words',
    `<title>Software for shops</title>${jsonLd({ '@type': 'Dentist', name: 'x' })}`,
  ],
  [
    'real-estate',
    'words decide without a type',
    '<title>Homes for sale | Lake Realty</title><meta name="description" content="Real estate agents for apartments and houses.">',
  ],
  [
    'finance',
    'the description counts',
    '<title>Hale</title><meta name="description" content="Mortgage loans and insurance.">',
  ],
  ['retail', 'a shop without such words is one', '<title>Hale</title><a href="/cart">Cart</a>'],
  [
    'technology',
    'an API without such words is one',
    '<title>Hale</title><a href="/developers">Developers</a>',
  ],
  [
    'other',
    'a restaurant that declares itself',
    `${jsonLd({ '@type': 'Restaurant' })}<title>Online shop</title>`,
  ],
  ['other', 'a hotel with a shop', '<title>Hotel Lake</title><a href="/cart">Cart</a>'],
  [
    'other',
    'a restaurant with a menu and vouchers in a basket',
    '<title>The Blue Door</title><a href="/menu">Menu</a><a href="/cart">Basket</a><p>A restaurant in Leeds.</p>',
  ],
  [
    'retail',
    'a shop that supplies restaurants',
    '<title>Hale</title><a href="/cart">Cart</a><p>We supply restaurants.</p>',
  ],
  ['other', 'nothing points anywhere', '<title>Hello</title><p>Welcome.</p>'],
])('the industry is %s: %s', (industry, _title, html) => {
  expect(industryOf(site(page(html)))).toBe(industry)
})

test('of two schema.org types named equally often, the first of the table decides', () => {
  const both = [jsonLd({ '@type': 'School' }), jsonLd({ '@type': 'Store' })]
  expect(industryOf(site(page(both.join(''))))).toBe('education')
  expect(industryOf(site(page(both.reverse().join(''))))).toBe('education')
})

test('the industry is other when the home page was not read', () => {
  expect(industryOf(site({ [`${at}/`]: { status: 503 } }))).toBe('other')
})
