import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  askRoom,
  type Claim,
  type ClaimLimits,
  type ClaimResult,
  claim,
} from '../../../src/doors/ledger/claim.ts'
import { markServed, markSettled } from '../../../src/doors/ledger/grouped-moves.ts'
import { type Held, markFailed, release } from '../../../src/doors/ledger/payments.ts'
import { forgetPayers } from '../../../src/doors/ledger/unpaid/payers.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import {
  hex,
  leaseMs,
  newPayment,
  type Opened,
  openFolder,
  openServer,
  limits as unlimited,
} from '../../support/stores/ledger.ts'

/** How much work a payer gets before its money has moved: by what it has settled, and all new payers together. */

const reply = { status: 200, headers: {}, body: new Uint8Array(8) }
const price = 300_000n
/** One call of at most 0.70 USDC for a new payer, and 2 USDC for all. */
const limits: ClaimLimits = {
  ...unlimited,
  credit: { newPayerCalls: 1, newPayerAmount: 700_000n, maxUnsettled: 2_000_000n },
}
/** For tests of one payer, whom the sum over all payers must not hold up. */
const alone: ClaimLimits = { ...limits, credit: { ...limits.credit, maxUnsettled: 2n ** 62n } }

const timingOf = (claimed: ClaimResult) => (claimed.kind === 'claimed' ? claimed.timing : claimed.kind)

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('credit in %s', (_driver, open) => {
  let opened: Opened
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
  let books: Books
  let others: Books

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
    others = { queries: opened.other.queries, clock }
  })
  afterAll(() => opened.close())

  const asset = hex(20)
  const wallet = () => {
    const payer = hex(20)
    return {
      exact: (change: Partial<Claim> = {}) => newPayment({ payer, asset, amount: price, ...change }),
      upto: (change: Partial<Claim> = {}) =>
        newPayment({
          payer,
          asset,
          amount: price,
          scheme: 'upto',
          timing: 'metered',
          facilitator: hex(20),
          ...change,
        }),
    }
  }
  const timing = async (payment: Claim, on = alone) => timingOf(await claim(books, payment, on))

  async function held(payment: Claim, on = alone): Promise<Held> {
    const claimed = await claim(books, payment, on)
    if (claimed.kind !== 'claimed') throw new Error(`a payment could not be claimed: ${claimed.kind}`)
    return claimed.held
  }
  async function settle(payment: Held): Promise<void> {
    const block = { number: 7n, hash: hex(32) }
    await markServed(books, payment, reply, leaseMs)
    await markSettled(books, payment, { transaction: hex(32), block, at: new Date(clock.time) })
    clock.time += 1
  }
  async function fail(payment: Held): Promise<void> {
    await markServed(books, payment, reply, leaseMs)
    await markFailed(books, payment, 'because')
    clock.time += 1
  }
  const pass = (ms: number) => {
    clock.time += ms
  }

  test('of twenty calls of a fresh wallet at once, one runs before its money has moved, and the others are charged first', async () => {
    const { exact } = wallet()
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => claim(n % 2 ? books : others, exact(), alone)),
    )
    expect(claims.map(timingOf).sort()).toEqual(['after', ...Array(19).fill('before')])
  })

  test('of twenty metered calls of a fresh wallet at once, one runs, and the others wait for it', async () => {
    const { upto } = wallet()
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => claim(n % 2 ? books : others, upto(), alone)),
    )
    expect(claims.map(timingOf).sort()).toEqual(['metered', ...Array(19).fill('waiting')])
  })

  describe('the answer to a question for room', () => {
    const ask = (payment: Claim, funds?: bigint, isContract = false, on = alone) => {
      const { balance, balanceBlock, handlerLeaseMs, settleLeaseMs, ...payers } = on
      const seen = funds === undefined ? undefined : { balance: funds, block: 5n }
      return askRoom(books, payment, { ...payers, funds: seen, isContract })
    }

    test('says how many such calls could be claimed, and claims none', async () => {
      const { exact, upto } = wallet()
      expect(await ask(upto())).toEqual({ kind: 'free', calls: 1 })
      expect(await ask(exact())).toEqual({ kind: 'free', calls: alone.maxInFlight })
      expect(await ask(exact(), 5n * price - 1n)).toEqual({ kind: 'free', calls: 4 })
      expect(await timing(upto())).toBe('metered')
    })

    test('is what a claim would be told, while the payer’s other calls are open and after they have failed', async () => {
      const { exact, upto } = wallet()
      const open = await held(upto())
      expect(await ask(upto())).toEqual({ kind: 'waiting' })
      expect(await ask(exact(), price)).toEqual({ kind: 'overdrawn' })
      expect(await ask(exact(), 2n * price)).toEqual({ kind: 'free', calls: 1 })
      expect(await ask(exact(), 2n * price, false, { ...alone, maxInFlight: 1 })).toEqual({ kind: 'busy' })
      await markServed(books, open, reply, leaseMs)
      expect(await ask(exact(), price)).toEqual({ kind: 'moving' })
      await markFailed(books, open, 'because')
      expect(await ask(upto())).toEqual({ kind: 'uncredited' })
    })

    test('grows with what the payer has settled', async () => {
      const { exact, upto } = wallet()
      for (let n = 0; n < 4; n += 1) await settle(await held(exact(), unlimited))
      // Half of 1.20 USDC.
      expect(await ask(upto())).toEqual({ kind: 'free', calls: 2 })
    })

    test('keeps a wallet contract waiting while as many of its payments are on their way as have settled', async () => {
      const { exact } = wallet()
      const first = await held(exact())
      expect(await ask(exact(), undefined, true)).toEqual({ kind: 'free', calls: 1 })
      await markServed(books, first, reply, leaseMs)
      expect(await ask(exact(), undefined, true)).toEqual({ kind: 'queued' })
      const mined = { transaction: hex(32), block: { number: 7n, hash: hex(32) }, at: new Date(clock.time) }
      await markSettled(books, first, mined)
      expect(await ask(exact(), undefined, true)).toEqual({ kind: 'free', calls: 1 })
    })
  })

  test('a call that costs more than a new payer may leave unsettled is charged first; a metered one is refused', async () => {
    const amount = 700_001n
    const { exact, upto } = wallet()
    expect(await timing(exact({ amount, authorized: amount }))).toBe('before')
    expect(await timing(upto({ amount, authorized: amount }))).toBe('uncredited')
  })

  test('half of what a wallet has settled may be unsettled besides the amount of a new payer, one call for each payment', async () => {
    const { exact } = wallet()
    for (let n = 0; n < 4; n++) await settle(await held(exact()))
    // 1.20 settled: 0.60 is earned, and 0.70 is lent. A fifth call would be 1.50.
    const timings: string[] = []
    for (let n = 0; n < 5; n++) timings.push(await timing(exact()))
    expect(timings).toEqual(['after', 'after', 'after', 'after', 'before'])
  })

  test('many small payments earn calls, and no more money than they were worth', async () => {
    const { exact, upto } = wallet()
    for (let n = 0; n < 10; n++) await settle(await held(exact({ amount: 10n, authorized: 10n })))
    expect(await timing(upto())).toBe('metered')
    expect(await timing(upto())).toBe('metered')
    expect(await timing(upto())).toBe('waiting')
    expect(await timing(exact())).toBe('before')
  })

  test('a wallet that failed to pay is charged first until it has settled what it lost, and its history before counts no more', async () => {
    const { exact, upto } = wallet()
    for (let n = 0; n < 6; n++) await settle(await held(exact()))
    const [one, other] = [await held(exact()), await held(exact())]
    await fail(one)
    await fail(other)
    expect(await timing(upto())).toBe('uncredited')
    const first = await claim(books, exact(), alone)
    expect(timingOf(first)).toBe('before')
    if (first.kind === 'claimed') await settle(first.held)
    // It has lost two prices and settled one.
    expect(await timing(upto())).toBe('uncredited')
    const second = await claim(books, exact(), alone)
    expect(timingOf(second)).toBe('before')
    if (second.kind === 'claimed') await settle(second.held)
    expect(await timing(exact())).toBe('after')
  })

  test('a failed payment keeps its payer from credit when its row is deleted', async () => {
    const { exact } = wallet()
    const payment = await held(exact())
    await fail(payment)
    await books.queries.deleteFrom('payments').where('id', '=', payment.id).execute()
    expect(await timing(exact())).toBe('before')
    pass(29 * 86_400_000)
    await forgetPayers(books)
    expect(await timing(exact())).toBe('before')
    pass(2 * 86_400_000)
    await forgetPayers(books)
    expect(await timing(exact())).toBe('after')
  })

  test('a fresh wallet whose caller left gets no second run before it has paid; a wallet that has settled more calls than it left keeps its credit', async () => {
    const fresh = wallet()
    const left = fresh.exact()
    await release(books, await held(left), 'caller_left')
    expect(await timing(left)).toBe('before')
    expect(await timing(fresh.exact())).toBe('before')

    const known = wallet()
    for (let n = 0; n < 4; n++) await settle(await held(known.exact()))
    await release(books, await held(known.exact()), 'caller_left')
    const timings: string[] = []
    for (let n = 0; n < 5; n++) timings.push(await timing(known.exact()))
    expect(timings).toEqual(['after', 'after', 'after', 'after', 'before'])
  })

  test('a payment that was given back earns nothing', async () => {
    const { exact } = wallet()
    const payment = await held(exact())
    await settle(payment)
    await books.queries
      .updateTable('payments')
      .set({ state: 'refunded' })
      .where('id', '=', payment.id)
      .execute()
    await held(exact())
    expect(await timing(exact())).toBe('before')
  })

  test('with NEW_PAYER_CALLS of 0, and with settle: before_for_new_payers, a new payer is charged first, and one that has settled is not', async () => {
    const none = { ...alone, credit: { ...alone.credit, newPayerCalls: 0 } }
    for (const on of [none, { ...alone, newPayerFirst: true }]) {
      const { exact, upto } = wallet()
      expect(await timing(upto(), on)).toBe('uncredited')
      await settle(await held(exact(), on))
      expect(await timing(exact(), on)).toBe('after')
    }
  })

  test('two gateways that race a hundred fresh wallets never lend more than MAX_UNSETTLED_USDC in sum', async () => {
    pass(3_600_000)
    const wallets = Array.from({ length: 100 }, wallet)
    const claims = await Promise.all(
      wallets.map(({ exact, upto }, n) => claim(n % 3 ? books : others, n % 2 ? exact() : upto(), limits)),
    )
    const kinds = Map.groupBy(claims.map(timingOf), (kind) => kind)
    // Six prices of 0.30 are 1.80 of 2.00.
    expect((kinds.get('after')?.length ?? 0) + (kinds.get('metered')?.length ?? 0)).toBe(6)
    expect((kinds.get('before')?.length ?? 0) + (kinds.get('uncredited')?.length ?? 0)).toBe(94)
    pass(leaseMs + 1)
  })

  test('what was lost counts against the sum for a minute, also when the failed payments are sent again', async () => {
    pass(3_600_000)
    const lost = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const payment = wallet().exact()
        await fail(await held(payment, limits))
        return payment
      }),
    )
    expect(await timing(wallet().upto(), limits)).toBe('uncredited')
    for (const payment of lost) expect(await timing(payment, limits)).toBe('before')
    expect(await timing(wallet().exact(), limits)).toBe('before')
    pass(59_000)
    expect(await timing(wallet().exact(), limits)).toBe('before')
    pass(1_000)
    expect(await timing(wallet().exact(), limits)).toBe('after')
  })

  test('runs whose caller left count against the sum for a minute', async () => {
    pass(3_600_000)
    for (let n = 0; n < 6; n++) await release(books, await held(wallet().exact(), limits), 'caller_left')
    expect(await timing(wallet().exact(), limits)).toBe('before')
    pass(60_001)
    expect(await timing(wallet().exact(), limits)).toBe('after')
  })

  test('a wallet with history is served on what it earned while new payers have used up the sum', async () => {
    pass(3_600_000)
    const known = wallet()
    for (let n = 0; n < 8; n++) await settle(await held(known.exact()))
    for (let n = 0; n < 6; n++) await held(wallet().upto(), limits)
    const timings: string[] = []
    for (let n = 0; n < 5; n++) timings.push(await timing(known.exact(), limits))
    expect(timings).toEqual(['after', 'after', 'after', 'after', 'before'])
  })
})
