import { expect, test } from 'vitest'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck, runChecks } from '../../../support/scans/checks.ts'

function run(id: string, entries: Entries) {
  const outcome = runCheck(entityTrust, id, site(entries))
  return { outcome, json: JSON.stringify(outcome) }
}

const at = 'https://site.example'
const page = (html: string) => ({ [`${at}/`]: html })
const business = (html: string) => page(`<title>Site Ltd</title>${html}`)
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
const text = `A study found this. ${'word '.repeat(150)}`
const profiles = (...urls: string[]) =>
  `<footer>${urls.map((url) => `<a href="${url}">us</a>`).join('')}</footer>`
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
    'a name in two of four places is not one brand',
    'brand-name',
    page(`<title>Implants | Lake Dental</title>${siteName}<footer>© 2026 Smith</footer>`),
    'fail',
    'in 2 of the 4 places',
  ],
  [
    'a name with another legal form or spelling is the same brand',
    'brand-name',
    page(`<title>LAKE-DENTAL</title>${siteName}${organization({ name: 'Lake Dental GmbH' })}`),
    'pass',
    '3 of 4',
  ],
  [
    'a longer name is another brand',
    'brand-name',
    page(`<title>Lake Dental Supply</title>${siteName}${organization({ name: 'Lake Dental' })}`),
    'fail',
    'Lake Dental Supply',
  ],
  [
    'the end that most other titles share is the name, and does not stand in a title without it',
    'brand-name',
    {
      ...page(`<title>Welcome</title>${siteName}<footer>Lake Dental</footer>`),
      [`${at}/a`]: '<title>A - Lake Dental</title>',
      [`${at}/b`]: '<title>B - Lake Dental</title>',
    },
    'fail',
    '2 of the 4',
  ],
  ['brand-name fails for a page without any name', 'brand-name', page('<p>x</p>'), 'fail', 'no name'],
  [
    'brand-name is unmeasured for a page that was cut before its footer',
    'brand-name',
    { [`${at}/`]: { body: `<title>x | Lake Dental</title>${siteName}`, isCut: true } },
    'unmeasured',
    '',
  ],
  [
    'a telephone number with and without country code is the same',
    'nap',
    business(`${organization({ telephone: '+1-217-555-0142' })}<a href="tel:2175550142">call</a>`),
    'pass',
    '+1-217-555-0142',
  ],
  [
    'a telephone number in running text counts as visible',
    'nap',
    business(`${organization({ telephone: '+49 30 901820' })}<p>Tel. 030 / 90 18 20</p>`),
    'pass',
    '+49 30 901820',
  ],
  [
    'a different telephone number in the markup fails',
    'nap',
    business(`${organization({ telephone: '+12175550142' })}<a href="tel:2175550199">call</a>`),
    'fail',
    '2175550199',
  ],
  [
    'a contact fact that agrees does not hide one that differs',
    'nap',
    business(
      `${organization({ telephone: '+12175550142', email: 'a@site.example' })}<a href="tel:2175550199">call</a> a@site.example`,
    ),
    'fail',
    '2175550199',
  ],
  [
    'a street and its abbreviation are the same',
    'nap',
    business(
      `${organization({ address: { '@type': 'PostalAddress', streetAddress: '12 Main St.' } })}<p>12 Main Street, Springfield</p>`,
    ),
    'pass',
    '12 Main St.',
  ],
  [
    'contact facts on the page alone fail',
    'nap',
    business('<a href="mailto:hello@site.example">x</a>'),
    'fail',
    'hello@site.example',
  ],
  [
    'contact facts in the markup alone fail',
    'nap',
    business(organization({ email: 'hello@site.example' })),
    'fail',
    'JSON-LD: hello@site.example',
  ],
  ['nap fails for a site without contact facts', 'nap', business('<p>x'), 'fail', 'no contact facts'],
  [
    'nap is unmeasured when a linked contact page was not read',
    'nap',
    business('<a href="/contact">Contact</a>'),
    'unmeasured',
    '/contact',
  ],
  ['an about page of 150 words passes', 'about', about(150), 'pass', '150 words'],
  ['an about page of 140 words fails', 'about', about(140), 'fail', '140 words'],
  [
    'an about section on a site of one page counts',
    'about',
    page(`<section id="about">${words(150)}</section>`),
    'pass',
    '150 words',
  ],
  [
    'an article at /blog/about-us is not an about page',
    'about',
    { ...page('<p>x'), [`${at}/blog/about-us`]: `<main>${words(200)}</main>` },
    'fail',
    'no about',
  ],
  [
    'about is unmeasured when a linked about page was not read',
    'about',
    page('<a href="/about">About us</a>'),
    'unmeasured',
    '/about',
  ],
  [
    '3 of 5 articles with authors are enough',
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
    '1 of 2 articles with authors is too few',
    'authorship',
    { ...page('x'), ...post('a', signed), ...post('b', '<p>By Ada Chen</p>') },
    'fail',
    '/blog/b',
  ],
  [
    'an author in the markup alone is not a byline',
    'authorship',
    { ...page('x'), ...post('a', signed.replace('By Ada Chen', 'x')) },
    'fail',
    'no name for readers',
  ],
  [
    'an author given by the id of another node is found',
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
    'a link with rel=author is author and byline',
    'authorship',
    { ...page('x'), ...post('a', '<a rel="author" href="/team/ada">Ada Chen</a>') },
    'pass',
    'a name for readers',
  ],
  ['authorship does not apply to a site without articles', 'authorship', page('x'), 'na', ''],
  [
    'authorship is unmeasured when linked articles were not read',
    'authorship',
    page('<a href="/blog">Blog</a>'),
    'unmeasured',
    '/blog',
  ],
  [
    'profiles pass when sameAs names those that the page links',
    'profiles',
    page(
      `${organization({ sameAs: ['https://www.linkedin.com/company/lake/', 'https://twitter.com/Lake', 'https://www.wikidata.org/wiki/Q1'] })}${profiles('https://linkedin.com/company/lake', 'https://x.com/lake')}`,
    ),
    'pass',
    'linkedin.com',
  ],
  [
    'profiles fail when sameAs lacks a linked one',
    'profiles',
    page(
      `${organization({ sameAs: ['https://x.com/lake'] })}${profiles('https://x.com/lake', 'https://instagram.com/lake')}`,
    ),
    'fail',
    'instagram.com/lake',
  ],
  [
    'profiles fail when the page does not link one of sameAs',
    'profiles',
    page(organization({ sameAs: 'https://x.com/lake' })),
    'fail',
    'x.com/lake',
  ],
  [
    'links for sharing a page are not profiles',
    'profiles',
    page(
      profiles('https://www.facebook.com/sharer/sharer.php?u=x', 'https://twitter.com/intent/tweet?text=x'),
    ),
    'na',
    '',
  ],
  [
    'legal passes when the privacy and terms pages open',
    'legal',
    { ...page(legal), [`${at}/privacy`]: 'x', [`${at}/terms`]: { purpose: 'link' } },
    'pass',
    '/terms',
  ],
  [
    'a legal page that answers 404 fails',
    'legal',
    { ...page(legal), [`${at}/privacy`]: 'x', [`${at}/terms`]: { purpose: 'link', status: 404 } },
    'fail',
    'status 404',
  ],
  [
    'a legal page without a link to it is missing',
    'legal',
    { ...page('<a href="/privacy">Privacy</a>'), [`${at}/privacy`]: 'x' },
    'fail',
    'no link about terms',
  ],
  [
    'legal is unmeasured when a linked legal page was not read',
    'legal',
    { ...page(legal), [`${at}/privacy`]: 'x' },
    'unmeasured',
    '/terms',
  ],
  [
    'a rating in the markup counts as proof',
    'proof',
    page(`${jsonLd({ '@type': 'AggregateRating', ratingValue: 4.8 })}<p>4,8 out of 5</p>`),
    'pass',
    '4.8',
  ],
  [
    'a section with testimonials counts as proof',
    'proof',
    page('<main><h2>What our patients say</h2></main>'),
    'pass',
    'What our patients say',
  ],
  [
    'a page of case studies counts as proof',
    'proof',
    page('<a href="/case-studies">Case studies</a>'),
    'pass',
    '/case-studies',
  ],
  [
    'praise by the business itself is not proof',
    'proof',
    page('<main><h2>Why choose us</h2></main>'),
    'fail',
    'not found',
  ],
  [
    'links to 2 other sites are enough sources',
    'citations',
    { ...page('x'), ...post('a', `<p>${text}</p>${sources('who.int', 'nih.gov')}`) },
    'pass',
    '2 other sites',
  ],
  [
    'links to two pages of one site are one source',
    'citations',
    { ...page('x'), ...post('a', `<p>${text}</p>${sources('a.who.int', 'b.who.int')}`) },
    'fail',
    '1 other site',
  ],
  [
    'links to the own site, in menus and to networks are not sources',
    'citations',
    {
      ...page('x'),
      ...post(
        'a',
        `<p>${text}</p>${sources('site.example', 'x.com', 'who.int')}<footer>${sources('nih.gov')}</footer>`,
      ),
    },
    'fail',
    '1 other site',
  ],
  [
    'a security.txt with a contact passes',
    'accountability',
    securityTxt('Contact: mailto:sec@site.example\n'),
    'pass',
    'sec@site.example',
  ],
  [
    'a web page in place of security.txt does not pass',
    'accountability',
    securityTxt({ body: '<!doctype html>Contact: x@y.z', headers: { 'content-type': 'text/html' } }),
    'fail',
    'web page in place',
  ],
  [
    'an imprint passes for accountability',
    'accountability',
    { ...page('<a href="/impressum">Impressum</a>'), [`${at}/impressum`]: '<title>Impressum</title>' },
    'pass',
    '/impressum',
  ],
  [
    'accountability fails without security.txt, imprint and trust page',
    'accountability',
    securityTxt({ status: 404 }),
    'fail',
    'no security.txt',
  ],
  [
    'accountability is unmeasured when security.txt was not fetched',
    'accountability',
    page('x'),
    'unmeasured',
    '',
  ],
])('%s (%s)', (_title, id, entries, result, part) => {
  const { outcome, json } = run(id, entries)
  expect(outcome.result).toBe(result)
  expect(json).toContain(part)
})

test('a name is not asked for in a title that it would make too long', () => {
  const asked = (title: string) => {
    const outcome = run(
      'brand-name',
      page(`<title>${title}</title><footer>© 2026 Lake Dental</footer>${siteName}`),
    )
    return outcome.json
  }
  expect(asked('Implants and more')).toContain('into the title')
  expect(asked(`Implants ${'and more '.repeat(6)}`)).not.toContain('into the title')
})

test('all entity-trust checks are unmeasured without a page', () => {
  const results = entityTrust.checks.map(
    ({ id }) => run(id, { [`${at}/`]: { failed: 'dns' } }).outcome.result,
  )
  expect(new Set(results)).toEqual(new Set(['unmeasured']))
})

test('on the shell of an application the entity-trust checks are unmeasured', () => {
  const shell = page('<title>Planboard</title><div id="root"></div><script src="/main.js"></script>')
  const results = entityTrust.checks.map(({ id }) => run(id, shell).outcome.result)
  expect(new Set(results)).toEqual(new Set(['unmeasured']))
})

test('evidence spells out invisible characters of the site', () => {
  const { json } = run('brand-name', page('<title>Lake\u202e\u200bDental</title>'))
  expect(json).toContain('u{202e}')
  expect(json).not.toMatch(/[\u202e\u200b]/)
})

test('tens of thousands of numbers, addresses and years still give at most five short pieces of evidence', () => {
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
  ...business('<a href="/contact">Contact</a>'),
  [`${at}/contact`]: `<main>${body}</main>`,
})

test.each<[string, string, Entries, string, string]>([
  [
    'a number and a street without elements of their own in the footer are found',
    'nap',
    business('<footer>Mill & Sons, 12 Mill Lane, Leeds LS1 4AB. 0113 496 0123</footer>'),
    'fail',
    'a telephone number and a street address',
  ],
  [
    'a div with the class footer counts as a footer',
    'nap',
    business('<div class="site-footer">14 rue de la République, 69002 Lyon, 04 72 00 00 00</div>'),
    'fail',
    '14 rue de la République',
  ],
  [
    'a number on the contact page is found',
    'nap',
    contactPage('Musterstraße 5, 10115 Berlin. Fon: 030 901820'),
    'fail',
    '030 901820',
  ],
  [
    'an address element may hold a street beside a mail address',
    'nap',
    business('<address>12 Mill Lane, Leeds<br>a@site.example</address>'),
    'fail',
    'street address on the page: 12 Mill Lane',
  ],
  [
    'a telephone number is not a street address',
    'nap',
    business('<address>Call us: 0113 496 0123</address>'),
    'fail',
    'The pages show a telephone number, and',
  ],
  [
    'the text speaks of missing JSON-LD when there is none',
    'nap',
    business('<a href="mailto:a@site.example">a</a>'),
    'fail',
    'The pages show an e-mail address, and no JSON-LD was found',
  ],
  [
    'the text names what existing JSON-LD leaves out',
    'nap',
    business(`${organization({ name: 'x' })}<a href="mailto:a@site.example">a</a>`),
    'fail',
    'the JSON-LD does not repeat it',
  ],
  [
    'the text speaks of one page in the singular',
    'nap',
    business('<p>x'),
    'fail',
    'in the text of 1 page or in its JSON-LD',
  ],
  [
    'a name in the footer is named as one of the places compared',
    'brand-name',
    page(`<title>Home</title>${siteName}<footer>Lake Dental, Main Street</footer>`),
    'fail',
    'the footer: has \\"Lake Dental\\"',
  ],
  [
    'a place without the name is quoted',
    'brand-name',
    page(
      `<title>Home</title>${siteName}${organization({ name: 'Lake Dental' })}<footer>All rights reserved</footer>`,
    ),
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
    'problems with a site that sells nothing are told by its telephone number',
    'accountability',
    {
      ...page('<a href="tel:2175550142">call</a>'),
      [`${at}/.well-known/security.txt`]: { purpose: 'well-known', status: 404 },
    },
    'pass',
    'tel:2175550142',
  ],
  [
    'a site that people log in to needs more than a telephone number',
    'accountability',
    {
      ...page('<a href="tel:2175550142">call</a><a href="https://app.site.example/">Go to dashboard</a>'),
      [`${at}/.well-known/security.txt`]: { purpose: 'well-known', status: 404 },
    },
    'fail',
    'tel:2175550142',
  ],
])('%s (%s)', (_title, id, entries, result, part) => {
  const { outcome, json } = run(id, entries)
  expect(outcome.result).toBe(result)
  expect(json).toContain(part)
})

test.each([
  ['security.txt', 'nobody to tell'],
  ['proof', "nothing but the site's own word"],
  ['about', 'nobody is seen'],
])('a missing %s is not worded as a claim about people', (_what, claim) => {
  const gone = {
    ...page('<p>x'),
    [`${at}/.well-known/security.txt`]: { purpose: 'well-known' as const, status: 404 },
  }
  expect(entityTrust.checks.map(({ id }) => run(id, gone).json).join(' ')).not.toContain(claim)
})

test('a heading that a script takes from a list of languages is not named, because visitors may read another', () => {
  const judged = (mark: string) =>
    run('about', page(`<section id="team"><h2${mark}>Our team</h2><p>${words(60)}</p></section>`)).json
  expect(judged('')).toContain('below \\"Our team\\"')
  expect(judged(' data-translate="team"')).not.toContain('Our team')
})
