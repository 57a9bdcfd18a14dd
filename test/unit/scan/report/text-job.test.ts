import { describe, expect, test } from 'vitest'
import { findingsInCharacters } from '../../../../src/products/scan/report/work/characters.ts'
import { textJobOf } from '../../../../src/products/scan/report/work/texts/text-job.ts'

/** Several checks ask something of the same text. As steps of their own they changed each other. */

const at = (path: string) => `https://lind.example${path}`

function found(id: string, fix: string, page = at('/'), ...values: readonly string[]) {
  const [agent = '', check = ''] = id.split('/')
  const evidence = values.map((value) => ({ url: page, value }))
  const issue = {
    agent,
    check,
    title: 'T',
    weight: 1,
    result: 'fail' as const,
    reason: `Seen by ${check}.`,
    fix,
    evidence,
  }
  return { issue, wording: { fix, page, evidence, language: 'en' } }
}

const opening = found(
  'content-answerability/answer-first',
  `Extend the first paragraph of ${at('/')} to 20 to 90 words.`,
)
const longer = found(
  'content-answerability/depth',
  `Write 180 more words on ${at('/')}, so that it has 300. Write 230 more on ${at('/team')}.`,
)
const reason = 'The content pages have 0 figures with a unit, per cent or currency in 270 words.'
const lacking = found(
  'content-answerability/evidence',
  'Add about 3 figures that you know to be true where you tell what you do.',
  at('/'),
  '0 figures in 120 words; about 1 more wanted',
)
const figures = {
  issue: { ...lacking.issue, reason },
  wording: { ...lacking.wording, reason },
}

describe('the work on the texts', () => {
  const job = textJobOf([figures, longer, opening])
  const how = job?.steps.join('\n') ?? ''

  test('is one piece, in the order in which a writer does it', () => {
    expect(job?.title).toBe(
      `Go over the texts of your main pages once, beginning with ${at('/')}. Wanted: a first paragraph of 20 to 90 words, more text on 2 pages, and about 7 figures.`,
    )
    const order = ['first paragraph of', 'one paragraph for each', '230 words to', 'Put figures'].map(
      (part) => how.indexOf(part),
    )
    expect(order.every((place) => place >= 0)).toBe(true)
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    expect(job?.members).toHaveLength(3)
  })

  test('counts figures for the text as it will be: one for each hundred of 270 words that are there and 410 new ones', () => {
    expect(how).toContain('about 7 in all')
    expect(how).toContain(`${at('/')} (about 3), ${at('/team')} (about 2)`)
    expect(how).not.toContain('A longer text needs more')
  })

  test('says that the first paragraph counts among the new words', () => {
    expect(how).toContain('180 more words are wanted there. The words of a new first paragraph count.')
    expect(textJobOf([longer])?.steps.join()).not.toContain('first paragraph')
  })

  test('tells who runs the business where other work is done on that page, and leaves it alone elsewhere', () => {
    const about = (path: string) =>
      found(
        'entity-trust/about',
        `Tell on ${at(path)} below "Our team" who runs the business, since when, where and with what experience.`,
        at(path),
      )
    const joined = textJobOf([longer, about('/team')])
    expect(joined?.members).toHaveLength(2)
    expect(joined?.steps.join('\n')).toContain(`Tell on ${at('/team')}, below “Our team”, who runs it`)
    expect(joined?.steps.join('\n')).toContain('These words count among the new ones of the page.')
    expect(textJobOf([figures, about('/history')])?.members).toHaveLength(1)
  })

  test('names each page with its own fault of headings', () => {
    const fix = `Put a subheading at least every 300 words on ${at('/0')}. Then mend the headings of one more page.`
    const { issue, wording } = found('content-answerability/hierarchy', fix, at('/0'))
    const evidence = [
      { url: at('/0'), value: 'more than 300 words without a subheading' },
      { url: at('/1'), value: 'h4 "Dogs" follows an h2, and becomes h3' },
    ]
    const steps = textJobOf([
      { issue: { ...issue, evidence }, wording: { ...wording, evidence } },
    ])?.steps.join('\n')
    expect(steps).toContain(`${at('/0')}, ${at('/1')}`)
    expect(steps).toContain('behind “Seen”')
  })

  test('asks for 300 words alone where another check asks for 150 of the same page', () => {
    const shorter = found(
      'core-snapshot/ssr-text',
      `Write 150 words or more of main text on ${at('/')}: what you do.`,
    )
    expect(textJobOf([shorter, longer])?.members.map(({ check }) => check)).toEqual(['depth'])
    expect(textJobOf([shorter])?.steps.join()).toContain('150 words or more are wanted there.')
  })

  test('leaves headings that code has to change to the web person', () => {
    expect(
      textJobOf([
        found('content-answerability/hierarchy', `Correct the headings of ${at('/')} as listed: a.`),
      ]),
    ).toBeUndefined()
  })
})

test('a text in Japanese is counted in characters throughout', () => {
  const [issue] = findingsInCharacters([longer.issue], 'ja')
  const fix = issue !== undefined && 'fix' in issue ? issue.fix : ''
  expect(fix).toBe(
    `Write 360 more characters on ${at('/')}, so that it has 600. Write 460 more on ${at('/team')}.`,
  )
  const job = textJobOf([
    { issue: { ...longer.issue, fix }, wording: { ...longer.wording, fix, language: 'ja' } },
    {
      ...figures,
      wording: { ...figures.wording, reason: reason.replace('270 words', '540 characters'), language: 'ja' },
    },
  ])
  const how = job?.steps.join('\n') ?? ''
  expect(how).toContain('360 more characters are wanted there.')
  expect(how).toContain(`Add 460 characters to ${at('/team')}`)
  expect(how).toContain('about 7 in all')
  expect(how).not.toMatch(/\d words/)
})
