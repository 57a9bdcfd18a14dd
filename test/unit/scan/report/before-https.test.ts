import { describe, expect, test } from 'vitest'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow } from '../../../support/scans/captured.ts'
import { page, words } from '../../../support/scans/lind-site.ts'

/** The report of a practice whose site has no https yet: its message names addresses that soon are others. */

function messageOf(home: string): string {
  const { origin } = new URL(home)
  const capture = captured(
    {
      [home]: page(`<h1>Lind Dental</h1><p>${words(60)}</p><a href="/about.html">About</a>`),
      [`${origin}/about.html`]: page(`<h1>About Lind Dental</h1><p>${words(60)}</p>`),
      [`${origin}/robots.txt`]: { status: 404 },
      [`${origin}/llms.txt`]: { status: 404 },
      [`${origin}/sitemap.xml`]: { status: 404 },
    },
    { url: home },
  )
  const { report } = analyze(capture, defaultNow).analysis
  return (report.tasks ?? []).flatMap(({ message }) => message?.text ?? []).join('\n')
}

describe('the message for a site without https', () => {
  const text = messageOf('http://lind-dental.example/')

  test('has the move to https done first, and says what becomes of the addresses in its other parts', () => {
    const [, part = ''] = /^Do part (\d+) first, .+ write https:\/\/ in place of http:\/\//m.exec(text) ?? []
    expect(text).toMatch(
      new RegExp(`--- Part ${part} of .+\\n\\nWhat to do:\\n1\\. Serve http://lind-dental`),
    )
  })

  test('has the canonical line to paste, with the address that it will have', () => {
    expect(text).toContain('<link rel="canonical" href="https://lind-dental.example/">')
  })

  test('says nothing of the kind where the site has https', () => {
    expect(messageOf('https://lind-dental.example/')).not.toMatch(/moves our site to https/)
  })
})
