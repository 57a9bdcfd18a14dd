import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyText, parseKeyText } from '../../../src/doors/keys/key-text.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keys = Array.from({ length: 2_000 }, () => createKeyText())

test('a key is tgk_ and 54 letters and digits, the first 16 of them its id', () => {
  for (const { id, text } of keys) {
    expect(text).toMatch(/^tgk_[0-9A-Za-z]{54}$/)
    expect(text.slice(4, 20)).toBe(id)
  }
})

test('a parsed key has the id it was made with, and the SHA-256 of its whole text', () => {
  for (const { id, text, hash } of keys) {
    expect(hash).toBe(createHash('sha256').update(text).digest('hex'))
    expect(parseKeyText(text)).toEqual({ id, hash })
  }
})

test('keys differ in id and in secret, and a new secret for an id keeps the id', () => {
  expect(new Set(keys.map(({ id }) => id)).size).toBe(keys.length)
  expect(new Set(keys.map(({ text }) => text.slice(20, 52))).size).toBe(keys.length)
  const [{ id, text } = { id: '', text: '' }] = keys
  const replaced = createKeyText(id)
  expect(replaced.id).toBe(id)
  expect(replaced.text.slice(0, 20)).toBe(text.slice(0, 20))
  expect(replaced.text.slice(20)).not.toBe(text.slice(20))
})

test('all characters of a key are equally likely', () => {
  const drawn = keys.map(({ text }) => text.slice(4, 52)).join('')
  const expected = drawn.length / alphabet.length
  const counts = new Map<string, number>()
  for (const character of drawn) counts.set(character, (counts.get(character) ?? 0) + 1)
  const deviation = Array.from(
    alphabet,
    (character) => ((counts.get(character) ?? 0) - expected) ** 2 / expected,
  ).reduce((sum, part) => sum + part, 0)
  // By chance chi-square with 61 degrees of freedom stays far below 200; a byte modulo 62 brings it to 800.
  expect(deviation).toBeLessThan(200)
})

test('the checksum of a key is CRC-32 in base 62', () => {
  const body = `tgk_${'A'.repeat(48)}`
  // zlib.crc32 of the body is 2656658104.
  expect(parseKeyText(`${body}2tn48G`)?.id).toBe('A'.repeat(16))
})

test('a mistyped character and two swapped neighbors are detected', () => {
  const [{ text } = { text: '' }] = keys
  for (let place = 0; place < text.length; place += 1) {
    for (const character of alphabet) {
      if (character === text[place]) continue
      expect(parseKeyText(text.slice(0, place) + character + text.slice(place + 1))).toBeUndefined()
    }
    const swapped = text.slice(0, place) + text.charAt(place + 1) + text.charAt(place) + text.slice(place + 2)
    if (swapped !== text) expect(parseKeyText(swapped)).toBeUndefined()
  }
})

test.each([
  ['nothing', () => ''],
  ['the prefix alone', () => 'tgk_'],
  ['a key with its end cut off', (text: string) => text.slice(0, -1)],
  ['a key with more behind it', (text: string) => `${text}0`],
  ['a key with a line break behind it', (text: string) => `${text}\n`],
  ['a key with a space before it', (text: string) => ` ${text}`],
  ['a key in capitals', (text: string) => text.toUpperCase()],
  ['a key of another service', (text: string) => text.replace('tgk_', 'sk__')],
  ['a megabyte', () => `tgk_${'0'.repeat(1_000_000)}`],
])('%s is no key', (_what, made) => {
  expect(parseKeyText(made(keys[0]?.text ?? ''))).toBeUndefined()
})
