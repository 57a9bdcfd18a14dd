import { Duplex } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Admission } from '../../../src/core/admission.ts'
import type { Delivery, Usage } from '../../../src/core/catalog/metering.ts'
import { GatewayError } from '../../../src/core/errors.ts'
import { discardReply, json, type Reply } from '../../../src/core/reply.ts'
import type { PaidCall } from '../../../src/doors/x402/door/purchase.ts'
import { decode } from '../../support/chain/wallet.ts'
import { type MeteredScene, openMeteredScene } from '../../support/gateways/metered-scene.ts'

/** When the payment for a streamed or metered reply settles, and for how much. */

let scene: MeteredScene

beforeAll(async () => {
  scene = await openMeteredScene()
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.settled.length = 0
  scene.fates.length = 0
})

async function admit(call: PaidCall, payments = scene.payments): Promise<Admission> {
  const opened = await payments.door.open(call)
  if (opened.kind === 'answered')
    throw new Error(`not admitted: ${opened.reply.status} ${Buffer.from(opened.reply.body)}`)
  return opened.admission
}

/** A streamed reply of an upstream: ten units for the request, and ten more for each of four pieces. */
function stream({ breaksAt = Infinity } = {}): Reply {
  const { promise, resolve } = Promise.withResolvers<Delivery>()
  let output = 0
  const end = (outcome: Delivery['outcome'], input = 10) =>
    resolve({ outcome, usage: { input, output, isEstimate: false } })
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: new Uint8Array(),
    delivered: promise,
    async *stream(signal) {
      try {
        for (let piece = 0; piece < 4; piece++) {
          if (signal.aborted) return end('left')
          if (piece === breaksAt) throw new Error('the upstream broke off')
          output += 10
          yield Buffer.from(`data: ${piece}\n\n`)
        }
        end('complete')
      } finally {
        end(output >= breaksAt * 10 ? 'broken' : 'left')
      }
    },
  }
}

/**
 * Reads at most so many pieces and then leaves.
 * @returns how many came before the end or a failure.
 */
async function listen(reply: Reply, pieces = Infinity): Promise<number> {
  let seen = 0
  const left = new AbortController()
  try {
    for await (const _piece of reply.stream?.(left.signal) ?? []) {
      seen += 1
      if (seen === pieces) left.abort(new GatewayError('CALLER_LEFT'))
    }
  } catch {
    // The upstream broke off.
  }
  return seen
}

const counted = (usage: Partial<Usage>, body: object = { text: 'hello' }): Reply => ({
  ...json(200, body),
  delivered: Promise.resolve({
    outcome: 'complete',
    usage: { input: 0, output: 0, isEstimate: false, ...usage },
  }),
})
const receiptOf = (reply: Reply) => decode(reply.headers['payment-response'] ?? '')
const stateOf = async (call: PaidCall) => (await scene.rowOf(call)).state

describe('a payment of scheme upto', () => {
  test('for a streamed reply is settled after its end for the counted usage, and the caller does not wait for it', async () => {
    const call = scene.call('upto')
    const sent = await (await admit(call)).settle(stream())
    const { id } = await scene.rowOf(call)
    expect(sent.headers).toEqual({
      'content-type': 'text/event-stream',
      'x-payment-id': id,
      'cache-control': 'private, no-store',
      vary: expect.stringContaining('payment-signature'),
    })
    expect(await scene.rowOf(call)).toMatchObject({ state: 'claimed', timing: 'metered', amount: 100_000n })
    expect(scene.settled).toEqual([])
    expect(await listen(sent)).toBe(4)
    await scene.payments.door.idle()
    expect(scene.settled).toEqual([90n])
    expect(await scene.rowOf(call)).toMatchObject({
      state: 'settled',
      amount: 90n,
      authorized: 100_000n,
      replyStatus: 200,
      replyBody: null,
    })
    await expect(scene.payments.door.open(call)).rejects.toMatchObject({
      code: 'PAYMENT_REPLAYED',
      details: { reply: expect.stringContaining('given once') },
    })
  })

  test.each([
    ['whose caller leaves', {}, 2, 50n],
    ['that the upstream breaks off', { breaksAt: 3 }, Infinity, 70n],
  ])('for a streamed reply %s is settled for the delivered part', async (_case, how, pieces, amount) => {
    const call = scene.call('upto')
    await listen(await (await admit(call)).settle(stream(how)), pieces)
    await scene.payments.door.idle()
    expect(scene.settled).toEqual([amount])
    expect(await scene.rowOf(call)).toMatchObject({ state: 'settled', amount })
  })

  test('for a collected reply is settled before it is sent, and its receipt and its replay show the amount', async () => {
    const call = scene.call('upto')
    const sent = await (await admit(call)).settle(counted({ input: 7, output: 4 }))
    const { id, transaction, state } = await scene.rowOf(call)
    expect(state).toBe('settled')
    expect(receiptOf(sent)).toMatchObject({ success: true, transaction, amount: '15' })
    expect(sent.headers['x-payment-id']).toBe(id)
    expect(scene.settled).toEqual([15n])
    expect(await scene.payments.door.open(call)).toEqual({
      kind: 'answered',
      reply: { status: sent.status, headers: sent.headers, body: Buffer.from(sent.body) },
    })
    expect(scene.settled).toEqual([15n])
  })

  test('is never settled for more than was signed, whatever the meter counts', async () => {
    // The meter's maximum is above the signed price.
    const call = scene.call('upto', { price: '0.05' })
    await (await admit(call)).settle(counted({ output: 2 ** 40 }))
    const streaming = scene.call('upto', { price: '0.000011' })
    await listen(await (await admit(streaming)).settle(stream()))
    await scene.payments.door.idle()
    expect(scene.settled).toEqual([50_000n, 11n])
    expect(await scene.rowOf(call)).toMatchObject({ amount: 50_000n, authorized: 50_000n })
  })

  test('without any usage is released and charged nothing, and may be sent again', async () => {
    const call = scene.call('upto')
    const sent = await (await admit(call)).settle(counted({}))
    expect(receiptOf(sent)).toMatchObject({ success: true, transaction: '', amount: '0' })
    expect(await stateOf(call)).toBe('released')

    const unheard = {
      ...stream(),
      delivered: Promise.resolve({ outcome: 'left', usage: undefined } as const),
    }
    await (await admit(call)).settle(unheard)
    await scene.payments.door.idle()
    expect(await scene.rowOf(call)).toMatchObject({ state: 'released', failure: 'caller_left', attempt: 2 })
    expect(scene.settled).toEqual([])
  })

  test('whose settlement is unknown after the stream stays settling, with its amount', async () => {
    const call = scene.call('upto')
    scene.fates.push({ outcome: 'unknown', cause: new Error('the node hangs') })
    await listen(await (await admit(call)).settle(stream()))
    await scene.payments.door.idle()
    // With a status the books show that it was served: the amount is due, and no reply is owed.
    expect(await scene.rowOf(call)).toMatchObject({ state: 'settling', amount: 90n, replyStatus: 200 })
  })

  test('whose settlement fails before a collected reply gets a 402, and not the reply', async () => {
    const call = scene.call('upto')
    scene.fates.push({
      outcome: 'failed',
      refusal: { reason: 'permit2_insufficient_balance', message: 'gone' },
    })
    const sent = await (await admit(call)).settle(counted({ output: 5 }))
    expect(sent.status).toBe(402)
    expect(receiptOf(sent)).toMatchObject({ success: false, errorReason: 'permit2_insufficient_balance' })
    expect(await scene.rowOf(call)).toMatchObject({ state: 'failed', replyBody: null })
    // After a failed settlement the payer must pay first, by the scheme that can.
    const again = await scene.payments.door.open(call)
    if (again.kind !== 'answered') throw new Error('it was admitted')
    expect(JSON.parse(Buffer.from(again.reply.body).toString())).toMatchObject({
      code: 'PAYMENT_INVALID',
      details: { reason: 'unsupported_scheme', problem: expect.stringContaining('must be exact') },
    })
  })

  test('for a connection ends it at the deadline, while its usage can still be charged', async () => {
    const call = scene.call('upto', { deadlineSeconds: 0 })
    const { promise, resolve } = Promise.withResolvers<Delivery>()
    const tunnel = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    tunnel.once('close', () =>
      resolve({ outcome: 'left', usage: { input: 1, output: 1, isEstimate: false } }),
    )
    const admission = await admit(call)
    await admission.settle({ status: 101, headers: {}, body: new Uint8Array(), tunnel, delivered: promise })
    await scene.payments.door.idle()
    expect(tunnel.destroyed).toBe(true)
    expect(await scene.rowOf(call)).toMatchObject({ state: 'settled', amount: 3n })
  })
})

describe('a payment of scheme exact for a streamed reply', () => {
  test('is settled before its head, says that it is not stored, and is final at its end', async () => {
    const call = scene.call('exact', { settle: 'after' })
    const sent = await (await admit(call)).settle(stream())
    expect(scene.settled).toEqual([100_000n])
    expect(receiptOf(sent)).toMatchObject({
      success: true,
      transaction: (await scene.rowOf(call)).transaction,
      extensions: { replay: { info: { stored: false } } },
    })
    expect(await stateOf(call)).toBe('paid')
    expect(await listen(sent)).toBe(4)
    await scene.payments.door.idle()
    expect(await stateOf(call)).toBe('settled')
    await expect(scene.payments.door.open(call)).rejects.toMatchObject({
      code: 'PAYMENT_REPLAYED',
      details: { reply: expect.stringContaining('given once') },
    })
    expect(scene.settled).toHaveLength(1)
  })

  test('whose caller leaves in the middle is final too', async () => {
    const call = scene.call('exact')
    await listen(await (await admit(call)).settle(stream()), 1)
    await scene.payments.door.idle()
    expect(await stateOf(call)).toBe('settled')
  })

  test.each([
    ['breaks off', async (sent: Reply) => void (await listen(sent))],
    ['was discarded unread', discardReply],
  ])(
    'that %s stays paid: the same request is served once more, and another is not',
    async (_case, deliver) => {
      const call = scene.call('exact')
      await deliver(await (await admit(call)).settle(stream({ breaksAt: 2 })))
      await scene.payments.door.idle()
      expect(await stateOf(call)).toBe('paid')
      await expect(scene.payments.door.open({ ...call, target: '/else' })).rejects.toMatchObject({
        code: 'PAYMENT_REPLAYED',
      })
      const again = await admit(call)
      expect(again.owed).toBe((await scene.rowOf(call)).id)
      expect(await listen(await again.settle(stream()))).toBe(4)
      await scene.payments.door.idle()
      expect(await stateOf(call)).toBe('settled')
      expect(scene.settled).toHaveLength(1)
    },
  )

  test.each([
    [{ outcome: 'failed', refusal: { reason: 'insufficient_funds', message: 'gone' } }, 'failed'],
    [{ outcome: 'unknown', cause: new Error('the node hangs') }, 'settling'],
  ] as const)(
    'that cannot be settled ends the call at the upstream, and the caller gets nothing of the reply (%j)',
    async (fate, state) => {
      const call = scene.call('exact')
      const reply = stream()
      scene.fates.push(fate)
      const answer = await (await admit(call)).settle(reply).catch((error: unknown) => error)
      expect(answer).toMatchObject(state === 'failed' ? { status: 402 } : { code: 'SETTLEMENT_UNKNOWN' })
      expect(await reply.delivered).toMatchObject({ outcome: 'left', usage: { output: 0 } })
      expect(await scene.rowOf(call)).toMatchObject({ state, replyStatus: null })
    },
  )

  test('for a connection is final once it is open', async () => {
    const call = scene.call('exact')
    const tunnel = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    const { promise } = Promise.withResolvers<Delivery>()
    const reply = { status: 101, headers: {}, body: new Uint8Array(), tunnel, delivered: promise }
    expect((await (await admit(call)).settle(reply)).tunnel).toBe(tunnel)
    expect(await stateOf(call)).toBe('settled')
    tunnel.destroy()
  })
})

test('a gateway is not idle while a reply is being sent or its payment settles', async () => {
  const sent = await (await admit(scene.call('upto'))).settle(stream())
  let isIdle = false
  const idle = scene.payments.door.idle().then(() => {
    isIdle = true
  })
  await scene.rowOf(scene.call('exact')).catch(() => {})
  expect(isIdle).toBe(false)
  await listen(sent)
  await idle
  expect(scene.settled).toEqual([90n])
})

test('in dry-run mode a metered reply is streamed, and no payment is claimed or settled', async () => {
  const call = scene.call('upto')
  const sent = await (await admit(call, scene.dryRun)).settle(stream())
  expect(sent.headers).toMatchObject({ 'x-dry-run': expect.stringContaining('not settled') })
  expect(await listen(sent)).toBe(4)
  await scene.dryRun.door.idle()
  expect(scene.settled).toEqual([])
  await expect(scene.rowOf(call)).rejects.toThrow('no result')
})
