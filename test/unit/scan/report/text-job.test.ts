import { describe, expect, test } from 'vitest'
import type { Work } from '../../../../src/products/scan/findings/work.ts'
import { textJobOf } from '../../../../src/products/scan/report/work/texts/text-job.ts'

/** Several checks ask something of the same text. As steps of their own they changed each other. */

const at = (path: string) => `https://lind.example${path}`

function found(id: string, work: Work, page = at('/'), ...values: readonly string[]) {
  const [agent = '', check = ''] = id.split('/')
  const evidence = values.map((value) => ({ url: page, value }))
  const fix = `Asked by ${check}.`
  const issue = {
    agent,
    check,
    title: 'T',
    weight: 1,
    result: 'fail' as const,
    reason: `Seen by ${check}.`,
    fix,
    work,
    evidence,
  }
  return { issue, wording: { fix, work, page, evidence, language: 'en' } }
}

const opening = found('content-answerability/answer-first', { kind: 'opening', change: 'extend' })
const longer = found('content-answerability/depth', {
  kind: 'length',
  pages: [
    { url: at('/'), more: 180 },
    { url: at('/team'), more: 230 },
  ],
})
const figures = found('content-answerability/evidence', { kind: 'figures' })

describe('the work on the texts', () => {
  const job = textJobOf([figures, longer, opening])
  const how = job?.steps.join('\n') ?? ''

  test('is one piece, in the order in which a writer does it', () => {
    expect(job?.title).toBe(
      `Go over the texts of your main pages once, beginning with ${at('/')}. Wanted: a first paragraph of 20 to 90 words, more text on 2 pages, and figures.`,
    )
    const order = [
      'the first one with whole sentences on',
      'one paragraph for each',
      '230 words to',
      'Put figures',
    ].map((part) => how.indexOf(part))
    expect(order.every((place) => place >= 0)).toBe(true)
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    expect(job?.members).toHaveLength(3)
  })

  test('asks for figures and lists by a measure, and names neither a number nor a page: a scan does not know all that people count', () => {
    const lists = found('content-answerability/lists-tables', { kind: 'lists' }, at('/prices'))
    const asked = textJobOf([figures, lists])
    expect(asked?.steps.join('\n')).toContain(
      'One in 100 words is enough, on whatever page; “Seen” names those that lack most.',
    )
    expect(asked?.steps.join('\n')).toContain(
      'One list or table in 500 words is enough; “Seen” names the pages that lack most.',
    )
    expect(asked?.title).toMatch(/Wanted: lists or tables and figures\.$/)
  })

  test('says that the first paragraph counts among the new words', () => {
    expect(how).toContain('180 more words are wanted there. The words of a new first paragraph count.')
    expect(textJobOf([longer])?.steps.join()).not.toContain('first paragraph')
  })

  test('tells who runs the business where other work is done on that page, and leaves it alone elsewhere', () => {
    const about = (path: string) =>
      found('entity-trust/about', { kind: 'people', heading: 'Our team' }, at(path))
    const joined = textJobOf([longer, about('/team')])
    expect(joined?.members).toHaveLength(2)
    expect(joined?.steps.join('\n')).toContain(`Tell on ${at('/team')}, below “Our team”, who runs it`)
    expect(joined?.steps.join('\n')).toContain('These words count among the new ones of the page.')
    expect(textJobOf([opening, about('/history')])?.members).toHaveLength(1)
  })

  test('names each page with its own fault of headings', () => {
    const { issue, wording } = found(
      'content-answerability/hierarchy',
      { kind: 'subheadings', isSkipping: true },
      at('/0'),
    )
    const evidence = [
      { url: at('/0'), value: 'more than 400 words of text without a subheading after "Cats"' },
      { url: at('/1'), value: 'h4 "Dogs" follows an h2, and becomes h3' },
    ]
    const steps = textJobOf([
      { issue: { ...issue, evidence }, wording: { ...wording, evidence } },
    ])?.steps.join('\n')
    expect(steps).toContain(`${at('/0')}, ${at('/1')}`)
    expect(steps).toContain(
      `Send this line to whoever looks after your website. Headings to correct: on ${at('/1')}, h4 "Dogs" follows an h2, and becomes h3.`,
    )
  })

  test('asks for 300 words alone where another check asks for 150 of the same page', () => {
    const shorter = found('core-snapshot/ssr-text', { kind: 'first-text' })
    expect(textJobOf([shorter, longer])?.members.map(({ check }) => check)).toEqual(['depth'])
    expect(textJobOf([shorter])?.steps.join()).toContain('150 words or more are wanted there.')
  })

  test('leaves headings that code has to change to the web person', () => {
    expect(textJobOf([found('content-answerability/hierarchy', { kind: 'heading-order' })])).toBeUndefined()
  })
})

test('a text in Japanese is counted in characters throughout', () => {
  const job = textJobOf(
    [longer, figures].map(({ issue, wording }) => ({ issue, wording: { ...wording, language: 'ja' } })),
  )
  const how = job?.steps.join('\n') ?? ''
  expect(how).toContain('About 400 more characters are wanted there.')
  expect(how).toContain(`Add about 510 characters to ${at('/team')}`)
  expect(how).toContain('One in about 220 characters is enough')
  expect(how).not.toMatch(/\d words/)
})
