import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { formsOf } from '../../../../../src/products/scan/site/html/forms.ts'
import { asksQuestion } from '../../../../../src/products/scan/site/html/words.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Verdicts that readers of 24 public sites found to be false: traps for robots, cards of articles, addresses that lead nowhere. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })
const words = (count: number) => 'word '.repeat(count)

describe('a trap for robots', () => {
  const traps = [
    '<input type="checkbox" name="botcheck" class="hidden" tabindex="-1" autocomplete="off">',
    '<input type="text" name="website" tabindex="-1" autocomplete="off">',
    '<input type="email" name="hp_email" class="x">',
    '<input type="text" name="_gotcha">',
    '<input type="text" name="bot-field">',
  ]

  test.each(traps)('%s is not asked for a label or a token', (trap) => {
    const form = `<form><label>E-mail <input type="email" name="e" autocomplete="email"></label>${trap}</form>`
    for (const check of ['labels', 'autocomplete'])
      expect(runCheck(accessibilityActionability, check, site(home(form))).result).toBe('pass')
  })

  test.each(traps)('%s is no field of its form', (trap) => {
    const form = `<form><input type="email" name="e"><textarea name="m"></textarea>${trap}</form>`
    expect(
      site(home(form))
        .pages.flatMap(formsOf)
        .map(({ label }) => label),
    ).toEqual(['<form> with 2 fields'])
  })

  test('a field that the keyboard skips is still asked for a label', () => {
    const form = '<form><input type="text" name="coupon" tabindex="-1"></form>'
    expect(runCheck(accessibilityActionability, 'labels', site(home(form))).result).toBe('fail')
  })
})

describe('a privacy notice', () => {
  const contact = '<form><input type="email" name="e"><textarea name="m"></textarea></form>'
  const legal = (html: string) =>
    runCheck(entityTrust, 'legal', site(home(`<h1>Rooms</h1>${contact}${html}`)))

  test.each([
    '<h5><a href="/blog/gdpr/">Lunch and learn: the GDPR</a></h5>',
    '<a href="/blog/gdpr/"><h3>Lunch and learn: the GDPR</h3></a>',
    '<article><h3>Lunch and learn: the GDPR</h3><p>Come on Monday.</p></article>',
  ])('is not the announcement of an article: %s', (html) => {
    expect(legal(html)).toMatchObject({ reason: expect.stringContaining('No page about privacy') })
  })

  test('stands under a heading of its own beside the form', () => {
    expect(legal('<h2>Data under the GDPR</h2><p>We keep your name.</p>')).toMatchObject({
      reason: expect.stringContaining('No page about terms'),
    })
  })
})

describe('figures in the text', () => {
  const figures = (text: string, language = 'en') =>
    quotesOf(
      runCheck(
        contentAnswerability,
        'evidence',
        site(home(`<html lang="${language}"><main><h1>A</h1><p>${text}</p><p>${words(450)}</p></main>`)),
      ),
    )

  test.each([
    ['<span>Sesiones</span><span>50 minutos</span>', '1 figure'],
    ['TV 55 pollici y 32 Zoll, 40 дюймов', '3 figures'],
    ['Camera per 2 Ospiti', '1 figure'],
    ['+150 reseñas', '1 figure'],
    ['Con más de cinco años de experiencia', '1 figure'],
    ['売上 1000万円', '1 figure'],
    ['資本金 1000万円', '0 figures'],
  ])('%s has %s', (text, count) => expect(figures(text)).toContain(count))

  test('the cells of a row are no single price', () => {
    expect(figures('<table><tr><td>18,0</td><td>32,00 €</td></tr></table>')).not.toContain('18,0 32')
  })
})

test.each([
  'De qué hablamos en la consulta',
  'Por qué cuesta tanto decidir',
  'Warum eine Wallbox',
  'Pourquoi un avocat',
])('"%s" asks without a mark', (heading) => expect(asksQuestion(heading)).toBe(true))

test.each(['How can we help you?', 'Ihre Frage war nicht dabei?'])(
  '"%s" asks nothing that a page answers',
  (heading) => expect(asksQuestion(heading)).toBe(false),
)
