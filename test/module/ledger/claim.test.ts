import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Claim, type ClaimLimits, type ClaimResult, claim } from '../../../src/doors/ledger/claim.ts'
import { findPayment, findPurchase } from '../../../src/doors/ledger/find-payment.ts'
import { markServed, markSettled } from '../../../src/doors/ledger/grouped-moves.ts'
import { type Held, markFailed, release } from '../../../src/doors/ledger/payments.ts'
import { endCollection } from '../../../src/doors/ledger/unpaid/collections.ts'
import { countRun, ownFailureMs, runningMs } from '../../../src/doors/ledger/unpaid/released-runs.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { type PaymentRow, paymentStates } from '../../../src/platform/store/rows/payments.ts'
import {
  chainId,
  hex,
  leaseMs,
  limits,
  newPayment,
  type Opened,
  openFolder,
  openServer,
} from '../../support/stores/ledger.ts'

const reply = { status: 200, headers: {}, body: new Uint8Array(8) }
const price = 250_000n
const isWon = (claimed: ClaimResult) => claimed.kind === 'claimed'
const expectClaimed = (claimed: ClaimResult, timing: PaymentRow['timing']) => {
  if (claimed.kind !== 'claimed' || claimed.timing !== timing) {
    throw new Error(`a payment was not claimed with the timing ${timing}: ${JSON.stringify(claimed)}`)
  }
  return claimed
}
const won = ({ id }: Claim, attempt: number): ClaimResult => ({
  kind: 'claimed',
  held: { id, attempt },
  timing: 'after',
  isRunCounted: false,
})

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('a claim in %s', (_driver, open) => {
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

  async function held(payment: Claim, on: ClaimLimits = limits): Promise<Held> {
    const claimed = await claim(books, payment, on)
    if (claimed.kind !== 'claimed') throw new Error(`a new payment could not be claimed: ${claimed.kind}`)
    return claimed.held
  }

  async function served(payment: Claim): Promise<Held> {
    const claimed = await held(payment)
    await markServed(books, claimed, reply, leaseMs)
    return claimed
  }

  const settleAt = (payment: Held, number: bigint) =>
    markSettled(books, payment, {
      transaction: hex(32),
      block: { number, hash: hex(32) },
      at: new Date(clock.time),
    })
  const stateOf = async (id: string) => (await findPayment(books, id))?.state
  const letLeaseEnd = () => {
    clock.time += leaseMs + 1
  }
  const kinds = (claims: readonly ClaimResult[]) => Map.groupBy(claims, ({ kind }) => kind)

  test('after failed runs a claim counts as one from its beginning; once they count too much, it is refused until they run off', async () => {
    const payer = hex(20)
    const maxFailedRuns = 3
    const next = () => claim(books, newPayment({ payer }), { ...limits, maxFailedRuns })
    expect(await next()).toMatchObject({ kind: 'claimed', isRunCounted: false })
    await countRun(books, { chainId, payer }, 2 * ownFailureMs, maxFailedRuns)
    expect(await next()).toMatchObject({ kind: 'claimed', isRunCounted: true })
    const refused = newPayment({ payer })
    expect(await claim(books, refused, { ...limits, maxFailedRuns })).toEqual({
      kind: 'failing',
      waitMs: runningMs,
    })
    expect(await findPayment(books, refused.id)).toBeUndefined()
    expect(await claim(books, refused, limits)).toMatchObject({ kind: 'claimed', isRunCounted: false })
    clock.time += runningMs
    expect(await next()).toMatchObject({ kind: 'claimed', isRunCounted: true })
  })

  test('of fifty claims of one payment at once, exactly one succeeds', async () => {
    const payment = newPayment()
    const claims = await Promise.all(
      Array.from({ length: 50 }, (_, n) => claim(n % 2 ? books : others, payment, limits)),
    )
    expect(claims.filter(isWon)).toEqual([won(payment, 1)])
  })

  test('of fifty claims of an abandoned payment at once, exactly one succeeds', async () => {
    const payment = newPayment()
    await held(payment)
    letLeaseEnd()
    const claims = await Promise.all(
      Array.from({ length: 50 }, (_, n) => claim(n % 2 ? books : others, payment, limits)),
    )
    expect(claims.filter(isWon)).toEqual([won(payment, 2)])
  })

  test('a claim stores the signed values digit for digit', async () => {
    const payment = newPayment()
    await held(payment)
    expect(await findPayment(books, payment.id)).toMatchObject({ ...payment, state: 'claimed' })
  })

  test('a claim after a release has a new attempt number, and the earlier worker moves nothing', async () => {
    const payment = newPayment()
    const first = await held(payment)
    expect(await release(books, first)).toBe(true)
    expect(await claim(others, payment, limits)).toEqual(won(payment, 2))

    expect(await markServed(books, first, reply, leaseMs)).toBe(false)
    expect(await release(books, first)).toBe(false)
    expect(await stateOf(payment.id)).toBe('claimed')
  })

  test('a claim after a release stores the newly signed values of the same nonce', async () => {
    const payment = newPayment()
    await release(books, await held(payment))
    const anew = newPayment({
      id: payment.id,
      chainId: payment.chainId,
      asset: payment.asset,
      payer: payment.payer,
      nonce: payment.nonce,
      amount: 1_000_000n,
      validAfter: '17',
      validBefore: '1900000000',
      version: 1,
      operation: 'writeBlog',
    })
    await claim(books, anew, limits)
    expect(await findPayment(books, payment.id)).toMatchObject(anew)
  })

  test('a claim ends at the millisecond at which its lease ends', async () => {
    const payment = newPayment()
    await held(payment)
    clock.time += leaseMs
    expect(await claim(books, payment, limits)).toEqual({ kind: 'taken' })
    clock.time += 1
    expect(await claim(books, payment, limits)).toEqual(won(payment, 2))
  })

  test.each(paymentStates.filter((state) => !['claimed', 'released', 'failed'].includes(state)))(
    'a payment in state %s cannot be claimed, whatever its age',
    async (state) => {
      const payment = newPayment()
      await held(payment)
      await books.queries.updateTable('payments').set({ state }).where('id', '=', payment.id).execute()
      clock.time += 365 * 86_400_000
      expect(await claim(books, payment, limits)).toEqual({ kind: 'taken' })
      expect(await stateOf(payment.id)).toBe(state)
    },
  )

  describe('of a payer with a limited balance', () => {
    const payments = (count: number, change: Partial<Claim> = {}) => {
      const asset = hex(20)
      const payer = hex(20)
      return Array.from({ length: count }, () => newPayment({ asset, payer, amount: price, ...change }))
    }
    const holding = (balance: bigint, balanceBlock = 10n) => ({ ...limits, balance, balanceBlock })

    test('of many claims at once over two gateways, exactly as many succeed as the balance covers', async () => {
      const wanted = payments(50)
      const claims = await Promise.all(
        wanted.map((payment, n) => claim(n % 2 ? books : others, payment, holding(price * 11n - 1n))),
      )
      expect(claims.filter(isWon)).toHaveLength(10)
      expect(kinds(claims).get('overdrawn')).toHaveLength(40)
    })

    test('a claim counts payments from blocks after the balance’s block, and no earlier ones', async () => {
      const [first, second, third, fourth] = payments(4)
      if (!first || !second || !third || !fourth) throw new Error('four payments were asked for')
      await settleAt(await served(first), 10n)
      await settleAt(await served(second), 11n)
      // At block 10 the first has left the balance, and the second has not.
      expect(await claim(books, third, holding(price * 2n - 1n))).toEqual({ kind: 'overdrawn' })
      expect(await claim(books, third, holding(price * 2n))).toEqual(won(third, 1))
      expect(await claim(books, fourth, holding(price * 2n - 1n, 11n))).toEqual({ kind: 'overdrawn' })
      expect(await claim(books, fourth, holding(price * 2n, 11n))).toEqual(won(fourth, 1))
    })

    test('a claim reports when only payments that are being settled need the balance', async () => {
      const [first, second] = payments(2)
      if (!first || !second) throw new Error('two payments were asked for')
      await served(first)
      expect(await claim(books, second, holding(price))).toEqual({ kind: 'moving' })
      expect(await claim(books, second, holding(price - 1n))).toEqual({ kind: 'overdrawn' })
    })

    test('a released, failed or abandoned payment frees its part of the balance', async () => {
      const [first, second, third, fourth] = payments(4)
      if (!first || !second || !third || !fourth) throw new Error('four payments were asked for')
      await release(books, await held(first, holding(price)))
      await held(second, holding(price))
      expect(await claim(books, third, holding(price))).toEqual({ kind: 'overdrawn' })
      letLeaseEnd()
      const failing = await held(third, holding(price))
      await markServed(books, failing, reply, leaseMs)
      expect(await claim(books, fourth, holding(price))).toEqual({ kind: 'moving' })
      await markFailed(books, failing, 'because')
      expect((await claim(books, fourth, holding(price))).kind).toBe('claimed')
    })

    test('payments of another payer, token or chain do not count', async () => {
      const [first, second] = payments(2)
      if (!first || !second) throw new Error('two payments were asked for')
      await held(first, holding(price))
      const elsewhere = [{ payer: hex(20) }, { asset: hex(20) }, { chainId: 8_453 }]
      for (const change of elsewhere) {
        const other = newPayment({ ...second, id: hex(32), ...change })
        expect(await claim(books, other, holding(price))).toEqual(won(other, 1))
      }
      expect(await claim(books, second, holding(price))).toEqual({ kind: 'overdrawn' })
    })

    test('a claim is refused while the payer has the maximum of open payments', async () => {
      const [first, second, third] = payments(3)
      if (!first || !second || !third) throw new Error('three payments were asked for')
      const two = { ...limits, maxInFlight: 2 }
      const claimed = await held(first, two)
      await held(second, two)
      expect(await claim(books, third, two)).toEqual({ kind: 'busy' })
      await release(books, claimed)
      expect(await claim(books, third, two)).toEqual(won(third, 1))
    })
  })

  describe('makes the money move first', () => {
    const strict = { ...limits, settleFirstAfter: 2 }

    test('a claim with settle: before records the intent to take the money immediately', async () => {
      const payment = newPayment({ timing: 'before' })
      expect(await claim(books, payment, limits)).toMatchObject({ kind: 'claimed', timing: 'before' })
      expect(await findPayment(books, payment.id)).toMatchObject({ state: 'settling', timing: 'before' })
    })

    test('after failed payments the money of a payer moves first for a day, whatever it settles meanwhile', async () => {
      const wallet = { payer: hex(20), asset: hex(20) }
      for (let n = 0; n < 2; n++) {
        const failing = newPayment(wallet)
        expect(await claim(books, failing, strict)).toMatchObject({ timing: 'after' })
        await markServed(books, { id: failing.id, attempt: 1 }, reply, leaseMs)
        await markFailed(books, { id: failing.id, attempt: 1 }, 'because')
        clock.time += 1
        const settling = newPayment({ ...wallet, amount: 2n * price })
        const { held: paid } = expectClaimed(await claim(books, settling, limits), 'before')
        await settleAt(paid, 5n)
      }
      expect(await claim(books, newPayment(wallet), strict)).toMatchObject({ timing: 'before' })
      expect(await claim(books, newPayment(), strict)).toMatchObject({ timing: 'after' })
      clock.time += 86_400_001
      expect(await claim(books, newPayment(wallet), strict)).toMatchObject({ timing: 'after' })
    })

    test('after three runs that served nothing the money of a payment moves first', async () => {
      const payment = newPayment()
      for (let attempt = 1; attempt <= 3; attempt++) {
        expect(await claim(books, payment, limits)).toEqual(won(payment, attempt))
        await release(books, { id: payment.id, attempt })
      }
      expect(await claim(books, payment, limits)).toMatchObject({ timing: 'before' })
    })
  })

  describe('under an idempotency key', () => {
    const purchase = (change: Partial<Claim> = {}) => newPayment({ idempotencyKey: 'order-4711', ...change })

    test('of fifty payments of one payer under one key at once, exactly one is claimed', async () => {
      const payer = hex(20)
      const wanted = Array.from({ length: 50 }, () => purchase({ payer }))
      const claims = await Promise.all(
        wanted.map((payment, n) => claim(n % 2 ? books : others, payment, limits)),
      )
      expect(claims.filter(isWon)).toHaveLength(1)
      const [winner] = wanted.filter((_, n) => claims[n]?.kind === 'claimed')
      expect(claims.filter((claimed) => !isWon(claimed))).toEqual(
        Array(49).fill({ kind: 'bought', id: winner?.id }),
      )
    })

    test('two payers may use the same key', async () => {
      expect(isWon(await claim(books, purchase(), limits))).toBe(true)
      expect(isWon(await claim(books, purchase(), limits))).toBe(true)
    })

    test('the same key names another purchase on another network, so test money does not pay for it', async () => {
      const payer = hex(20)
      const tested = await served(purchase({ payer }))
      const real = purchase({ payer, chainId: 8453 })
      expect(await claim(books, real, limits)).toEqual(won(real, 1))
      expect(await claim(books, purchase({ payer }), limits)).toEqual({ kind: 'bought', id: tested.id })
      const again = purchase({ payer, chainId: 8453 })
      expect(await claim(books, again, limits)).toEqual({ kind: 'bought', id: real.id })
      const found = await Promise.all(
        [chainId, 8453].map((network) => findPurchase(books, { payer, chainId: network }, 'order-4711')),
      )
      expect(found.map((row) => row?.id)).toEqual([tested.id, real.id])
    })

    test('a key can be used again after a payment that bought nothing', async () => {
      const payer = hex(20)
      await release(books, await held(purchase({ payer })))
      const abandoned = await held(purchase({ payer }))
      expect(await claim(books, purchase({ payer }), limits)).toEqual({ kind: 'bought', id: abandoned.id })
      letLeaseEnd()
      const failing = await served(purchase({ payer }))
      expect(await markServed(books, abandoned, reply, leaseMs)).toBe(false)
      await markFailed(books, failing, 'because')
      expect(isWon(await claim(books, purchase({ payer }), limits))).toBe(true)
    })

    test('a delivered stream keeps its key while its money is asked for again, so nothing is charged twice under it', async () => {
      const payer = hex(20)
      const stream = purchase({ payer, scheme: 'upto', timing: 'metered', facilitator: hex(20) })
      const streamed = { ...reply, stream: async function* () {} }
      const first = await held(stream)
      await markServed(books, first, streamed, leaseMs)
      await markFailed(books, first, 'because')
      expect(await claim(books, purchase({ payer }), limits)).toEqual({ kind: 'bought', id: stream.id })
      expect((await findPurchase(books, stream, 'order-4711'))?.id).toBe(stream.id)
      const elsewhere = purchase({ payer, chainId: 8453 })
      expect(await claim(books, elsewhere, limits)).toEqual(won(elsewhere, 1))

      await endCollection(books, [stream])
      expect(await findPurchase(books, stream, 'order-4711')).toBeUndefined()
      expect(isWon(await claim(books, purchase({ payer }), limits))).toBe(true)
    })
  })
})
