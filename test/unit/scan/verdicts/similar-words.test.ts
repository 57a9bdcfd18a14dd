import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

/** Words that look like what a check seeks, and mean something else. */

const at = 'https://site.example'
const home = (html: string, lang = 'en'): Entries => ({ [`${at}/`]: `<html lang="${lang}"><body>${html}` })
const words = (count: number) => 'word '.repeat(count)

describe('a line that names who wrote an article', () => {
  const written = (line: string) =>
    runCheck(
      entityTrust,
      'authorship',
      site({
        ...home('<h1>Bees</h1>'),
        [`${at}/blog/bees`]: `<script type="application/ld+json">{"@context":"https://schema.org","@type":"BlogPosting","headline":"Bees","author":{"@type":"Person","name":"Zed Quux"}}</script><main><h1>Bees</h1><p>${line}</p><p>${words(100)}</p></main>`,
      }),
    ).result

  test.each([
    'By Anna Lind',
    'by Mia van Dam, 3 May',
    'By April Park',
    'By Dr. Anna Lind',
    'Von Karl Meier',
    'Par Jean Dupont · 3 min',
    'Posted on May 3, 2026 by Anna Lind',
    'Written by Anna M. Lind',
    'Published 3 May by Anna Lind',
    '10 Oct 2026 | By J. K. Lind',
    'Author: Anna Lind',
    'Autorin: Anna Lind',
    'Text: Anna Lind',
  ])('is “%s”', (line) => expect(written(line)).toBe('pass'))

  test.each([
    'A walk by New York harbour',
    'By New York',
    'Back by Popular Demand',
    'Powered by Google Cloud',
    'Published by Lind Media Ltd',
    'Photo by Anna Lind',
    'Edited by Our Team',
    'Inspired by Jane Austen, we went',
    'Trusted by Fortune Companies',
    'Par La Poste',
    'Von Januar Bis Mai',
  ])('is not “%s”', (line) => expect(written(line)).toBe('fail'))
})

describe('a next step', () => {
  const asked = (link: string) =>
    runCheck(accessibilityActionability, 'cta', site(home(`<main><p>${words(80)}</p>${link}</main>`))).result

  test.each([
    '<a href="/c">Get in touch</a>',
    '<a href="/c">Get a quote</a>',
    '<a href="#get_started">get started</a>',
    '<a href="/c">Get Lark Pro</a>',
    '<a href="/c">Book</a>',
    '<a href="/c">Call for a quote</a>',
    '<p>Questions? <a href="/c">Contact us</a></p>',
  ])('is asked for by %s', (link) => expect(asked(link)).toBe('pass'))

  test.each([
    '<a href="#get-users">GET /users</a>',
    '<a href="#getitem">Get item by id</a>',
    '<a href="#lark.get"><code>get</code></a>',
    '<a href="/docs">request.get(url)</a>',
    '<p>You can <a href="/docs">get started</a> reading the manual.</p>',
    '<a href="/abstracts">Book of Abstracts</a>',
    '<a href="/cfp">Call for Papers</a>',
    '<a href="/posts/3">Start-ups that changed Berlin</a>',
    '<a href="/mass">Order of service</a>',
    '<a href="/docs/headers">Request headers</a>',
  ])('is not asked for by %s', (link) => expect(asked(link)).toBe('na'))
})

describe('appointments', () => {
  const booked = (entries: Entries) => runCheck(workflowAutomation, 'booking', site(entries)).result
  const work = `<main><h1>Zocdoc</h1><p>How patients find a doctor.</p><h2>Book an appointment</h2><p>${words(60)}</p></main>`

  test.each<readonly [string, Entries]>([
    [
      'a designer links the firm that she worked for',
      home('<a href="https://www.zocdoc.com/about">Zocdoc</a>'),
    ],
    ['a review compares prices', home('<a href="https://tidycal.com/pricing/">TidyCal</a>')],
    [
      'an article links a page of the service',
      {
        ...home('<a href="/blog/">Blog</a>'),
        [`${at}/blog/tools`]: `<article><h1>Tools</h1><p>${words(60)}</p><a href="https://tidycal.com/lind/demo">TidyCal</a></article>`,
      },
    ],
    [
      'a work that is shown speaks of them',
      { ...home('<a href="/work/zocdoc">Zocdoc</a>'), [`${at}/work/zocdoc`]: work },
    ],
    [
      'a link to such a work names them',
      { ...home('<a href="/projects/zocdoc">Book a doctor in minutes</a>'), [`${at}/projects/zocdoc`]: work },
    ],
    [
      'a heading announces such a work',
      {
        ...home('<h2><a href="/projects/zocdoc">Book an appointment with ease</a></h2>'),
        [`${at}/projects/zocdoc`]: work,
      },
    ],
  ])('are not offered where %s', (_, entries) => expect(booked(entries)).toBe('na'))

  test.each([
    '<a href="https://calendly.com/lind/30min">Book a call</a>',
    '<a href="https://lind.gettimely.com/features">Book</a>',
    '<iframe src="https://calendly.com/lind"></iframe>',
  ])('are offered by %s', (html) => expect(booked(home(html))).toBe('pass'))
})

describe('a link text that says nothing', () => {
  const judged = (html: string) => runCheck(contentAnswerability, 'link-text', site(home(html))).result

  test.each([
    '<a href="#prices">More</a><section id="prices"></section>',
    '<a href="/#prices">More</a><section id="prices"></section>',
    '<a href="/bees" aria-label="More about bees">More</a>',
    '<a href="/bees" title="More about bees">More</a>',
    '<h2 id="bees">Bees</h2><a href="/bees" aria-describedby="bees">More</a>',
  ])('does not count in %s', (html) => expect(judged(html)).toBe('pass'))

  test.each([
    '<a href="/bees#wings">More</a>',
    '<a href="/bees" aria-label="Read more">More</a>',
    '<a href="/bees"><img src="a.png" alt="More"></a>',
  ])('counts in %s', (html) => expect(judged(html)).toBe('fail'))
})
