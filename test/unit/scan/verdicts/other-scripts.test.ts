import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { freshnessIndex } from '../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { amountsIn } from '../../../../src/products/scan/site/amounts.ts'
import { countWords } from '../../../../src/products/scan/site/html/words.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

/** Words, widths and numbers on pages in any script. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })

describe('words of scripts without spaces', () => {
  test.each([
    ['Thai', 'ตรวจสอบเบอร์โทรศัพท์', 4],
    ['Khmer', 'សួស្តីពិភពលោក', 2],
    ['Japanese', '東京は大きい', 3],
    ['Chinese', '我们提供服务', 3],
    ['mixed with Latin letters', 'HTTP リクエスト', 2],
  ])('%s: they are told apart by a dictionary', (_, text, count) => expect(countWords(text)).toBe(count))

  test('a Thai page of 400 words has 300', () => {
    const text = 'ตรวจสอบเบอร์โทรศัพท์'.repeat(100)
    expect(runCheck(contentAnswerability, 'depth', site(home(`<main><p>${text}</p></main>`))).result).toBe(
      'pass',
    )
  })

  test('and a Japanese one of 400 characters has not', () => {
    const text = 'ご予約はお電話で受け付けております。'.repeat(23)
    expect(runCheck(contentAnswerability, 'depth', site(home(`<main><p>${text}</p></main>`))).result).toBe(
      'fail',
    )
  })

  test('a million characters are counted in little time', () => {
    const start = performance.now()
    countWords('漢字 '.repeat(350_000))
    expect(performance.now() - start).toBeLessThan(4_000)
  })
})

test('a title of nine Japanese characters is as wide as one of eighteen letters', () => {
  const description = 'ソフトウェア開発に関するノートを集めた個人のウェブサイトです。毎週更新しています。'
  const html = `<title>天才まくまくノート</title><meta name="description" content="${description}">`
  expect(runCheck(coreSnapshot, 'title-desc', site(home(html))).result).toBe('pass')
})

describe('the language of a page of notes', () => {
  const notes =
    'このページでは Node.js の HTTP server で GET request を handle する JavaScript function の example を説明します。'
  const code = `<pre>${'const handler = async (request, response) => response.end("Hello from the server") // This answers with a greeting. '.repeat(30)}</pre>`

  test('is that of its prose, and not of its code', () => {
    const html = `<html lang="ja"><main><h1>HTTP リクエスト</h1><p>${notes.repeat(2)}</p>${code}</main></html>`
    expect(runCheck(accessibilityActionability, 'lang', site(home(html))).result).toBe('pass')
  })

  test('is the declared one where a tenth of the letters is in its script', () => {
    const mixed = `${'Use the npm install command and open the settings of the editor to add the plugin folder. '.repeat(60)}${'設定を開いてプラグインを追加します。'.repeat(70)}`
    const html = `<html lang="ja"><main><p>${mixed}</p></main></html>`
    expect(runCheck(accessibilityActionability, 'lang', site(home(html))).result).toBe('pass')
  })

  test('is not the declared one where its script is missing', () => {
    const english =
      'The workshop repairs bicycles of all kinds and sells parts for them in the old town. '.repeat(20)
    const html = `<html lang="ja"><main><p>${english}</p></main></html>`
    expect(runCheck(accessibilityActionability, 'lang', site(home(html))).result).toBe('fail')
  })
})

describe('amounts', () => {
  test.each([
    ['a number that ends a name is none', 'PHP Cafe24 PHP WordPress'],
    ['an identifier is no currency', 'Q1269709 php_serialized_value'],
    ['a language in lower case is none', '1269709 php scripts'],
  ])('%s', (_, text) => expect(amountsIn(text, 5)).toEqual([]))

  test('a price may stick to the name of what is sold', () =>
    expect(amountsIn('Margherita12€ and Calzone 14,50 €', 5)).toEqual(['12€', '14,50 €']))
})

describe('figures', () => {
  const filler = 'plain words without any number '.repeat(25)
  const figuresOf = (html: string) =>
    JSON.stringify(
      runCheck(
        contentAnswerability,
        'evidence',
        site(home(`<html lang="en"><main>${html}<p>${filler}</p></main></html>`)),
      ),
    )

  test.each([
    [
      'of two elements that stand side by side',
      '<time>30 Jul 2026</time><span aria-hidden="true"></span>6 min walk',
      '6 min',
      '20266',
    ],
    ['behind a comma', '<p>at 119, x and 25 kg</p>', '25 kg', '119'],
    ['within code-like words', '<p>0x04X and 4v and 25 kg</p>', '25 kg', '4v'],
    ['of a time', '<p>from 11:00 hours and 25 kg</p>', '25 kg', '00 hours'],
    ['before a quotation mark that closes', '<p>say "number 5" and 25 kg</p>', '25 kg', '5\\"'],
  ])('a number %s is read as it stands', (_, html, read, not) => {
    const json = figuresOf(html)
    expect(json).toContain(read)
    expect(json).not.toContain(not)
  })

  test('inches are figures', () => expect(figuresOf('<p>a pizza of 14" for two</p>')).toContain('14\\"'))
})

describe('the newest date', () => {
  const old = '<article><time datetime="2025-07-01">1 July 2025</time></article>'

  test('may stand on a page that was fetched only for the sitemap', () => {
    const entries = {
      ...home(old),
      [`${at}/changelog`]: {
        purpose: 'sitemap-url' as const,
        body: '<main><p>v1.2.0 — 2026-10-21</p></main>',
      },
    }
    expect(runCheck(freshnessIndex, 'newest', site(entries)).result).toBe('pass')
  })

  test('is old where no text has a younger one', () =>
    expect(runCheck(freshnessIndex, 'newest', site(home(old))).result).toBe('fail'))
})
