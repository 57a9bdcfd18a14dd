import { describe, expect, test } from 'vitest'
import type { Agent } from '../../../../../src/products/scan/agents/agent.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { at, page, read, words } from '../../../../support/scans/lind-site.ts'

/** Texts that visitors read and that the HTML as sent does not hold. */

const links = ['/crowns', '/fillings', '/implants'].map((path) => `<a href="${path}">${path.slice(1)}</a>`)
const home = `<p>${words(320)}</p>${links.join(' ')}`
const script = (body: string) => ({
  purpose: 'script' as const,
  headers: { 'content-type': 'text/javascript' },
  body,
})
const filler = script(
  'document.querySelector("#name").textContent = service.name; document.querySelector("#price").textContent = service.price; document.querySelector("#faq").innerHTML = service.faq',
)
const markup = `<script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@graph': [
    { '@type': 'Service', name: 'Crowns', offers: { '@type': 'Offer', price: '400', priceCurrency: 'EUR' } },
    {
      '@type': 'FAQPage',
      mainEntity: [
        {
          '@type': 'Question',
          name: 'Does it hurt?',
          acceptedAnswer: { '@type': 'Answer', text: 'It does not.' },
        },
      ],
    },
  ],
})}</script>`
const treatment = (body: string, name: string) =>
  `<html lang="en"><head><title>${name} | Lind Dental</title>${markup}<script src="/service.js"></script></head><body><main>${body}</main></body></html>`
const empty = '<h1 id="name"></h1><p id="price"></p><h2>Questions</h2><div id="faq"></div>'
const treatments = (body: string): Entries =>
  Object.fromEntries(
    ['crowns', 'fillings', 'implants'].map((name) => [at(`/${name}`), treatment(body, name)]),
  )
const resultOf = (agent: Agent, check: string, more: Entries) => runCheck(agent, check, read(home, more))

describe('pages whose heading and text a script of the site writes', () => {
  const filled = { ...treatments(empty), [at('/service.js')]: filler }

  test('are told of once, with the script, and as work on the HTML', () => {
    const outcome = resultOf(renderPerformance, 'js-shell', filled)
    expect(outcome.result).toBe('warn')
    expect(reasonOf(outcome)).toContain('3 of 4 pages get their texts from a script, /service.js')
    expect(fixOf(outcome)).toContain('Write the heading and the text of https://lind.example/crowns')
    expect(quotesOf(outcome)).toContain('#name, #price and #faq')
  })

  test.each([
    ['depth', contentAnswerability],
    ['question-blocks', contentAnswerability],
    ['agreement', structuredData],
    ['faq', workflowAutomation],
  ])('are not measured by %s', (check, agent) => {
    expect(resultOf(agent, check, filled).result).toBe('unmeasured')
  })

  test('are judged where no script that was read names the empty elements', () => {
    const other = { ...treatments(empty), [at('/service.js')]: script('document.title = "Lind"') }
    expect(resultOf(renderPerformance, 'js-shell', other).result).toBe('pass')
    expect(resultOf(structuredData, 'agreement', other).result).toBe('fail')
  })

  test.each([
    ['a variable', 'const name = document.getElementById("name"); if (name) name.innerText = service.name'],
    ['a part of an object', 'const ui = { heading: $("name") }; ui.heading.textContent = service.name'],
    [
      'a call with the id',
      'const set = (id, text) => { $(id).textContent = text }; set("name", service.name)',
    ],
    [
      'a call with the element',
      'const show = (box, text) => { box.append(text) }; show($("name"), "Crowns")',
    ],
    [
      'a table of ids',
      'for (const id of ["name", "price"]) document.getElementById(id).textContent = service[id]',
    ],
  ])('are those whose heading is written to by %s', (_, code) => {
    const more = { ...treatments(empty), [at('/service.js')]: script(code) }
    expect(resultOf(renderPerformance, 'js-shell', more).result).toBe('warn')
  })

  test.each([
    ['is counted', 'log("name"); other.textContent = 1'],
    ['stands in a comment', '/* $("name").textContent */ other.innerHTML = 1 // $("name").textContent = 1'],
    ['is moved', '$("name").classList.add("in"); $("year").textContent = 2026'],
    ['stands in a table', 'const parts = ["name", "price", "faq"]; $("year").textContent = 2026'],
    ['belonged to the variable', 'let a = $("name"); a.focus(); a = $("year"); a.textContent = 2026'],
  ])('are none where the id only %s', (_, code) => {
    const more = { ...treatments(empty), [at('/service.js')]: script(code) }
    expect(resultOf(renderPerformance, 'js-shell', more).result).toBe('pass')
  })

  test('are none where the page has a heading and words of its own beside empty places for a slider, a map and a message', () => {
    const own = `<h1>Crowns</h1><p>${words(90)}</p><div id="slider"></div><div id="place"></div><p id="faq"></p><p id="price"></p>`
    const more = {
      ...treatments(own),
      [at('/service.js')]: script(
        'for (const id of ["slider", "place", "faq", "price"]) document.getElementById(id).innerHTML = load(id)',
      ),
    }
    expect(resultOf(renderPerformance, 'js-shell', more).result).toBe('pass')
    expect(resultOf(contentAnswerability, 'depth', more).result).toBe('fail')
  })

  test('are none where the page has 150 words, also without a heading', () => {
    const long = { ...treatments(`${empty}<p>${words(160)}</p>`), [at('/service.js')]: filler }
    expect(resultOf(renderPerformance, 'js-shell', long).result).toBe('pass')
  })

  test('are none where a form stands in few words, and a script writes its faults', () => {
    const form =
      '<h1>Write to us</h1><form action="/send" method="post"><input name="mail"><p id="name"></p><p id="price"></p><p id="faq"></p></form>'
    const more = { ...treatments(form), [at('/service.js')]: filler }
    expect(resultOf(renderPerformance, 'js-shell', more).result).toBe('pass')
  })
})

describe('a page whose text may stand in a picture', () => {
  const entries = (picture: string): Entries =>
    Object.fromEntries(
      ['crowns', 'fillings', 'implants'].map((name) => [
        at(`/${name}`),
        `<html lang="en"><head><title>${name} | Lind Dental</title></head><body><main><h1>${name}</h1><p>What we do.</p>${picture}</main></body></html>`,
      ]),
    )
  const depthOf = (picture: string) => resultOf(contentAnswerability, 'depth', entries(picture))
  const stepsOf = (picture: string) => {
    const whole = captured({ [at()]: page(home), ...entries(picture) })
    const actions = analyze(whole, defaultNow).analysis.report.actions ?? []
    return actions.flatMap(({ steps = [] }) => steps).join('\n')
  }
  const question = 'Does a picture show the text of such a page?'

  test('is asked about before its owner is told to write', () => {
    const steps = stepsOf('<img src="/crowns.png" alt="Crowns">')
    expect(steps).toContain(question)
    expect(steps.indexOf(question)).toBeLessThan(steps.indexOf('more words are wanted'))
  })

  test('is told with the size of a picture that is twice as high as wide', () => {
    expect(quotesOf(depthOf('<img src="/crowns.png" width="910" height="5333">'))).toContain(
      'words of main text, and a picture of 910 × 5333 pixels',
    )
    expect(quotesOf(depthOf('<img src="/crowns.png" width="900" height="600">'))).toContain(
      'words of main text, and a picture |',
    )
  })

  test.each([
    ['a logo', '<img src="/logo.png" alt="Lind Dental">'],
    ['a sign of 64 pixels', '<img src="/tooth.png" width="64" height="64">'],
    ['a picture that leads to another page', '<a href="/team"><img src="/team.jpg" alt="Our team"></a>'],
    ['a picture beside 60 words', `<p>${words(60)}</p><img src="/crowns.png" alt="Crowns">`],
  ])('is none where it has %s', (_, picture) => {
    expect(depthOf(picture).result).toBe('fail')
    expect(stepsOf(picture)).not.toContain(question)
  })
})
