import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import request from 'supertest'
import type { Address, Hex, LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { createReceivingAccount, type ReceivingAccount } from '../../support/chain/receiving-account.ts'
import { freshWallet, type SignedPayment } from '../../support/chain/wallet.ts'
import { operatorToken } from '../../support/gateways/gateway.ts'
import { createBuyers, post, walletOf } from '../../support/gateways/payment-for.ts'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'
import { buy } from '../../support/gateways/purchases.ts'
import { openScene, price, type Scene, type Seller } from '../../support/gateways/scene.ts'
import { answers, type FarEnd, startFarEnd } from '../../support/servers/far-end.ts'

/** `PAY_TO` is changed on one gateway after the other, while payers hold 402s that name the former account. */

let chain: TestChain
let far: FarEnd
let workplace: Workplace
let scene: Scene
/** The accounts, and the gateway that asks for payments to each. */
let old: ReceivingAccount
let recent: ReceivingAccount
let recentWallet: LocalAccount
let unchanged: Seller
let changed: Seller
let settings: Readonly<Record<string, string>>

beforeAll(async () => {
  chain = await startTestChain()
  far = await startFarEnd()
  workplace = await openWorkplace()
  scene = await openScene(chain)
  const file = join(workplace.folder, 'catalog.yaml')
  await writeFile(file, catalog())
  old = scene.payee
  recentWallet = freshWallet()
  recent = createReceivingAccount(chain, recentWallet.address)
  settings = { CATALOG_FILE: file, PAY_TO: recent.address }
  unchanged = await scene.open({ CATALOG_FILE: file })
  expect((await unchanged.reconcile()).status).toBe(200)
  changed = await scene.open(settings)
  expect((await changed.reconcile()).status).toBe(200)
})
afterAll(async () => {
  await scene.close()
  await workplace.close()
  await far.close()
  await chain.close()
})

const validitySeconds = 300
const catalog = () => `provider: { name: Tests, description: Sells what others serve. }
upstreams:
  far: { prefix: /far, targets: ["${far.url}"], private: true }
operations:
  researchLead:
    { access: price, price: "0.25", description: A lead., deadline_seconds: 60, validity_seconds: ${validitySeconds} }
  askModel:
    access: price
    upstream: far
    route: POST /model
    description: By the token.
    price: { per: tokens, input: "0.000001", output: "0.000002", max: "0.01" }
`

/** A payment to one of the accounts, from a new wallet with money for it. */
const payTo = async (to: Address) => scene.sign(await scene.wallet(), { to })
const received = () => Promise.all([old, recent].map((account) => account.balanceOf(account.address)))
const hex = (account: ReceivingAccount) => account.address.toLowerCase()

const resolve = async (transaction: Hex, verb: 'adopt' | 'refund' | 'dismiss', body: object = {}) =>
  request(changed.url)
    .post(`/operator/strangers/${transaction}/${verb}`)
    .set('authorization', `Bearer ${operatorToken}`)
    .send(body)

/** Sets when a gateway last asked for payments to the old account. */
const lastAsked = (secondsAgo: number) =>
  scene.queries
    .updateTable('receivingAccounts')
    .set({ currentAt: new Date(Date.now() - secondsAgo * 1_000) })
    .where('payTo', '=', hex(old))
    .execute()

async function expectRefused(seller: Seller, payment: SignedPayment): Promise<void> {
  const reply = await buy(seller, payment)
  expect([reply.status, reply.body.details?.reason]).toEqual([
    402,
    'invalid_exact_evm_payload_recipient_mismatch',
  ])
}

describe('while PAY_TO is changed', () => {
  test('every gateway takes payments to either account, and settles and books them for the account that was signed', async () => {
    for (const seller of [unchanged, changed]) {
      for (const [index, account] of [old, recent].entries()) {
        const before = await received()
        const payment = await payTo(account.address)
        expect((await buy(seller, payment, { version: index === 0 ? 1 : 2 })).status).toBe(200)
        const row = await scene.rowOf(payment)
        expect(row.payTo).toBe(hex(account))
        expect(await account.transfers(payment.authorization.from, account.address)).toEqual([
          { transaction: row.transaction, value: price },
        ])
        const after = await received()
        expect(after[index]).toBe((before[index] ?? 0n) + price)
        expect(after[1 - index]).toBe(before[1 - index])
        const other = seller === changed ? unchanged : changed
        expect((await buy(other, payment)).status).toBe(200)
        expect(await received()).toEqual(after)
      }
    }
  })

  test('a metered payment that was signed for the former account is taken for what was used', async () => {
    far.on('/model', answers(1_000, 500))
    const call = post('/far/model', { model: 'm', messages: [{ role: 'user', content: 'Well?' }] })
    const payment = await createBuyers({ gateway: unchanged, account: old }).sign(call, walletOf(0))
    const before = await received()
    expect((await createBuyers({ gateway: changed, account: recent }).send(call, payment)).status).toBe(200)
    expect(await received()).toEqual([(before[0] ?? 0n) + 2_000n, before[1]])
  })

  test('a payment to an account that no gateway ever asked for is refused by each', async () => {
    for (const seller of [unchanged, changed]) await expectRefused(seller, await payTo(freshWallet().address))
  })
})

describe('after PAY_TO was changed', () => {
  let unfinished: SignedPayment

  beforeAll(async () => {
    unchanged.node.faults.set('eth_sendRawTransaction', 'refused')
    unfinished = await payTo(old.address)
    expect((await buy(unchanged, unfinished)).status).toBe(503)
    await unchanged.close()
    await scene.endLease(unfinished)
  })

  test('a payment that the last gateway of the former account left open is settled there', async () => {
    const before = await received()
    await expect
      .poll(async () => (await scene.rowOf(unfinished)).state, {
        message: 'the payment was not settled',
      })
      .toMatch(/^(settled|final)$/)
    expect(await received()).toEqual([(before[0] ?? 0n) + price, before[1]])
  })

  test('the reconciliation covers every account, and names each', async () => {
    const payer = await scene.wallet(9n)
    const transaction = await old.send(payer, old.address, 9n)
    await old.mine(2)
    const { body } = await changed.reconcile()
    const [atOld, atRecent] = await received()
    const account = ({ address }: ReceivingAccount, all: bigint | undefined, difference: string) => ({
      payTo: address,
      chain: { amountAtomic: String(all) },
      difference: { amountAtomic: difference },
    })
    expect(body).toMatchObject({
      accounts: [account(recent, atRecent, '0'), account(old, atOld, '9')],
      chain: { amountAtomic: String((atOld ?? 0n) + (atRecent ?? 0n)) },
      difference: { amountAtomic: '9' },
      strangers: [{ transaction, payTo: old.address, amountAtomic: '9' }],
      missing: [],
      closes: false,
    })
    expect(body.books.payments).toBe(body.accounts[0].books.payments + body.accounts[1].books.payments)
    // What came in at the former account is in the list of unmatched transfers, too.
    const listed = await scene.queries.selectFrom('strangers').select(['transaction', 'payTo']).execute()
    expect(listed).toEqual([{ transaction, payTo: hex(old) }])

    const reconcileByCommand = () =>
      workplace.run('cli', {
        args: ['ledger', 'reconcile', '--url', changed.url],
        settings: { OPERATOR_TOKEN: operatorToken },
      })
    const { code, stdout } = await reconcileByCommand()
    expect(code).toBe(1)
    for (const { address } of [old, recent]) expect(stdout).toContain(address)
    expect(stdout).toContain(`unmatched transfer: 0.000009 USDC from ${payer.address} to ${old.address} in`)

    const reason = { reason: 'A gift' }
    expect((await resolve(transaction, 'dismiss', reason)).status).toBe(200)
    const after = (await changed.reconcile()).body
    expect(after).toMatchObject({
      accounts: [
        { payTo: recent.address, dismissed: { transfers: 0 } },
        { payTo: old.address, dismissed: { transfers: 1, amountAtomic: '9' } },
      ],
      dismissed: { transfers: 1, amountAtomic: '9' },
      difference: { amountAtomic: '0' },
      strangers: [],
      closes: true,
    })
    const closed = await reconcileByCommand()
    expect(closed.code).toBe(0)
    expect(closed.stdout).toMatch(/^account +transfers +USDC +payments +USDC +dismissed +difference$/m)
    expect(closed.stdout).toMatch(new RegExp(`^${old.address} .* 0\\.000009 +0\\.00$`, 'm'))
    expect(closed.stdout).toMatch(new RegExp(`^${recent.address} .* 0\\.00 +0\\.00$`, 'm'))
    const trail = await request(changed.url)
      .get('/operator/audit?action=dismissTransfers')
      .set('authorization', `Bearer ${operatorToken}`)
    expect(trail.body.actions).toMatchObject([{ subject: transaction, details: reason, outcome: 'done' }])
  })

  test('a lost sale at the former account is adopted and served, and keeps the books open until then', async () => {
    const payment = await payTo(old.address)
    const transaction = await old.submit(payment)
    await old.mine(2)
    const later = await changed.reconcile(Math.floor(Date.now() / 1_000) + 86_400)
    const found = { transfers: 1, amountAtomic: price.toString() }
    expect(later.body).toMatchObject({
      accounts: [
        { payTo: recent.address, earlier: { transfers: 0 } },
        { payTo: old.address, earlier: found },
      ],
      earlier: found,
      closes: false,
    })
    const adopted = await resolve(transaction, 'adopt')
    expect([adopted.status, adopted.body.transfers]).toMatchObject([200, [{ outcome: 'adopted' }]])
    expect((await changed.reconcile()).body).toMatchObject({
      difference: { amountAtomic: '0' },
      closes: true,
    })
    // The call is owed, also when payments to the former account are no longer taken.
    await lastAsked(validitySeconds + 65)
    expect((await buy(changed, payment)).status).toBe(200)
  })

  test('money that is moved from one of the accounts to the other can be dismissed, and not refunded', async () => {
    const amount = price
    const transaction = await old.send(recentWallet, old.address, amount)
    await old.mine(2)
    expect((await changed.reconcile()).body).toMatchObject({
      accounts: [
        { payTo: recent.address, difference: { amountAtomic: '0' } },
        { payTo: old.address, difference: { amountAtomic: amount.toString() } },
      ],
      strangers: [{ transaction, payTo: old.address, payer: recent.address }],
      closes: false,
    })
    const [adopted, refunded] = [await resolve(transaction, 'adopt'), await resolve(transaction, 'refund')]
    expect([adopted.status, adopted.body.code]).toEqual([409, 'TRANSFER_CONFLICT'])
    expect([refunded.status, refunded.body.details?.problem]).toEqual([
      409,
      'it comes from an account that payments go to, or went to: dismiss it with a reason',
    ])
    const moved = { reason: 'Moved to the other account' }
    expect((await resolve(transaction, 'dismiss', moved)).status).toBe(200)
    expect((await changed.reconcile()).body).toMatchObject({
      difference: { amountAtomic: '0' },
      closes: true,
    })
  })

  test('a transfer that cannot be adopted is explained for the account that it went to', async () => {
    const payer = await scene.wallet(9n)
    const elsewhere = await old.send(payer, freshWallet().address, 4n)
    const nowhere = await resolve(elsewhere, 'adopt')
    expect([nowhere.status, nowhere.body.code]).toEqual([404, 'TRANSFER_NOT_FOUND'])
    for (const account of [old, recent]) expect(JSON.stringify(nowhere.body)).toContain(hex(account))
    const early = await old.send(payer, old.address, 5n)
    const late = await resolve(early, 'adopt')
    expect([late.status, late.body.code]).toEqual([409, 'TRANSFER_CONFLICT'])
    expect(JSON.stringify(late.body)).toContain('is not final yet')
    await old.mine(2)
    expect((await resolve(early, 'dismiss', { reason: 'A gift' })).status).toBe(200)
  })

  test('a payment to the former account is taken as long as one that was asked for can be valid, and no longer', async () => {
    const [inTime, late] = [await payTo(old.address), await payTo(old.address)]
    // A minute more, because a killed gateway noted its account up to half a minute before.
    await lastAsked(validitySeconds + 55)
    expect((await buy(changed, inTime)).status).toBe(200)
    await lastAsked(validitySeconds + 65)
    await expectRefused(changed, late)
    expect((await buy(changed, inTime)).status).toBe(200)
  })

  test('a payment to an account in REFUSED_PAY_TO is refused at once, also while other gateways ask for it', async () => {
    const again = await scene.open({ ...settings, PAY_TO: old.address })
    const wary = await scene.open({ ...settings, REFUSED_PAY_TO: `${freshWallet().address},${old.address}` })
    const payment = await payTo(old.address)
    await expectRefused(wary, payment)
    expect((await buy(changed, payment)).status).toBe(200)
    await again.close()
  })
})
