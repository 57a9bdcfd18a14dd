import { expect, test } from 'vitest'
import { createVerificationSlots } from '../../../../src/doors/x402/door/verification-slots.ts'
import { createReadPayerSignature } from '../../../../src/doors/x402/evidence/signature.ts'
import type { Payment } from '../../../../src/doors/x402/wire/types.ts'
import { networks } from '../../../../src/platform/chain/networks.ts'
import { freshWallet, signPayment } from '../../../support/chain/wallet.ts'

const readPayerSignature = createReadPayerSignature(networks['base-sepolia'])
const accepted = { version: 1, scheme: 'exact', network: 'base-sepolia' } as const

/** A payment in the name of `payer`. */
async function paymentOf(payer = freshWallet(), signer = payer): Promise<Payment> {
  const signed = await signPayment(signer, 1n, { from: payer.address })
  return { version: 1, accepted, identifier: undefined, permit: undefined, ...signed }
}

const never = () => new Promise<never>(() => {})
const limits = { readPayerSignature, maxPerPayer: 2, maxPerClient: 3, patienceMs: 10 }
const done = async () => 'verified'

test('a payer with two verifications under way gets 429 for a third, from whatever address, and others are verified', async () => {
  const run = createVerificationSlots(limits)
  const payer = freshWallet()
  for (const n of [1, 2]) void run({ payment: await paymentOf(payer), client: `192.0.2.${n}` }, never)
  const third = run({ payment: await paymentOf(payer), client: '192.0.2.3' }, done)
  await expect(third).rejects.toMatchObject({ code: 'TOO_MANY_PAYMENTS', headers: { 'retry-after': '5' } })
  expect(await run({ payment: await paymentOf(), client: '192.0.2.1' }, done)).toBe('verified')
})

test('an address with three verifications under way gets 429 for a fourth, of whatever payer', async () => {
  const run = createVerificationSlots(limits)
  const client = '192.0.2.1'
  for (let n = 0; n < 3; n += 1) void run({ payment: await paymentOf(), client }, never)
  const fourth = run({ payment: await paymentOf(), client }, done)
  await expect(fourth).rejects.toMatchObject({ code: 'TOO_MANY_PAYMENTS' })
})

test('payments in the name of a payer who has not signed them take none of its slots', async () => {
  const run = createVerificationSlots(limits)
  const payer = freshWallet()
  const forged = await Promise.all([1, 2, 3].map(() => paymentOf(payer, freshWallet())))
  for (const [n, payment] of forged.entries()) void run({ payment, client: `192.0.2.${n}` }, never)
  expect(await run({ payment: await paymentOf(payer), client: '192.0.2.9' }, done)).toBe('verified')
})

test('a verification that fails frees its slots', async () => {
  const run = createVerificationSlots({ ...limits, maxPerPayer: 1, maxPerClient: 1 })
  const call = { payment: await paymentOf(), client: '192.0.2.1' }
  const failed = run(call, async () => {
    throw new Error('the node does not answer')
  })
  await expect(failed).rejects.toThrow('the node does not answer')
  expect(await run(call, done)).toBe('verified')
})
