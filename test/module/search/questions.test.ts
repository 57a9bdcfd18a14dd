import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createScans, type Scans } from '../../../src/products/scan/scans/scans.ts'
import { answersOfScans, answersOfTexts } from '../../../src/products/search/answers.ts'
import { indexCompleted } from '../../../src/products/search/index-scan.ts'
import { maxQuestionTerms, type Question, readQuestion } from '../../../src/products/search/question.ts'
import { tsvectorOf } from '../../../src/products/search/tsvector.ts'
import { completeScan } from '../../support/scans/complete-scan.ts'
import { analysis } from '../../support/scans/scans.ts'
import { type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'

/** Questions in plain language, read and answered. */

function read(text: string, previous?: readonly string[]): Question {
  const question = readQuestion(text, previous)
  if (typeof question === 'string') throw new Error(`the question ${text} has ${question}`)
  return question
}

describe('a question', () => {
  test('has the words that tell something; without any, all of its words', () => {
    expect(read('How do I get the playbook of a site?').terms).toEqual([`'playbook':*`, `'site':*`])
    expect(read('What can you do?').terms).toHaveLength(4)
    expect(readQuestion('?! … ""')).toBe('no word')
    const words = Array.from({ length: maxQuestionTerms }, (_, at) => `word${at}`)
    expect(read([...words, ...words].join(' ')).terms).toHaveLength(maxQuestionTerms)
    expect(readQuestion([...words, 'further'].join(' '))).toBe('too many')
  })

  test.each([
    ['prices', 'price', 'pricing', 'priced'],
    ['companies', 'company', 'companies'],
    ['scanning', 'scan', 'scans', 'scanned'],
    ['keys', 'key', 'keys'],
    ['key', 'key', 'keys'],
    ['address', 'address', 'addresses'],
    ['analyses', 'analysis', 'analyses'],
  ])('that says %s is answered by a text that says it with another ending', (asked, ...written) => {
    const { words } = read(asked)
    expect(written.filter((word) => !words.has(word))).toEqual([])
  })

  test.each([
    ['key', 'keyboard'],
    ['used', 'user'],
    ['speed', 'special'],
  ])('that says %s is not answered by %s', (asked, other) => {
    expect(read(asked).words.has(other)).toBe(false)
  })
})

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('answers in %s', (_driver, open) => {
  let opened: Opened
  let scans: Scans

  beforeAll(async () => {
    opened = await open()
    scans = createScans({ queries: opened.one.queries, clock: { now: () => Date.UTC(2026, 10, 21) } }, [
      indexCompleted,
    ])
    const say = (keyFindings: readonly string[]) =>
      analysis({ report: { ...analysis().report, executiveSummary: '', keyFindings: [...keyFindings] } })
    await completeScan(
      scans,
      'tulips.example',
      say(['Bouquets are sold by telephone. Sell them online.', 'There is no map.']),
    )
    await completeScan(scans, 'roses.example', say(['Bouquets are sold by post.']))
  })
  afterAll(() => opened.close())

  async function answersTo(text: string) {
    const wanted = { question: read(text), limit: 10, viewer: undefined }
    return (await answersOfScans(opened.one, wanted)).map(({ domain, body }) => `${domain}: ${body}`)
  }

  test('half of the words are enough, and an entry with more of them comes first', async () => {
    expect(await answersTo('Which bouquets are sold over the telephone?')).toEqual([
      'tulips.example: Bouquets are sold by telephone. Sell them online.',
      'roses.example: Bouquets are sold by post.',
    ])
    expect(await answersTo('Which bicycles need a telephone and a bell?')).toEqual([])
  })

  test('a question that names a domain is about its scan alone', async () => {
    const answers = await answersTo('What of bouquets at https://www.tulips.example/shop?')
    expect(answers[0]).toMatch(/^tulips\.example: Bouquets/)
    expect(answers.filter((answer) => !answer.startsWith('tulips.example'))).toEqual([])
  })

  test('texts that are in no table are ranked alike, those with the words in their title first', async () => {
    const vectors = [
      ['Other', 'Nothing of it.'],
      ['Letters', 'How a parcel travels.'],
      ['Parcels', 'How a letter travels.'],
      ['Parcels and letters', 'How they travel.'],
    ].map(([title = '', text = '']) =>
      tsvectorOf([
        { text: title, weight: 'A' },
        { text, weight: 'C' },
      ]),
    )
    const found = await answersOfTexts(opened.one, {
      question: read('parcel letters', ['parcel']),
      vectors: JSON.stringify(vectors),
      limit: 3,
    })
    expect(found.map(({ place }) => place)[0]).toBe(3)
    expect(found.map(({ place }) => place)).not.toContain(0)
  })
})
