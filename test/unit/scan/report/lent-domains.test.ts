import { expect, test } from 'vitest'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries } from '../../../support/scans/captured.ts'

/** An owner's site that was read at an address of its host, such as github.io, while the owner has a domain. */

const html = (head: string, body = '') =>
  `<html lang="en"><head><title>Lind Dental</title>${head}</head><body><main><h1>Lind Dental</h1><p>${'word '.repeat(320)}</p>${body}</main></body></html>`
const firstStep = (host: string, page: string, more: Entries = {}) =>
  analyze(captured({ [`https://${host}/`]: page, ...more }), defaultNow).analysis.report.actions?.[0]
const own = 'lind-dental.example'
const jsonLd = (url: string) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Dentist', name: 'Lind Dental', url })}</script>`

test.each([
  ['its canonical link', html(`<link rel="canonical" href="https://${own}/">`)],
  ['og:url', html(`<meta property="og:url" content="https://www.${own}/">`)],
  ['its markup', html(jsonLd(`https://${own}/`))],
  ['its mail addresses', html('', `<p>hello@${own}</p>`)],
  ['its imprint', html('', `<h2>Imprint</h2><p>Lind Dental, 4 Mill Lane, Totnes. www.${own}</p>`)],
])(
  'at an address of its host, a site with a domain in %s is asked first which one is true',
  (_place, page) => {
    for (const host of ['linddental.github.io', 'lind-dental.netlify.app', 'linddental.pages.dev'])
      expect(firstStep(host, page)?.title).toMatch(
        /^Decide whether the address (?:www\.)?lind-dental\.example is your true one/,
      )
  },
)

test.each([
  [
    'its pages name the address that was read',
    html('<link rel="canonical" href="https://linddental.github.io/">', `<p>hello@${own}</p>`),
  ],
  ['the mail addresses are those of a mail service', html('', '<p>linddental@gmail.com</p>')],
  ['the mail addresses are those of an employer', html('', '<p>lind@university.example</p>')],
  ['the domains contradict each other', html('', `<p>hello@${own}, hello@lind-dental.test</p>`)],
])('no question is asked where %s', (_case, page) => {
  expect(firstStep('linddental.github.io', page)?.title).not.toContain('your true address')
})

test('a domain in the mail addresses of a site at its own domain raises no question', () => {
  expect(firstStep('lind.example', html('', `<p>hello@${own}</p>`))?.title).not.toContain('your true address')
})

test('a mail address below the domain of a city says nothing of the site of the city', () => {
  expect(
    firstStep('wdsflindtown.github.io', html('', '<p>hello@dentist.lindtown.example</p>'))?.title,
  ).not.toContain('lindtown.example')
})
