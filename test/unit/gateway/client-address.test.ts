import { describe, expect, test } from 'vitest'
import { clientOf } from '../../../src/gateway/client-address.ts'
import { readSettings } from '../../../src/platform/config/config.ts'

describe('an IPv4 address counts as one client, however it is written:', () => {
  test.each([
    ['as IPv4', '192.0.2.7'],
    ['mapped to IPv6', '::ffff:192.0.2.7'],
    ['mapped to IPv6 in capital letters', '::FFFF:192.0.2.7'],
    ['mapped to IPv6 in hexadecimal', '::ffff:c000:207'],
    ['mapped to IPv6 in full length', '0:0:0:0:0:ffff:c000:0207'],
    ['with a zone', '::ffff:192.0.2.7%eth0'],
    ['with a port that a proxy has added', '192.0.2.7:443'],
  ])('%s', (_label, address) => {
    expect(clientOf(address)).toBe('192.0.2.7')
  })

  test('and the next address counts as another client', () => {
    expect(clientOf('192.0.2.8')).toBe('192.0.2.8')
    expect(clientOf('::ffff:192.0.2.8')).toBe('192.0.2.8')
  })
})

describe('an IPv6 network of 64 bits counts as one client:', () => {
  test.each([
    ['its first address', '2001:db8:1:2::'],
    ['its last address', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['an address in full length', '2001:0db8:0001:0002:0000:0000:0000:0001'],
    ['an address in capital letters', '2001:DB8:1:2::A'],
    ['an address that ends in IPv4 notation', '2001:db8:1:2::192.0.2.7'],
    ['an address with a zone', '2001:db8:1:2::1%eth0'],
    ['an address with a port that a proxy has added', '[2001:db8:1:2::1]:443'],
  ])('%s', (_label, address) => {
    expect(clientOf(address)).toBe('2001:db8:1:2::/64')
  })

  test.each([
    ['the network before it', '2001:db8:1:1:ffff:ffff:ffff:ffff', '2001:db8:1:1::/64'],
    ['the network after it', '2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['the loopback network', '::1', '::/64'],
    ['the link-local network', 'fe80::1ff:fe23:4567:890a%eth0', 'fe80::/64'],
  ])('and %s counts as another client', (_label, address, client) => {
    expect(clientOf(address)).toBe(client)
  })
})

test.each([
  '',
  ' ',
  'unknown',
  '_hidden',
  '192.0.2',
  '192.0.2.7.1',
  '192.0.2.256',
  '192.0.2.07',
  '0xc0.0.2.7',
  '3221225991',
  '127.1',
  '192.0.2.7:',
  '192.0.2.7:443443',
  '[2001:db8::1]',
  '2001:db8::1::',
  '2001:db8::12345',
  '1:2:3:4:5:6:7:8:9',
  '%eth0',
  '192.0.2.7, 192.0.2.8',
  ' 192.0.2.7',
  '192.0.2.7\n',
  'client:192.0.2.7',
])('text that is no address counts as the client `unknown`: %j', (text) => {
  expect(clientOf(text)).toBe('unknown')
})

describe('TRUST_PROXY', () => {
  const trusted = (setting: string) => readSettings({ TRUST_PROXY: setting }, () => false).config.trustProxy

  test('is a number of proxies, or a list of their addresses and networks', () => {
    expect(trusted('2')).toBe(2)
    expect(trusted('')).toBe(false)
    const places = ['loopback', '192.0.2.1', '2001:db8::1', '10.0.0.0/8', 'fd00::/8', '::ffff:10.0.0.0/104']
    expect(trusted(places.join(','))).toEqual(places)
  })

  // If all addresses were trusted, a caller could claim any address. A large number must not be read as
  // 0.0.0.x.
  test.each(['0', '11', '-1', '1.5', 'true', '127.1', '10/8', '0.0.0.0/0', '::/0', '10.0.0.0/8,0.0.0.0/0'])(
    'is refused when it is %s',
    (setting) => {
      expect(() => trusted(setting)).toThrow(/TRUST_PROXY/)
    },
  )
})
