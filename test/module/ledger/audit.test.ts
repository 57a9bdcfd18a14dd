import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type EndpointRow, endpoint, noInput } from '../../../src/core/endpoint.ts'
import { GatewayError } from '../../../src/core/errors.ts'
import { createLog } from '../../../src/core/log.ts'
import { json, type Reply } from '../../../src/core/reply.ts'
import { listAudit } from '../../../src/doors/ledger/audit.ts'
import { audited } from '../../../src/edge/handlers/audited.ts'
import { operatorOperation } from '../../../src/edge/handlers/operator/fields.ts'
import { operatorRows } from '../../../src/edge/handlers/operator/operator.ts'
import { table } from '../../../src/edge/handlers/table.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import type { Position } from '../../../src/platform/store/page.ts'
import { contextOf } from '../../support/gateways/context.ts'
import { hex, type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'

/** The audit trail: every action of the operator has a row, whatever becomes of the action. */

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('the audit trail in %s', (_driver, open) => {
  let opened: Opened
  const clock = { time: Date.UTC(2026, 4, 1), now: () => clock.time }
  let books: Books
  const logged: string[] = []
  const log = createLog('info', { write: (line: string) => void logged.push(line) })

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
  })
  afterAll(() => opened.close())

  const row: EndpointRow = {
    ...noInput,
    method: 'POST',
    path: '/operator/things/{thingId}',
    operation: operatorOperation('For a test.'),
    response: z.unknown(),
  }
  const anything = z.looseObject({})

  /** Calls an endpoint whose handler does this. */
  async function call(
    id: string,
    handle: () => Reply | Promise<Reply>,
    input: { readonly params?: object; readonly body?: object } = {},
    like: EndpointRow = row,
  ) {
    clock.time += 1
    const callId = hex(8)
    const shaped = { ...like, params: anything, query: anything, body: anything }
    const bound = audited(endpoint(id, shaped, handle), { books, log })
    return { callId, reply: await bound.prepare(input)(contextOf({ callId })) }
  }
  const recorded = async (action: string) => (await listAudit(books, { action }, undefined, 500)).rows

  test('every operator’s endpoint that is no GET is recorded, but for those that change nothing', async () => {
    const silent: string[] = []
    for (const [id, own] of Object.entries<EndpointRow>(operatorRows)) {
      await call(id, () => json(200, {}), {}, own)
      if ((await recorded(id)).length === 0 && own.method !== 'GET') silent.push(id)
      else expect([id, (await recorded(id)).length]).toEqual([id, own.method === 'GET' ? 0 : 1])
    }
    expect(silent.sort()).toEqual(['explainCall', 'findScans', 'reconcile'])
    // No other endpoint is the operator's, and callers' calls are not recorded.
    const others = Object.entries<EndpointRow>(table).filter(([id]) => !Object.hasOwn(operatorRows, id))
    expect(others.filter(([, { operation }]) => operation?.access === 'operator')).toEqual([])
    const [id = '', own = row] = others.find(([, { method }]) => method === 'POST') ?? []
    await call(id, () => json(200, {}), {}, own)
    expect(await recorded(id)).toEqual([])
  })

  test('an action is recorded with its subject, what was asked for, what came of it, and where it came from', async () => {
    const at = clock.time + 1
    const { callId } = await call(
      'change',
      () => json(202, { state: 'refunding', parts: [1, 2], amount: '0.10' }),
      {
        params: { paymentId: '0xab' },
        body: { amount: '0.10', reason: 'Not as described', isFinal: true },
      },
    )
    expect(await recorded('change')).toMatchObject([
      {
        callId,
        at: new Date(at),
        subject: '0xab',
        details: { paymentId: '0xab', amount: '0.10', reason: 'Not as described', isFinal: true },
        outcome: 'done',
        status: 202,
        code: null,
        result: { state: 'refunding', amount: '0.10' },
        client: '192.0.2.7',
      },
    ])
  })

  test('no secret is recorded, neither of the request nor of the reply; a new key is named by its id', async () => {
    const key = `tgk_${'a'.repeat(54)}`
    const body = { tier: 'pro', label: key, token: 'top', signature: '0x1', clientSecret: 's', password: 'p' }
    await call('make', () => json(201, { keyId: 'A'.repeat(16), key, tier: 'pro' }), { body })
    const [made] = await recorded('make')
    expect(made).toMatchObject({
      subject: 'A'.repeat(16),
      details: { tier: 'pro', label: '[secret]' },
      result: { keyId: 'A'.repeat(16), tier: 'pro' },
    })
    expect(Object.keys({ ...made?.details, ...made?.result }).sort()).toEqual(['keyId', 'label', 'tier'])
  })

  test('a secret inside a text, a name or a nested field is not recorded, and the rest of the text is', async () => {
    const key = `tgk_${'a'.repeat(54)}`
    const header = 'eyJhbGciOiJSUzI1NiJ9'
    const hash = `0x${'ab'.repeat(32)}`
    const body = {
      reason: `see ${key}, or ${header}.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl, of ${hash}`,
      long: `${'x'.repeat(470)} ${key}`,
      split: key.replace('tgk_', 'tgk_\0'),
      [key]: 'named',
      nested: { texts: [key, 1], token: 'top' },
    }
    await call('leak', () => json(200, { note: `made ${key}` }), { params: { id: `of ${key}` }, body })
    expect(await recorded('leak')).toMatchObject([
      {
        subject: 'of [secret]',
        details: {
          reason: `see [secret], or [secret], of ${hash}`,
          long: `${'x'.repeat(470)} [secret]`,
          split: '[secret]',
          '[secret]': 'named',
          nested: { texts: ['[secret]', 1] },
        },
        result: { note: 'made [secret]' },
      },
    ])
  })

  test('an action is recorded whatever characters it was asked with', async () => {
    const odd = 'a\0b\ud800'
    await call('odd texts', () => json(200, { note: odd }), {
      params: { id: odd },
      body: { [odd]: odd, n: [odd] },
    })
    const kept = 'ab\ufffd'
    expect(await recorded('odd texts')).toMatchObject([
      {
        subject: kept,
        details: { id: kept, [kept]: kept, n: [kept] },
        result: { note: kept },
        outcome: 'done',
      },
    ])
  })

  test.each([
    [new GatewayError('REFUND_IMPOSSIBLE', { problem: 'x' }), 'refused', 409, 'REFUND_IMPOSSIBLE'],
    [new GatewayError('CHAIN_UNAVAILABLE'), 'failed', 503, 'CHAIN_UNAVAILABLE'],
    [new Error('a bug'), 'failed', 500, 'INTERNAL'],
  ])(
    'an action that ends with %s is recorded as such, and its caller gets the error',
    async (error, outcome, status, code) => {
      const action = `end${code}`
      await expect(call(action, () => Promise.reject(error), { params: { id: 'x' } })).rejects.toBe(error)
      expect(await recorded(action)).toMatchObject([{ outcome, status, code, subject: 'x', result: null }])
    },
  )

  test('an action is recorded before it is carried out, so that one which the process does not survive has a row', async () => {
    let during: unknown
    await call('slow', async () => {
      during = await recorded('slow')
      return json(200, {})
    })
    expect(during).toMatchObject([{ outcome: 'begun', status: null, result: null }])
  })

  test('an action that cannot be recorded is not carried out; one whose outcome cannot be recorded is not undone', async () => {
    const away = sql`alter table audit rename to audit_away`
    const back = sql`alter table audit_away rename to audit`
    let runs = 0
    await away.execute(books.queries)
    try {
      const refused = call('unrecorded', () => {
        runs += 1
        return json(200, {})
      })
      await expect(refused).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' })
    } finally {
      await back.execute(books.queries)
    }
    expect(runs).toBe(0)

    try {
      const { reply, callId } = await call('interrupted', async () => {
        await away.execute(books.queries)
        return json(200, {})
      })
      expect(reply.status).toBe(200)
      expect(logged.filter((line) => line.includes(callId))).toHaveLength(1)
    } finally {
      await back.execute(books.queries)
    }
    expect(await recorded('interrupted')).toMatchObject([{ outcome: 'begun' }])
  })

  test('the trail is listed newest first, page by page, by action, outcome and time', async () => {
    const since = new Date(clock.time + 1)
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.push((await call(n % 2 ? 'odd' : 'even', () => json(200, {}))).callId)
    const pages: string[][] = []
    let after: Position | undefined
    do {
      const page = await listAudit(books, { since }, after, 2)
      pages.push(page.rows.map(({ callId }) => callId))
      after = page.next
    } while (after)
    const newest = ids.toReversed()
    expect(pages).toEqual([newest.slice(0, 2), newest.slice(2, 4), newest.slice(4)])
    const idsOf = async (filter: Parameters<typeof listAudit>[1]) =>
      (await listAudit(books, { since, ...filter }, undefined, 10)).rows.map(({ callId }) => callId)
    expect(await idsOf({ action: 'odd' })).toEqual([ids[3], ids[1]])
    expect(await idsOf({ outcome: 'failed' })).toEqual([])
    expect(await idsOf({ until: new Date(since.getTime() + 2) })).toEqual([ids[1], ids[0]])
  })
})
