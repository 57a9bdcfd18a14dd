import { expect, test } from 'vitest'
import { text } from '../../../src/core/reply.ts'
import { createDocument } from '../../../src/edge/handlers/document.ts'

/** A document over a catalog that the test replaces. */
function service() {
  const shown = { catalog: { words: 'first' }, rendered: 0 }
  const serve = createDocument(
    () => shown.catalog,
    () => {
      shown.rendered += 1
      return text(200, 'text/plain', shown.catalog.words, { 'cache-control': 'public', vary: 'Accept' })
    },
  )
  return { shown, ask: (ifNoneMatch?: string) => serve({ ifNoneMatch }) }
}

test('a document is rendered once for each catalog, and all callers get the same bytes', () => {
  const { shown, ask } = service()
  const [first, second] = [ask(), ask()]
  expect([shown.rendered, second.body === first.body]).toEqual([1, true])
  shown.catalog = { words: 'second' }
  expect(String(ask().body)).toBe('second')
  ask()
  expect(shown.rendered).toBe(2)
})

test('its ETag names its content, so that two gateways with the same catalog agree', () => {
  const { shown, ask } = service()
  const { etag } = ask().headers
  expect(etag).toMatch(/^"[\w-]{43}"$/)
  expect(service().ask().headers.etag).toBe(etag)
  shown.catalog = { words: 'second' }
  expect(ask().headers.etag).not.toBe(etag)
})

test.each([
  ['its tag', (etag: string) => etag],
  ['its weak tag', (etag: string) => `W/${etag}`],
  ['a list with its tag', (etag: string) => `"a", W/"b,c",${etag}`],
  ['any tag', () => ' * '],
])('a caller that names %s gets a 304 without a body, with the headers of a cache', (_what, named) => {
  const { ask } = service()
  const { etag = '' } = ask().headers
  expect(ask(named(etag))).toEqual({
    status: 304,
    headers: { 'cache-control': 'public', vary: 'Accept', etag },
    body: new Uint8Array(),
  })
})

test.each(['"other"', 'W/"other", "*"', 'unquoted', ''])(
  'a caller that names %s gets the whole document',
  (named) => {
    expect(service().ask(named).status).toBe(200)
  },
)
