import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { at, page, read, words } from '../../../../support/scans/lind-site.ts'

/** What owners of practices found wrong in the verdicts on their questions, their people and their reviews. */

describe('the answer to a question', () => {
  const answers = (body: string) => quotesOf(runCheck(contentAnswerability, 'question-blocks', read(body)))
  const first = `<div><h2>When is a crown needed?</h2><p>${words(30)}</p></div>`

  test('ends where another question begins, whatever its level is', () => {
    expect(
      answers(`<h2>When is a crown needed?</h2><p>${words(30)}</p><h3>Does it hurt?</h3><p>${words(25)}</p>`),
    ).toBe('"When is a crown needed?", answered in 30 words | "Does it hurt?", answered in 25 words')
  })

  test('ends with its box, where it is whole there', () => {
    expect(answers(`<section>${first}<div><h3>In pain</h3><p>${words(60)}</p></div></section>`)).toContain(
      'answered in 30 words',
    )
  })

  test('goes on below its own subheadings, and where a box holds the question alone', () => {
    expect(
      answers(
        `<div><h2>When is a crown needed?</h2><p>${words(30)}</p><h3>Teeth</h3><p>${words(20)}</p></div>`,
      ),
    ).toContain('answered in 50 words')
    expect(
      answers(
        `<section><div><h2>When is a crown needed?</h2></div><div><h3>Broken teeth</h3><p>${words(30)}</p></div></section>`,
      ),
    ).toContain('answered in 30 words')
  })
})

describe('a part of a page for questions', () => {
  const question = (text: string) =>
    `<div class="faq-item"><div class="faq-question">${text}</div><div class="faq-answer">${words(25)}</div></div>`
  const section = (heading: string, count: number) =>
    `<section id="faq"><h2>${heading}</h2>${['Does it hurt?', 'How long is it?', 'What is a crown?']
      .slice(0, count)
      .map(question)
      .join('')}</section>`
  const outcomes = (body: string) => {
    const one = read(body)
    return {
      faq: runCheck(workflowAutomation, 'faq', one),
      blocks: runCheck(contentAnswerability, 'question-blocks', one),
    }
  }

  test('with three questions gets one more, and those that stand there become headings', () => {
    const { faq, blocks } = outcomes(`${section('FAQ - Frequently asked questions', 3)}<p>${words(60)}</p>`)
    expect(fixOf(faq)).toMatch(
      /^Add 1 more question as a heading \(h3\) below “FAQ - Frequently asked questions” on /,
    )
    expect(fixOf(faq)).toContain('Make the questions that stand there headings, too.')
    expect(fixOf(blocks)).toMatch(/make the questions below “FAQ - Frequently asked questions” headings/)
  })

  test('without questions is where they are to be written', () => {
    expect(fixOf(outcomes(section('Frequently asked questions', 0)).faq)).toMatch(
      /^Add 4 questions .* below “Frequently asked questions”/,
    )
  })

  test('is none where “Questions” stands above a telephone number', () => {
    const { faq } = outcomes('<h2>Questions</h2><p>Call 020 7946 0018.</p>')
    expect(fixOf(faq)).toContain('a new page')
  })

  test('is not the text on a treatment that answers one question', () => {
    const { faq } = outcomes(`<h2>Crowns</h2><h3>When is a crown needed?</h3><p>${words(30)}</p>`)
    expect(fixOf(faq)).toContain('a new page')
  })
})

test('a question in one of several main headings is counted alike by both checks', () => {
  const one = read(`<h1>When is a crown needed?</h1><p>${words(40)}</p>`)
  expect(reasonOf(runCheck(contentAnswerability, 'question-blocks', one))).toMatch(/^1 of 1 question/)
  expect(reasonOf(runCheck(workflowAutomation, 'faq', one))).toMatch(/^No page answers more than 1 question;/)
  expect(quotesOf(runCheck(workflowAutomation, 'faq', one))).toBe('1 question with an answer')
})

describe('the part about the people', () => {
  const about = (count: number, more = '') =>
    runCheck(
      entityTrust,
      'about',
      read(`<section id="about"><h2>About us</h2><p>${words(count)}</p>${more}</section>`),
    )

  test('is long enough with a few words less than it is asked for, and is else asked for tens', () => {
    expect(about(145).result).toBe('pass')
    expect(fixOf(about(120))).toMatch(/^Write 40 more words /)
  })

  test('is counted without lines that tell how to reach the business, and without buttons', () => {
    const lines =
      '<p><b>Address:</b> 12 Mill Lane, Leeds</p><a class="cta-button" href="/map">Find us</a><p>Phone: <a href="tel:+441134960018">0113 496 0018</a></p><p>hello@lind.example</p>'
    expect(quotesOf(about(120, lines))).toBe('120 words below "About us"')
    expect(quotesOf(about(120, '<p>We moved to 12 Mill Lane in 1998, and stayed.</p>'))).toBe(
      '130 words below "About us"',
    )
  })
})

describe('posts of another service in frames', () => {
  const frame = (post: string) =>
    `<iframe src="https://www.facebook.com/plugins/post.php?href=https%3A%2F%2Fwww.facebook.com%2F${post}"></iframe>`
  const under = (heading: string, ...posts: string[]) =>
    runCheck(
      entityTrust,
      'proof',
      read(`<h2>${heading}</h2>${posts.map(frame).join('')}<p>Our prices: £40. 12 Mill Lane, Leeds.</p>`),
    )

  test('below a heading on patients are reviews that engines cannot read', () => {
    const outcome = under('Happy patients', 'ann', 'ben')
    expect(outcome.result).toBe('warn')
    expect(reasonOf(outcome)).toContain('stand in frames')
    expect(fixOf(outcome)).toContain('as text')
  })

  test.each([
    ['below another heading', under('News of the practice', 'ann', 'ben')],
    ['where there is one alone', under('For our patients', 'ann')],
  ])('are none %s', (_where, outcome) => {
    expect(reasonOf(outcome)).toMatch(/^No review or testimonial/)
  })
})

describe('the name in the markup', () => {
  const nameIn = (type: string, name: string) =>
    runCheck(
      entityTrust,
      'brand-name',
      site({
        [at()]: page(
          '<footer>© 2026 Lindsmile</footer>',
          'Lindsmile | Fillings in Leeds',
          `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': type, name })}</script>`,
        ),
      }),
    ).result

  test('is there with the trade behind it', () => {
    expect(nameIn('Dentist', 'Lindsmile Dental Practice')).toBe('pass')
  })

  test('is not there in the middle of another one', () => {
    expect(nameIn('Dentist', 'The Lindsmile Group')).not.toBe('pass')
  })
})

test('a second language of the html element is quoted, and to be taken out', () => {
  const swedish =
    'Vi är en tandläkarklinik och hjälper dig med tänder av alla slag. Välkommen att ringa oss för en tid, och vi berättar gärna vad som väntar dig hos oss. '
  const html = `<!doctype html><html lang="sve" lang="pl"><head><title>Lind</title></head><body><main><h1>Lind</h1><p>${swedish.repeat(10)}</p></main></body></html>`
  const outcome = runCheck(accessibilityActionability, 'lang', site({ [at()]: html }))
  expect(quotesOf(outcome)).toContain('lang="sve" lang="pl"')
  expect(fixOf(outcome)).toContain('Take the second lang out of it, lang="pl": only the first counts.')
})

test('a form that is addressed to a service without an account is named where no service was found', () => {
  const form = (action: string) =>
    `<p>Prices from £40 at 12 Mill Lane, Leeds.</p><form action="${action}" method="post"><label>E-mail <input type="email" name="email"></label><label>Message <textarea name="message"></textarea></label><button>Send</button></form>`
  const reason = (action: string) => reasonOf(runCheck(workflowAutomation, 'crm-tags', read(form(action))))
  expect(reason('https://formspree.io/f/YOUR_FORM_ID')).toMatch(
    /^A form is addressed to formspree\.io, without an account there\. None of the known contact, analytics/,
  )
  expect(reason('/send')).toMatch(/^None of the known contact, form, analytics/)
})
