import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { appendPaymentIdentifierToExtensions } from '@x402/extensions/payment-identifier'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { sql } from 'kysely'
import request from 'supertest'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { decode, freshWallet, type SignedPayment } from '../../support/chain/wallet.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { operatorToken } from '../../support/gateways/gateway.ts'
import { buyKey, newName, type Order, prices, usageOf } from '../../support/gateways/key-sale.ts'
import { openWorkplace } from '../../support/gateways/process.ts'
import { expectNotServed, expectRefused } from '../../support/gateways/replies.ts'
import { idOf, openScene, type Scene, type Seller } from '../../support/gateways/scene.ts'

/**
 * An agent buys an API key with its wallet. The payment becomes public on the chain, and the key is worth a
 * month of calls: so only the buyer gets it, one key for one payment.
 */
let chain: TestChain
let scene: Scene
let gateway: Seller
let second: Seller
let files: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  files = await temporaryFolder()
  chain = await startTestChain()
  scene = await openScene(chain)
  // Not for sale: only the operator makes keys of this tier.
  const inner = { inner: { description: 'For ourselves.', operations: { researchLead: 'unlimited' } } }
  const catalog = { CATALOG_FILE: await writeCatalog(files.folder, {}, inner) }
  gateway = await scene.open(catalog)
  second = await scene.open(catalog)
})
afterAll(async () => {
  await scene.close()
  await chain.close()
  await files.remove()
})

const boughtSchema = z.strictObject({
  keyId: z.string(),
  key: z.string().startsWith('tgk_'),
  tier: z.string(),
  owner: z.string(),
  label: z.string(),
  expiresAt: z.int(),
})

const bought = (reply: request.Response) => {
  expect(reply.status).toBe(201)
  expect(reply.headers['cache-control']).toMatch(/no-store/)
  return boughtSchema.parse(reply.body)
}
const sign = (wallet: LocalAccount, value = prices.starter) => scene.sign(wallet, { value })
/** A payment for a key, from a wallet with money for two. */
const newPayment = async () => {
  const wallet = await scene.wallet(2n * prices.starter)
  return { wallet, payment: await sign(wallet), name: newName() }
}
const received = () => scene.payee.balanceOf(scene.payee.address)
const keysOf = (payment: SignedPayment) =>
  scene.queries.selectFrom('keys').selectAll().where('paymentId', '=', idOf(payment)).execute()
const countKeys = async () => (await scene.queries.selectFrom('keys').select('id').execute()).length

/** Expects one key and one price since then. */
async function watch() {
  const before = { keys: await countKeys(), received: await received() }
  return async () => ({
    keys: (await countKeys()) - before.keys,
    received: (await received()) - before.received,
  })
}

test('a wallet buys a key that every gateway accepts immediately, for the days of its tier', async () => {
  const { payment, name } = await newPayment()
  const since = await watch()
  const body = { tier: 'starter', owner: 'agent 7', label: 'first' }
  const reply = await buyKey(gateway, { payment, name, body })
  const key = bought(reply)
  expect(key).toMatchObject(body)
  expect(key.keyId).toBe(key.key.slice(4, 20))
  const [row] = await keysOf(payment)
  expect(key.expiresAt).toBe(Math.floor(Number(row?.expiresAt) / 1000))
  expect(Math.round((Number(row?.expiresAt) - Number(row?.createdAt)) / 1000)).toBe(30 * 86_400)
  expect(decode(reply.headers['payment-response'])).toMatchObject({ success: true })
  expect(await since()).toEqual({ keys: 1, received: prices.starter })
  for (const { url } of [gateway, second]) {
    const call = request(url).post('/api/leads/research').set('x-mcp-api-key', key.key)
    expect((await call.send({ companyName: 'Acme Dental' })).status).toBe(200)
  }
})

describe('a 402 for a purchase', () => {
  const required = z.looseObject({
    accepts: z.array(z.looseObject({ amount: z.string() })),
    extensions: z.looseObject({ 'payment-identifier': z.looseObject({ info: z.unknown() }) }),
  })

  test.each([
    ['without a body has the price of the cheapest tier', undefined, '9.00'],
    ['without a tier has the price of the cheapest', {}, '9.00'],
    ['with a tier has its price', { tier: 'pro' }, '49.00'],
  ])('a 402 for a purchase %s, and says that it needs an Idempotency-Key', async (_how, body, price) => {
    const reply = await buyKey(gateway, { body })
    expect([reply.status, reply.body.details.price]).toEqual([402, price])
    const { extensions } = required.parse(decode(reply.headers['payment-required']))
    expect(extensions['payment-identifier'].info).toEqual({ required: true })
  })

  test('a 402 for a reply without secrets needs no Idempotency-Key', async () => {
    const reply = await request(gateway.url).post('/api/leads/research')
    const { extensions } = required.parse(decode(reply.headers['payment-required']))
    expect(extensions['payment-identifier'].info).toEqual({ required: false })
  })
})

describe('a lost reply with a key', () => {
  const ways: readonly [
    string,
    (order: { payment: SignedPayment; name: string; wallet: LocalAccount }) => Promise<Order>,
  ][] = [
    ['the same payment', async ({ payment, name }) => ({ payment, name })],
    [
      'another payment under the same name',
      async ({ wallet, name }) => ({ payment: await sign(wallet), name }),
    ],
    [
      'the name in the payment',
      async ({ wallet, name }) => ({ payment: await sign(wallet), identifier: name }),
    ],
  ]
  test.each(ways)(
    'a lost reply is sent again for %s: the same key, byte for byte, and no charge',
    async (_how, again) => {
      const order = await newPayment()
      const since = await watch()
      const first = await buyKey(gateway, order)
      bought(first)
      const next = await buyKey(second, await again(order))
      expect([next.status, next.text]).toEqual([201, first.text])
      expect(next.headers['payment-response']).toBe(first.headers['payment-response'])
      expect(await since()).toEqual({ keys: 1, received: prices.starter })
    },
  )

  test('twenty purchases under one name, sent to two gateways at once, are one key for one price', async () => {
    const wallet = await scene.wallet(20n * prices.starter)
    const name = newName()
    const since = await watch()
    const payments = await Promise.all(Array.from({ length: 10 }, () => sign(wallet)))
    const replies = await Promise.all(
      [...payments, ...payments].map((payment, n) => buyKey(n % 2 ? gateway : second, { payment, name })),
    )
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    bought(replies[0] ?? (await buyKey(gateway, {})))
    expect(await since()).toEqual({ keys: 1, received: prices.starter })
  })

  test('the name of a purchase does not buy another tier, before or after', async () => {
    const { wallet, payment, name } = await newPayment()
    bought(await buyKey(gateway, { payment, name }))
    await chain.mint(wallet.address, prices.pro)
    const since = await watch()
    const other = { payment: await sign(wallet, prices.pro), name, body: { tier: 'pro' } }
    expect((await buyKey(gateway, other)).body).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    expect(await since()).toEqual({ keys: 0, received: 0n })
  })
})

describe('a caller who has read the payment from the chain', () => {
  test.each<[string, Order, [number, string]]>([
    ['without the name', {}, [400, 'IDEMPOTENCY_KEY_REQUIRED']],
    ['under a short name', { name: 'k'.repeat(15) }, [400, 'IDEMPOTENCY_KEY_REQUIRED']],
    ['under another name', { name: newName() }, [409, 'PAYMENT_REPLAYED']],
    ['under another name in the payment', { identifier: newName() }, [409, 'PAYMENT_REPLAYED']],
  ])(
    'a caller with the payment from the chain gets no key %s, whether it is owed or was sent',
    async (_how, guess, refusal) => {
      const { payment, name } = await newPayment()
      const refused = async () => {
        const reply = await buyKey(second, { payment, ...guess })
        expect([reply.status, reply.body.code]).toEqual(refusal)
        expect(reply.text).not.toContain('tgk_')
        expect(reply.headers).not.toHaveProperty('payment-required')
      }
      expectNotServed(await buyInVain({ payment, name }), payment)
      await refused()
      const since = await watch()
      bought(await buyKey(gateway, { payment, name }))
      await refused()
      expect(await since()).toEqual({ keys: 1, received: 0n })
    },
  )

  test('the name of a purchase with another payer’s payment gets no key', async () => {
    const { wallet, payment, name } = await newPayment()
    const { key } = bought(await buyKey(gateway, { payment, name }))
    const forged = await scene.sign(freshWallet(), { from: wallet.address, value: prices.starter })
    expectRefused(await buyKey(second, { payment: forged, name }), 'invalid_exact_evm_payload_signature')
    expectRefused(await buyKey(second, { payment: await sign(freshWallet()), name }), 'insufficient_funds')
    // The other payer has bought a key, their own.
    const own = await newPayment()
    expect(bought(await buyKey(second, { payment: own.payment, name })).key).not.toBe(key)
    expect(await keysOf(payment)).toHaveLength(1)
  })
})

test('the store and the log contain neither the key nor the name of its purchase', async () => {
  const { payment, name } = await newPayment()
  const { key } = bought(await buyKey(gateway, { payment, name }))
  expect(bought(await buyKey(gateway, { payment, name })).key).toBe(key)
  expect((await usageOf(gateway, key)).status).toBe(200)
  const rows = await sql<{ text: string }>`
    select payments::text as text from payments where id = ${idOf(payment)}
    union all select keys::text from keys where payment_id = ${idOf(payment)}
  `.execute(scene.queries)
  expect(rows.rows).toHaveLength(2)
  // The log has the calls, and rows have bytes as hex.
  const kept = [...rows.rows.map(({ text }) => text), gateway.logged.join('')].join('\n')
  expect(kept).toContain('buyKey')
  for (const secret of [key.slice(20), name]) {
    expect(kept).not.toContain(secret)
    expect(kept).not.toContain(Buffer.from(secret).toString('hex'))
  }
})

describe('a refused purchase takes no money', () => {
  const faulty: readonly [string, unknown, string][] = [
    ['an unknown tier', { tier: 'gold' }, 'TIER_NOT_FOR_SALE'],
    ['a tier that every object has', { tier: '__proto__' }, 'TIER_NOT_FOR_SALE'],
    ['a tier that is not for sale', { tier: 'inner' }, 'TIER_NOT_FOR_SALE'],
    ['a tier that is no text', { tier: 7 }, 'VALIDATION_ERROR'],
    ['no tier', { label: 'mine' }, 'VALIDATION_ERROR'],
    ['an unknown field', { tier: 'starter', days: 3_660 }, 'VALIDATION_ERROR'],
    ['a label of two lines', { tier: 'starter', label: 'a\nb' }, 'VALIDATION_ERROR'],
    ['an oversized owner', { tier: 'starter', owner: 'x'.repeat(201) }, 'VALIDATION_ERROR'],
    ['a list', [], 'VALIDATION_ERROR'],
    ['null', null, 'VALIDATION_ERROR'],
    ['no body', undefined, 'MALFORMED_JSON'],
  ]
  test.each(faulty)('a purchase with %s gets 400', async (_what, body, code) => {
    const { payment, name } = await newPayment()
    const reply = await buyKey(gateway, { body, payment, name })
    expect([reply.status, reply.body.code]).toEqual([400, code])
    expect(
      await scene.queries.selectFrom('payments').select('id').where('id', '=', idOf(payment)).execute(),
    ).toEqual([])
  })

  test('a payment for an old price is refused, and the 402 has the new price', async () => {
    const { file, settings } = await ownCatalog()
    const seller = await scene.open(settings)
    const { payment, name } = await newPayment()
    const since = await watch()
    await file({ ...starter, price: '9.01' })
    await reload(seller)
    const reply = await buyKey(seller, { payment, name })
    expectRefused(reply, 'invalid_exact_evm_payload_authorization_value_mismatch')
    expect(reply.body.details.price).toBe('9.01')
    expect(await since()).toEqual({ keys: 0, received: 0n })
  })
})

test('a paid key that could not be made is owed, and made without a second charge', async () => {
  const { wallet, payment, name } = await newPayment()
  const since = await watch()
  expectNotServed(await buyInVain({ payment, name }), payment)
  expect(await since()).toEqual({ keys: 0, received: prices.starter })
  const { key } = bought(await buyKey(gateway, { payment: await sign(wallet), name }))
  expect((await usageOf(second, key)).status).toBe(200)
  expect(bought(await buyKey(gateway, { payment, name })).key).toBe(key)
  expect(await since()).toEqual({ keys: 1, received: prices.starter })
})

describe('a tier that is taken off sale', () => {
  test('a key that was paid for before is given again, and one that is owed is made, without a second charge', async () => {
    const { file, settings } = await ownCatalog()
    const seller = await scene.open(settings)
    const sold = await newPayment()
    const { key } = bought(await buyKey(seller, sold))
    const owed = await newPayment()
    expectNotServed(await buyInVain(owed), owed.payment)
    const since = await watch()
    const { price: _, ...unpriced } = starter
    await file(unpriced)
    await reload(seller)

    expect(bought(await buyKey(seller, sold)).key).toBe(key)
    expect((await usageOf(seller, bought(await buyKey(seller, owed)).key)).status).toBe(200)
    expect(await since()).toEqual({ keys: 1, received: 0n })
    const late = await buyKey(seller, await newPayment())
    expect([late.status, late.body.code]).toEqual([400, 'TIER_NOT_FOR_SALE'])
    await seller.close()
  })
})

describe('the public client', () => {
  const clientOf = (wallet: LocalAccount) => new x402Client().register('eip155:*', new ExactEvmScheme(wallet))

  test('the public client buys a key with the header Idempotency-Key alone, and gets it again', async () => {
    const { wallet, name } = await newPayment()
    const since = await watch()
    const payingFetch = wrapFetchWithPayment(
      fetch,
      clientOf(wallet).setSpendControls({ maxAmountPerPayment: '$10' }),
    )
    const ask = () =>
      payingFetch(`${gateway.url}/api/keys`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': name },
        body: '{"tier":"starter"}',
      })
    const first = await ask()
    expect(first.status).toBe(201)
    const text = await first.text()
    expect((await usageOf(gateway, boughtSchema.parse(JSON.parse(text)).key)).status).toBe(200)
    expect(await (await ask()).text()).toBe(text)
    expect(await since()).toEqual({ keys: 1, received: prices.starter })
  })

  test('the public client buys a key under the identifier that its extension puts into the payment', async () => {
    const { wallet } = await newPayment()
    const client = new x402HTTPClient(clientOf(wallet).setSpendControls({ maxAmountPerPayment: '$10' }))
    const unpaid = await buyKey(gateway, {})
    const asked = client.getPaymentRequiredResponse(
      (header) => unpaid.headers[header.toLowerCase()],
      unpaid.body,
    )
    const extensions = appendPaymentIdentifierToExtensions({ ...asked.extensions })
    const payload = await client.createPaymentPayload({ ...asked, extensions })
    const headers = client.encodePaymentSignatureHeader(payload)
    const reply = await request(gateway.url).post('/api/keys').set(headers).send({ tier: 'starter' })
    bought(reply)
  })
})

test('tollgate pay buys a key, prints the name of the purchase, and gets the key again with it', async () => {
  const workplace = await openWorkplace()
  try {
    const since = await watch()
    const pay = (...more: string[]) =>
      workplace.run('cli', {
        args: ['pay', `${gateway.url}/api/keys`, '--body', '{"tier":"starter"}', '--max', '10', ...more],
      })
    const first = await pay()
    expect(first).toMatchObject({ code: 0 })
    const { key } = boughtSchema.parse(JSON.parse(first.stdout))
    expect((await usageOf(gateway, key)).status).toBe(200)
    const [, name = ''] = /--idempotency-key (\S+)/.exec(first.stderr) ?? []
    const again = await pay('--idempotency-key', name, '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ status: 201, body: { key }, idempotencyKey: name })
    expect(await since()).toEqual({ keys: 1, received: prices.starter })
  } finally {
    await workplace.close()
  }
})

test('the embedded store sells keys too, and a repeated purchase gets the same working key', async () => {
  const data = await temporaryFolder()
  try {
    const embedded = await scene.open({ DATABASE_URL: '', DATA_DIR: data.folder })
    const { wallet, payment, name } = await newPayment()
    const before = await received()
    const reply = await buyKey(embedded, { payment, name })
    const { key } = bought(reply)
    for (const again of [payment, await sign(wallet)]) {
      expect((await buyKey(embedded, { payment: again, name })).text).toBe(reply.text)
    }
    expect((await buyKey(embedded, { payment, name: newName() })).status).toBe(409)
    expect((await usageOf(embedded, key)).status).toBe(200)
    expect((await received()) - before).toBe(prices.starter)
    await embedded.close()
  } finally {
    await data.remove()
  }
})

/** Makes the store refuse keys, so that the handler fails after the money was taken. */
async function buyInVain(order: Order): Promise<request.Response> {
  await sql`alter table keys add constraint no_sale check (payment_id is null) not valid`.execute(
    scene.queries,
  )
  try {
    return await buyKey(gateway, order)
  } finally {
    await sql`alter table keys drop constraint no_sale`.execute(scene.queries)
  }
}

const starter = { price: '9.00', description: 'To try.', operations: { researchLead: '50/month' } }

/** A catalog that a test changes while a gateway uses it. */
async function ownCatalog() {
  const path = join(files.folder, `${newName()}.yaml`)
  const file = async (tier: object) => {
    await rename(await writeCatalog(files.folder, {}, { starter: tier }), path)
  }
  await file(starter)
  return { file, settings: { CATALOG_FILE: path } }
}

async function reload({ url }: Seller): Promise<void> {
  const reply = await request(url)
    .post('/operator/catalog/reload')
    .set('authorization', `Bearer ${operatorToken}`)
  expect(reply.body).toEqual({ changed: true })
}
