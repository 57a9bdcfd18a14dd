import { expect, test } from 'vitest'
import { isSlug, slugCandidates } from '../../../src/products/directory/slugs.ts'

test.each([
  ['Latin', "Joe's Diner & Bar", 'joes-diner-and-bar'],
  ['Latin with marks', 'Bäckerei Groß Łódź', 'backerei-gross-lodz'],
  ['Chinese', '北京烤鸭', 'bei-jing-kao-ya'],
  ['Japanese', 'さくら カフェ', 'sakura-kahue'],
  ['Korean', '서울 병원', 'seoul-byeongweon'],
  ['Arabic', 'مطعم دمشق', 'mtaam-dmshq'],
  ['Cyrillic', 'Пекарня Ромашка', 'pekarnya-romashka'],
  ['Greek', 'Ταβέρνα Αθήνα', 'taverna-athina'],
  ['Hebrew', 'מאפייה', 'mpyyh'],
  ['Hindi', 'दिल्ली', 'dillii'],
])('a name in %s gets a slug of letters and digits', async (_script, name, slug) => {
  expect((await slugCandidates(name, 'shop.example'))[0]).toBe(slug)
})

test.each(['🎂🎉', '', ' ', '—', '\0'])(
  'a name without letters (%j) gives way to the domain',
  async (name) => {
    expect((await slugCandidates(name, 'shop.example'))[0]).toBe('shop-example')
  },
)

test('a domain in another script is written in letters, too', async () => {
  expect((await slugCandidates('🎂', 'xn--80aswg.xn--p1ai'))[0]).toBe('sayt-rf')
})

test('every candidate is a slug, the last one is of this domain alone, and a long name ends at a word', async () => {
  const names = [
    'Same',
    `${'word '.repeat(40)}`,
    'x'.repeat(5_000),
    '北'.repeat(5_000),
    '‮evil',
    '../..',
    'a%2Fb',
  ]
  for (const name of names) {
    const candidates = await slugCandidates(name, `${'long-name.'.repeat(20)}example`)
    for (const candidate of candidates) expect([candidate, isSlug(candidate)]).toEqual([candidate, true])
    expect(candidates.at(-1)).toMatch(/-[0-9a-f]{64}$/)
  }
  expect((await slugCandidates('word '.repeat(40), 'a.example'))[0]).toMatch(/^(word-)+word$/)
})

test('a text that no listing can have as its slug is recognized without asking the store', () => {
  const texts = ['', 'A', 'a b', 'a/b', 'a%2Fb', '-a', 'a-', 'a--b', 'a\0', 'ä', 'a'.repeat(10_000)]
  expect(texts.filter(isSlug)).toEqual([])
})
