import { expect, test } from 'vitest'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck, runChecks } from '../../../support/scans/checks.ts'

function run(id: string, entries: Entries) {
  const outcome = runCheck(entityTrust, id, site(entries))
  return { outcome, said: JSON.stringify(outcome) }
}

const at = 'https://site.example'
const page = (html: string) => ({ [`${at}/`]: html })
const jsonLd = (node: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`
const organization = (facts: object) => jsonLd({ '@type': 'Organization', ...facts })
const siteName = '<meta property="og:site_name" content="Lake Dental">'
const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`).join(' ')
const about = (count: number) => ({
  ...page('<a href="/about-us">About</a>'),
  [`${at}/about-us`]: `<main>${words(count)}</main>`,
})
const post = (name: string, html: string) => ({
  [`${at}/blog/${name}`]: `<main><h1>${name}</h1>${html}</main>`,
})
const signed =
  '<p>By Ada Chen</p><script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"x","author":{"@type":"Person","name":"Ada Chen"}}</script>'
const sources = (...hosts: string[]) => hosts.map((host) => `<a href="https://${host}/x">source</a>`).join('')
const profiles = (...urls: string[]) => urls.map((url) => `<a href="${url}">us</a>`).join('')
const legal = '<a href="/privacy">Privacy policy</a><a href="/terms">Terms of service</a>'
const securityTxt = (entry: Entries[string]) => ({
  ...page('<p>x'),
  [`${at}/.well-known/security.txt`]: entry,
})

test.each<[string, string, Entries, string, string]>([
  [
    'a name in three of four places is one brand',
    'brand-name',
    page(`<title>Implants | Lake Dental</title>${siteName}<footer>© 2026 Lake Dental, Inc.</footer>`),
    'pass',
    '3 of 4',
  ],
  [
    'a name in two of four places is not',
    'brand-name',
    page(`<title>Implants | Lake Dental</title>${siteName}<footer>© 2026 Smith</footer>`),
    'fail',
    'in 2 of the 4 places',
  ],
  [
    'the legal form and the spelling make no other brand',
    'brand-name',
    page(`<title>LAKE-DENTAL</title>${siteName}${organization({ name: 'Lake Dental GmbH' })}`),
    'pass',
    '3 of 4',
  ],
  [
    'a longer name is another one',
    'brand-name',
    page(`<title>Lake Dental Supply</title>${siteName}${organization({ name: 'Lake Dental' })}`),
    'fail',
    'Lake Dental Supply',
  ],
  [
    'what most titles end with is the name',
    'brand-name',
    {
      ...page(`<title>Welcome</title>${siteName}<footer>Lake Dental</footer>`),
      [`${at}/a`]: '<title>A - Lake Dental</title>',
      [`${at}/b`]: '<title>B - Lake Dental</title>',
    },
    'pass',
    '3 of 4',
  ],
  ['a page without any name fails', 'brand-name', page('<p>x</p>'), 'fail', 'no name'],
  [
    'a page that was cut before its footer is unmeasured',
    'brand-name',
    { [`${at}/`]: { body: `<title>x | Lake Dental</title>${siteName}`, isCut: true } },
    'unmeasured',
    '',
  ],
  [
    'a number with and without its country code is the same',
    'nap',
    page(`${organization({ telephone: '+1-217-555-0142' })}<a href="tel:2175550142">call</a>`),
    'pass',
    '+1-217-555-0142',
  ],
  [
    'a number in the text is seen',
    'nap',
    page(`${organization({ telephone: '+49 30 901820' })}<p>Tel. 030 / 90 18 20</p>`),
    'pass',
    '+49 30 901820',
  ],
  [
    'another number contradicts',
    'nap',
    page(`${organization({ telephone: '+12175550142' })}<a href="tel:2175550199">call</a>`),
    'fail',
    '2175550199',
  ],
  [
    'one fact that agrees does not hide one that contradicts',
    'nap',
    page(
      `${organization({ telephone: '+12175550142', email: 'a@site.example' })}<a href="tel:2175550199">call</a> a@site.example`,
    ),
    'fail',
    '2175550199',
  ],
  [
    'a street and its short form are the same',
    'nap',
    page(
      `${organization({ address: { '@type': 'PostalAddress', streetAddress: '12 Main St.' } })}<p>12 Main Street, Springfield</p>`,
    ),
    'pass',
    '12 Main St.',
  ],
  [
    'facts on the page alone cannot be confirmed',
    'nap',
    page('<a href="mailto:hello@site.example">x</a>'),
    'fail',
    'hello@site.example',
  ],
  [
    'facts in the markup alone cannot either',
    'nap',
    page(organization({ email: 'hello@site.example' })),
    'fail',
    'JSON-LD: hello@site.example',
  ],
  ['a site without contact facts fails', 'nap', page('<p>x'), 'fail', 'no contact facts'],
  [
    'a contact page that was not read leaves it open',
    'nap',
    page('<a href="/contact">Contact</a>'),
    'unmeasured',
    '/contact',
  ],
  ['150 words tell who stands behind it', 'about', about(150), 'pass', '150 words'],
  ['149 words do not', 'about', about(149), 'fail', '149 words'],
  [
    'a section of a site of one page tells it too',
    'about',
    page(`<section id="about">${words(150)}</section>`),
    'pass',
    '150 words',
  ],
  [
    'an article about something is no page about the company',
    'about',
    { ...page('<p>x'), [`${at}/blog/about-us`]: `<main>${words(200)}</main>` },
    'fail',
    'no about',
  ],
  [
    'an about page that was not read leaves it open',
    'about',
    page('<a href="/about">About us</a>'),
    'unmeasured',
    '/about',
  ],
  [
    '3 of 5 signed articles are enough',
    'authorship',
    {
      ...page('x'),
      ...post('a', signed),
      ...post('b', signed),
      ...post('c', signed),
      ...post('d', 'x'),
      ...post('e', 'x'),
    },
    'pass',
    '3 of 5',
  ],
  [
    '1 of 2 is too few',
    'authorship',
    { ...page('x'), ...post('a', signed), ...post('b', '<p>By Ada Chen</p>') },
    'fail',
    '/blog/b',
  ],
  [
    'an author whom only programs see is no byline',
    'authorship',
    { ...page('x'), ...post('a', signed.replace('By Ada Chen', 'x')) },
    'fail',
    'no byline',
  ],
  [
    'an author by reference is found',
    'authorship',
    {
      ...page('x'),
      ...post(
        'a',
        `Ada Chen ${jsonLd({
          '@graph': [
            { '@type': 'BlogPosting', headline: 'x', author: { '@id': '#ada' } },
            { '@type': 'Person', '@id': '#ada', name: 'Ada Chen' },
          ],
        })}`,
      ),
    },
    'pass',
    'Ada Chen',
  ],
  [
    'a link with rel=author says both',
    'authorship',
    { ...page('x'), ...post('a', '<a rel="author" href="/team/ada">Ada Chen</a>') },
    'pass',
    'byline',
  ],
  ['a site without articles has no authors to name', 'authorship', page('x'), 'na', ''],
  [
    'articles that were not read leave it open',
    'authorship',
    page('<a href="/blog">Blog</a>'),
    'unmeasured',
    '/blog',
  ],
  [
    'linked profiles that sameAs names are one identity',
    'profiles',
    page(
      `${organization({ sameAs: ['https://www.linkedin.com/company/lake/', 'https://twitter.com/Lake', 'https://www.wikidata.org/wiki/Q1'] })}${profiles('https://linkedin.com/company/lake', 'https://x.com/lake')}`,
    ),
    'pass',
    'linkedin.com',
  ],
  [
    'a linked profile that is missing in sameAs splits it',
    'profiles',
    page(
      `${organization({ sameAs: ['https://x.com/lake'] })}${profiles('https://x.com/lake', 'https://github.com/lake')}`,
    ),
    'fail',
    'github.com/lake',
  ],
  [
    'so does one that is only in sameAs',
    'profiles',
    page(organization({ sameAs: 'https://x.com/lake' })),
    'fail',
    'x.com/lake',
  ],
  [
    'links to share a page are no profiles',
    'profiles',
    page(
      profiles('https://www.facebook.com/sharer/sharer.php?u=x', 'https://twitter.com/intent/tweet?text=x'),
    ),
    'na',
    '',
  ],
  [
    'both legal pages open',
    'legal',
    { ...page(legal), [`${at}/privacy`]: 'x', [`${at}/terms`]: { purpose: 'link' } },
    'pass',
    '/terms',
  ],
  [
    'a legal page that is gone fails',
    'legal',
    { ...page(legal), [`${at}/privacy`]: 'x', [`${at}/terms`]: { purpose: 'link', status: 404 } },
    'fail',
    'status 404',
  ],
  [
    'a legal page that nobody links is missing',
    'legal',
    { ...page('<a href="/privacy">Privacy</a>'), [`${at}/privacy`]: 'x' },
    'fail',
    'no link about terms',
  ],
  [
    'one that was not read leaves it open',
    'legal',
    { ...page(legal), [`${at}/privacy`]: 'x' },
    'unmeasured',
    '/terms',
  ],
  [
    'a rating in the markup is proof',
    'proof',
    page(jsonLd({ '@type': 'AggregateRating', ratingValue: 4.8 })),
    'pass',
    '4.8',
  ],
  [
    'a section with voices of customers is proof',
    'proof',
    page('<main><h2>What our patients say</h2></main>'),
    'pass',
    'What our patients say',
  ],
  [
    'a page of case studies is proof',
    'proof',
    page('<a href="/case-studies">Case studies</a>'),
    'pass',
    '/case-studies',
  ],
  ['the own word is no proof', 'proof', page('<main><h2>Why choose us</h2></main>'), 'fail', 'not found'],
  [
    '2 other sites are sources',
    'citations',
    { ...page('x'), ...post('a', sources('who.int', 'nih.gov')) },
    'pass',
    '2 other sites',
  ],
  [
    'two pages of one site are one source',
    'citations',
    { ...page('x'), ...post('a', sources('a.who.int', 'b.who.int')) },
    'fail',
    '1 other site',
  ],
  [
    'the own site, menus and networks are no sources',
    'citations',
    {
      ...page('x'),
      ...post('a', `${sources('site.example', 'x.com', 'who.int')}<footer>${sources('nih.gov')}</footer>`),
    },
    'fail',
    '1 other site',
  ],
  [
    'security.txt with a contact is an address',
    'accountability',
    securityTxt('Contact: mailto:sec@site.example\n'),
    'pass',
    'sec@site.example',
  ],
  [
    'a shell in place of security.txt is none',
    'accountability',
    securityTxt({ body: '<!doctype html>Contact: x@y.z', headers: { 'content-type': 'text/html' } }),
    'fail',
    'web page in place',
  ],
  [
    'an imprint is an address',
    'accountability',
    { ...page('<a href="/impressum">Impressum</a>'), [`${at}/impressum`]: '<title>Impressum</title>' },
    'pass',
    '/impressum',
  ],
  ['none of them is none', 'accountability', securityTxt({ status: 404 }), 'fail', 'no security.txt'],
  ['a security.txt that was not fetched leaves it open', 'accountability', page('x'), 'unmeasured', ''],
])('%s', (_title, id, entries, result, part) => {
  const { outcome, said } = run(id, entries)
  expect(outcome.result).toBe(result)
  expect(said).toContain(part)
})

test('without a page nothing is judged', () => {
  const results = entityTrust.checks.map(
    ({ id }) => run(id, { [`${at}/`]: { failed: 'dns' } }).outcome.result,
  )
  expect(new Set(results)).toEqual(new Set(['unmeasured']))
})

test('what the scripts of an empty shell may show is not missing', () => {
  const shell = page('<title>Planboard</title><div id="root"></div><script src="/main.js"></script>')
  const results = entityTrust.checks.map(({ id }) => run(id, shell).outcome.result)
  expect(new Set(results)).toEqual(new Set(['unmeasured']))
})

test('text of the site is shown without characters that nobody sees', () => {
  const { said } = run('brand-name', page('<title>Lake\u202e\u200bDental</title>'))
  expect(said).toContain('u{202e}')
  expect(said).not.toMatch(/[\u202e\u200b]/)
})

test('tens of thousands of numbers, addresses and years leave evidence short', () => {
  const text = '217-555-0142 a@b.example ©2019-'.repeat(20_000)
  const nodes = Array.from({ length: 200 }, (_, n) => ({
    '@type': 'Organization',
    name: `N${n}`.repeat(200),
    telephone: `555000${n}`,
    email: `x${n}@y.example`,
    address: { '@type': 'PostalAddress', streetAddress: `${n} Long Street` },
  }))
  const seen = site(page(`${jsonLd({ '@graph': nodes })}<footer>${text}</footer>`))
  for (const outcome of runChecks(entityTrust, seen).values()) {
    const evidence = 'evidence' in outcome ? outcome.evidence : []
    expect(evidence.length).toBeLessThanOrEqual(5)
    expect(evidence.every(({ value }) => value.length <= 200)).toBe(true)
  }
})

const contactPage = (body: string) => ({
  ...page('<a href="/contact">Contact</a>'),
  [`${at}/contact`]: `<main>${body}</main>`,
})

test.each<[string, string, Entries, string, string]>([
  [
    'a number and a street that stand bare in the footer are seen',
    'nap',
    page('<footer>Mill & Sons, 12 Mill Lane, Leeds LS1 4AB. 0113 496 0123</footer>'),
    'fail',
    'a telephone number and a street address',
  ],
  [
    'a footer that is only a box with that name is one',
    'nap',
    page('<div class="site-footer">14 rue de la République, 69002 Lyon, 04 72 00 00 00</div>'),
    'fail',
    '14 rue de la République',
  ],
  [
    'a number on the contact page is seen',
    'nap',
    contactPage('Musterstraße 5, 10115 Berlin. Fon: 030 901820'),
    'fail',
    '030 901820',
  ],
  [
    'an address element with a mail address holds a street as well',
    'nap',
    page('<address>12 Mill Lane, Leeds<br>a@site.example</address>'),
    'fail',
    'street address on the page: 12 Mill Lane',
  ],
  [
    'a telephone number is no street address',
    'nap',
    page('<address>Call us: 0113 496 0123</address>'),
    'fail',
    'The pages show a telephone number, and',
  ],
  [
    'JSON-LD that does not exist is not blamed for what it leaves out',
    'nap',
    page('<a href="mailto:a@site.example">a</a>'),
    'fail',
    'The pages show an e-mail address, and no JSON-LD was found',
  ],
  [
    'JSON-LD that exists is told what it leaves out',
    'nap',
    page(`${organization({ name: 'x' })}<a href="mailto:a@site.example">a</a>`),
    'fail',
    'the JSON-LD does not repeat it',
  ],
  ['one page is told in the singular', 'nap', page('<p>x'), 'fail', 'on 1 page or in its JSON-LD'],
  [
    'a name that the footer bears is told as what was compared',
    'brand-name',
    page(`<title>Home</title>${siteName}<footer>Lake Dental, Main Street</footer>`),
    'fail',
    'the footer: has \\"Lake Dental\\"',
  ],
  [
    'what stands in a place without the name is shown',
    'brand-name',
    page(`<title>Home</title>${siteName}<footer>All rights reserved</footer>`),
    'fail',
    'the footer: \\"All rights reserved\\"',
  ],
  ...(
    [
      'ueber-mich',
      '%C3%BCber-uns',
      'qui-sommes-nous',
      'a-propos',
      'quienes-somos',
      'chi-siamo',
      'wer-wir-sind',
    ] as const
  ).map((path): [string, string, Entries, string, string] => [
    `/${path} tells who stands behind the site`,
    'about',
    { ...page(`<a href="/${path}">x</a>`), [`${at}/${path}`]: `<main>${words(150)}</main>` },
    'pass',
    '150 words',
  ]),
  [
    'a site that can be called has somebody to tell of a problem',
    'accountability',
    {
      ...page('<a href="tel:2175550142">call</a>'),
      [`${at}/.well-known/security.txt`]: { purpose: 'well-known', status: 404 },
    },
    'fail',
    'tel:2175550142',
  ],
])('%s', (_title, id, entries, result, part) => {
  const { outcome, said } = run(id, entries)
  expect(outcome.result).toBe(result)
  expect(said).toContain(part)
})

test.each([
  ['security.txt', 'nobody to tell'],
  ['proof', "nothing but the site's own word"],
  ['about', 'nobody is seen'],
])('a missing %s is not turned into a claim about people', (_what, claim) => {
  const gone = {
    ...page('<p>x'),
    [`${at}/.well-known/security.txt`]: { purpose: 'well-known' as const, status: 404 },
  }
  expect(entityTrust.checks.map(({ id }) => run(id, gone).said).join(' ')).not.toContain(claim)
})
