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
  title: 'Fields have labels',
  reason: 'A field has none.',
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

  test('repeats each quoted element with what it lacks, and asks for the words', () => {
    const block = snippet(
      'accessibility-actionability/labels',
      { [at('/')]: home('') },
      '<input name="mail">',
      'none of 3',
    )
    expect(block?.text).toBe(
      `<!-- ${at('/')} -->\n<label for="mail">SAY WHAT BELONGS INTO IT</label> <input name="mail" id="mail">\n`,
    )
    expect(block?.where).toContain('capital letters')
  })

  test('escapes what the site calls itself', () => {
    const pages = {
      [at('/')]:
        '<title>A &amp; B &lt;script&gt; | A &amp; B</title><meta property="og:site_name" content="A &amp; B">',
    }
    expect(snippet('freshness-index/footer-year', pages)?.text).not.toMatch(/A & B|<script/)
  })

  test('offers both answers to a question that only the owner decides', () => {
    const text = snippet('crawl-access/training-stance', { [at('/')]: home('') })?.text
    expect(text).toContain('ai-train=no')
    expect(text).toContain('ai-train=yes')
  })

  test('gives the settings for the server that answers, and for the usual ones where none is named', () => {
    const of = (headers: Record<string, string>) =>
      snippet('security-safety/https-redirect', { [at('/')]: { body: home(''), headers } })?.text
    expect(of({ server: 'nginx/1.2' })).not.toContain('Apache')
    expect(of({})).toContain('Apache')
  })

  test('begins a page of questions with those that the site answers, in its language', () => {
    const german =
      'Wir sind eine kleine Töpferei am Rand der Stadt und machen Tassen, Teller und Schalen aus Ton. Sie können uns jeden Tag besuchen und zusehen, wie wir arbeiten. '
    const text = snippet('workflow-automation/faq', {
      [at('/')]:
        `<html lang="de"><title>Töpferei Lind</title><main><h1>Töpferei Lind</h1><p>${german.repeat(3)}</p><p>Telefon 0761 4096 27</p></main></html>`,
    })?.text
    expect(text).toContain('<h2>Wie erreiche ich Sie?</h2>\n<p>0761 4096 27.')
    expect(text?.match(/<h2>/g)).toHaveLength(4)
  })
})

test('a message for whoever looks after the website says what, where and when it is done', () => {
  const { text, where } = handOnBlock(change('<input name="mail">'))
  expect(where).toMatch(/^Send this to whoever looks after your website/)
  expect(text).toBe(
    `Please change this on our website.\n\nWhat to do:\n1. Give it one.\n2. Put it on ${at('/kontakt')}.\n\nWhere it was seen:\n- ${at('/')}: <input name="mail">\n\nWhy: A field has none.\n\nIt is done when a new scan no longer lists the check “Fields have labels”.\n`,
  )
})

test('steps for a person name the page of the action', () => {
  expect(stepsFor('entity-trust/proof', at('/'))?.join(' ')).toContain(at('/'))
})

test('every action of a report has a place where one person does it', () => {
  const { actions = [] } = analyze(captured({ [at('/')]: home('<p>Pots</p>') }), defaultNow).analysis.report
  expect(actions.length).toBeGreaterThan(5)
  for (const action of actions) expect(placeOf(action)).toMatch(/^[a-z]+$/)
})
