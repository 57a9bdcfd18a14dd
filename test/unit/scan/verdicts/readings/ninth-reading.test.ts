import { describe, expect, test } from 'vitest'
import { agentsOf } from '../../../../../src/products/scan/agents/agents.ts'
import { provenBlocks } from '../../../../../src/products/scan/report/blocks/proven-blocks.ts'
import { sitemapBlock } from '../../../../../src/products/scan/report/blocks/sitemap-block.ts'
import { inOurWords } from '../../../../../src/products/scan/report/blocks/snippets/hand-on-block.ts'
import { reportPage } from '../../../../../src/products/scan/report/report-page.ts'
import { viewOf } from '../../../../../src/products/scan/report/report-view.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { readSignals } from '../../../../../src/products/scan/signals/signals.ts'
import type { Site } from '../../../../../src/products/scan/site/site.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../../support/scans/captured.ts'

/** What did harm, or could not be acted on, when owners of practices read whole reports. */

const at = (path: string) => `https://lind.example${path}`
const words = (count: number) => 'word '.repeat(count)
const page = (title: string, body = '') =>
  `<html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`
const agents = agentsOf('full').map(({ agent }) => agent)
const blocksOf = (one: Site) => provenBlocks(one, readSignals(one), agents)
const analysisOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis
const stepsOf = (analysis: ReturnType<typeof analysisOf>) => {
  const view = viewOf(analysis)
  return [...view.steps, ...view.tasks.flatMap((task) => task.steps)]
}

describe('a sitemap', () => {
  const of = (more: Entries) =>
    sitemapBlock(site({ [at('/')]: page('Lind'), [at('/robots.txt')]: 'User-agent: *\nAllow: /', ...more }))

  test('is drafted only where the site answered that it has none', () => {
    expect(of({ [at('/sitemap.xml')]: { status: 404 } })).toBeDefined()
    expect(of({ [at('/sitemap.xml')]: { status: 410 } })).toBeDefined()
  })

  test.each([
    ['it was not asked for', {}],
    ['it was skipped', { [at('/sitemap.xml')]: { skipped: 'budget' as const } }],
    ['it failed', { [at('/sitemap.xml')]: { failed: 'timeout' } }],
    ['it answered 403 or 500', { [at('/sitemap.xml')]: { status: 500 } }],
    [
      'only that of another site was asked for',
      { 'https://far.example/sitemap.xml': { status: 404, purpose: 'sitemap' as const } },
    ],
  ])('is not drafted where %s', (_, more) => {
    expect(of(more)).toBeUndefined()
  })
})

describe('the name', () => {
  test.each([
    ['Lind Dental :: Home', ''],
    ['Home :: Lind Dental', ''],
    ['Lind Dental : Home', ''],
    ['Home', '<meta property="og:site_name" content="Lind Dental :">'],
  ])('of “%s” has no sign at its end', (title, head) => {
    const html = `<html><head><title>${title}</title>${head}</head><body><h1>Healthy teeth</h1></body></html>`
    expect(companyName(site({ [at('/')]: html }))).toBe('Lind Dental')
  })
})

describe('a site that names another domain throughout', () => {
  const foreign = (path: string) => `https://lind-dental.example.org${path}`
  const practice = (canonical = foreign('/')) =>
    `<html lang="en"><head><title>Lind Dental</title><link rel="canonical" href="${canonical}"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Dentist","name":"Lind Dental","url":"${foreign('/')}","telephone":"01803 496 021"}</script></head><body><main><h1>Lind Dental</h1><p>${words(320)}</p></main></body></html>`
  const entries = {
    [at('/')]: practice(),
    [at('/robots.txt')]: `User-agent: *\nAllow: /\n\nSitemap: ${foreign('/sitemap.xml')}\n`,
    [at('/sitemap.xml')]: { status: 404 },
    [at('/llms.txt')]: { status: 404 },
  }

  test('is asked first which address is the true one', () => {
    const { report } = analysisOf(entries)
    expect(report.actions?.[0]).toMatchObject({
      title: 'Decide whether lind-dental.example.org is your true address.',
      who: expect.stringMatching(/^You decide this/),
    })
    expect(report.actions?.[0]?.steps?.[0]).toContain('have that one scanned')
    expect(report.tasks?.[0]?.steps).toContain(1)
  })

  test('gets no block with addresses of both', () => {
    for (const { block } of blocksOf(site(entries)))
      expect(block.text.includes('lind.example') && block.text.includes('lind-dental.example.org')).toBe(
        false,
      )
  })

  test('is not asked where a page names the domain that was read', () => {
    const titles = analysisOf({ ...entries, [at('/')]: practice(at('/')) }).report.actions?.map(
      ({ title }) => title,
    )
    expect(titles?.join(' ')).not.toContain('your true address')
  })
})

test('a node of an unknown type that describes the business is replaced, and keeps what it says', () => {
  const node = {
    '@context': 'https://schema.org',
    '@type': 'DentalClinic',
    name: 'Lind Dental',
    url: at('/'),
    telephone: '01803 496 021',
    address: { '@type': 'PostalAddress', streetAddress: '4 Mill Lane', addressLocality: 'Totnes' },
  }
  const one = site({
    [at('/')]: page(
      'Lind Dental',
      `<script type="application/ld+json">${JSON.stringify(node)}</script><p>${words(320)}</p>`,
    ),
  })
  const block = blocksOf(one).find(({ settles }) => settles.includes('structured-data/website-node'))?.block
  expect(block?.where).toContain('has such a description already (its type is DentalClinic)')
  expect(block?.text).toContain('"@type": "Dentist"')
  expect(block?.text).toContain('4 Mill Lane')
})

describe('a message in the words of the owner', () => {
  test.each([
    ['Give the field "your-name" on your page a label.', 'Give the field "your-name" on our page a label.'],
    ['Open https://x.example/your/you.html of yours.', 'Open https://x.example/your/you.html of ours.'],
    ['engines may find and cite you as before', 'engines may find and cite us as before'],
    ['Tell who you are, if people come to you.', 'Tell who we are, if people come to us.'],
    ['Leave the class your-form as it is.', 'Leave the class your-form as it is.'],
  ])('says “%s” as “%s”', (text, said) => {
    expect(inOurWords(text)).toBe(said)
  })

  test('holds the decision about training and nothing that questions it', () => {
    const step = stepsOf(
      analysisOf({ [at('/')]: page('Lind', words(320)), [at('/robots.txt')]: 'User-agent: *\nAllow: /\n' }),
    ).find(({ title }) => title.startsWith('Decide whether AI models'))
    expect(step?.how.at(-1)).toContain('Delete the line that you do not want')
    expect(step?.message?.text).toContain('ai-train=no\nContent-Signal: ai-train=yes\n')
    expect(step?.message?.text).not.toMatch(/decide|choose|leave the other/i)
  })
})

describe('what the host of the site has no setting for', () => {
  const served = (server: string) =>
    analysisOf({
      [at('/')]: { body: page('Lind', words(320)), headers: { server } },
      [at('/robots.txt')]: 'User-agent: *\nAllow: /\n',
    })

  test('is one line at the end, and no task', () => {
    const analysis = served('GitHub.com')
    expect(analysis.report.actions?.flatMap(({ settles }) => settles)).not.toContain(
      'security-safety/headers',
    )
    expect(viewOf(analysis).later).toMatch(/^Keep for a move to another hosting company: “/)
    expect(viewOf(analysis).small).not.toContain('X-Content-Type')
    expect(reportPage('lind.example', analysis).html.match(/Keep for a move/g)).toHaveLength(1)
  })

  test('is a task elsewhere', () => {
    const analysis = served('nginx')
    expect(analysis.report.actions?.flatMap(({ settles }) => settles)).toContain('security-safety/headers')
    expect(viewOf(analysis).later).toBe('')
  })
})
