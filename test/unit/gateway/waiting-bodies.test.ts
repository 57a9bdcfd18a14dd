import { beforeEach, describe, expect, test } from 'vitest'
import { GatewayError } from '../../../src/core/errors.ts'
import { createLog } from '../../../src/core/log.ts'
import { createWaitingBodies, type WaitingBodies } from '../../../src/gateway/bodies/waiting-bodies.ts'

/** The memory of request bodies that wait for a door to open: 40 MB, so 10 MB for one address or payer. */

const megabyte = 1_000_000
let bodies: WaitingBodies
const lines: string[] = []

beforeEach(() => {
  lines.length = 0
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  bodies = createWaitingBodies(40 * megabyte, log)
})

const roomAt = (address: string) => bodies.openRoom(() => address)
/** A room of an address of its own. */
const roomOf = (n: number) => roomAt(`192.0.2.${n}`)

function refusalOf(work: () => void): [string, unknown] | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof GatewayError) return [error.code, error.headers['retry-after']]
    throw error
  }
  return undefined
}

test('bodies of one address are refused beyond its quarter, and those of other addresses are taken', () => {
  for (let n = 0; n < 100; n += 1) roomAt('192.0.2.1').arrive(100_000)
  expect(refusalOf(() => roomAt('192.0.2.1').arrive(1))).toEqual(['TOO_MANY_UPLOADS', '5'])
  expect(refusalOf(() => roomAt('192.0.2.2').arrive(100_000))).toBeUndefined()
  expect(bodies.heldBytes()).toBe(10_100_000)
})

test('all bodies together stay within the memory, whatever addresses they come from', () => {
  for (let n = 0; n < 1_000; n += 1) {
    try {
      roomOf(n).arrive(100_000)
    } catch {
      // Counted below.
    }
  }
  expect(bodies.heldBytes()).toBe(40 * megabyte)
})

test('a full memory is one line in the log, however many bodies it refuses', () => {
  for (let n = 0; n < 40; n += 1) roomOf(n).arrive(megabyte)
  for (let n = 0; n < 50; n += 1) {
    expect(refusalOf(() => roomOf(100 + n).arrive(1))).toEqual(['UPLOADS_UNAVAILABLE', '5'])
  }
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('MAX_WAITING_BODIES_MB')
})

test('a call gives all its room back when it leaves, and takes none afterwards', () => {
  const room = roomAt('192.0.2.1')
  room.arrive(5 * megabyte)
  room.leave()
  room.leave()
  room.arrive(megabyte)
  expect(bodies.heldBytes()).toBe(0)
  expect(refusalOf(() => roomAt('192.0.2.1').arrive(10 * megabyte))).toBeUndefined()
})

test('an announced body that never arrives takes no room, unless its payment was verified', () => {
  const small = roomAt('192.0.2.1')
  small.expect(100_000)
  expect(bodies.heldBytes()).toBe(0)
  const upload = roomAt('192.0.2.1')
  upload.becomeUpload('0xpayer')
  upload.expect(4 * megabyte)
  upload.arrive(megabyte)
  expect(bodies.heldBytes()).toBe(4 * megabyte)
})

describe('an upload', () => {
  const upload = (n: number, payer: string | undefined, bytes: number) => {
    const room = roomOf(n)
    room.becomeUpload(payer)
    return refusalOf(() => room.expect(bytes))
  }

  test('is refused when its payer has a quarter of the memory, from whatever address it comes', () => {
    expect([1, 2].map((n) => upload(n, '0xpayer', 5 * megabyte))).toEqual([undefined, undefined])
    expect(upload(3, '0xpayer', 1)).toEqual(['TOO_MANY_UPLOADS', '5'])
    expect(upload(4, '0xother', 5 * megabyte)).toBeUndefined()
  })

  test('leaves a quarter of the memory to small bodies', () => {
    expect([1, 2, 3].map((n) => upload(n, `0x${n}`, 10 * megabyte))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(upload(4, '0x4', 1)).toEqual(['UPLOADS_UNAVAILABLE', '5'])
    expect(refusalOf(() => roomOf(5).arrive(100_000))).toBeUndefined()
  })

  test('beside a payment that is in the books takes no room from its payer: its signature may be public', () => {
    expect(upload(1, undefined, 10 * megabyte)).toBeUndefined()
    expect(upload(2, undefined, 1)).toEqual(['UPLOADS_UNAVAILABLE', '5'])
    expect(upload(3, '0xpayer', 10 * megabyte)).toBeUndefined()
  })

  test('of unknown length counts as it arrives', () => {
    const room = roomOf(1)
    room.becomeUpload('0xpayer')
    for (let n = 0; n < 10; n += 1) room.arrive(megabyte)
    expect(bodies.heldBytes()).toBe(10 * megabyte)
    expect(refusalOf(() => room.arrive(1))?.[0]).toBe('TOO_MANY_UPLOADS')
  })
})
