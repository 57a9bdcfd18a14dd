import { describe, expect, test } from 'vitest'
import { depths } from '../../../src/products/scan/site/capture.ts'
import { scanInMemory } from '../../support/scans/scan-in-memory.ts'
import { loadSite, type SavedSite } from '../../support/servers/saved-site.ts'
import type { SitePage, SiteRequest } from '../../support/servers/site-server.ts'

/** Sites that are far larger than a scan reads, and sites that answer the same request differently each time. */

const names = ['large.example']
const html = { 'content-type': 'text/html; charset=utf-8' }
const prose =
  'We repair bicycles of all makes in our workshop in Hull. A service costs £45 and takes one day. '

function page(title: string, links: readonly string[] = []): SitePage {
  const list = links.map((link) => `<li><a href="${link}">Read about ${link.slice(1)}</a></li>`).join('')
  return {
    headers: html,
    body: `<!doctype html><html lang="en"><head><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${prose.repeat(12)}</p><ul>${list}</ul></main></body></html>`,
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `/page-${index + 1}`)

/** A site of so many pages, each linked from the one before it, with so many addresses in its sitemap. */
function siteOf(pages: number, inSitemap: number, answer = (_: string): SitePage | undefined => undefined) {
  const paths = numbered(pages)
  const known = new Set(paths)
  const requests: string[] = []
  const sitemap = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${numbered(
    inSitemap,
  )
    .map((path) => `<url><loc>https://large.example${path}</loc></url>`)
    .join('')}</urlset>`
  const site: SavedSite = {
    names,
    depth: 'full',
    answer({ path }: SiteRequest) {
      requests.push(path)
      const special = answer(path)
      if (special) return special
      if (path === '/') return page('Bicycle repairs in Hull', paths.slice(0, 20))
      if (path === '/robots.txt')
        return { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nAllow: /\n' }
      if (path === '/sitemap.xml') return { headers: { 'content-type': 'application/xml' }, body: sitemap }
      return known.has(path)
        ? page(`Repairs, ${path}`, paths.slice(paths.indexOf(path) + 1, paths.indexOf(path) + 3))
        : { status: 404, headers: html, body: '<h1>None</h1>' }
    },
  }
  return { site, requests }
}

describe('a site of 200 pages', () => {
  test('gives a full scan no more to say than one of 20 pages, and no more than 120 requests', async () => {
    const large = siteOf(200, 200)
    const small = siteOf(20, 20)
    const [ofLarge, ofSmall] = [
      await scanInMemory(large.site, 'full'),
      await scanInMemory(small.site, 'full'),
    ]
    expect(ofLarge.faults).toEqual([])
    expect(large.requests.length).toBeLessThanOrEqual(120)
    const failed = ({ findings }: typeof ofLarge) =>
      findings.flatMap(({ agent, check, result }) =>
        result === 'fail' || result === 'warn' ? [`${agent}/${check}`] : [],
      )
    expect(failed(ofLarge)).toEqual(failed(ofSmall))
    const readiness = ({ analysis }: typeof ofLarge) => analysis.report.readinessScore
    expect(Math.abs(readiness(ofLarge) - readiness(ofSmall))).toBeLessThanOrEqual(2)
  })

  test('with the same fault on each is told of it once, in a sentence, with the pages that were read', async () => {
    const bare = (path: string) => ({
      headers: html,
      body: `<html><body><p>${prose} ${path}</p></body></html>`,
    })
    const { site } = siteOf(200, 200, (path) => (path.startsWith('/page-') ? bare(path) : undefined))
    const { findings } = await scanInMemory(site, 'full')
    const language = findings.filter(({ check }) => check === 'lang')
    expect(language).toMatchObject([{ result: 'fail', reason: expect.stringMatching(/^14 of 15 pages /) }])
    for (const finding of findings) {
      expect(finding.reason.length).toBeLessThan(400)
      if ('evidence' in finding) expect(finding.evidence.length).toBeLessThanOrEqual(15)
    }
  })
})

test('a sitemap of 50,000 addresses is read, and its site is judged as that of 200', async () => {
  const huge = siteOf(200, 50_000)
  const { analysis, faults } = await scanInMemory(huge.site, 'full')
  const usual = await scanInMemory(siteOf(200, 200).site, 'full')
  expect(faults).toEqual([])
  expect(huge.requests.length).toBeLessThanOrEqual(120)
  expect(Math.abs(analysis.report.readinessScore - usual.analysis.report.readinessScore)).toBeLessThanOrEqual(
    3,
  )
})

/** Numbers that look random, the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

describe('a site that answers each request differently', () => {
  const saved = loadSite('dentist')
  const turns: readonly ((usual: SitePage, roll: number) => SitePage)[] = [
    (usual) => usual,
    (usual) => usual,
    () => ({ status: 503, headers: html, body: '<h1>Busy</h1>' }),
    () => ({ status: 404, headers: html, body: '<h1>None</h1>' }),
    () => ({ status: 200, headers: html, body: '' }),
    (_, roll) => page(`Another title ${roll}`),
    (usual) => ({ ...usual, headers: { 'content-type': 'application/json' } }),
    (usual) => ({ ...usual, body: String(usual.body ?? '').slice(0, 200) }),
  ]

  test.each(Array.from({ length: 15 }, (_, index) => index + 1))(
    'no check breaks and no total leaves its bounds, by seed %d',
    async (seed) => {
      const next = numbersFrom(seed)
      const site: SavedSite = {
        ...saved,
        answer(request) {
          const usual = saved.answer(request)
          // The scan ends where robots.txt or the page itself cannot be read.
          if (typeof usual === 'string' || request.path === '/robots.txt') return usual
          const roll = next()
          return turns[Math.floor(roll * turns.length)]?.(usual, roll) ?? usual
        },
      }
      for (const depth of depths) {
        const { analysis, faults } = await scanInMemory(site, depth)
        expect(faults).toEqual([])
        for (const total of [analysis.report.readinessScore, analysis.report.aeoScore]) {
          expect(total).toBeGreaterThanOrEqual(0)
          expect(total).toBeLessThanOrEqual(100)
        }
      }
    },
  )
})
