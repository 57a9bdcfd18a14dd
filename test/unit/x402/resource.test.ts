import { describe, expect, test } from 'vitest'
import { json } from '../../../src/core/reply.ts'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import { createReceipts } from '../../../src/doors/x402/wire/receipt.ts'
import { resourceUrl } from '../../../src/doors/x402/wire/resource.ts'
import {
  analyze,
  baseUrl,
  network,
  offer,
  offerOf,
  operation,
  receiptOf,
  required,
  settled,
  signer,
} from '../../support/chain/signed-offers.ts'

/** The address that a 402, its offers and the receipt name: the base with the path and query asked for. */

const file = { ...analyze, path: '/far/files/{name}' }
const addressOf = (target: string, endpoint: typeof analyze = file) =>
  resourceUrl(baseUrl, { endpoint, target })

describe('the resource of a 402', () => {
  test.each([
    ['/far/files/report', 'the path with its parameter'],
    ['/far/files/report?page=2&page=3', 'the query'],
    ['/far/files/a%20b%2Fc?q=%C3%BC%3A+x', 'escapes as received'],
    ['/far/files/r?filter={a:[1]}|b', 'characters that fetch sends unescaped'],
    ['/far/files/r?', 'a query without text'],
  ])('for %s has %s', (target) => {
    expect(addressOf(target)).toBe(`${baseUrl}${target}`)
    // A client compares it with the address that fetch reports.
    expect(new Request(`${baseUrl}${target}`).url).toBe(`${baseUrl}${target}`)
  })

  test('has characters that no URL may hold in escaped form, and no fragment', () => {
    expect(addressOf('/far/files/r?q="<b>\'#part')).toBe(`${baseUrl}/far/files/r?q=%22%3Cb%3E%27`)
  })

  test('has the host name of an upstream that is not served under the base', () => {
    const upstream = { name: 'far', host: 'far.example', maxRequestBytes: 1 }
    expect(addressOf('/files/r?a=1', { ...file, upstream })).toBe('https://far.example/files/r?a=1')
  })

  test.each([
    ['http://evil.example/far/files/r', 'the host in an absolute target'],
    ['/far/files/..', 'a parameter that a URL parser reads as a step up'],
    ['/far/files/%2E%2e', 'the same, escaped'],
    ['/far/files/a\\b', 'a backslash, which a URL parser reads as a slash'],
    [`/far/files/r?q=${'x'.repeat(500)}`, 'a query that makes the address longer than 512 characters'],
    [`/far/files/r?q=${'"'.repeat(200)}`, 'a query that its escapes make longer'],
  ])('for %s is the route, without %s', (target) => {
    expect(addressOf(target)).toBe(`${baseUrl}/far/files/{name}`)
  })
})

test('the 402 for v2 and v1, its signed offer and the receipt name the address that was called', () => {
  const call = { endpoint: file, target: '/far/files/report?page=2' }
  const address = `${baseUrl}${call.target}`
  const challenge = new Challenges(offer, baseUrl, { signer }).unpaid(call, operation)
  expect(required(challenge).resource.url).toBe(address)
  expect(JSON.parse(Buffer.from(challenge.body).toString())).toMatchObject({
    accepts: [{ resource: address }],
  })
  expect(offerOf(challenge).payload.resourceUrl).toBe(address)
  const receipts = createReceipts({ network, paymentsBaseUrl: baseUrl, signer })
  expect(receiptOf(receipts.attach(json(200, {}), { ...settled, call })).payload.resourceUrl).toBe(address)
})

test('a gateway keeps at most 8 MB of 402s, however many addresses callers ask for', () => {
  const challenges = new Challenges(offer, baseUrl)
  const ask = (n: number) => challenges.unpaid({ endpoint: file, target: `/far/files/${n}` }, operation)
  const first = ask(0)
  const { length } = first.headers['payment-required'] ?? ''
  expect(ask(0)).toBe(first)
  for (let n = 1; n <= 8_000_000 / length; n++) ask(n)
  expect(ask(0)).not.toBe(first)
})

test('a 402 for the longest address is at most 2 KB longer than one for a short address', () => {
  const challenges = new Challenges(offer, baseUrl, { signer })
  const sizeOf = (target: string) => {
    const { headers, body } = challenges.unpaid({ endpoint: file, target }, operation)
    return (headers['payment-required'] ?? '').length + body.byteLength
  }
  const short = sizeOf('/far/files/r')
  const sizes = [400, 450, 480, 500, 5_000].map((length) => sizeOf(`/far/files/r?q=${'x'.repeat(length)}`))
  expect(Math.max(...sizes) - short).toBeLessThan(2_000)
})
