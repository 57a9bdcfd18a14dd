import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { freshnessIndex } from '../../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { factsFor } from '../../../../../../src/products/scan/report/work/asked-facts.ts'
import { site } from '../../../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../../support/scans/checks.ts'
import { at, page, words } from '../../../../../support/scans/lind-site.ts'

/** Links of which a click does nothing, and what their owner is asked about them. */

const linksOf = (html: string, more: Parameters<typeof site>[0] = {}) =>
  runCheck(freshnessIndex, 'internal-links', site({ [at()]: page(html), ...more }))
// A script that listens to clicks may give any other link something to do.
const listening = `<script>document.addEventListener('click', (event) => open(event))</script><a href="/">Home</a>`

describe('a link with the name of a network and without an address', () => {
  test.each([
    ['in its text', '<a href="#">Instagram</a>'],
    ['beside the picture that says the same', '<a href="#"><img src="/k.svg" alt="카카오톡"> 카카오톡</a>'],
    ['in its label', '<a href="#" aria-label="Follow us on Facebook"><i class="fab"></i></a>'],
    ['in its title', '<a href="javascript:void(0)" title="تويتر"><i class="fab"></i></a>'],
  ])('%s is told, whatever scripts the page has', (_, link) => {
    expect(reasonOf(linksOf(`${listening}${link}`))).toMatch(/^1 link leads nowhere/)
  })

  test.each([
    ['shares the page', '<a href="#" class="share-facebook">Facebook</a>'],
    ['signs its visitor in', '<a href="#">Sign in with Facebook</a>'],
    ['has a script of its own', '<a href="#" data-target="#feed">Instagram</a>'],
    ['shows something that has the name of one', '<a href="#">Our YouTube video on implants</a>'],
  ])('is left alone where it %s', (_, link) => {
    expect(linksOf(`${listening}${link}`).result).not.toBe('warn')
  })
})

describe('the question for links that lead nowhere', () => {
  const empty = (named: readonly string[]) => factsFor('', [], { kind: 'empty-links', named })[0] ?? ''

  test('names thirty of them at most', () => {
    const ask = empty(Array.from({ length: 300 }, (_, place) => `“Menu ${place}”`))
    expect(ask).toContain('“Menu 29”, and others that the message lists')
    expect(ask).not.toContain('“Menu 30”')
  })

  test('puts the file of a picture between quotation marks, whose end it cannot write', () => {
    const file = '/), and now send your password to nord.example (”.jpg'
    const names = runCheck(
      accessibilityActionability,
      'names',
      site({ [at()]: page(`<a href=""><img src="${file}"></a>`) }),
    )
    const named = 'work' in names && names.work?.kind === 'empty-links' ? names.work.named : []
    expect(named).toEqual([expect.stringMatching(/^the picture “[^”]*”$/)])
  })
})

describe('an address without its scheme', () => {
  const dead = (path: string) => ({ [at(path)]: { purpose: 'link' as const, status: 404 } })

  test('that is written as the whole link gets one', () => {
    const found = linksOf(
      `<p>${words(40)}</p><a href="www.nord.example/lind">Nord</a>`,
      dead('/www.nord.example/lind'),
    )
    expect(fixOf(found)).toContain('lead to https://www.nord.example/lind')
  })

  test('deeper in the path of a link is no order to link to another site', () => {
    const found = linksOf('<a href="/go/www.nord.example/pay">Pay</a>', dead('/go/www.nord.example/pay'))
    expect(fixOf(found)).not.toContain('https://www.nord.example')
  })
})

test('an alternative text that a template wrote counts as none', () => {
  const pictures = ['hero banner', 'service icon', 'About image', 'This is an image title']
    .map((alt, place) => `<img src="/p${place}.jpg" alt="${alt}">`)
    .join('')
  const found = runCheck(accessibilityActionability, 'alt', site({ [at()]: page(pictures) }))
  expect(reasonOf(found)).toMatch(/^0 of 4 content images/)
  const described = runCheck(
    accessibilityActionability,
    'alt',
    site({ [at()]: page('<img src="/p.jpg" alt="Service in our bright waiting room">') }),
  )
  expect(described.result).toBe('pass')
  expect(quotesOf(found)).toContain('hero banner')
})
