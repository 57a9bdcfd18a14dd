import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { costOf } from '../../../src/core/catalog/metering.ts'
import type { Meter } from '../../../src/core/catalog/prices.ts'
import { countHere } from '../../support/servers/count-here.ts'

/** How bytes, seconds and items are counted, and what a faulty reply costs. */

const none = { body: undefined, contentType: undefined }
const ok = { status: 200, headers: { 'content-type': ['application/json'] } }

test('bytes count as sent to the upstream and as delivered to the caller', () => {
  const counting = countHere({ per: 'bytes', units: 1, output: '0.01', max: '1' }, none)
  counting.countSent(Buffer.alloc(100, 65))
  counting.countSent(Buffer.alloc(23, 65))
  const reply = counting.countReply(ok)
  const chunk = Buffer.from('0123456789')
  expect(reply.push(chunk)).toBe(chunk)
  expect(reply.usage(4)).toEqual({ input: 123, output: 4, isEstimate: false })
})

describe('seconds', () => {
  const perSecond: Meter = { per: 'seconds', units: 1, output: '0.01', max: '1' }

  test('count from sending the request to the end of the reply, rounded up', () => {
    let nowMs = 5_000
    const reply = countHere(perSecond, none, () => nowMs).countReply(ok)
    nowMs = 7_001
    expect(reply.usage(0).output).toBe(3)
    nowMs = 8_000
    reply.end()
    nowMs = 90_000
    expect(reply.usage(10)).toEqual({ input: 0, output: 3, isEstimate: false })
  })

  test('count one at least', () => {
    expect(
      countHere(perSecond, none, () => 5_000)
        .countReply(ok)
        .usage(0).output,
    ).toBe(1)
  })
})

describe('items', () => {
  const perItem: Meter = {
    per: 'items',
    units: 1,
    base: '0.10',
    output: '0.03',
    max: '1',
    items: '$.data[*]',
  }
  const data = (count: number) =>
    JSON.stringify({ data: Array.from({ length: count }, (_, id) => ({ id, text: 'a "}], b' })) })

  function usage(
    body: string | Uint8Array,
    { delivered, encoding, isCut = false }: { delivered?: number; encoding?: string; isCut?: boolean } = {},
  ) {
    const headers = { ...ok.headers, ...(encoding !== undefined && { 'content-encoding': [encoding] }) }
    const reply = countHere(perItem, none).countReply({ status: 200, headers })
    const bytes = Buffer.from(body)
    const passed = reply.push(bytes.subarray(0, 7)).length + reply.push(bytes.subarray(7)).length
    if (!isCut) reply.end()
    return reply.usage(delivered ?? passed)
  }

  test.each([0, 1, 40])('are the %i values that the path selects', (count) => {
    expect(usage(data(count))).toEqual({ input: 0, output: count, isEstimate: false })
    expect(usage(gzipSync(data(count)), { encoding: 'gzip' })).toEqual({
      input: 0,
      output: count,
      isEstimate: false,
    })
  })

  test('of a reply that was cut count as far as they came, with the one it was cut in', () => {
    const text = data(40)
    const seen = Array.from(
      { length: text.length },
      (_, at) => usage(text.slice(0, at), { isCut: true }).output,
    )
    for (const [at, output] of seen.entries()) {
      const begun = text.slice(0, at).split('{"id"').length - 1
      const open = text[at - 1] === '{' && at > 10 ? 1 : 0
      expect([begun, begun + 1]).toContain(output)
      expect(output).toBeGreaterThanOrEqual(begun + open)
    }
    expect(seen.at(-1)).toBe(40)
    const half = usage(text, { delivered: Math.floor(text.length / 2) })
    expect(half.isEstimate).toBe(true)
    expect(half.output).toBeGreaterThan(18)
    expect(half.output).toBeLessThan(22)
  })

  test.each<[string, string | Uint8Array, string | undefined]>([
    ['no JSON', 'id,text\n1,a\n', undefined],
    ['bad gzip', 'no gzip', 'gzip'],
    [
      'nested deeper than a path can follow',
      `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      undefined,
    ],
  ])('of a reply that is %s cost the maximum, unless the path still counts them', (label, body, encoding) => {
    const counted = usage(body, { ...(encoding !== undefined && { encoding }) })
    // This path takes one step, so the depth does not matter.
    if (label.startsWith('nested')) expect(counted.output).toBe(1)
    else expect(costOf(perItem, counted).amount).toBe(1_000_000n)
  })

  test('of a reply without a body are none', () => {
    expect(usage('', { delivered: 0 })).toEqual({ input: 0, output: 0, isEstimate: false })
  })

  test('beyond the first two megabytes of a reply are estimated in proportion', () => {
    const text = JSON.stringify({ data: Array.from({ length: 1_500 }, () => 'x'.repeat(10_000)) })
    const { output, isEstimate } = usage(text)
    expect(isEstimate).toBe(true)
    expect(output).toBeGreaterThanOrEqual(1_490)
    expect(output).toBeLessThanOrEqual(1_510)
  })
})
