import { expect, test } from 'vitest'
import { agentFiles } from '../../../../src/products/scan/agents/agent-files/agent-files.ts'
import { sections } from '../../../../src/products/scan/report/blocks/llms/llms-lists.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../support/scans/checks.ts'

/** An llms.txt names each page once, at its canonical address, and no page that engines may not show. */

const at = (path: string) => `https://lind.example${path}`
const page = (title: string, head = '', body = '') =>
  `<html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1><p>About ${title}.</p>${body}</main></body></html>`
const canonical = (path: string) => `<link rel="canonical" href="${at(path)}">`
const noindex = '<meta name="robots" content="noindex">'
const menu =
  '<nav><a href="/hours.html">Opening hours</a><a href="/404.html">Lost page</a><a href="/gone">Old prices</a></nav>'
const sitemapOf = (...paths: string[]) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>${at(path)}</loc></url>`).join('')}</urlset>`
const entries: Entries = {
  [at('/')]: page('Lind', canonical('/'), menu),
  [at('/index.html')]: page('Lind', canonical('/')),
  [at('/bread?from=menu')]: page('Bread', canonical('/bread')),
  [at('/cakes/index.html')]: page('Cakes', canonical('/cakes/')),
  [at('/team')]: page('Team', canonical('/')),
  [at('/sent')]: page('Sent', noindex),
  [at('/404')]: page('Not here'),
  [at('/gone')]: { purpose: 'link', status: 404 },
  [at('/sitemap.xml')]: sitemapOf(
    '/hours.html',
    '/404.html',
    '/gone',
    '/bread',
    '/bread?from=menu',
    '/team',
    '/sent',
  ),
}

test('the lists of an llms.txt name each page once at its canonical address, and none that engines leave out', () => {
  const one = site(entries)
  if (one.home === undefined) throw new Error('the home page was not read')
  const targets = Array.from(
    sections(one, one.home)
      .join('\n')
      .matchAll(/\]\(([^)]+)\)/g),
    ([, url]) => url,
  )
  expect(targets).toEqual(['/', '/bread', '/cakes/', '/team', '/hours.html'].map(at))
})

test('a guide is not asked for pages that engines leave out, nor twice for one page', () => {
  const guide = `# Lind\n\n> A bakery.\n\n## Pages\n\n- [Start](${at('/')})\n`
  const outcome = runCheck(agentFiles, 'llms-coverage', site({ ...entries, [at('/llms.txt')]: guide }))
  expect(quotesOf(outcome)).toBe(
    ['/hours.html', '/bread', '/team'].map((path) => `does not name ${at(path)}`).join(' | '),
  )
})
