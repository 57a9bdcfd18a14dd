import { expect, test } from 'vitest'
import { GatewayError } from '../../../src/core/errors.ts'
import { splitTarget } from '../../../src/proxy/routes/path.ts'

function problemOf(target: string): unknown {
  try {
    splitTarget(target)
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'PATH_AMBIGUOUS') return error.details.problem
    throw error
  }
  return undefined
}

test.each([
  ['/a/b', '/a/b', ''],
  ['/', '/', ''],
  ['/a/', '/a/', ''],
  ['/a?x=1&y=/../%2F;\\', '/a', '?x=1&y=/../%2F;\\'],
  ['/.well-known/x', '/.well-known/x', ''],
  ['/a..b/.x', '/a..b/.x', ''],
  ['/a%20b/v1:run', '/a%20b/v1:run', ''],
  ['/a?b=%3F%23%3B%00.&c=d%20.', '/a', '?b=%3F%23%3B%00.&c=d%20.'],
  ['/users/a%40b.com/%C3%BC', '/users/a%40b.com/%C3%BC', ''],
  ['/caf%c3%a9', '/caf%c3%a9', ''],
  ['/100%25.txt', '/100%25.txt', ''],
  ["/!$&'()*+,=:@~_-", "/!$&'()*+,=:@~_-", ''],
  ['/a?', '/a', '?'],
])('%s passes unchanged', (target, path, query) => {
  expect(splitTarget(target)).toEqual({ path, query })
})

test.each([
  '/a%2Fb',
  '/a%2fb',
  '/a%5Cb',
  '/a%5cb',
  '/a\\b',
  '/a%00',
  '/a%0d%0ab',
  '/a%7f',
  '/%61',
  '/a%2Eb',
  '/%7Ea',
  '/a%5f',
  '/a/../b',
  '/a/..',
  '/./a',
  '/a/%2e%2E/b',
  '/a/.%2e',
  '/%2e',
  '//a',
  '/a//b',
  '/a//',
  '/a;b=1',
  '/a;',
  '/a%zz',
  '/a%2',
  '/a%',
  '/%c0%af',
  '/%ff',
  '/a%252e',
  '/a%252Fb',
  '/a b',
  '/a\tb',
  // Spellings that servers take for `/a.html`, which may cost more than what `*` matches.
  '/a.html%3F',
  '/a.html%3fb=1',
  '/a.html%23',
  '/a.html%23b',
  '/a.html%3B',
  '/a.html%3bjsessionid=1',
  '/a.html.',
  '/a.html./',
  '/a.html...',
  '/a.html%2E',
  '/b./a.html',
  '/...',
  '/a.html%20',
  '/a.html%20/',
  '/a.html%20.',
  '/%20a.html',
  '/b%20/a.html',
  '/a.html%09',
  '/a.html%0A',
  '/a.html%C2%A0',
  '/a.html%E2%80%82',
  '/a.html%EF%BB%BF',
  '/a.html%C2%85',
  '/a.html::$DATA',
  '/b:$I30:$INDEX_ALLOCATION/a.html',
  '/ü',
  '/a#b',
  '/a?b#c',
  '/a?b=ü',
  '/a?b=\u0001',
  '/a"b',
  '/a<b',
  '/a{b}',
  '/a|b',
  '/a^b',
  'a',
  '*',
  '',
  'http://x.example/a',
  '//x.example/a',
  `/${'a'.repeat(8_192)}`,
])('%j is refused with a problem', (target) => {
  expect(problemOf(target)).toEqual(expect.stringMatching(/^it|^its/))
})
