import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { findPayment } from '../../../src/doors/ledger/find-payment.ts'
import { markServed, markSettled } from '../../../src/doors/ledger/grouped-moves.ts'
import { type Held, markPaid, takeUpPaid } from '../../../src/doors/ledger/payments.ts'
import { leaveAccounts, noteGateway } from '../../../src/doors/ledger/settling/accounts.ts'
import { endLeasesOfDead } from '../../../src/doors/ledger/settling/dead-gateways.ts'
import { takeOver } from '../../../src/doors/ledger/unfinished.ts'
import { AccountRegistry } from '../../../src/doors/x402/accounts/registry.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import {
  chainId,
  hex,
  leaseMs,
  limits,
  newPayment,
  type Opened,
  openServer,
} from '../../support/stores/ledger.ts'

/** What becomes of the payments that a gateway holds when it dies, or seems to have died. */

const reply = { status: 200, headers: {}, body: new Uint8Array(8) }
const gone = -1_000
const living = 60_000

let opened: Opened
beforeAll(async () => {
  opened = await openServer()
})
afterAll(() => opened.close())
beforeEach(async () => {
  await opened.one.queries.deleteFrom('settlingGateways').execute()
})

/** The books as a gateway with this name uses them. */
const booksOf = (gateway: string = randomUUID()) => ({
  queries: opened.one.queries,
  clock: { now: () => Date.now() },
  gateway,
})
const noteLife = (books: ReturnType<typeof booksOf>, forMs: number) =>
  noteGateway(books, { gateway: books.gateway, chainId, accounts: [] }, forMs)

async function claimed(books: Books, change: Parameters<typeof newPayment>[0] = {}): Promise<Held> {
  const result = await claim(books, newPayment(change), limits)
  if (result.kind !== 'claimed') throw new Error(`a new payment could not be claimed: ${result.kind}`)
  return result.held
}

async function served(books: Books): Promise<Held> {
  const held = await claimed(books)
  await markServed(books, held, reply, leaseMs)
  return held
}

const mined = () => ({ transaction: hex(32), block: { number: 1n, hash: hex(32) }, at: new Date() })
const isFree = async (books: Books, { id }: Held) =>
  ((await findPayment(books, id))?.leaseUntil.getTime() ?? 0) < Date.now()

test('the payments of a dead gateway are free at once, whatever worker of it held them, and those of others are not', async () => {
  const [dead, survivor, unregistered] = [booksOf(), booksOf(), booksOf()]
  const before = await claimed(dead, { timing: 'before' })
  const paid = await claimed(dead, { timing: 'before' })
  await markPaid(dead, paid, mined(), leaseMs)
  const lost = [await claimed(dead), await served(dead), before, paid]
  const kept = [await claimed(survivor), await served(survivor), await served(unregistered)]
  await noteLife(dead, gone)
  await noteLife(survivor, living)

  const freed = await endLeasesOfDead(survivor, chainId)

  expect([...freed].sort()).toEqual(lost.map(({ id }) => id).sort())
  expect(await Promise.all(lost.map((held) => isFree(survivor, held)))).toEqual(lost.map(() => true))
  expect(await Promise.all(kept.map((held) => isFree(survivor, held)))).toEqual(kept.map(() => false))
  expect(await endLeasesOfDead(survivor, chainId)).toEqual([])
})

test('a payment that a survivor has taken over is the survivor’s, also for the gateway that seemed dead and goes on', async () => {
  const [stalled, survivor] = [booksOf(), booksOf()]
  const [settling, owed] = [await served(stalled), await claimed(stalled, { timing: 'before' })]
  await markPaid(stalled, owed, mined(), leaseMs)
  await noteLife(stalled, gone)
  await endLeasesOfDead(survivor, chainId)

  const taken = await takeOver(survivor, chainId, settling.id, leaseMs)
  const takenUp = await takeUpPaid(survivor, owed.id, leaseMs)

  expect([taken?.attempt, takenUp?.attempt]).toEqual([2, 2])
  expect(await markSettled(stalled, settling, mined())).toBe(false)
  await noteLife(stalled, living)
  await noteLife(stalled, gone)
  expect(await endLeasesOfDead(survivor, chainId)).toEqual([])
  expect(await isFree(survivor, settling)).toBe(false)
  expect(await isFree(survivor, owed)).toBe(false)
})

test('a gateway that seemed dead finishes a payment that no other worker has begun', async () => {
  const stalled = booksOf()
  const held = await served(stalled)
  await noteLife(stalled, gone)
  await endLeasesOfDead(booksOf(), chainId)

  expect(await markSettled(stalled, held, mined())).toBe(true)
})

test('a gateway that stops leaves the payments that it still holds to the others at once', async () => {
  const stopped = booksOf()
  const held = await served(stopped)
  await noteLife(stopped, living)
  await leaveAccounts(stopped, stopped.gateway)

  expect(await endLeasesOfDead(booksOf(), chainId)).toEqual([held.id])
})

test('another network’s gateways are left alone', async () => {
  const dead = booksOf()
  const held = await served(dead)
  await noteLife(dead, gone)

  expect(await endLeasesOfDead(booksOf(), chainId + 1)).toEqual([])
  expect(await endLeasesOfDead(booksOf(), chainId)).toEqual([held.id])
})

test('after an outage of the store, a gateway gives the others the time of a lease before it takes them for dead', async () => {
  const registryLeaseMs = 1_000
  const open = (books: ReturnType<typeof booksOf>) => {
    const registry = new AccountRegistry({
      ...{ books, chainId, leaseMs: registryLeaseMs, log: createLog('silent') },
    })
    registry.add([{ address: `0x${hex(20).slice(2)}`, gas: () => 'enough', isIdle: () => true }], () => {})
    return registry
  }
  const [books, others] = [booksOf(), booksOf()]
  const [registry, other] = [open(books), open(others)]
  const held = await served(others)
  await registry.renew()
  await other.renew()
  // Neither reaches the store for longer than its lease.
  await pause(1.5 * registryLeaseMs)

  await registry.renew()
  expect(await isFree(books, held)).toBe(false)
  await other.renew()

  const renewUntilFree = async () => {
    await registry.renew()
    return isFree(books, held)
  }
  await expect.poll(renewUntilFree, { interval: 100 }).toBe(true)
  await Promise.all([registry.close(), other.close()])
})
