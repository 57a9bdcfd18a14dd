import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { GatewayError } from '../../../src/core/errors.ts'
import { json } from '../../../src/core/reply.ts'
import type { PaidCall } from '../../../src/doors/x402/door/purchase.ts'
import type { Settlement } from '../../../src/doors/x402/wire/facilitator.ts'
import { type MeteredScene, openMeteredScene } from '../../support/gateways/metered-scene.ts'
import { patienceMs } from '../../support/patience.ts'

/**
 * Who gets the reply of an operation with `replay: payer` while its transfer is on its way: the signature then stands
 * in the public mempool, and anyone can send a copy of the payment.
 */

let scene: MeteredScene
beforeAll(async () => {
  scene = await openMeteredScene()
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.settled.length = 0
  scene.fates.length = 0
  scene.verdicts.length = 0
})

const mined: Settlement = {
  outcome: 'settled',
  transaction: `0x${'ab'.repeat(32)}`,
  block: { number: 1n, hash: `0x${'cd'.repeat(32)}` },
}
const secret = json(200, { secret: 'of the payer' })
const name = 'a-name-of-enough-characters'
const priced = (settle: 'after' | 'before' = 'after') => scene.call('exact', { settle, replay: 'payer' })

/** What a call gets instead of an admission: the error, or the text of the stored reply. */
async function answerOf(call: PaidCall) {
  try {
    const opened = await scene.payments.door.open(call)
    return opened.kind === 'answered' ? Buffer.from(opened.reply.body).toString() : opened.kind
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { code, details, headers, message } = error
    return { code, details, retryAfter: headers['retry-after'], message }
  }
}

async function admit(call: PaidCall) {
  const opened = await scene.payments.door.open(call)
  if (opened.kind === 'answered') throw new Error(`not admitted: ${opened.reply.status}`)
  return opened.admission
}

/** Begins a settlement that is sent and not mined yet. */
function broadcast() {
  const { promise, resolve } = Promise.withResolvers<Settlement>()
  scene.fates.push(promise)
  return {
    async sent() {
      await vi.waitFor(() => expect(scene.settled).toHaveLength(1), patienceMs)
    },
    mine: () => resolve(mined),
  }
}

const unproven = (state: unknown) => ({
  code: 'PAYMENT_REPLAYED',
  details: expect.objectContaining({
    payment: expect.objectContaining({ state }),
    sign_in: expect.objectContaining({ type: 'eip191' }),
  }),
})

test('a stranger who copies a payment from the mempool gets no reply before its block either, and learns nothing of the request', async () => {
  const call = priced()
  const transfer = broadcast()
  const admission = await admit(call)
  const settling = admission.settle(secret)
  await transfer.sent()
  const guess = answerOf(call)
  const wrongGuess = await answerOf({ ...call, target: '/v1/other' })
  transfer.mine()
  await settling
  const state = expect.stringMatching(/^(served|settled)$/)
  expect(await guess).toMatchObject(unproven(state))
  expect(wrongGuess).toMatchObject({ ...unproven('served'), retryAfter: '5' })
  expect(await answerOf(call)).toMatchObject(unproven('settled'))
})

test('the payer gets the reply between broadcast and block with the name of the purchase', async () => {
  const call = { ...priced(), idempotencyKey: name }
  const transfer = broadcast()
  const settling = (await admit(call)).settle(secret)
  await transfer.sent()
  const copy = answerOf(call)
  transfer.mine()
  await settling
  expect(await copy).toContain('of the payer')
})

test('a copy that came while the call was served gets the reply, although the transfer is sent while it waits', async () => {
  const call = priced()
  const admission = await admit(call)
  const reads = vi.spyOn(scene.books.queries, 'selectFrom')
  const copy = answerOf(call)
  // The copy has read the payment in the books, and reads it again.
  await vi.waitFor(
    () => expect(reads.mock.calls.flat().filter((one) => one === 'payments').length).toBeGreaterThan(1),
    patienceMs,
  )
  reads.mockRestore()
  const transfer = broadcast()
  const settling = admission.settle(secret)
  await transfer.sent()
  transfer.mine()
  await settling
  expect(await copy).toContain('of the payer')
})

describe('a payment that is charged first', () => {
  test('has no reply before its run, so a payer without a name waits for it and is served when the run fails', async () => {
    const call = priced('before')
    const transfer = broadcast()
    const opening = admit(call)
    await transfer.sent()
    const copy = scene.payments.door.open(call)
    transfer.mine()
    await (await opening).release()
    const opened = await copy
    expect(opened).toMatchObject({ kind: 'admitted' })
    if (opened.kind === 'admitted') await opened.admission.settle(secret)
    expect(scene.settled).toHaveLength(1)
    expect(await answerOf(call)).toMatchObject(unproven('settled'))
  })

  test('gives its reply to no copy from the mempool', async () => {
    const call = priced('before')
    const transfer = broadcast()
    const opening = admit(call)
    await transfer.sent()
    const copy = answerOf(call)
    transfer.mine()
    await (await opening).settle(secret)
    expect(await copy).toMatchObject(unproven('settled'))
  })
})

test('a payment whose nonce somebody uses while its call is served is known to others, so a copy gets nothing', async () => {
  const call = priced()
  const admission = await admit(call)
  const refusal = { reason: 'invalid_transaction_state', message: 'the authorization was used' }
  scene.verdicts.push({ isValid: false, refusal })
  expect(await answerOf(call)).toMatchObject(unproven('claimed'))
  await admission.settle(secret)
})

test('a failed payment, whose signature is public, does not prove who bought under a short name', async () => {
  const bought = { ...priced(), idempotencyKey: 'order-1' }
  await (await admit(bought)).settle(secret)
  const { from } = bought.payment.authorization
  const { payment, ...rest } = priced()
  const ofSamePayer = { ...payment, authorization: { ...payment.authorization, from } }
  const failed = { ...rest, body: bought.body, payment: ofSamePayer }
  scene.fates.push({ outcome: 'failed', refusal: { reason: 'insufficient_funds', message: 'gone' } })
  expect((await (await admit(failed)).settle(secret)).status).toBe(402)
  const copied = { ...failed, idempotencyKey: 'order-1' }
  expect(await answerOf(copied)).toMatchObject(unproven('settled'))
})

test('a failed purchase that was sent under a name runs again under this name only, because its signature is public', async () => {
  const purchase = { ...scene.call('exact', { settle: 'after' }), idempotencyKey: name }
  scene.fates.push({ outcome: 'failed', refusal: { reason: 'insufficient_funds', message: 'gone' } })
  expect((await (await admit(purchase)).settle(secret)).status).toBe(402)
  const failed = { code: 'PAYMENT_REPLAYED', message: expect.stringContaining('that it was first sent with') }
  const strangers = [
    { ...purchase, idempotencyKey: undefined },
    { ...purchase, idempotencyKey: 'another-name-of-enough-characters' },
    { ...purchase, idempotencyKey: undefined, target: '/v1/other' },
  ]

  for (const stranger of strangers) expect(await answerOf(stranger)).toMatchObject(failed)

  expect(scene.settled).toHaveLength(1)
  const again = await admit(purchase)
  expect(again.owed).toBeDefined()
  expect(Buffer.from((await again.settle(secret)).body).toString()).toContain('of the payer')
  expect(scene.settled).toHaveLength(2)
})

describe('the answer to a used payment says what to do next', () => {
  const anyone = { replay: 'anyone_with_payment' } as const
  const settledCall = async (change: object = anyone) => {
    const call = scene.call('exact', { settle: 'after', ...change })
    await (await admit(call)).settle(secret)
    return call
  }
  const change = (call: PaidCall, to: object) =>
    scene.books.queries
      .updateTable('payments')
      .set(to)
      .where('nonce', '=', call.payment.authorization.nonce)
      .execute()
  const messageOf = async (call: PaidCall) => {
    const answer = await answerOf(call)
    return typeof answer === 'string' ? answer : answer.message
  }

  test('of a request that it does not pay for: to repeat the other one, or to sign again', async () => {
    const call = await settledCall()
    const message = await messageOf({ ...call, target: '/v1/other' })
    expect(message).toMatch(/repeat exactly that one\. This request needs a new payment\.$/)
  })

  test('of a caller without a proof: how to prove, and never to sign again for the same request', async () => {
    const message = await messageOf(await settledCall({ replay: 'payer' }))
    expect(message).toMatch(/do not pay again: to get the reply, send that request with the Idempotency-Key/)
    expect(message).not.toMatch(/repeat exactly/)
  })

  test.each([anyone, { replay: 'payer' } as const])(
    'of a payment that went back, without a stored reply: to sign again, whatever the rule (%j)',
    async (rule) => {
      const call = await settledCall(rule)
      await change(call, { state: 'refunded', refundAmount: 100_000n, replyBody: null })
      const message = await messageOf(call)
      expect(message).toMatch(
        /went back to the payer, so it buys nothing any more\. .*needs a new payment\.$/,
      )
      expect(message).not.toMatch(/do not pay again|repeat/)
    },
  )

  test('of a reply that is not stored any more: to sign again', async () => {
    const call = await settledCall({ replay: 'payer' })
    await change(call, { replyBody: null })
    expect(await messageOf(call)).toMatch(/is not stored\. A further call needs a new payment\.$/)
  })

  test('of an owed call: to repeat that one', async () => {
    const call = await settledCall()
    await change(call, { state: 'paid', replyBody: null })
    expect(await messageOf({ ...call, target: '/v1/other' })).toMatch(/is owed: repeat exactly that one/)
  })
})

test('another payment under the name of a delivered stream is not charged while the money of the stream is asked for', async () => {
  const stream = { ...scene.call('upto'), idempotencyKey: 'order-2' }
  const { from } = stream.payment.authorization
  scene.fates.push({ outcome: 'failed', refusal: { reason: 'insufficient_funds', message: 'gone' } })
  const delivered = Promise.resolve({
    outcome: 'complete',
    usage: { input: 1, output: 1, isEstimate: false },
  } as const)
  const reply = { ...secret, stream: async function* () {}, delivered }
  const sent = await (await admit(stream)).settle(reply)
  for await (const _piece of sent.stream?.(new AbortController().signal) ?? []);
  await scene.payments.door.idle()
  expect(await scene.rowOf(stream)).toMatchObject({ state: 'failed', collectAt: expect.any(Date) })

  const { payment, ...rest } = scene.call('exact')
  const again = {
    ...rest,
    body: stream.body,
    idempotencyKey: 'order-2',
    payment: { ...payment, authorization: { ...payment.authorization, from } },
  }
  expect(await answerOf(again)).toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: expect.stringContaining('taken by itself'),
  })
  expect(await answerOf({ ...again, target: '/v1/other' })).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
})
