import request, { type Response } from 'supertest'
import { type Address, concat, getAddress, type Hex, padHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transferCall } from '../../../src/doors/x402/evidence/token.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { contractCode, startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { freshWallet, type SignedPayment, v2Header } from '../../support/chain/wallet.ts'
import { operatorToken } from '../../support/gateways/gateway.ts'
import { balances, readJournal } from '../../support/gateways/journal.ts'
import { buyKey, newName, prices, renewKey } from '../../support/gateways/key-sale.ts'
import { idOf, openScene, price, type Scene, type Seller } from '../../support/gateways/scene.ts'
import { startStoreProxy } from '../../support/stores/store-proxy.ts'

/** What an operator can do with transfers that the books do not have: adopt, refund or dismiss them. */

let chain: TestChain
let scene: Scene
let seller: Seller
let other: Seller
let refunder: Address

beforeAll(async () => {
  chain = await startTestChain()
  scene = await openScene(chain)
  const key = generatePrivateKey()
  refunder = privateKeyToAccount(key).address
  await chain.mint(refunder, 100n * price)
  ;[seller, other] = await Promise.all([scene.open({ REFUND_KEY: key }), scene.open({ REFUND_KEY: key })])
  expect((await seller.reconcile()).body).toMatchObject({ closes: true })
})
afterAll(async () => {
  await scene.close()
  await chain.close()
})

const operate = (path: string, body: object = {}, by: Seller = seller): Promise<Response> =>
  request(by.url).post(path).set('authorization', `Bearer ${operatorToken}`).send(body)
const resolve = (transaction: string, verb: 'adopt' | 'refund' | 'dismiss', body: object = {}, by = seller) =>
  operate(`/operator/strangers/${transaction}/${verb}`, body, by)
const read = async (path: string): Promise<Response> =>
  request(seller.url).get(path).set('authorization', `Bearer ${operatorToken}`)

/** A sale that the books have lost: the payment was carried out, and no row knows it. */
async function lostSale(funds = price): Promise<{ payment: SignedPayment; transaction: Hex }> {
  const payment = await scene.sign(await scene.wallet(funds), { value: funds })
  const transaction = await scene.payee.submit(payment)
  await scene.payee.mine(2)
  return { payment, transaction }
}

async function gift(amount = 7n) {
  const sender = await scene.wallet(amount)
  const transaction = await scene.payee.send(sender, scene.payee.address, amount)
  await scene.payee.mine(2)
  return { sender, transaction }
}

async function report(since?: number) {
  await scene.payee.mine(2)
  const { status, body } = await seller.reconcile(since)
  expect(status).toBe(200)
  return body
}

async function expectClosed(): Promise<void> {
  expect(await report()).toMatchObject({
    difference: { amountAtomic: '0' },
    strangers: [],
    earlier: { transfers: 0 },
    missing: [],
    closes: true,
  })
}

describe('an unmatched transfer', () => {
  test('an unmatched transfer keeps the books open, in the report of every period, until it is resolved', async () => {
    const { transaction } = await lostSale()
    const open = await report()
    expect(open).toMatchObject({
      difference: { amountAtomic: price.toString() },
      strangers: [{ transaction, amountAtomic: price.toString() }],
      closes: false,
    })
    const later = await report(Math.floor(Date.now() / 1000) + 86_400)
    expect(later).toMatchObject({
      chain: { transfers: 0 },
      difference: { amountAtomic: '0' },
      earlier: { transfers: 1, amountAtomic: price.toString() },
      closes: false,
    })
    expect((await resolve(transaction, 'adopt')).status).toBe(200)
    await expectClosed()
  })

  test('a transfer whose payment is about to be booked leaves the books closed', async () => {
    const store = await startStoreProxy(scene.settings.DATABASE_URL ?? '')
    const busy = await scene.open({ DATABASE_URL: store.url })
    const held = store.holdWrite('settled')
    try {
      const reply = busy.pay(await scene.sign(await scene.wallet()))
      await held.reached
      expect(await report()).toMatchObject({
        pending: { transfers: 1, amountAtomic: price.toString() },
        difference: { amountAtomic: '0' },
        strangers: [],
        closes: true,
      })
      held.release()
      expect((await reply).status).toBe(200)
      expect(await report()).toMatchObject({ pending: { transfers: 0 }, closes: true })
    } finally {
      held.release()
      await busy.close()
      await store.close()
    }
  })

  test('a dismissed transfer is explained: the books close, and it stays listed with its reason', async () => {
    const { transaction } = await gift()
    expect(await report()).toMatchObject({ difference: { amountAtomic: '7' }, closes: false })
    expect((await resolve(transaction, 'dismiss')).status).toBe(400)
    for (const reason of ['two\nlines', '\ud800', 'turned\u202e', '\u200b', '\ufeffmarked']) {
      for (const action of ['dismiss', 'refund'] as const) {
        expect((await resolve(transaction, action, { reason })).status).toBe(400)
      }
    }
    const dismissed = await resolve(transaction, 'dismiss', { reason: 'a gift of the owner' })
    expect(dismissed.body.strangers).toMatchObject([{ state: 'dismissed', reason: 'a gift of the owner' }])
    expect(await report()).toMatchObject({ dismissed: { transfers: 1, amountAtomic: '7' }, closes: true })

    expect((await read('/operator/strangers')).body.strangers).toEqual([])
    expect((await read('/operator/strangers?state=dismissed')).body.strangers).toHaveLength(1)
    expect((await read('/operator/totals')).body).toMatchObject({
      strangers: { transfers: 0 },
      dismissed: { transfers: 1, amountAtomic: '7' },
    })
    const journal = readJournal((await read('/operator/export?format=journal')).text)
    expect(journal.at(-1)?.tags.get('reason')).toBe('a gift of the owner')
  })
})

describe('a dismissed transfer', () => {
  test('a dismissed transfer is left out when the rest of its transaction is adopted, and buys nothing', async () => {
    const [one, two] = [await scene.sign(await scene.wallet()), await scene.sign(await scene.wallet())]
    const transaction = await scene.payee.submit(one, two)
    await scene.payee.mine(2)
    const payer = one.authorization.from
    const reason = 'key abc made by hand'
    await seller.reconcile()
    expect((await resolve(transaction, 'dismiss', { payer, reason })).status).toBe(200)
    const adopted = await resolve(transaction, 'adopt')
    expect(adopted.status).toBe(200)
    expect(adopted.body.transfers).toMatchObject([
      { outcome: 'dismissed', payer: getAddress(payer), paymentId: null, reason },
      { outcome: 'adopted', paymentId: idOf(two), reason: null },
    ])
    expect((await seller.pay(one)).status).toBe(402)
    expect((await seller.pay(two)).status).toBe(200)

    for (const verb of ['adopt', 'refund'] as const) {
      const refused = await resolve(transaction, verb, { payer })
      expect([refused.status, refused.body.details.problem]).toEqual([
        409,
        expect.stringMatching(
          /was dismissed, so it is neither adopted nor refunded; .*key abc made by hand$/,
        ),
      ])
    }
    expect(await scene.payee.balanceOf(payer)).toBe(0n)
    const { body } = await read(`/operator/strangers?transaction=${transaction}&state=dismissed`)
    expect(body.strangers).toMatchObject([{ payer: getAddress(payer), state: 'dismissed', reason }])
  })

  test('a transaction whose only transfer is dismissed is neither adopted nor refunded', async () => {
    const { payment, transaction } = await lostSale()
    await resolve(transaction, 'dismiss', { reason: 'key def made by hand' })
    for (const verb of ['adopt', 'refund'] as const) {
      const refused = await resolve(transaction, verb)
      expect([refused.status, refused.body.details.problem]).toEqual([
        409,
        expect.stringMatching(/key def made by hand/),
      ])
    }
    expect((await seller.pay(payment)).status).toBe(402)
  })

  test('of an adoption and a dismissal at the same time, one is done and the other refused', async () => {
    const { transaction } = await lostSale()
    await seller.reconcile()
    const [adopted, dismissed] = await Promise.all([
      resolve(transaction, 'adopt'),
      resolve(transaction, 'dismiss', { reason: 'at the same time' }, other),
    ])
    expect([adopted.status, dismissed.status].toSorted()).toEqual([200, 409])
    const { body } = await read(`/operator/strangers?transaction=${transaction}`)
    expect(body.strangers).toMatchObject([{ state: adopted.status === 200 ? 'adopted' : 'dismissed' }])
  })
})

describe('an adopted payment', () => {
  test('an adopted payment is served once to the payer who repeats the call, however many copies are sent to two gateways', async () => {
    const { payment, transaction } = await lostSale()
    // Not in the books, it would be refused, and the payer asked to pay again.
    expect((await seller.pay(payment)).status).toBe(402)
    const adopted = await resolve(transaction, 'adopt')
    expect(adopted.body.transfers).toMatchObject([
      { outcome: 'adopted', paymentId: idOf(payment), amountAtomic: price.toString() },
    ])
    const { validBefore, nonce } = payment.authorization
    expect(await scene.rowOf(payment)).toMatchObject({
      state: 'paid',
      transaction,
      nonce,
      validBefore: validBefore.toString(),
      signature: payment.signature,
    })
    await expectClosed()

    const asked = scene.model.asked
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? seller : other).pay(payment)),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(scene.model.asked).toBe(asked + 1)
    expect(await scene.rowOf(payment)).toMatchObject({ operation: 'researchLead' })
    expect(await scene.payee.balanceOf(payment.authorization.from)).toBe(0n)
    await expectClosed()
  })

  test('of two different calls with an adopted payment at the same time, one is served', async () => {
    const { payment, transaction } = await lostSale()
    await resolve(transaction, 'adopt')
    const asked = scene.model.asked
    const [one, two] = await Promise.all([
      seller.pay(payment, { companyName: 'One Dental' }),
      other.pay(payment, { companyName: 'Two Dental' }),
    ])
    expect([one.status, two.status].toSorted()).toEqual([200, 409])
    expect(scene.model.asked).toBe(asked + 1)
  })

  test('an adopted payment does not pay for a dearer call, for a key, or for a caller with another signature', async () => {
    const { payment, transaction } = await lostSale()
    await resolve(transaction, 'adopt')
    const dearer = await request(seller.url)
      .post('/api/content/blog')
      .set('PAYMENT-SIGNATURE', v2Header(payment, { payTo: scene.payee.address }))
      .send({ topic: 'Invoice processing' })
    expect([dearer.status, dearer.body.details.problem]).toEqual([
      409,
      'it is of 0.25 USDC, and this call costs 1.00',
    ])
    const { signature } = await scene.sign(freshWallet(), { ...payment.authorization })
    expect((await seller.pay({ ...payment, signature })).status).toBe(402)
    expect((await seller.pay(payment)).status).toBe(200)

    const key = await lostSale(prices.starter)
    await resolve(key.transaction, 'adopt')
    const made = await operate('/operator/keys', { tier: 'starter', owner: 'Acme', days: 1 })
    expect(made.status).toBe(201)
    for (const refused of [
      await buyKey(seller, { payment: key.payment, name: newName() }),
      await renewKey(seller, { keyId: made.body.keyId }, key.payment),
    ]) {
      expect([refused.status, refused.body.details?.problem]).toEqual([
        409,
        expect.stringMatching(/neither buys nor renews a key/),
      ])
    }
    expect(await scene.rowOf(key.payment)).toMatchObject({ state: 'paid', requestHash: '' })
  })

  test('an adopted payment serves only what its payer signed, and keeps the validity of the chain', async () => {
    const { payment, transaction } = await lostSale()
    await resolve(transaction, 'adopt')
    const asked = scene.model.asked
    for (const [status, change] of unsigned) {
      const refused = await seller.pay({
        ...payment,
        authorization: { ...payment.authorization, ...change },
      })
      expect([change, refused.status]).toEqual([change, status])
    }
    expect(scene.model.asked).toBe(asked)
    const { validAfter, validBefore } = payment.authorization
    const row = { validAfter: validAfter.toString(), validBefore: validBefore.toString() }
    expect(await scene.rowOf(payment)).toMatchObject({ ...row, requestHash: '' })
    expect((await seller.pay(payment)).status).toBe(200)
    expect(await scene.rowOf(payment)).toMatchObject({ ...row, signature: payment.signature })
  })

  test('an adopted payment does not serve its payer for another transfer that was signed with its nonce', async () => {
    const payer = await scene.wallet()
    const payment = await scene.sign(payer)
    const transaction = await scene.payee.submit(payment)
    await scene.payee.mine(2)
    await resolve(transaction, 'adopt')
    const other = await scene.sign(payer, { ...payment.authorization, value: 1n })
    const refused = await seller.pay(other)
    expect([refused.status, refused.body.details.payment]).toMatchObject([409, { state: 'paid' }])
    expect((await seller.pay(payment)).status).toBe(200)
  })

  test('an adopted payment of a wallet contract serves only what the chain shows that it has signed', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const wallet = await deployWallet(owner.address)
    const payment = await scene.sign(owner, { from: wallet })
    expect((await seller.pay(payment)).status).toBe(200)
    const { transaction } = await scene.rowOf(payment)
    await scene.queries.deleteFrom('payments').where('id', '=', idOf(payment)).execute()
    await scene.payee.mine(2)
    expect((await resolve(transaction ?? '', 'adopt')).status).toBe(200)
    for (const [, change] of unsigned) {
      const refused = await seller.pay({
        ...payment,
        authorization: { ...payment.authorization, ...change },
      })
      expect([change, refused.status]).toEqual([change, expect.toBeOneOf([402, 409])])
    }
    expect(await scene.rowOf(payment)).toMatchObject({ requestHash: '', signature: payment.signature })
    expect((await seller.pay(payment)).status).toBe(200)
  })

  test('an adopted payment can be refunded instead, and is not served then', async () => {
    const { payment, transaction } = await lostSale()
    await resolve(transaction, 'adopt')
    expect((await seller.refund(payment)).body).toMatchObject({ state: 'refunded', amount: '0.25' })
    const again = await seller.pay(payment)
    expect([again.status, again.body.details.payment.state]).toEqual([409, 'refunded'])
    expect(await scene.payee.balanceOf(payment.authorization.from)).toBe(price)
    await expectClosed()
  })

  test('all payments of one transaction are adopted, once, also by two operators at the same time', async () => {
    const [one, two] = [await scene.sign(await scene.wallet()), await scene.sign(await scene.wallet())]
    const transaction = await scene.payee.submit(one, two)
    await scene.payee.mine(2)
    const first = one.authorization.from
    const chosen = await resolve(transaction, 'adopt', { payer: first })
    expect(chosen.body.transfers).toMatchObject([{ outcome: 'adopted', payer: getAddress(first) }])
    const both = await Promise.all([resolve(transaction, 'adopt'), resolve(transaction, 'adopt', {}, other)])
    const outcomes = both.flatMap(({ body }) =>
      body.transfers.map(({ outcome }: { outcome: string }) => outcome),
    )
    expect(outcomes.toSorted()).toEqual(['adopted', 'known', 'known', 'known'])
    await expectClosed()
    expect([(await seller.pay(one)).status, (await other.pay(two)).status]).toEqual([200, 200])
  })

  test('a transfer that cannot be adopted is refused with the reason', async () => {
    const { payment } = await scene.buy(seller)
    const booked = await scene.rowOf(payment)
    await scene.payee.mine(2)
    const elsewhere = await scene.payee.send(await scene.wallet(5n), devPayers[1].address, 5n)
    const fresh = await scene.payee.submit(await scene.sign(await scene.wallet()))
    const plain = await gift()
    const expired = await scene.sign(await scene.wallet(), { validBefore: 1n })
    const reverted = await submitFailing(expired)
    const cases: [string, number, RegExp][] = [
      [`0x${'12'.repeat(32)}`, 404, /no transaction with this hash/],
      [elsewhere, 404, /moves no USDC to 0x/],
      [reverted, 404, /reverted/],
      [booked.transaction ?? '', 409, new RegExp(`in the books already, as payment ${idOf(payment)}`)],
      [plain.transaction, 409, /does not show that it carried out a payment/],
    ]
    for (const [transaction, status, problem] of cases) {
      const refused = await resolve(transaction, 'adopt')
      expect([refused.status, refused.body.details.problem]).toEqual([status, expect.stringMatching(problem)])
    }
    expect((await resolve('0x12', 'adopt')).status).toBe(400)
    await resolve(plain.transaction, 'dismiss', { reason: 'of this test' })
    await scene.payee.mine(2)
    expect((await resolve(fresh, 'adopt')).status).toBe(200)

    const notFinal = await scene.payee.submit(await scene.sign(await scene.wallet()))
    expect((await resolve(notFinal, 'adopt')).body.details.problem).toMatch(/is not final yet/)
    await scene.payee.mine(2)
    expect((await resolve(notFinal, 'adopt')).status).toBe(200)
  })
})

describe('the refund of an unmatched transfer', () => {
  test('a plain transfer goes back to its sender once, however often and wherever it is refunded', async () => {
    const { sender, transaction } = await gift(70_000n)
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        resolve(transaction, 'refund', { reason: 'sent by mistake' }, n % 2 ? seller : other),
      ),
    )
    expect(replies.every(({ status }) => status === 200 || status === 202)).toBe(true)
    await expect
      .poll(async () => (await resolve(transaction, 'refund')).status, {
        message: 'the refund did not end',
      })
      .toBe(200)
    const { body } = await resolve(transaction, 'refund')
    expect(body).toMatchObject({ state: 'refunded', amount: '0.07', reason: 'sent by mistake' })
    expect(await scene.payee.transfers(refunder, sender.address)).toEqual([
      { transaction: body.transaction, value: 70_000n },
    ])
    await expectClosed()
    const journal = readJournal((await read('/operator/export?format=journal')).text)
    expect(balances(journal.filter(({ code }) => code === body.paymentId)).get('Liabilities:Unmatched')).toBe(
      undefined,
    )
  })

  test('a refund whose broadcast the node refuses is finished by the sweep, by one transfer', async () => {
    const { payment, transaction } = await lostSale()
    seller.node.faults.set('eth_sendRawTransaction', 'refused')
    const lost = await resolve(transaction, 'refund')
    seller.node.faults.clear()
    expect([lost.status, lost.body.state]).toEqual([202, 'refunding'])
    await scene.endLease(payment)
    await expect
      .poll(async () => (await resolve(transaction, 'refund')).status, {
        message: 'the refund did not end',
      })
      .toBe(200)
    expect(await scene.payee.transfers(refunder, payment.authorization.from)).toHaveLength(1)
    // The payer learns of it by repeating the call.
    expect((await seller.pay(payment)).body.details.payment.state).toBe('refunded')
    await expectClosed()
  })

  test('a transfer stays open when no account can pay it back, or when it has no sender', async () => {
    const stingy = await scene.open()
    const { transaction } = await gift()
    const refused = await resolve(transaction, 'refund', {}, stingy)
    expect([refused.status, refused.body.details.problem]).toEqual([409, expect.stringMatching(/REFUND_KEY/)])
    await stingy.close()
    expect(await report()).toMatchObject({ strangers: [{ transaction }], closes: false })
    expect((await resolve(transaction, 'refund')).status).toBe(200)

    await chain.mint(scene.payee.address, 3n)
    const [{ transaction: minted }] = (await report()).strangers
    expect((await resolve(minted, 'refund')).body.details.problem).toMatch(/minted/)
    expect((await resolve(minted, 'dismiss', { reason: 'minted by this test' })).status).toBe(200)
    await expectClosed()
  })
})

/** What a thief may write beside a public signature, and the status that a plain wallet's is refused with. */
const unsigned: readonly [number, Partial<SignedPayment['authorization']>][] = [
  [402, { validBefore: BigInt(Math.floor(Date.now() / 1000) + 900) }],
  [409, { validBefore: 10n ** 70n }],
  [402, { validAfter: 1n }],
  [409, { value: 1n }],
  // The books hold no payment to an account that was never asked for, so they are not asked.
  [402, { to: devPayers[1].address }],
  [402, { to: devPayers[1].address, value: 1n, validBefore: 10n ** 70n }],
]

/** A wallet contract that pays for one call with signatures of this owner. */
async function deployWallet(owner: Address): Promise<Address> {
  const data = concat([await contractCode('ContractWallet'), padHex(owner, { size: 32 })])
  const hash = await chain.client.sendTransaction({ account: devPayers[6].address, data })
  const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('the wallet contract was not deployed')
  await chain.mint(contractAddress, price)
  return contractAddress
}

/** Submits a payment that the token refuses. */
async function submitFailing(payment: SignedPayment): Promise<Hex> {
  const { client } = chain
  const hash = await client.sendTransaction({
    account: devPayers[6].address,
    to: networks['base-sepolia'].usdc.address,
    data: transferCall(payment.authorization, payment.signature),
    gas: 200_000n,
  })
  await client.waitForTransactionReceipt({ hash })
  return hash
}
