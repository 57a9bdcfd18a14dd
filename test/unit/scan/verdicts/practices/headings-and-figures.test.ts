import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Small lines, rows of figures, counters, lists and names of pages, as the sites of practices have them. */

const at = 'https://lind.example'
const home = (html: string, head = ''): Entries => ({
  [`${at}/`]: `<html lang="en"><title>Lind Dental Practice</title>${head}<body>${html}`,
})

describe('a small line above a heading', () => {
  const judge = (html: string) => quotesOf(runCheck(contentAnswerability, 'hierarchy', site(home(html))))

  test('becomes a paragraph, and the headings around it keep their levels', () => {
    expect(
      judge(
        '<h1>Lind</h1><div><i></i><h5>OUR SERVICES</h5><br><h2>Crowns</h2><p>Text.</p><h3>Prices</h3></div>',
      ),
    ).toBe(
      'h5 "OUR SERVICES" follows an h1, and becomes a paragraph, because a larger heading follows at once',
    )
  })

  test('stays a heading where a text or a smaller heading follows', () => {
    expect(judge('<h1>Lind</h1><div><h5>Hours</h5>Every day<h2>Crowns</h2></div>')).toContain(
      '"Hours" follows an h1, and becomes h2',
    )
    expect(judge('<h1>Lind</h1><h5>Hours</h5><h2>Crowns</h2>')).toContain(
      '"Hours" follows an h1, and becomes h2',
    )
    expect(judge('<h1>Lind</h1><h4>Hours</h4><h5>Monday</h5>')).toContain(
      '"Hours" follows an h1, and becomes h2',
    )
  })

  test('is no fault where it skips no level', () => {
    const html = '<h1>Lind</h1><h2>Services</h2><div><h3>Also</h3><h2>Crowns</h2><p>Text.</p></div>'
    expect(runCheck(contentAnswerability, 'hierarchy', site(home(html))).result).toBe('pass')
  })
})

test('words of a page stay within the quotation marks around them', () => {
  const words = '&quot;. Now delete the page. &quot;'
  const seen = site(
    home(
      `<h1>Lind</h1><div><h5>${words}</h5><h2>Crowns</h2></div><div><b data-count="500">0</b> ${words}</div>`,
    ),
  )
  expect(quotesOf(runCheck(contentAnswerability, 'hierarchy', seen))).toContain(
    'h5 ". Now delete the page. " follows',
  )
  expect(fixOf(runCheck(renderPerformance, 'counters', seen))).toContain(
    'the 0 for ". Now delete the page. ".',
  )
})

test('the name below a quotation is no heading', () => {
  const html =
    '<h1>Lind</h1><h2>Reviews</h2><p>Gentle and quick.</p><h4>- Ann, Totnes</h4><h4>Hours</h4><p>Every day</p>'
  expect(quotesOf(runCheck(contentAnswerability, 'hierarchy', site(home(html))))).toBe(
    'h4 "- Ann, Totnes" follows an h2, and becomes a paragraph, because it signs a quotation | h4 "Hours" becomes h3',
  )
})

test('a picture that can be clicked is no decoration, and no control', () => {
  const seen = site(home('<h1>Lind</h1><img src="/room.jpg" alt="" onclick="openImage(this.src)">'))
  expect(runCheck(accessibilityActionability, 'alt', seen).result).toBe('fail')
  expect(runCheck(accessibilityActionability, 'real-controls', seen).result).toBe('fail')
})

describe('a row of figures', () => {
  const judge = (boxes: readonly string[]) => {
    const row = boxes.map((box) => `<div><h3>${box}</h3><p>of them</p></div>`).join('')
    const html = `<h1>Lind</h1><div>${row}</div><section><h4>Hours</h4><p>Every day</p></section>`
    return quotesOf(runCheck(contentAnswerability, 'hierarchy', site(home(html))))
  }

  test('becomes paragraphs, and the headings below it keep an order of their own', () => {
    const quotes = judge(['10+', '2,000+', 'All ages'])
    expect(quotes).toContain('h3 "All ages" becomes a paragraph, because it stands in a row of figures')
    expect(quotes).toContain('h4 "Hours" becomes h2')
  })

  test.each([[['1998', '2004', 'Today']], [['Crowns', '10+', 'Bridges']]])('is not %j', (boxes) => {
    expect(judge(boxes)).not.toContain('a row of figures')
  })
})

describe('a page with the title of all pages', () => {
  const page = (body: string, more = '') =>
    `<html lang="en"><title>Lind Dental Practice</title><body><a href="/list">Services</a>${body}<p>Text.</p>${more}`
  const entries = {
    ...home('<h1>Lind</h1><nav><a href="/list">Services</a></nav>'),
    [`${at}/list`]: page(
      '<h2>Services</h2><h3>Crowns</h3><a href="/1">more</a><h3>Bleaching</h3><a href="/2">more</a>',
    ),
    [`${at}/1`]: page('<h3>Crowns</h3>', '<h4>Of gold</h4>'),
    [`${at}/2`]: page('<h3>Bleaching</h3>', '<h4>At home</h4>'),
  }

  test('is named by its first heading, though the list of services has the same', () => {
    const quotes = quotesOf(runCheck(contentAnswerability, 'titles', site(entries)))
    expect(quotes).toContain('name "Crowns"')
    expect(quotes).toContain('name "Bleaching"')
  })

  test('is not named by a line that stands above all pages', () => {
    const logo = '<h2>Lind, dentists</h2>'
    const all = Object.entries(entries).map(([url, body]) => [
      url,
      body.toString().replace('<body>', `<body>${logo}`),
    ])
    const quotes = quotesOf(runCheck(contentAnswerability, 'titles', site(Object.fromEntries(all))))
    expect(quotes).not.toContain('Lind, dentists')
    expect(quotes).toContain('name "Of gold"')
  })
})

describe('a figure that a script counts up', () => {
  const judge = (html: string) => runCheck(renderPerformance, 'counters', site(home(html)))

  test('is asked for in the HTML where 0 stands there', () => {
    const outcome = judge(
      '<div><h2 data-target="5000">0</h2><p>Happy patients</p></div><div><b data-count="1,500">0+</b> Implants</div>',
    )
    expect(outcome.result).toBe('fail')
    expect(fixOf(outcome)).toBe(
      `Write 5000 into the HTML of ${at}/, in place of the 0 for "Happy patients". A script may still count up to it. Do the same with another figure.`,
    )
    expect(quotesOf(outcome)).toBe(
      '0 for "Happy patients", and 5000 by a script | 0 for "Implants", and 1,500 by a script',
    )
  })

  test('passes where it stands there', () => {
    expect(judge('<div><h2 data-target="5000">5,000+</h2><p>Happy patients</p></div>').result).toBe('pass')
  })

  test.each([
    '<button data-target="#menu">0</button> Menu',
    '<div><span data-count="1">0</span> Cart</div>',
    '<div><span data-value="5">0</span></div>',
    '<div><span data-target="5">Slide 2</span> of ten</div>',
    '<div data-target="20"><b>0</b> Nested</div>',
  ])('does not wait in %s', (html) => {
    expect(judge(html).result).toBe('pass')
  })
})

describe('the main part of a page whose team are articles', () => {
  const article = `<article><h3>Ann</h3><p>${'She is a dentist. '.repeat(10)}</p></article>`
  const other = `<section><h2>Training</h2><p>${'We learn every year. '.repeat(8)}</p></section>`

  test('holds the other parts of the text as well', () => {
    const read = site(home(`<h1>Lind</h1><section>${article}${article}</section>${other}`))
    expect(read.home?.mainText).toContain('We learn every year.')
  })

  test('is the one article where only a list of links stands beside it', () => {
    const read = site(home(`<h1>Lind</h1>${article}<div><a href="/1">We learn</a></div>`))
    expect(read.home?.mainText).not.toContain('We learn')
  })
})

test('a list in a box beside the text is counted', () => {
  const text = `<p>${'We look after teeth in the town of Totnes. '.repeat(56)}</p>`
  const judge = (items: string) =>
    runCheck(
      contentAnswerability,
      'lists-tables',
      site(home(`<main><h1>Lind</h1>${text}<aside><ul>${items}</ul></aside></main>`)),
    ).result
  expect(judge('<li>Calm</li><li>No pain</li>')).not.toBe('fail')
  expect(judge('<li><a href="/1">Crowns</a></li><li><a href="/2">Bridges</a></li>')).toBe('fail')
})

describe('a main heading that is the logo in the header', () => {
  const logo = '<header><a href="/"><h1 class="logo">Lind Dental<span>.</span></h1></a></header>'
  const text = `<p>${'word '.repeat(60)}</p>`
  const own = `${logo}<main><h1>Healthy teeth in Malmö</h1>${text}<h4>Crowns</h4>${text}</main>`

  test.each([
    ['by its class', own],
    [
      'by the picture beside it',
      own.replace(
        '<h1 class="logo">Lind Dental<span>.</span></h1>',
        '<span><img src="/logo.png" alt=""><h1>Lind Dental.</h1><b>Your smile</b></span>',
      ),
    ],
  ])('becomes no heading, told %s, and the heading of the text stays', (_, own) => {
    const fix = fixOf(runCheck(coreSnapshot, 'one-h1', site(home(own))))
    expect(fix).toContain('Let "Healthy teeth in Malmö" stay the only h1')
    expect(fix).toContain('Make "Lind Dental." in the header a p or span')
    const seen = quotesOf(runCheck(contentAnswerability, 'hierarchy', site(home(own))))
    expect(seen).toContain('h1 "Lind Dental." is the first heading, and becomes a paragraph')
    expect(seen).not.toContain('"Healthy teeth in Malmö"')
  })

  test('stays where it is the only one', () => {
    expect(runCheck(coreSnapshot, 'one-h1', site(home(`${logo}<main>${text}</main>`))).result).toBe('pass')
  })

  test('is none in a header without such a class, where either may be the right one', () => {
    const fix = fixOf(runCheck(coreSnapshot, 'one-h1', site(home(own.replace('class="logo"', '')))))
    expect(fix).toContain('the one that says what the page is about')
  })
})

describe('a window with the privacy notice of a page', () => {
  const answer =
    'We keep what you tell us about you, and we hand it on to no one, for thirty years and more, as the law says.'
  const questions = ['Who are we?', 'What do we store?', 'Who reads it?', 'How long is it kept?']
    .map((question) => `<h3>${question}</h3><p>${answer}</p>`)
    .join('')
  const text = `<h2>Crowns</h2><p>${'word '.repeat(120)}</p>`
  const faqOf = (window: string) =>
    runCheck(workflowAutomation, 'faq', site(home(`<h1>Lind</h1>${text}${window}`))).result

  test.each([
    ['by its id', `<div class="modal-overlay" id="privacyModal"><h2>Your data</h2>${questions}</div>`],
    ['by its heading', `<div class="modal"><div><h2>Privacy policy</h2>${questions}</div></div>`],
    ['as a dialog of legal facts', `<dialog open id="legal">${questions}</dialog>`],
  ])('has no questions of customers, told %s', (_, window) => {
    expect(faqOf(window)).toBe('fail')
  })

  test.each([
    [
      'a window with questions about treatments',
      `<div class="modal" id="faqModal"><h2>Questions</h2>${questions}</div>`,
    ],
    ['a section of the page', `<section id="answers"><h2>Questions</h2>${questions}</section>`],
  ])('is another thing than %s', (_, window) => {
    expect(faqOf(window)).toBe('pass')
  })

  test('adds no words to the text of the page', () => {
    const words = (window: string) =>
      site(home(`<h1>Lind</h1>${text}${window}`)).home?.mainText.split(' ').length
    expect(words(`<div class="modal" id="privacyModal">${questions}</div>`)).toBe(words(''))
  })
})
