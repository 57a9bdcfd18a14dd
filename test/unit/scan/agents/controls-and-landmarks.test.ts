import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../support/scans/checks.ts'
import { at, read } from '../../../support/scans/lind-site.ts'

const controls = (body: string) => runCheck(accessibilityActionability, 'real-controls', read(body))

describe('what can be clicked and is no control', () => {
  test('a picture gets a button around it, and keeps its class and alt', () => {
    const fix = fixOf(controls('<img class="thumb" src="/a.jpg" alt="Our surgery" onclick="show(1)">'))
    expect(fix).toMatch(
      /^Put each picture with onclick into a <button>.+Its class and alt stay on the picture/,
    )
    expect(fix).not.toContain('aria-label')
  })

  test('a box that shows more of itself counts, although what it shows holds a link', () => {
    const box =
      '<div onclick="toggleBox(this)" class="box">Crowns <p>Of porcelain. <a href="/crowns">More</a></p></div>'
    const outcome = controls(box)
    expect(quotesOf(outcome)).toContain('<div class="box">')
    expect(fixOf(outcome)).toContain('no link stands within it')
  })

  test.each([
    ['that only holds links', '<div onclick="toggleMenu(this)"><a href="/a">A</a><a href="/b">B</a></div>'],
    [
      'that leads where its link leads',
      `<div onclick="location.href='/a'">Crowns <a href="/a">More</a></div>`,
    ],
    [
      'with a button of its own',
      '<div onclick="toggleBox(this)">Crowns <button>More</button><a href="/a">A</a></div>',
    ],
  ])('a box %s is none', (_what, box) => {
    expect(controls(box).result).toBe('pass')
  })
})

describe('a page without a main part', () => {
  const fix = (css: string, more: Entries = {}) =>
    fixOf(
      runCheck(
        accessibilityActionability,
        'landmarks',
        site({
          [at()]: `<style>${css}</style><header>Lind</header><section>Crowns</section><footer>Lind</footer>`,
          ...more,
        }),
      ),
    )

  test.each(['section + footer', 'body > section', '.hero:has(+ footer)', 'header + .hero'])(
    'whose style has the rule %s is told of that rule',
    (rule) => {
      expect(fix(`${rule} { margin: 0 }`)).toContain(`such a rule: “${rule}”`)
    },
  )

  test('is told of rules in its stylesheets', () => {
    const styles = { [at('/a.css')]: { purpose: 'style', body: 'body>section{margin:0}' } } as const
    expect(fix('', styles)).toContain('“body > section”')
  })

  test.each(['section + section', 'body > footer', '.card > p + footer', 'body section'])(
    'whose style has the rule %s is told of no rule, because it holds as before',
    (rule) => {
      expect(fix(`${rule} { margin: 0 }`)).toMatch(/next to header or footer\.$/)
    },
  )
})
