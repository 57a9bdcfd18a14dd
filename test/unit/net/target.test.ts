import { expect, test } from 'vitest'
import { isPublicAddress } from '../../../src/platform/net/public-address.ts'
import {
  checkTarget,
  parsePrivateTargets,
  parseTarget,
  TargetError,
} from '../../../src/platform/net/target.ts'

function reasonOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof TargetError) return error.reason
    throw error
  }
  return 'taken'
}

/** Each of these has passed the check of some scanner. */
const bypasses = {
  'http://127.0.0.1/': 'private',
  'http://127.1/': 'private',
  'http://0/': 'private',
  'http://0.0.0.0/': 'private',
  'http://2130706433/': 'private',
  'http://0x7f.1/': 'private',
  'http://0177.0.0.1/': 'private',
  'http://①②⑦.⓪.⓪.①/': 'private',
  'http://127。0。0。1/': 'private',
  'http://%31%32%37.0.0.1/': 'private',
  'http://[::1]/': 'private',
  'http://[::]/': 'private',
  'http://[::ffff:127.0.0.1]/': 'private',
  'http://[::ffff:a9fe:a9fe]/': 'private',
  'http://[::ffff:0:7f00:1]/': 'private',
  'http://[::7f00:1]/': 'private',
  'http://[64:ff9b::7f00:1]/': 'private',
  'http://[64:ff9b:1::7f00:1]/': 'private',
  'http://[2002:7f00:1::]/': 'private',
  'http://[fd00:ec2::254]/': 'private',
  'http://[fe80::1%25eth0]/': 'malformed',
  'http://169.254.169.254/': 'private',
  'http://metadata.google.internal/': 'host',
  'http://100.100.100.200/': 'private',
  'http://168.63.129.16/': 'private',
  'http://localhost/': 'host',
  'http://localhost./': 'host',
  'http://foo.localhost/': 'host',
  'http://foo.LOCALHOST./': 'host',
  'http://printer.local/': 'host',
  'http://nas.home.arpa/': 'host',
  'http://shop.test/': 'host',
  'http://abcdef.onion/': 'host',
  'http://intranet/': 'host',
  'http://a..b.example/': 'host',
  'http://public@127.0.0.1/': 'credentials',
  'http://public:word@example.com/': 'credentials',
  'file:///etc/passwd': 'scheme',
  'ftp://example.com/': 'scheme',
  'gopher://example.com/': 'scheme',
  'data:text/html,hello': 'scheme',
  'javascript:alert(1)': 'scheme',
  'http://example.com:22/': 'port',
  'http://example.com:25/': 'port',
  'http://example.com:6379/': 'port',
  'http://example.com:8080/': 'port',
  [`http://${'a'.repeat(60)}.${'b.'.repeat(120)}example/`]: 'host',
  [`http://${'a'.repeat(300)}.example/`]: 'host',
}

test.each(Object.entries(bypasses))('%s is refused as %s when a user writes it', (text, reason) => {
  expect(reasonOf(() => parseTarget(text, []))).toBe(reason)
})

test.each([
  ['example.c', '.c'],
  ['https://shop.exampel/a', '.exampel'],
  ['a.b.comm', '.comm'],
])('%s is refused when a user writes it, because no public domain ends so', (text, ending) => {
  expect(() => parseTarget(text, [])).toThrow(`There are no public domains under ${ending}.`)
})

test.each(Object.entries(bypasses).filter(([text]) => URL.canParse(text)))(
  '%s is refused as %s when a redirect names it',
  (text, reason) => {
    expect(reasonOf(() => checkTarget(new URL(text), []))).toBe(reason)
  },
)

test.each([
  'http://public\\@127.0.0.1/',
  'http://1.1.1.1 &@2.2.2.2# @3.3.3.3/',
  'http://example.com/\r\nHost: 127.0.0.1',
  'http://exam\tple.com/',
  'http://example.com/a b',
  'example.com/\u0000',
  'http://example.com\u00a0/',
  'http://[example.com/',
  'http://example.com:99999/',
  '',
  '   ',
  `example.com/${'a'.repeat(2_048)}`,
])('%j, which programs could read in different ways, is refused as malformed', (text) => {
  expect(reasonOf(() => parseTarget(text, []))).toBe('malformed')
})

test('a backslash in a redirect means the same host to the check and to the connection', () => {
  const url = new URL('http://public\\@127.0.0.1/')

  expect(url.hostname).toBe('public')
  expect(reasonOf(() => checkTarget(url, []))).toBe('host')
})

test('three hosts in one redirect are refused for the name before the @', () => {
  expect(reasonOf(() => checkTarget(new URL('http://1.1.1.1 &@2.2.2.2# @3.3.3.3/'), []))).toBe('credentials')
})

test.each([
  ['example.com', 'https://example.com/', false],
  ['  EXAMPLE.com ', 'https://example.com/', false],
  ['example.com/path?q=1#part', 'https://example.com/path?q=1', false],
  ['//example.com/a', 'https://example.com/a', false],
  ['example.com:443', 'https://example.com/', false],
  ['example.com:80/a', 'https://example.com:80/a', false],
  ['example.com.', 'https://example.com/', false],
  ['www.exämple.de', 'https://www.xn--exmple-cua.de/', false],
  ['HTTP://Example.com', 'http://example.com/', true],
  ['https://example.com./a', 'https://example.com/a', true],
  ['http://example.com:443/', 'http://example.com:443/', true],
  ['https://1.1.1.1/', 'https://1.1.1.1/', true],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/', true],
  ['http://example.com/a?to=http://127.0.0.1/', 'http://example.com/a?to=http://127.0.0.1/', true],
])('%j is read as %s', (text, href, hasScheme) => {
  const target = parseTarget(text, [])

  expect({ href: target.url.href, hasScheme: target.hasScheme }).toEqual({ href, hasScheme })
})

test('a name that looks like another one is accepted and shown in its ASCII form', () => {
  expect(parseTarget('аpple.com', []).url.hostname).toBe('xn--pple-43d.com')
})

test('the address of a redirect may be longer than what users write, up to a limit', () => {
  expect(reasonOf(() => checkTarget(new URL(`https://example.com/${'a'.repeat(5_000)}`), []))).toBe('taken')
  expect(reasonOf(() => checkTarget(new URL(`https://example.com/${'a'.repeat(9_000)}`), []))).toBe(
    'malformed',
  )
})

test('a private target without a name is reached only by its address and port', () => {
  const allowed = parsePrivateTargets('127.0.0.1:9000, [0:0::1]:9001')

  expect(parseTarget('http://127.1:9000/a', allowed).url.href).toBe('http://127.0.0.1:9000/a')
  expect(parseTarget('http://[::1]:9001/', allowed).url.href).toBe('http://[::1]:9001/')
  expect(reasonOf(() => parseTarget('http://127.0.0.1:9001/', allowed))).toBe('private')
  expect(reasonOf(() => parseTarget('http://127.0.0.1/', allowed))).toBe('private')
  expect(reasonOf(() => parseTarget('http://localhost:9000/', allowed))).toBe('host')
})

test('a private target with a name is reached by that name, on each port or on the one that it names', () => {
  const allowed = parsePrivateTargets(
    'Shop.Example=127.0.0.1:9000,box.test:443=127.0.0.1:9443,localhost=[::1]:1',
  )

  expect(allowed).toEqual([
    { name: 'shop.example', address: '127.0.0.1', port: 9000 },
    { name: 'box.test', namePort: 443, address: '127.0.0.1', port: 9443 },
    { name: 'localhost', address: '::1', port: 1 },
  ])
  expect(reasonOf(() => parseTarget('shop.example', allowed))).toBe('taken')
  expect(reasonOf(() => parseTarget('http://shop.example:8080', allowed))).toBe('taken')
  expect(reasonOf(() => parseTarget('localhost', allowed))).toBe('taken')
  expect(reasonOf(() => parseTarget('https://box.test', allowed))).toBe('taken')
  expect(reasonOf(() => parseTarget('http://box.test', allowed))).toBe('host')
  expect(reasonOf(() => parseTarget('http://127.0.0.1:9000', allowed))).toBe('private')
})

test.each([
  '127.0.0.1',
  '127.0.0.1:0',
  '127.0.0.1:70000',
  'shop.example:80',
  'a=b=127.0.0.1:1',
  'a b=127.0.0.1:1',
])('the private target %j is refused, and the message names it', (part) => {
  expect(() => parsePrivateTargets(`127.0.0.1:9000,${part}`)).toThrow(`"${part}"`)
})

test('an empty list of private targets is read as none', () => {
  expect(parsePrivateTargets(' , ')).toEqual([])
})

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:168.63.129.16',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '127.1',
  '0x7f.1',
  '8.8.8.8 ',
  'example.com',
  '',
])('%j is not a public address', (ip) => {
  expect(isPublicAddress(ip)).toBe(false)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '168.63.129.15',
  '172.32.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
])('%s is a public address', (ip) => {
  expect(isPublicAddress(ip)).toBe(true)
})
