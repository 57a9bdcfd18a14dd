import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { formsOf } from '../../../../../src/products/scan/site/html/forms.ts'
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
