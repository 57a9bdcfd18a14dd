import { describe, expect, test } from 'vitest'
import { handOnBlock } from '../../../../src/products/scan/report/blocks/snippets/hand-on-block.ts'
import { snippetsFor } from '../../../../src/products/scan/report/blocks/snippets/snippets.ts'
import { stepsFor } from '../../../../src/products/scan/report/work/steps.ts'
import { placeOf } from '../../../../src/products/scan/report/work/work-places.ts'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../support/scans/captured.ts'

/** What stands under an action that no proven block settles. */

const at = (path: string) => `https://lind.example${path}`
const home = (body: string) =>
  `<html lang="en"><head><title>Lind Pottery</title></head><body><main><h1>Lind Pottery</h1>${body}</main></body></html>`
const change = (...values: string[]) => ({
  titles: ['Fields have labels'],
  fix: `Give it one. Put it on ${at('/kontakt')}.`,
  evidence: values.map((value) => ({ url: at('/'), value })),
})
const snippet = (id: string, pages: Entries, ...values: string[]) =>
  snippetsFor(site(pages))(id, change(...values))

describe('a snippet', () => {
  test('links the number and the address that the site names', () => {
    const pages = { [at('/')]: home('Call 01803 496 021, write to <a href="mailto:us@lind.example">us</a>') }
    expect(snippet('core-snapshot/contact-path', pages)?.text).toBe(
      '<a href="tel:01803496021">01803 496 021</a>\n<a href="mailto:us@lind.example">us@lind.example</a>\n',
    )
    expect(snippet('core-snapshot/contact-path', { [at('/')]: home('') })).toBeUndefined()
  })

  test.each([
    ...['labels', 'alt', 'iframes', 'landmarks', 'lang'].map((id) => `accessibility-actionability/${id}`),
    ...['render-performance/img-dims', 'workflow-automation/lead-capture', 'structured-data/same-as'],
  ])('of %s never stands in place of what a page has', (id) => {
    expect(
      snippet(id, { [at('/')]: home('') }, '<textarea name="mail">', '<img src="a.jpg">'),
    ).toBeUndefined()
  })

  test('sets no validator where the page names one already', () => {
    const lines = (seen: string) => snippet('freshness-index/conditional', { [at('/')]: home('') }, seen)
    expect(lines('no ETag, no Last-Modified')?.text).toContain('etag on;')
    expect(lines("status 200 to a request with the page's validator")).toBeUndefined()
  })

  test('leaves the title as it is where only og:site_name lacks the name', () => {
    const block = snippet('entity-trust/brand-name', { [at('/')]: home('') })
    expect(block?.text).toBe('<meta property="og:site_name" content="Lind Pottery">\n')
    const named =
      '<title>Lind Pottery</title><meta property="og:site_name" content="Lind"><h1>Lind Pottery</h1>'
    expect(snippet('entity-trust/brand-name', { [at('/')]: named })).toBeUndefined()
  })

  test('names a picture of the page for previews, and none that it does not have', () => {
    const preview = (body: string, fix: string) =>
      snippetsFor(site({ [at('/')]: home(body) }))('structured-data/open-graph', { ...change(), fix })
    const wanted = `Add og:image as a meta element to ${at('/')}.`
    expect(preview('', wanted)).toBeUndefined()
    expect(preview('<img src="/pot.jpg">', wanted)?.text).toContain(at('/pot.jpg'))
    // Another step brings the picture, and this one asks for the rest.
    expect(preview('<img src="/pot.jpg">', `Add og:description to ${at('/')}.`)).toBeUndefined()
  })

  test('escapes what the site calls itself', () => {
    const pages = {
      [at('/')]:
        '<title>A &amp; B &lt;script&gt; | A &amp; B</title><meta property="og:site_name" content="A &amp; B"><footer>© 2016 A &amp; B &lt;script&gt;</footer>',
    }
    const text = snippet('freshness-index/footer-year', pages, '© 2016')?.text
    expect(text).toContain('A &amp; B')
    expect(text).not.toMatch(/A & B|<script/)
  })

  test('for robots.txt leaves the decision about training to the owner: two lines, of which one is deleted', () => {
    const block = snippet('crawl-access/training-stance', { [at('/')]: home('') })
    expect(block?.text).toBe('Content-Signal: ai-train=no\nContent-Signal: ai-train=yes\n')
    expect(block?.where).toMatch(
      /^Put the line that stands here below .+ Do both lines stand here\? Then one has to be chosen first/,
    )
    expect(block?.where).not.toMatch(/choose|decide/i)
  })

  test('for security.txt says that the address is to be written, and only where the site names none', () => {
    const of = (body: string) => snippet('security-safety/security-txt', { [at('/')]: home(body) })
    expect(of('')?.where).toContain('Before you save it, write your e-mail address')
    expect(of('')?.missing).toHaveLength(1)
    const known = of('Write to <a href="mailto:us@lind.example">us</a>')
    expect(known?.text).toContain('Contact: mailto:us@lind.example\n')
    expect(`${known?.where} ${known?.missing.join()}`).not.toMatch(/capital letters|your e-mail/)
  })

  test.each([
    ['© 2016 Lind Pottery. All rights reserved.', '© Lind Pottery. All rights reserved.'],
    ['Copyright Ada Lind 2016', 'Copyright Ada Lind'],
    ['© 2011–2016 Lind Pottery', '© Lind Pottery'],
  ])('for the footer quotes “%s” and keeps all but the year', (line, kept) => {
    const block = snippet(
      'freshness-index/footer-year',
      { [at('/')]: home(`</main><footer>${line}</footer>`) },
      '© 2016',
    )
    expect(block?.text).toBe(`${kept}\n`)
    expect(block?.where).toContain(`“${line}”`)
  })

  test('for the footer is none where the line was not found', () => {
    expect(snippet('freshness-index/footer-year', { [at('/')]: home('') }, '© 2016')).toBeUndefined()
  })

  test('on GitHub Pages names its one setting, nothing that cannot be set, and how a folder with a dot gets out', () => {
    const of = (id: string, server: string) =>
      snippet(id, { [at('/')]: { body: home(''), headers: { server } } })
    expect(of('security-safety/https-redirect', 'GitHub.com')?.text).toContain('“Enforce HTTPS”')
    for (const id of ['render-performance/static-cache', 'render-performance/compression']) {
      expect(of(id, 'GitHub.com')).toBeUndefined()
      expect(of(id, 'Vercel')).toBeUndefined()
    }
    expect(of('security-safety/security-txt', 'GitHub.com')?.where).toContain('.nojekyll')
    expect(of('security-safety/security-txt', 'nginx')?.where).not.toContain('.nojekyll')
  })

  test('gives the settings for the server that answers, and for the usual ones where none is named', () => {
    const of = (headers: Record<string, string>) =>
      snippet('security-safety/https-redirect', { [at('/')]: { body: home(''), headers } })?.text
    expect(of({ server: 'nginx/1.2' })).not.toContain('Apache')
    expect(of({})).toContain('Apache')
  })

  test('holds the questions that the site answers, in its language, and no empty form', () => {
    const german =
      'Wir sind eine kleine Töpferei am Rand der Stadt und machen Tassen, Teller und Schalen aus Ton. Sie können uns jeden Tag besuchen und zusehen, wie wir arbeiten. '
    const text = snippet('workflow-automation/faq', {
      [at('/')]:
        `<html lang="de"><title>Töpferei Lind</title><main><h1>Töpferei Lind</h1><p>${german.repeat(3)}</p><p>Telefon 0761 4096 27</p></main></html>`,
    })?.text
    expect(text).toContain('<h2>Wie erreiche ich Sie?</h2>\n<p>0761 4096 27.')
    expect(text?.match(/<h2>/g)).toHaveLength(1)
    expect(snippet('workflow-automation/faq', { [at('/')]: home('') })).toBeUndefined()
  })

  test('answers where the business is with the town before the code in English, and not with half an address', () => {
    const words =
      'We make cups and bowls of clay at the edge of the town, and you can watch us at work every day. '
    const answers = (address: string) =>
      snippet('workflow-automation/faq', {
        [at('/')]: home(
          `<p>${words.repeat(3)}</p><address>Lind Pottery, ${address}. Phone 01803 496 021</address>`,
        ),
      })?.text
    expect(answers('12 Mill Lane, Dellwater ZZ4 8NE')).toContain(
      '<p>12 Mill Lane, Dellwater ZZ4 8NE. SAY HOW',
    )
    expect(answers('12 Mill Lane')).not.toContain('12 Mill Lane')
  })
})

test('a message for whoever looks after the website says what, where and when it is done', () => {
  const { text, where } = handOnBlock(change('<input name="mail">'))
  expect(where).toMatch(/^Send this to whoever looks after your website/)
  expect(text).toBe(
    `Please change this on our website.\n\nWhat to do:\n1. Give it one.\n2. Put it on ${at('/kontakt')}.\n\nWhere it was seen:\n- ${at('/')}: <input name="mail">\n\nThe elements are quoted in short. Leave everything else in their lines as it is.\n\nI shall have the site scanned again. It is done when the new report no longer lists the check “Fields have labels”.\n`,
  )
})

test('steps for a person name the page of the action', () => {
  const wording = { fix: '', page: at('/'), evidence: [], language: 'en' }
  expect(stepsFor('core-snapshot/one-h1', wording)?.join(' ')).toContain(at('/'))
})

test('every action of a report has a place where one person does it', () => {
  const { actions = [] } = analyze(captured({ [at('/')]: home('<p>Pots</p>') }), defaultNow).analysis.report
  expect(actions.length).toBeGreaterThan(5)
  for (const action of actions) expect(placeOf(action)).toMatch(/^[a-z]+$/)
})

test('a short home page is asked for its missing words once', () => {
  const words = Array.from({ length: 100 }, (_, place) => `word${place}`).join(' ')
  const { actions = [] } = analyze(captured({ [at('/')]: home(`<p>${words}</p>`) }), defaultNow).analysis
    .report
  const asked = actions.filter(({ steps = [] }) => steps.join(' ').includes('more words'))
  expect(asked.map(({ steps = [] }) => steps.join(' '))).toEqual([
    expect.stringMatching(
      /on https:\/\/lind\.example\/ one paragraph for each thing .+ 210 more words are wanted there\./,
    ),
  ])
  expect(asked[0]?.settles).toEqual(
    expect.arrayContaining(['content-answerability/depth', 'core-snapshot/ssr-text']),
  )
})
