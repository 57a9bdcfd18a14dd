import { expect, test } from 'vitest'
import { sentencesIn } from '../../../src/products/text/sentences.ts'

test.each([
  ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
  ['It costs 3.5 euros. "Really?" Yes…', ['It costs 3.5 euros.', '"Really?"', 'Yes…']],
  [
    'Dr. Chen met J. Doe, e.g. at Site Inc. today. Bye.',
    ['Dr. Chen met J. Doe, e.g. at Site Inc. today.', 'Bye.'],
  ],
  ['see example.com/a.b now', ['see example.com/a.b now']],
  ['東京。大阪！', ['東京。', '大阪！']],
  [' . ! ', []],
])('the sentences of %j', (text, sentences) => expect(sentencesIn(text)).toEqual(sentences))

test.each([
  'At the office of Dr. David Smith, DMD, we take time.',
  'Fragen Sie Frau Dipl. Med. Lind, z. B. am 3. Mai in der Hauptstr. 5.',
  'We are in St. Paul, No. 5 Mill Av. North, with Mrs. Lee and Prof. Ito.',
  'Llame a la Dra. Ruiz o a la Sra. Gil, i.e. Ana, e.g. Monday.',
  'She has a D.M.D. Degree and met J. Doe.',
  'Er sagt „Kommen Sie. Wir helfen.“ und lacht.',
  'It takes 6… days, and more.',
])('%j is one sentence where a dot or a quotation goes on', (text) =>
  expect(sentencesIn(text)).toEqual([text]),
)

test.each([
  ['“We were nervous. Dr. Lind was not.” That is what they say.', 2],
  ['It took 200 ms. The answer was no. Call us.', 3],
  ['Wir helfen. „Kommen Sie. Wir warten.“ Bis bald.', 3],
  ['আমরা দাঁতের চিকিৎসা করি। আসুন।', 2],
  ['A screen of 27" is large. It is bright. It hangs here.', 1],
  ['We were founded by Lind Ltd.', 1],
])('%j has %i sentences', (text, count) => expect(sentencesIn(text)).toHaveLength(count))

test('texts that repeat one mark 300,000 times are parted in one pass', () => {
  for (const part of ['.', '."', '。', 'a.', '. “', '" . '])
    expect(sentencesIn(part.repeat(300_000)).length).toBeLessThanOrEqual(300_000)
})
