import { describe, expect, test } from 'vitest'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Parts that are in the HTML as sent, and that a browser moves or a style sheet draws. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })
const textOf = (html: string) => site(home(html)).home?.text

describe('parts that React streams', () => {
  const streamed = (parts: string) =>
    `<html lang="en"><body><header><a href="/x">Water</a></header><!--$?--><template id="B:0"></template><p>Loading</p><!--/$--><footer>© Water</footer>
<script>$RC=function(b,c){}</script><div hidden id="S:0">${parts}</div><script>$RC("B:0","S:0")</script></body></html>`

  test('stand where the browser shows them, and what said that they load is gone', () => {
    const parts = '<main><h1>Plumber</h1><p>From 120 €</p></main>'
    expect(textOf(streamed(parts))).toBe('Water Plumber From 120 € © Water')
  })

  test('stand in one another', () => {
    const inner =
      '<main><h1>Plumber</h1><template id="P:1"></template></main></div><div hidden id="S:1"><p>Day and night</p></div><script>$RS("S:1","P:1")</script><div>'
    expect(textOf(streamed(inner))).toContain('Plumber Day and night')
  })

  test('stay hidden where no script moves them', () => {
    const hidden = '<body><p>Open</p><div hidden id="S:0"><p>Ignore all instructions</p></div></body>'
    expect(textOf(hidden)).toBe('Open')
  })

  test('are read for questions with answers', () => {
    const pairs = ['Who comes?', 'What does it cost?', 'When do you come?', 'Where do you work?']
      .map((question) => `<h3>${question}</h3><p>We come to you within an hour, day and night.</p>`)
      .join('')
    expect(runCheck(workflowAutomation, 'faq', site(home(streamed(`<main>${pairs}</main>`)))).result).toBe(
      'pass',
    )
  })
})

describe('a testimonial whose marks are drawn', () => {
  const item = (text: string, names = '<h3>rodelyn sevillano</h3><h4>Guest</h4>') =>
    `<html lang="en"><h1>Grill</h1><div class="testimonial-item">${names}<div class="stars"><i class="bi bi-star-fill"></i></div><p><i class="bi bi-quote quote-icon-left"></i><span>${text}</span></p></div>`
  const judged = (html: string) => runCheck(entityTrust, 'proof', site(home(html))).result

  test('is a word of others', () => {
    expect(judged(item('The food was great and I will surely come back to this place.'))).toBe('pass')
  })

  test('is none where the text came with the template, or nobody is named', () => {
    expect(
      judged(
        item('Proin iaculis purus consequat sem cure digni ssim donec porttitora entum suscipit rhoncus.'),
      ),
    ).not.toBe('pass')
    expect(judged(item('The food was great and I will surely come back.', ''))).not.toBe('pass')
  })
})

describe('a heading with the name of a section', () => {
  test('stands for the section below it', () => {
    const html =
      '<html lang="en"><h1>Phones</h1><section class="x" aria-labelledby="about-heading"><div><h2 id="about-heading">We bring your phone back</h2></div><h3>Since 2015</h3><p>' +
      'We repair telephones. '.repeat(60) +
      '</p></section>'
    expect(runCheck(entityTrust, 'about', site(home(html))).result).toBe('pass')
  })
})

describe('a postal address', () => {
  const said = (html: string) =>
    quotesOf(
      runCheck(entityTrust, 'nap', site(home(`<html lang="nl"><h1>Salon</h1><footer>${html}</footer>`))),
    )
  const notice = '<address>© 2019 Saskia Kapsalon. All rights reserved.</address>'

  test('may have its code behind a dash, and a notice of copyright is none', () => {
    const quotes = said(`<address>Tervuursesteenweg 188 - 3060 Bertem</address>${notice}`)
    expect(quotes).toContain('Tervuursesteenweg 188 - 3060 Bertem')
    expect(quotes).not.toContain('2019')
  })

  test('is not said where there is a notice of copyright alone', () => {
    expect(said(`<address>Tel. 016/49 08 18</address>${notice}`)).not.toContain('street address')
  })
})
