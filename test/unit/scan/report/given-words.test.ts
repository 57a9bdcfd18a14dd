import { expect, test } from 'vitest'
import { withGivenWords } from '../../../../src/products/scan/report/work/given-words.ts'

const page = 'https://nord.example/'
const lacks = ['og:title', 'og:description', 'og:image']
const order = {
  title: 'Add all.',
  work: { kind: 'preview', lacks, isDescriptionShared: true },
} as const
const write = { change: 'write' } as const

test.each([
  [
    { kind: 'title', title: write } as const,
    ['og:description', 'og:image'],
    `Add og:description and og:image as meta elements to ${page}. Let ${page} have og:title as well, with the words of the new title, which a separate message brings.`,
  ],
  [
    { kind: 'title', title: write, description: write } as const,
    ['og:image'],
    `Add og:image as a meta element to ${page}. Let ${page} have og:title and og:description as well, with the words of the new title and description, which a separate message brings.`,
  ],
])('a preview takes the words that another step asks for: %j', (other, asked, title) => {
  expect(withGivenWords(order, page, other)).toMatchObject({ title, work: { lacks: asked } })
})

test('a preview whose words no other step asks for, and an order of another kind, stay as they are', () => {
  expect(withGivenWords(order, page, undefined)).toBe(order)
  expect(withGivenWords(order, page, { kind: 'notices', isPrivacyAsked: true, count: 1 })).toBe(order)
  const title = { title: 'Write a title.', work: { kind: 'title', title: write } } as const
  expect(withGivenWords(title, page, { kind: 'title', title: write })).toBe(title)
})
