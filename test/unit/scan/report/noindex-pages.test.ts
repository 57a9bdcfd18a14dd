import { describe, expect, test } from 'vitest'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { crawlAccess } from '../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

/** Pages that their owner keeps out of search: no advice asks for better texts on them, and one step says what to do. */

const at = (path: string) => `https://lind.example${path}`
const noindex = '<meta name="robots" content="noindex">'
const page = (body: string, head = '') =>
  `<html lang="en"><head><title>Lind</title>${head}</head><body><main><h1>Lind</h1>${body}</main></body></html>`
const full = `<p>${'The baker sells warm bread in Ulm every day. '.repeat(45)}</p>`
const menu = '<nav><a href="/a">Alpha beta</a> </nav>'.repeat(60)
const kept = (head: string): Entries => ({
  [at('/')]: page(full),
  [at('/bread')]: page(full),
  [at('/cakes')]: page(full),
  [at('/sent')]: `${menu}${page('<p>We have received what you wrote and answer within two days.</p>', head)}`,
  [at('/sent-too')]:
    `${menu}${page('<p>We have received your order and bake it within two days.</p>', head)}`,
})

describe('pages that ask not to be indexed', () => {
  test.each(['depth', 'boilerplate'])('are not judged by %s', (check) => {
    const quotes = (head: string) => JSON.stringify(runCheck(contentAnswerability, check, site(kept(head))))
    expect(quotes('')).toContain('/sent')
    expect(quotes(noindex)).not.toContain('/sent')
  })

  test('are judged where the home page asks for the same, because the owner is told to take it off', () => {
    const all = { ...kept(noindex), [at('/')]: page(full, noindex) }
    expect(JSON.stringify(runCheck(contentAnswerability, 'depth', site(all)))).toContain('/sent')
  })
})

describe('a page of the sitemap that asks not to be indexed', () => {
  const fixOf = (home: string) => {
    const outcome = runCheck(
      crawlAccess,
      'sitemap-quality',
      site({
        [at('/')]: page(full, home),
        [at('/sitemap.xml')]:
          `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${at('/sent')}</loc></url></urlset>`,
        [at('/sent')]: { purpose: 'sitemap-url', body: page('<p>Thanks</p>', noindex) },
      }),
    )
    return 'fix' in outcome ? outcome.fix : ''
  }

  test('is taken out of it', () => {
    expect(fixOf('')).toMatch(/^Take https:\/\/lind\.example\/sent out of .+ asks engines not to show it/)
  })

  test('is let in again where the home page is', () => {
    expect(fixOf(noindex)).toBe('Take "noindex" off https://lind.example/sent, as off the home page.')
  })
})
