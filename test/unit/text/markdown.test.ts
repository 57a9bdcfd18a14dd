import { expect, test } from 'vitest'
import { blocks, bullets, heading, inline, numbered } from '../../../src/products/text/markdown.ts'
import { oneLine, presentText } from '../../../src/products/text/plain-text.ts'
import { markupIn } from './hostile.ts'

/** All markdown that is sold is built from these functions, so their escaping has its own tests. */

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['](javascript:alert(1))', '\\](javascript:alert(1))'],
  ['![x](y)', '!\\[x\\](y)'],
  ['`code` *a* ~b~ a|b \\', '\\`code\\` \\*a\\* \\~b\\~ a\\|b \\\\'],
  ['_a_ snake_case', '\\_a\\_ snake_case'],
  ['# heading', '\\# heading'],
  ['- item', '\\- item'],
  ['=== ', '\\==='],
  ['12. item', '12\\. item'],
  ['> quote', '&gt; quote'],
  ['&lt;b&gt; R&D', '&amp;lt;b&amp;gt; R&D'],
  ['a\r\n# b\u2028c\td', 'a # b c d'],
])('inline writes %j as %j', (text, markdown) => {
  expect(inline(text)).toBe(markdown)
})

test('a text with line breaks stays inside its heading, bullet or number', () => {
  const hostile = 'a\n\n# b\n- c\n1. d'
  for (const markdown of [heading(2, hostile), bullets([hostile]), numbered([hostile])]) {
    expect(markdown.split('\n')).toHaveLength(1)
  }
})

test('blocks skips empty parts', () => {
  expect(blocks('a', '', 'b')).toBe('a\n\nb')
})

test('oneLine removes characters that reverse or break text, and keeps joined emoji and Persian', () => {
  expect(oneLine('a\u202Eb\u0000c\u2066d\uFEFF')).toBe('ab cd')
  expect(oneLine('👩‍⚕️ می‌خواهم')).toBe('👩‍⚕️ می‌خواهم')
  expect(oneLine('\ud800x').isWellFormed()).toBe(true)
})

test('oneLine cuts a long text between words and never inside a character', () => {
  expect(oneLine('alpha beta gamma', 12)).toBe('alpha beta…')
  expect(oneLine('🦷🦷🦷🦷', 3)).toBe('🦷🦷…')
  expect(Array.from(oneLine('x'.repeat(500), 120))).toHaveLength(120)
})

test('presentText is undefined for blank text', () => {
  expect(presentText(undefined)).toBeUndefined()
  expect(presentText(' \n\u200e ')).toBeUndefined()
  expect(presentText(' a ')).toBe('a')
})

test('markupIn, which the engine tests rely on, finds markup', () => {
  expect(markupIn('# t\n\nfine, 3 &lt; 4 and \\*escaped\\*\n\n**Label:** x')).toEqual([])
  expect(markupIn('# t\n# u\n<b> [x](y) `c` **')).toEqual([
    'tag',
    'link',
    'code',
    'more or less than one title',
    'open bold',
  ])
})
