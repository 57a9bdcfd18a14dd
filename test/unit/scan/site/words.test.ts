import { expect, test } from 'vitest'
import {
  countWords,
  splitCamelCase,
  syllablesOf,
  wordsOf,
} from '../../../../src/products/scan/site/html/words.ts'

test.each([
  ['', []],
  ['— … !', []],
  ['Don’t stop, they said.', ["don't", 'stop', 'they', 'said']],
  ["the dogs' 'bed'", ['the', 'dogs', 'bed']],
  ['follow-up at 3.5 %', ['follow', 'up', 'at', '3', '5']],
  ['Füße naïve cafe\u0301', ['füße', 'naïve', 'cafe\u0301']],
  ['東京は大きい。Tokyo', ['東京', 'は', '大きい', 'tokyo']],
  ['ตรวจสอบเบอร์โทรศัพท์', ['ตรวจ', 'สอบ', 'เบอร์', 'โทรศัพท์']],
  ['한국어 단어', ['한국어', '단어']],
  ['ЦЕНА привет', ['цена', 'привет']],
])('the words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
  expect(countWords(text)).toBe(words.filter((word) => word !== '5').length)
})

test.each(['Mo 8:30-12:00', 'art. 3.4.10', 'mail info@lind.example', 'see https://lind.example/a/b?c=1'])(
  'a reader counts two words in %j',
  (text) => expect(countWords(text)).toBe(2),
)

test.each([
  ['cat', 1],
  ['the', 1],
  ['make', 1],
  ['makes', 1],
  ['walked', 1],
  ['wanted', 2],
  ['table', 2],
  ['boxes', 2],
  ['happy', 2],
  ['agent', 2],
  ['website', 2],
  ['banana', 3],
  ['station', 2],
  ['previous', 3],
  ['video', 3],
  ['language', 2],
  ['payment', 2],
  ['reliable', 4],
  ['2026', 1],
  ['', 1],
  ['rhythm', 1],
  ['delicious', 3],
  ['million', 2],
])('%s has %i syllables', (word, count) => expect(syllablesOf(word)).toBe(count))

test('texts that repeat one character 300,000 times are counted', () => {
  for (const part of ["'", '.', 'a', '."', '。', '\u0301', 'a.']) {
    const text = part.repeat(300_000)
    expect(countWords(text)).toBeLessThanOrEqual(300_000)
    expect(syllablesOf(text)).toBeLessThanOrEqual(60)
  }
})

test.each([
  ['privacyModal', 'privacy-Modal'],
  ['fermerFenêtreÉtroite', 'fermer-Fenêtre-Étroite'],
  ['FAQPage', 'FAQPage'],
  ['close-btn', 'close-btn'],
])('the words of the name %s in code are told apart as %s', (name, words) => {
  expect(splitCamelCase(name, '-')).toBe(words)
})
