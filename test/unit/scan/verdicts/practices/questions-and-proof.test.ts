import { describe, expect, test } from 'vitest'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { read, words } from '../../../../support/scans/lind-site.ts'

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
