import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownEndpoints } from '../../../src/edge/handlers/table.ts'
import { checkCatalog } from '../../../src/platform/config/catalog-file.ts'
import { signPayment, v2Header } from '../../support/chain/wallet.ts'
import { operatorToken } from '../../support/gateways/gateway.ts'
import { idOf, openShop, type Shop } from '../../support/gateways/shop.ts'

/** Only the operator's token opens the operator's endpoints, and caches and foreign pages cannot read the replies. */

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const operatorPaths: [method: 'get' | 'post', path: string][] = [
  ['get', '/operator/payments'],
  ['get', `/operator/payments/0x${'00'.repeat(32)}`],
  ['post', `/operator/payments/0x${'00'.repeat(32)}/refund`],
  ['get', '/operator/totals'],
  ['get', '/operator/strangers'],
  ['post', `/operator/strangers/0x${'00'.repeat(32)}/adopt`],
  ['post', `/operator/strangers/0x${'00'.repeat(32)}/refund`],
  ['post', `/operator/strangers/0x${'00'.repeat(32)}/dismiss`],
  ['get', '/operator/export?format=csv'],
  ['post', '/operator/reconcile'],
  ['get', '/metrics'],
  ['post', '/operator/keys'],
  ['get', '/operator/keys'],
  ['get', '/operator/keys/0000000000000000'],
  ['post', '/operator/keys/0000000000000000/revoke'],
  ['post', '/operator/keys/0000000000000000/rotate'],
  ['post', '/operator/signing-keys/rotate'],
  ['post', '/operator/catalog/reload'],
  ['post', '/operator/explain'],
  ['post', '/operator/keys/0000000000000000/update'],
  ['get', '/operator/keys/0000000000000000/usage'],
  ['get', '/operator/usage/keys'],
  ['get', '/operator/audit'],
  ['get', '/operator/webhooks'],
  ['get', '/operator/webhooks/00000000-0000-0000-0000-000000000000'],
  ...['pause', 'resume', 'delete', 'test', 'deliveries/00000000-0000-0000-0000-000000000000/resend'].map(
    (action): (typeof operatorPaths)[number] => [
      'post',
      `/operator/webhooks/00000000-0000-0000-0000-000000000000/${action}`,
    ],
  ),
]

describe('the operator’s endpoints', () => {
  test.each(operatorPaths)(
    '%s %s requires the operator’s token, and refuses any other',
    async (method, path) => {
      const without = await request(shop.gateway.url)[method](path)
      expect(without.status).toBe(401)
      expect(without.body).toMatchObject({ error: 'unauthorized', code: 'OPERATOR_TOKEN_REQUIRED' })
      expect(without.headers['www-authenticate']).toBe('Bearer realm="operator"')
      for (const wrong of [
        `Bearer ${operatorToken}x`,
        `Bearer ${operatorToken.slice(0, -1)}`,
        `Bearer ${operatorToken.toUpperCase()}`,
        'Bearer ',
        `Bearer ${operatorToken} ${operatorToken}`,
        `Basic ${operatorToken}`,
        operatorToken,
      ]) {
        const refused = await request(shop.gateway.url)[method](path).set('authorization', wrong)
        expect([wrong, refused.status, refused.body.code]).toEqual([wrong, 401, 'OPERATOR_TOKEN_INVALID'])
        expect(refused.headers['www-authenticate']).toBe('Bearer realm="operator", error="invalid_token"')
      }
    },
  )

  test.each(operatorPaths)(
    '%s %s cannot be cached, or read by pages of other origins',
    async (method, path) => {
      for (const reply of [
        await request(shop.gateway.url)[method](path),
        await shop.asOperator(method, path),
        await shop.asOperator('delete', path.split('?')[0] ?? ''),
        await request(shop.gateway.url).options(path),
      ]) {
        expect(reply.headers['cache-control']).toBe('no-store')
        expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    },
  )

  test('cannot be opened by a catalog: one that names them is refused', () => {
    const text = `provider: { name: a, description: b }
operations:
  listPayments: { access: open, description: Free for all. }
  getMetrics: { access: open, description: Free for all. }
`
    const checked = checkCatalog(text, ownEndpoints)
    expect('faults' in checked && checked.faults.map(({ path }) => path)).toEqual([
      'operations.listPayments',
      'operations.getMetrics',
    ])
  })

  test('do not accept a payment in place of the token, and leave it untouched', async () => {
    const payment = await signPayment(shop.payer, 100_000n, { to: shop.payTo })
    const reply = await request(shop.gateway.url)
      .get('/operator/totals')
      .set('payment-signature', v2Header(payment, { payTo: shop.payTo }))
    expect(reply.body.code).toBe('OPERATOR_TOKEN_REQUIRED')
    expect((await request(shop.gateway.url).get(`/payments/${idOf(payment)}`)).status).toBe(404)
  })

  test('do not make their token a key: a priced call with it is refused, and a payment beside it stays untouched', async () => {
    const payment = await signPayment(shop.payer, 100_000n, { to: shop.payTo })
    for (const credentials of [`Bearer ${operatorToken}`, 'Bearer of-something-else']) {
      const call = () =>
        request(shop.gateway.url)
          .post('/api/analyze')
          .set('authorization', credentials)
          .send({ businessName: 'Acme Dental' })
      const paid = call().set('payment-signature', v2Header(payment, { payTo: shop.payTo }))
      for (const reply of [await call(), await paid]) {
        expect([reply.status, reply.body.code]).toEqual([401, 'TOKEN_INVALID'])
      }
    }
    expect((await request(shop.gateway.url).get(`/payments/${idOf(payment)}`)).status).toBe(404)
  })

  test('never log the token', () => {
    expect(shop.gateway.logged.length).toBeGreaterThan(0)
    expect(shop.gateway.logged.join('')).not.toContain(operatorToken)
  })
})
