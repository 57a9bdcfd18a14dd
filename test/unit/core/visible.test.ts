import { describe, expect, test } from 'vitest'
import { table } from '../../../src/cli/output.ts'
import { storable, toJson } from '../../../src/core/text/storable.ts'
import { escapeHidden, harmless, isVisible } from '../../../src/core/text/visible.ts'
import { shortText } from '../../../src/edge/handlers/keys/key-fields.ts'
import { reason } from '../../../src/edge/handlers/operator/fields.ts'

const hidden = [
  ...['\0', '\x1b', '\x7f', '\x9b', '\ud800', '\udc00', '\u00ad', '\u061c', '\u200b', '\u200e', '\u200f'],
  ...['\u2028', '\u2029', '\u202a', '\u202e', '\u2060', '\u2066', '\u2069', '\ufeff', '\ufff9', '\u{e0041}'],
]

describe.each(hidden.map((character) => [JSON.stringify(character), character]))('%s', (_name, character) => {
  test('is refused in labels, owners and reasons, wherever it stands', () => {
    for (const text of [character, `${character}ann`, `an${character}n`, `ann${character}`]) {
      expect(shortText.safeParse(text).error?.issues[0]?.message).toContain('without hidden ones')
      expect(reason.safeParse(text).error?.issues[0]?.message).toContain('without hidden ones')
    }
  })

  test('is printed as a question mark', () => {
    expect(harmless(`a${character}b\n\tc`)).toBe('a?b\n\tc')
  })

  test('cannot begin a line or a column of a table', () => {
    const lines = table([
      ['owner', 'state'],
      [`a${character}b\nforged\tx`, 'active'],
    ]).split('\n')
    expect(lines).toEqual(['owner         state', 'a?b?forged?x  active'])
  })

  test('stands as an escape in a JSON line, which stays the same JSON', () => {
    const line = escapeHidden(`${JSON.stringify({ path: `a${character}b` })}\n`)
    expect(line.slice(0, -1)).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(line)).toEqual({ path: `a${character}b` })
  })
})

test.each([' ', '\u00a0', '\u200c', '\u200d', '\u3164', '\u115f', '\u034f', '\ufe0f', '\u2800', ' \u3000 '])(
  'a text that shows nothing, like %j, is no label and no reason',
  (text) => {
    expect(isVisible(text)).toBe(false)
    expect([shortText.safeParse(text).success, reason.safeParse(text).success]).toEqual([false, false])
  },
)

test.each(['Ann & Co', 'Zoë', '日本語', 'می‌خواهم', 'क्‍ष', '👩‍🚀', '❤️', 'x'.repeat(200), '😀'.repeat(200)])(
  'the text %j is a label and a reason, and printed as it is',
  (text) => {
    expect([shortText.parse(text), reason.parse(text), harmless(text)]).toEqual([text, text, text])
  },
)

test('a label may be empty, a reason may not, and neither may be longer than 200 characters', () => {
  expect([shortText.parse(''), reason.safeParse('').success]).toEqual(['', false])
  for (const schema of [shortText, reason]) expect(schema.safeParse('x'.repeat(201)).success).toBe(false)
})

test('what PostgreSQL cannot store is removed from texts and from names, however deep', () => {
  expect(storable('a\0b\ud800c😀')).toBe('ab\ufffdc😀')
  expect(JSON.parse(toJson({ '\0a': ['\0', { '\ud800': '\udc00', n: 1, none: null }] }))).toEqual({
    a: ['', { '\ufffd': '\ufffd', n: 1, none: null }],
  })
})
