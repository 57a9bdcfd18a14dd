import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { json } from '../../../src/core/reply.ts'
import { claim, type PayerLimits } from '../../../src/doors/ledger/claim.ts'
import { markServed, markSettled } from '../../../src/doors/ledger/grouped-moves.ts'
import type { Held } from '../../../src/doors/ledger/payments.ts'
import { createPurchase, type PaidCall } from '../../../src/doors/x402/door/purchase.ts'
import { type Comer, type Entry, PayerTurns } from '../../../src/doors/x402/door/turns/payer-turns.ts'
import { FundsSeen } from '../../../src/doors/x402/door/turns/seen-funds.ts'
import type { Settlement } from '../../../src/doors/x402/wire/facilitator.ts'
import { devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { freshWallet } from '../../support/chain/wallet.ts'
import { type MeteredScene, openMeteredScene } from '../../support/gateways/metered-scene.ts'
import { patienceMs } from '../../support/patience.ts'
import { hex, leaseMs, limits } from '../../support/stores/ledger.ts'

/**
 * The turns that the calls of one payer take at one gateway. The books are real; a test does what the door does
 * with a turn, and decides how long it lasts.
 */

const offer = { network: networks['base-sepolia'], payTo: devPayTo.address, upto: () => devSettler.address }
/** A new payer may have one unpaid call at a time. */
const payerLimits: PayerLimits = {
  ...limits,
  credit: { newPayerCalls: 1, newPayerAmount: 10n ** 12n, maxUnsettled: 10n ** 12n },
}
/** Longer than a test may take: a call that is held up wrongly does not come in by the end of its patience. */
const turnMs = 4 * patienceMs

let scene: MeteredScene
let books: Books
let funds: FundsSeen
let turns: PayerTurns
let payer: Address
const clock = { time: Date.now(), now: () => clock.time }
/** Make the callers that still wait leave. */
const leavers: (() => void)[] = []

beforeAll(async () => {
  scene = await openMeteredScene()
})
afterAll(() => scene.close())
beforeEach(() => {
  books = { queries: scene.books.queries, clock }
  funds = new FundsSeen(clock)
  turns = new PayerTurns({ books, funds, limitsFor: () => payerLimits })
  payer = freshWallet().address
})
afterEach(() => {
  for (const leave of leavers.splice(0)) leave()
})

function callBy(from: Address, scheme: 'exact' | 'upto'): PaidCall {
  const { payment, ...rest } = scene.call(scheme)
  return { ...rest, payment: { ...payment, authorization: { ...payment.authorization, from } } }
}

/** A call that has just arrived. */
function comer(scheme: 'exact' | 'upto', change: Partial<Comer> = {}): Comer {
  return comerOf(createPurchase(callBy(payer, scheme), offer), change)
}

function comerOf(purchase: Comer['purchase'], change: Partial<Comer> = {}): Comer {
  const onLeave = (left: () => void) => {
    leavers.push(left)
    return () => {}
  }
  const times = { arrivedAt: clock.now(), looks: 0, deadline: performance.now() + turnMs }
  return { purchase: { ...purchase, onLeave }, kind: 'plain', ...times, ...change }
}

type EnteredCall = Comer & { readonly entry: Entry & { kind: 'turn' } }

async function enter(one: Comer): Promise<EnteredCall> {
  const entry = await turns.take(one)
  if (entry.kind !== 'turn') throw new Error(`the call was refused: ${entry.room.kind}`)
  return { ...one, entry }
}

/** Verifies and claims the payment of a call, and begins its run. @returns ends it. */
async function run({ purchase, entry }: EnteredCall): Promise<(settle: boolean) => Promise<void>> {
  funds.note(purchase.payment, { balance: limits.balance, block: 0n })
  const claimed = await claim(books, purchase.wanted, { ...limits, ...payerLimits })
  if (claimed.kind !== 'claimed') throw new Error(`the payment is ${claimed.kind}`)
  entry.turn.leave()
  return async (isSettled) => {
    if (isSettled) await settle(claimed.held)
    await entry.turn.follow(Promise.resolve('ended'))
  }
}

async function settle(held: Held): Promise<void> {
  await markServed(books, held, json(200, {}), leaseMs)
  const block = { number: 1n, hash: hex(32) }
  await markSettled(books, held, { transaction: hex(32), block, at: new Date(clock.now()) })
}

/** Calls that wait for their turn. */
function line(count: number, scheme: 'exact' | 'upto') {
  return Array.from({ length: count }, () => {
    const taken = turns.take(comer(scheme))
    // They leave at the end of the test.
    taken.catch(() => 'left')
    return taken
  })
}

/** Waits until the calls in line have asked for room and ask again: they do nothing else. */
async function theBooksAreAsked(): Promise<void> {
  const statements = vi.spyOn(scene.books.queries, 'getExecutor')
  await vi.waitFor(() => expect(statements.mock.calls.length).toBeGreaterThan(5), patienceMs)
  statements.mockRestore()
}

describe('while five `upto` calls of a payer wait for its running one', () => {
  test('an `exact` call of the payer goes on at once', async () => {
    await run(await enter(comer('upto')))
    line(5, 'upto')
    await enter(comer('exact'))
  })

  test('a copy of the running call goes on at once, to wait for its reply', async () => {
    const running = await enter(comer('upto'))
    await run(running)
    line(5, 'upto')
    await enter(comerOf(running.purchase))
  })

  test('an `exact` call that had to wait for a verification goes on after it', async () => {
    const verified = await enter(comer('upto'))
    funds.note(verified.purchase.payment, { balance: limits.balance, block: 0n })
    await claim(books, verified.purchase.wanted, { ...limits, ...payerLimits })
    line(5, 'upto')
    await theBooksAreAsked()
    const [exact] = line(1, 'exact')
    verified.entry.turn.leave()
    expect(await exact).toMatchObject({ kind: 'turn' })
  })

  test('an `upto` call of another payer, who waits as well, goes on when that payer has room', async () => {
    await run(await enter(comer('upto')))
    line(5, 'upto')
    payer = freshWallet().address
    const end = await run(await enter(comer('upto')))
    const [other] = line(1, 'upto')
    await end(true)
    expect(await other).toMatchObject({ kind: 'turn' })
  })
})

describe('a caller who leaves', () => {
  test('waits no longer, and makes room for the next call in line', async () => {
    const end = await run(await enter(comer('upto')))
    const four = line(4, 'upto')
    const [fifth] = line(1, 'upto')
    for (const leave of leavers.splice(0, 4)) leave()
    for (const waiting of four) await expect(waiting).rejects.toMatchObject({ code: 'CALLER_LEFT' })
    await end(true)
    expect(await fifth).toMatchObject({ kind: 'turn' })
  })

  test('is listened to only while the call waits', async () => {
    const end = await run(await enter(comer('upto')))
    const waiting = comer('upto')
    let listeners = 0
    const onLeave = () => {
      listeners += 1
      return () => {
        listeners -= 1
      }
    }
    const taken = turns.take({ ...waiting, purchase: { ...waiting.purchase, onLeave } })
    expect(listeners).toBe(1)
    await end(true)
    await taken
    expect(listeners).toBe(0)
  })
})

describe('of a wallet contract', () => {
  /** Whether a call that does not wait is let in now. */
  async function isLetIn(): Promise<boolean> {
    const entry = await turns.take(comer('exact', { kind: 'contract', deadline: performance.now() }))
    if (entry.kind === 'refused') return false
    await entry.turn.follow(Promise.resolve('ended'))
    return true
  }

  test('whose payments are refused, the next one is tried 1 s later, then 4 s, then 16 s each', async () => {
    const pausesMs: number[] = []
    for (let refusals = 0; refusals < 5; refusals += 1) {
      turns.noteRefused(comer('exact', { kind: 'contract' }))
      const refusedAt = clock.time
      while (!(await isLetIn())) clock.time += 1_000
      pausesMs.push(clock.time - refusedAt)
    }
    expect(pausesMs).toEqual([1_000, 4_000, 16_000, 16_000, 16_000])
  })

  test('that is refused, no other client address and no plain wallet is slowed down', async () => {
    const refused = comer('exact', { kind: 'contract' })
    turns.noteRefused(refused)
    turns.noteRefused(comer('exact'))
    await enter(comer('exact'))
    const elsewhere = { ...refused.purchase, client: '192.0.2.2' }
    await enter(comerOf(elsewhere, { kind: 'contract' }))
  })

  test('a call that waited for an earlier payment is charged first, and one that comes later is not', async () => {
    const contract = () => comer('exact', { kind: 'contract' })
    const first = await enter(contract())
    expect(first.entry.isChargedFirst).toBe(false)
    const claimed = await claim(books, first.purchase.wanted, limits)
    if (claimed.kind !== 'claimed') throw new Error(`the payment is ${claimed.kind}`)
    await markServed(books, claimed.held, json(200, {}), leaseMs)
    first.entry.turn.leave()
    const waiting = enter(contract())
    await theBooksAreAsked()
    await settle(claimed.held)
    const second = await waiting
    expect(second.entry.isChargedFirst).toBe(true)
    for (const { entry } of [first, second]) await entry.turn.follow(Promise.resolve('ended'))
    clock.time += 1
    expect((await enter(contract())).entry.isChargedFirst).toBe(false)
  })

  test('a call of a plain wallet that waited is not charged first', async () => {
    const first = await enter(comer('exact'))
    const waiting = turns.take(comer('exact'))
    await run(first)
    expect(await waiting).toMatchObject({ kind: 'turn', isChargedFirst: false })
  })
})

describe('at the door, a call of a wallet contract that waits for the settlement of another one', () => {
  const mined: Settlement = {
    outcome: 'settled',
    transaction: `0x${'ab'.repeat(32)}`,
    block: { number: 1n, hash: `0x${'cd'.repeat(32)}` },
  }
  const reply = json(200, {})
  const callOfContract = (change: Partial<PaidCall> = {}): PaidCall => {
    const { operation, ...call } = callBy(payer, 'exact')
    return { ...call, operation: { ...operation, settle: 'after' }, ...change }
  }
  async function admit(call: PaidCall) {
    const opened = await scene.payments.door.open(call)
    if (opened.kind === 'answered') throw new Error(`not admitted: ${opened.reply.status}`)
    return opened.admission
  }

  /** A caller's connection. `listening` resolves when the call waits, and makes the caller leave. */
  function listener() {
    const { promise: listening, resolve } = Promise.withResolvers<() => void>()
    const onLeave = (left: () => void) => {
      resolve(left)
      return () => {}
    }
    return { onLeave, listening }
  }

  beforeEach(() => {
    scene.payers.kind = 'contract'
    scene.settled.length = 0
  })
  afterEach(() => {
    scene.payers.kind = 'unknown'
  })

  test('is charged before its work; one that comes alone is charged after it', async () => {
    const transfer = Promise.withResolvers<Settlement>()
    scene.fates.push(transfer.promise)
    const first = await admit(callOfContract())
    expect(first.owed).toBeUndefined()
    const sent = first.settle(reply)
    await vi.waitFor(() => expect(scene.settled).toHaveLength(1), patienceMs)
    const { onLeave, listening } = listener()
    const second = admit(callOfContract({ onLeave }))
    await listening
    await theBooksAreAsked()
    transfer.resolve(mined)
    await sent
    expect((await second).owed).toBeDefined()
    await (await second).settle(reply)
    expect((await admit(callOfContract())).owed).toBeUndefined()
  })

  test('ends when its caller leaves, and claims nothing', async () => {
    const transfer = Promise.withResolvers<Settlement>()
    scene.fates.push(transfer.promise)
    const sent = (await admit(callOfContract())).settle(reply)
    await vi.waitFor(() => expect(scene.settled).toHaveLength(1), patienceMs)
    const { onLeave, listening } = listener()
    const call = callOfContract({ onLeave })
    const opening = scene.payments.door.open(call)
    const leave = await listening
    leave()
    await expect(opening).rejects.toMatchObject({ code: 'CALLER_LEFT' })
    await expect(scene.rowOf(call)).rejects.toThrow()
    transfer.resolve(mined)
    await sent
  })
})
