import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'

/**
 * Every text that a scan can write, read from the source: a scan of a few sites shows few of them. In templates, what
 * is filled in stands as "X". Regular expressions, keys and lists of words are no texts.
 */
const root = resolve(import.meta.dirname, '../../../src/products/scan')
const rooms = ['agents', 'findings', 'signals', 'report', 'playbook']
const texts = rooms.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => textsIn(join(room, file))),
)

function textsIn(file: string): { readonly file: string; readonly text: string }[] {
  const found: string[] = []
  const pending: unknown[] = [parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' })]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node !== 'object' || node === null) continue
    if ('type' in node && node.type === 'TemplateLiteral' && 'quasis' in node) found.push(filled(node.quasis))
    if ('type' in node && node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
      found.push(node.value)
    pending.push(...Object.values(node).filter((one) => one !== null && one !== undefined))
  }
  return found.filter(isText).map((text) => ({ file, text }))
}

function filled(quasis: unknown): string {
  return [quasis]
    .flat()
    .map((part) => {
      const raw: unknown =
        part !== null && typeof part === 'object' && 'value' in part ? part.value : undefined
      return raw !== null && typeof raw === 'object' && 'cooked' in raw ? String(raw.cooked) : ''
    })
    .join('X')
}

function isText(text: string): boolean {
  return text.split(' ').length >= 4 && !/[|\\]/.test(text) && !/^(?:[\p{Ll}-]+\s+){12,}/u.test(text)
}

describe('the texts that a scan can write', () => {
  test('are found in the source', () => {
    expect(texts.length).toBeGreaterThan(1_000)
    expect(texts.map(({ text }) => text)).toContain('Give this to whoever looks after your website.')
  })

  test('have no sentence of more than 25 words', () => {
    const long = texts.flatMap(({ file, text }) =>
      text
        .replace(/"[^"]*"/g, 'Q')
        .split(/(?<=[.!?])\s+/)
        .filter((sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length > 25)
        .map((sentence) => `${file}: ${sentence}`),
    )
    expect(long).toEqual([])
  })

  test.each([
    ['awards', /\baward|\bprize|\bcertif/i],
    [
      'superlatives',
      /#1\b|\bnumber one\b|\bthe best\b|\bworld.class\b|\bleading (?!one|challenge|finding)|\bmarket leader/i,
    ],
    [
      'numbers of customers',
      /\b(?:thousands|hundreds|number) of (?:happy |satisfied )?(?:customers|clients|users|patients)|\btrusted by\b/i,
    ],
    [
      'praise that nobody gave',
      /\b(?:add|write|invent|collect|include|mark up|publish|show|put)\b[^.]{0,40}\b(?:testimonials?|ratings?|AggregateRating|stars|reviews)\b/i,
    ],
    [
      'results that nobody measured',
      /\b(?:results|success) (?:in per ?cent|rates?)|\bproven results|\bguarantee/i,
    ],
  ])('invite no claims: %s', (_, pattern) => {
    const inviting = texts.filter(({ text }) => pattern.test(text) && !honest.test(text))
    expect(inviting).toEqual([])
  })

  test('call nobody a customer: a practice has patients, an association members, a school pupils', () => {
    expect(
      texts.filter(({ text }) => /\bcustomers?\b/i.test(text) && !/\bcustomer stories\b/.test(text)),
    ).toEqual([])
  })

  test('name no tool outside the lists for makers of software', () => {
    const named = texts.filter(({ text }) =>
      /zapier|hubspot|calendly|mailchimp|n8n|airtable|pipedrive/i.test(text),
    )
    expect(named).toEqual([])
  })
})

/** Reviews that customers wrote may be asked for and shown. */
const honest =
  /reviewed you elsewhere|those that come in|was found|show what others say|the reviews on the site|are called reviews/
