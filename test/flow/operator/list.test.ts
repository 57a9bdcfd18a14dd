import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paymentListSchema } from '../../../src/edge/handlers/operator/replies.ts'
import { bookedSchema } from '../../../src/edge/handlers/payments/replies.ts'
import { openShop, type Shop } from '../../support/gateways/shop.ts'

/** The operator lists payments and looks at one. */

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

describe('GET /operator/payments', () => {
  const list = async (query: Readonly<Record<string, string | number>> = {}) => {
    const reply = await shop.asOperator('get', '/operator/payments').query(query)
    expect(reply.status).toBe(200)
    return paymentListSchema.parse(reply.body)
  }
  const ids = async (query = {}) => (await list(query)).payments.map(({ paymentId }) => paymentId)

  test('lists the newest first, and the same payments page by page', async () => {
    const newestFirst = shop.bought.map(({ id }) => id).reverse()
    expect(await ids()).toEqual(newestFirst)
    const pages: string[][] = []
    let cursor: string | null | undefined
    do {
      const page = await list({ limit: 3, ...(cursor ? { cursor } : {}) })
      pages.push(page.payments.map(({ paymentId }) => paymentId))
      cursor = page.nextCursor
    } while (cursor)
    expect(pages).toEqual([newestFirst.slice(0, 3), newestFirst.slice(3)])
  })

  test('filters by state, operation, payer and time', async () => {
    const [first, second, third, fourth] = shop.bought.map(({ id }) => id)
    expect(await ids({ operation: 'researchLead' })).toEqual([second])
    expect(await ids({ payer: shop.other.address })).toEqual([third])
    expect(await ids({ payer: shop.payer.address.toLowerCase(), operation: 'analyzeBusiness' })).toEqual([
      fourth,
      first,
    ])
    expect(await ids({ state: 'failed' })).toEqual([])
    expect(await ids({ since: Math.floor(Date.now() / 1000) + 60 })).toEqual([])
    expect(await ids({ until: '2026-01-01' })).toEqual([])
    expect(await ids({ since: '2026-01-01T00:00:00+02:00' })).toHaveLength(4)
  })

  test.each([
    [{ state: 'gone' }, 'state'],
    [{ payer: '0x12' }, 'payer'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: '2026-05-01T12:00:00' }, 'since'],
    [{ until: '2026-13-01' }, 'until'],
    [{ until: '9'.repeat(12) }, 'until'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 501 }, 'limit'],
    [{ limit: 'all' }, 'limit'],
    [{ cursor: 'first' }, 'cursor'],
    [{ cursor: Buffer.from('["2026-99-01T00:00:00.000000Z","0x"]').toString('base64url') }, 'cursor'],
    [{ sinse: '2026-05-01' }, 'sinse'],
    [{ state: ['settled', 'failed'] }, 'state'],
  ])('refuses %j, naming the field', async (query, field) => {
    const reply = await shop.asOperator('get', '/operator/payments').query(query)
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(reply.body.details.issues.map((issue: { field: string }) => issue.field)).toEqual([field])
  })

  test('and the endpoint of one payment show everything but the signature and the reply', async () => {
    const { payment, id } = shop.bought[1] ?? {}
    const reply = await shop.asOperator('get', `/operator/payments/${id}`)
    const shown = bookedSchema.parse(reply.body)
    expect(shown).toMatchObject({
      paymentId: id,
      nonce: payment?.authorization.nonce,
      validBefore: payment?.authorization.validBefore.toString(),
      x402Version: 2,
      settles: 'after',
      attempt: 1,
      reply: { status: 200, bytes: expect.any(Number) },
    })
    expect(shown.reply?.bytes).toBeGreaterThan(100)
    expect((await list()).payments).toContainEqual(shown)
    for (const text of [reply.text, (await shop.asOperator('get', '/operator/payments')).text]) {
      expect(text).not.toContain(payment?.signature.slice(2))
      expect(text).not.toMatch(/signature|research"|reply_body/)
    }
    expect((await shop.asOperator('get', `/operator/payments/0x${'00'.repeat(32)}`)).body.code).toBe(
      'PAYMENT_NOT_FOUND',
    )
  })
})
