import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { sections } from '../../../../src/products/scan/report/blocks/llms/llms-lists.ts'
import { sitemapBlock } from '../../../../src/products/scan/report/blocks/sitemap-block.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../support/scans/checks.ts'
import { at, onPages, words } from '../../../support/scans/lind-site.ts'

const header = '<header><a href="/">Lind</a><nav><a href="/bridges">Bridges</a></nav></header>'
const footer = '<footer><p>12 Mill Lane, Leeds</p></footer>'
const plain = (title: string, body: string) =>
  `<html lang="en"><head><title>${title}</title></head><body>${header}${body}${footer}</body></html>`
const noSitemap: Entries = {
  [at('/robots.txt')]: 'User-agent: *\nAllow: /',
  [at('/sitemap.xml')]: { status: 404 },
}
const withPage = (body: string, more: Entries = {}) =>
  site({
    [at()]: plain('Lind Dental', `<main><h1>Lind Dental</h1><p>${words(320)}</p></main>`),
    [at('/bridges')]: plain('Bridges', body),
    ...noSitemap,
    ...more,
  })
const guideOf = (one: ReturnType<typeof site>) =>
  one.home === undefined ? '' : sections(one, one.home).join('\n')

describe('pages with nothing between header and footer', () => {
  const blank = withPage('<div class="wrapper"></div>', {
    [at('/crowns')]: plain('Crowns', ''),
    [at('/veneers')]: plain('Veneers', ''),
  })

  test('are neither in the sitemap nor in the guide for assistants', () => {
    expect(sitemapBlock(blank)?.block.text).toMatch(/<loc>https:\/\/lind\.example\/<\/loc>/)
    expect(sitemapBlock(blank)?.block.text).not.toMatch(/bridges|crowns/)
    expect(guideOf(blank)).not.toMatch(/bridges|crowns/)
  })

  test('are told first where most pages are too short, and are to be written or no longer linked', () => {
    const depth = runCheck(contentAnswerability, 'depth', blank)
    expect(reasonOf(depth)).toMatch(/^3 pages have no text of their own\. 1 of 4 content pages/)
    expect(quotesOf(depth)).toMatch(/^no text of its own/)
    expect(fixOf(depth)).toMatch(/or take out the links/)
  })

  test('are not asked to mark their content', () => {
    expect(runCheck(accessibilityActionability, 'landmarks', blank).result).toBe('pass')
  })

  test.each([
    ['a picture', '<img src="/map.png" alt="Map">'],
    ['a form', '<form><label>Name <input name="name"></label><button>Send</button></form>'],
    ['a box that a script fills', '<div id="list"></div><script src="/list.js"></script>'],
    ['a word', '<div>Closed</div>'],
  ])('are no pages with %s', (_what, body) => {
    expect(sitemapBlock(withPage(body))?.block.text).toContain(at('/bridges'))
  })
})

describe('the sitemap to paste', () => {
  const link = { purpose: 'link' } as const
  const noindex = (title: string) =>
    `<html lang="en"><head><title>${title}</title><meta name="robots" content="noindex"></head><body><main><h1>${title}</h1><p>Text.</p></main></body></html>`
  const listed = withPage('<main><h1>Bridges</h1><p>Text of bridges.</p></main>', {
    [at('/en/index.html')]:
      `<html lang="en"><head><title>Lind in English</title><link rel="canonical" href="${at('/en/')}"></head><body><main><p>Text.</p></main></body></html>`,
    [at('/privacy.html')]: noindex('Privacy'),
    [at('/tag-list/implants')]: noindex('Tag'),
    [at('/fr/privacy.html')]: link,
    [at('/treatments/implants')]: link,
    [at('/de/')]: link,
    [at('/de/index.html')]: link,
  })
  const addresses = Array.from(
    sitemapBlock(listed)?.block.text.matchAll(/<loc>([^<]+)/g) ?? [],
    ([, url]) => url,
  )

  test('names a page by its canonical address, and a folder without its file', () => {
    expect(addresses).toContain(at('/en/'))
    expect(addresses).not.toContain(at('/en/index.html'))
    expect(addresses).toContain(at('/de/'))
    expect(addresses).not.toContain(at('/de/index.html'))
  })

  test('leaves out the page in another language of one that asks engines to leave it out', () => {
    expect(addresses).not.toContain(at('/fr/privacy.html'))
  })

  test('names a page whose file has the name of one in another folder that asks so', () => {
    expect(addresses).toContain(at('/treatments/implants'))
  })
})

describe('the guide for assistants', () => {
  const linked = (links: string) =>
    guideOf(
      site({
        [at()]: plain('Lind Dental', `<nav>${links}</nav><main><h1>Lind</h1><p>Text.</p></main>`),
        [at('/fr/')]: { purpose: 'link' },
        [at('/questions')]: { purpose: 'link' },
      }),
    )

  test.each(['FR', 'FRA', 'Français', 'Drapeau français'])('does not call a page “%s”', (text) => {
    expect(linked(`<a href="/fr/">${text}</a>`)).not.toContain(at('/fr/'))
  })

  test('takes a short name that is no language', () => {
    expect(linked('<a href="/questions">FAQ</a>')).toContain(`[FAQ](${at('/questions')})`)
  })

  test('names one page at two addresses by the address that agrees with its title', () => {
    const body = plain('Whitening | Lind', '<main><h1>Whitening</h1><p>Text of whitening.</p></main>')
    const one = site(
      {
        [at()]: { ...onPages, body: plain('Lind Dental', '<main><h1>Lind</h1><p>Text.</p></main>') },
        [at('/new-patients.html')]: { body, purpose: 'page' },
        [at('/whitening.html')]: [{ body, purpose: 'page' }, { purpose: 'link' }],
        ...noSitemap,
      },
      { hasCopies: true },
    )
    expect(guideOf(one)).toContain(`[Whitening | Lind](${at('/whitening.html')})`)
    expect(guideOf(one)).not.toContain('new-patients')
    expect(sitemapBlock(one)?.block.text).not.toContain('new-patients')
  })
})
