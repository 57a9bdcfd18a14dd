import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endTurn, listTurns, nextTurnAt, takeTurn } from '../../../src/doors/ledger/settling/listing-turns.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { chainId, type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'

/** Which payment goes through the facilitator that lists an operation, over both drivers. */

const start = Date.parse('2026-03-01T12:00:00Z')
const hour = 3_600_000
const day = 24 * hour

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('%s:', (_driver, open) => {
  let opened: Opened
  let now = start
  let one: Books
  let other: Books

  beforeAll(async () => {
    opened = await open()
    const clock = { now: () => now }
    one = { queries: opened.one.queries, clock }
    other = { queries: opened.other.queries, clock }
  })
  afterAll(() => opened.close())

  const keyOf = (operation: string) =>
    ({ chainId, operation, transport: 'http', facilitator: 'https://lists.example' }) as const

  test('of forty payments at two gateways one takes the turn, and after it is settled none does for its interval', async () => {
    const key = keyOf('raced')
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, index) => takeTurn(index % 2 ? one : other, key, `p${index}`, 14)),
    )
    const turns = taken.filter((turn) => turn !== undefined)
    expect(turns).toHaveLength(1)
    const [turn] = turns
    if (!turn) throw new Error('no payment took the turn')
    const extensionResponses = { bazaar: { status: 'success' } }
    await endTurn(one, turn, { outcome: 'settled', reason: null, extensionResponses })

    now += 14 * day - 1
    expect(await takeTurn(other, key, 'early', 14)).toBeUndefined()
    const row = (await listTurns(one, chainId)).find(({ operation }) => operation === 'raced')
    expect(row).toMatchObject({ outcome: 'settled', extensionResponses, turn: 1 })
    expect(row && nextTurnAt(row, 14).getTime()).toBe(now + 1)
    now += 1
    expect(await takeTurn(other, key, 'due', 14)).toMatchObject({ turn: 2 })
  })

  test('a turn that fails, or whose gateway dies, comes again after an hour, and its late worker changes nothing', async () => {
    const key = keyOf('failing')
    const failed = await takeTurn(one, key, 'first', 14)
    if (!failed) throw new Error('no turn')
    await endTurn(one, failed, { outcome: 'refused', reason: 'computer_says_no', extensionResponses: null })
    now += hour - 1
    expect(await takeTurn(other, key, 'second', 14)).toBeUndefined()
    now += 1
    // Its gateway dies without a word.
    const dead = await takeTurn(other, key, 'third', 14)
    if (!dead) throw new Error('no turn')
    now += hour
    expect(await takeTurn(one, key, 'fourth', 14)).toMatchObject({ turn: 3 })
    await endTurn(other, dead, { outcome: 'settled', reason: null, extensionResponses: null })
    const row = (await listTurns(one, chainId)).find(({ operation }) => operation === 'failing')
    expect(row).toMatchObject({ paymentId: 'fourth', outcome: 'begun', settledAt: null })
  })
})
