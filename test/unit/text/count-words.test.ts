import { expect, test } from 'vitest'
import { countWords } from '../../../src/products/text/count-words.ts'

/** The published word count is part of what is sold, so each rule of counting has a case here. */

test.each([
  ['', 0],
  ['One two three', 3],
  ['follow-up e-mail, don’t — really', 4],
  ['3.5 hours & 40 % of £9', 5],
  ['# A heading of five words', 5],
  ['1. first\n2. second\n- third\n* fourth', 4],
  ['> quoted words\n>\n> more', 3],
  ['**Bold** and *slanted* and `code` and ~~gone~~', 7],
  ['[shown text](https://example.com/a/b "title") end', 3],
  ['![a picture](x.png)', 2],
  ['[ref]: https://example.com', 0],
  ['<b>bold</b> <!-- not seen --> text', 2],
  ['```js\nconst a = 1\n```', 3],
  ['| a | b |\n|---|---|\n| c | d |', 4],
  ['---\n\n***\n\n| - |', 0],
  ['🦷 ✨ …', 0],
  ['عيادة الأسنان', 2],
  ['snake_case stays one', 3],
])('countWords of %j is %i', (markdown, words) => {
  expect(countWords(markdown)).toBe(words)
})

test('escaped markup is counted as the text that a reader sees', () => {
  expect(countWords('\\# not a heading')).toBe(3)
  expect(countWords('1\\. not a list')).toBe(4)
  expect(countWords('&lt;script&gt;alert(1)&lt;/script&gt; end')).toBe(2)
  expect(countWords('R&amp;D two')).toBe(2)
})

test('a script written without spaces is counted word by word', () => {
  expect(countWords('患者の予約を自動化する')).toBeGreaterThan(3)
  expect(countWords('ระบบนัดหมายผู้ป่วย')).toBeGreaterThan(2)
})
