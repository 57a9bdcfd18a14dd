import { describe, expect, test } from 'vitest'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { readReferences } from '../../../../../src/products/scan/crawl/pages/page-references.ts'
import { gatesOf } from '../../../../../src/products/scan/report/gates.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { readPage } from '../../../../../src/products/scan/site/page.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, reply, site } from '../../../../support/scans/captured.ts'
import { runCheck } from '../../../../support/scans/checks.ts'

/** Text that a scan does not see, and words that stand in place of a name or a description. */

const at = 'https://nord.example'
const words = (count: number) => 'word '.repeat(count)

test.each(['description', 'Your site description here', 'Lorem ipsum dolor sit amet'])(
  '"%s" is no description of a site',
  (content) => {
    const body = `<title>Salon Nord</title><meta name="description" content="${content}"><p>${words(50)}</p>`
    const { analysis } = analyze(captured({ [`${at}/`]: body }), defaultNow)
    expect(analysis.description).toBe('')
  },
)

test.each([
  ['finance', 'ACD Gestion & Conseil - Gestion de Patrimoine'],
  ['healthcare', 'Optiker Nord in Kiel'],
  ['healthcare', 'Nord Opticiens'],
])('the industry is %s for "%s"', (industry, title) => {
  const { analysis } = analyze(
    captured({ [`${at}/`]: `<title>${title}</title><p>${words(50)}</p>` }),
    defaultNow,
  )
  expect(analysis.industry).toBe(industry)
})

test.each([
  ['/assets/Leistung1.css', false],
  ['/assets/TeamPhoto2024.css', false],
  ['/assets/index-BxQ3f9aZ.css', true],
])('that %s has a hash of its content is %s', (path, isHashed) => {
  const page = readPage(reply(`${at}/`, `<link rel="stylesheet" href="${path}">`))
  expect(readReferences(page).hashedAssets).toEqual(isHashed ? [`${at}${path}`] : [])
})

describe('a page that was not read to its end', () => {
  const body = `<h1>Plumbing in Oslo</h1><p>We mend pipes for customers in Oslo. ${words(200)}</p>`

  test.each(['lead-capture', 'pricing'])('%s says nothing of what is missing there', (check) => {
    const cut = site({ [`${at}/`]: { body, isCut: true } })
    expect(runCheck(workflowAutomation, check, cut)).toMatchObject({
      result: 'unmeasured',
      reason: expect.stringContaining('longer than what was read of it'),
    })
    expect(runCheck(workflowAutomation, check, site({ [`${at}/`]: body })).result).toBe('fail')
  })
})

describe('a page whose script loads what it tells', () => {
  const nav = '<nav><a href="/about">About</a><a href="/contact">Contact</a></nav>'
  const script = (loads: string) =>
    `<script>${loads}.then((snap) => { document.getElementById("hero").innerHTML = snap.html })</script>`
  const shell = (loads: string, main = '<section id="hero"></section>') =>
    site({
      [`${at}/`]: `<title>Fatima Healthcare Group</title><header><div class="logo">Loading…</div>${nav}</header><main>${main}</main>${script(loads)}`,
      [`${at}/about`]: `${nav}<h1>About</h1><p>${words(60)}</p>`,
    })

  test.each(['get(getDatabase(app))', 'fetch("/hero.json")'])('is a shell by %s', (loads) => {
    expect(runCheck(renderPerformance, 'js-shell', shell(loads))).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('puts it into #hero'),
    })
    expect(gatesOf(shell(loads)).map(({ id }) => id)).toContain('shell')
    for (const check of ['lead-capture', 'pricing'])
      expect(runCheck(workflowAutomation, check, shell(loads)).result).toBe('unmeasured')
    expect(runCheck(entityTrust, 'nap', shell(loads)).result).toBe('unmeasured')
  })

  test('is no shell where nothing is loaded, or where the text stands in the page', () => {
    for (const one of [shell('timer()'), shell('fetch("/a")', `<section id="hero"></section>${words(40)}`)])
      expect(runCheck(renderPerformance, 'js-shell', one).result).not.toBe('fail')
  })

  test('is not called by what its script replaces', () =>
    expect(companyName(shell('fetch("/a")'))).toBe('Fatima Healthcare Group'))
})
