import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { table } from '../../../src/edge/handlers/table.ts'
import {
  type Caller,
  ended,
  newClient,
  newKey,
  openScanScene,
  type ScanScene,
  startScan,
} from '../../support/scans/scan-scene.ts'

/** What callers learn about many scans at once: the analytics summary and the search. */

let scene: ScanScene
let gateway: ScanScene['gateway']
let owner: Caller
let other: Caller
let openId: string
let secretId: string

beforeAll(async () => {
  scene = await openScanScene({
    'flowers.example': shopPage('Blumenhaus Öhlmann'),
    'secret.example': shopPage('Öhlmann & Co'),
  })
  gateway = scene.gateway
  owner = await newKey(gateway)
  other = await newKey(gateway)
  openId = await startScan(gateway, 'flowers.example', newClient())
  secretId = await startScan(gateway, 'secret.example', owner)
  await ended(gateway, openId)
  await ended(gateway, secretId, owner)
})
afterAll(() => scene.close())

function shopPage(name: string) {
  return ({ path }: { readonly path: string }) =>
    path === '/'
      ? {
          headers: { 'content-type': 'text/html; charset=utf-8' },
          body: `<!doctype html><html lang="de"><title>${name}</title><meta property="og:site_name" content="${name}">
            <h1>${name}</h1><p>Sträuße &lt;script&gt;alert(1)&lt;/script&gt; nach Hause.</p>`,
        }
      : { status: 404, headers: { 'content-type': 'text/html' }, body: 'Not found' }
}

const ask = (path: string, query: Readonly<Record<string, string>>, caller: Caller) =>
  request(gateway.url).get(`/api/insights/${path}`).query(query).set(caller)

/** The reply, with exactly the declared fields. */
async function find(query: Readonly<Record<string, string>>, caller: Caller) {
  const body = await replyOf('search', query, caller)
  return z.strictObject(table.searchInsights.response.shape).parse(body)
}

async function summary(query: Readonly<Record<string, string>>, caller: Caller) {
  const body = await replyOf('analytics', query, caller)
  return z.strictObject(table.getAnalyticsSummary.response.shape).parse(body)
}

async function replyOf(
  path: string,
  query: Readonly<Record<string, string>>,
  caller: Caller,
): Promise<unknown> {
  const { status, body, headers } = await ask(path, query, caller)
  expect([status, body]).toMatchObject([200, {}])
  expect(headers['cache-control']).toBe('private, no-store')
  return body
}

async function expectRefused(path: string, faulty: readonly (readonly [string, string])[], caller: Caller) {
  for (const [field, query] of faulty) {
    const { status, body } = await request(gateway.url).get(`/api/insights/${path}?${query}`).set(caller)
    expect([query.slice(0, 80), status, body]).toMatchObject([
      query.slice(0, 80),
      400,
      {
        error: 'bad_request',
        code: 'VALIDATION_ERROR',
        details: { issues: [expect.objectContaining({ field })] },
      },
    ])
  }
}

describe('the search', () => {
  test('a complete scan is found by callers without a key, with every field of the specification', async () => {
    const found = await find({ query: 'flowers.ex', search_type: 'domains' }, newClient())
    expect(found).toEqual({
      query: 'flowers.ex',
      total: 1,
      results: [
        {
          type: 'domain',
          scanId: openId,
          domain: 'flowers.example',
          title: 'flowers.example',
          snippet: expect.any(String),
          score: expect.any(Number),
        },
      ],
    })
  })

  test('a scan that was made with a key is found by that key, and for all others it changes neither results nor total', async () => {
    const seenBy = async (caller: Caller) => {
      const { results, total } = await find({ query: 'example', search_type: 'domains' }, caller)
      return { total, ids: results.map(({ scanId }) => scanId).toSorted() }
    }
    expect(await seenBy(owner)).toEqual({ total: 2, ids: [openId, secretId].toSorted() })
    for (const caller of [other, newClient()])
      expect(await seenBy(caller)).toEqual({ total: 1, ids: [openId] })
    expect(await find({ query: 'secret' }, other)).toMatchObject({ results: [], total: 0 })
  })

  test('titles and snippets are plain text that no page can take for elements', async () => {
    const { results } = await find({ query: 'example', limit: '50' }, owner)
    expect(results.length).toBeGreaterThan(2)
    for (const { title, snippet } of results) expect(`${title}${snippet}`).not.toMatch(/[<>]/)
  })

  test('the query comes back as it was read, without the spaces around it', async () => {
    const { query } = await find({ query: '  "Öhl" -x  ' }, newClient())
    expect(query).toBe('"Öhl" -x')
  })

  test('a faulty query is refused with the name of the faulty field, and nothing is cut or corrected silently', async () => {
    await expectRefused(
      'search',
      [
        ['query', ''],
        ['query', 'query='],
        ['query', 'query=%20%20'],
        ['query', `query=${'a'.repeat(501)}`],
        ['query', `query=${'a'.repeat(10_000)}`],
        ['query', `query=${'word+'.repeat(33)}`],
        ['query', `query=${encodeURIComponent('"" & | ! - ( ) :* <-> 🚀')}`],
        ['query', 'query=-shop'],
        ['query', 'query=a%00b'],
        ['query', 'query=a%1bb'],
        ['query', 'query=a&query=b'],
        ['limit', 'query=a&limit=0'],
        ['limit', 'query=a&limit=51'],
        ['limit', 'query=a&limit=-1'],
        ['limit', 'query=a&limit=99999999999999999999'],
        ['limit', 'query=a&limit=1.5'],
        ['limit', 'query=a&limit='],
        ['search_type', 'query=a&search_type=findings'],
        ['search_type', 'query=a&search_type='],
        ['offset', 'query=a&offset=10'],
      ],
      owner,
    )
  })

  test('the longest query with the most words is served, and so are bytes that are no UTF-8', async () => {
    for (const query of [
      `query=${'w%20'.repeat(32)}`,
      `query=${'é'.repeat(500)}`,
      'query=%ED%A0%80a',
      'query=%22open',
      'query=%ff%feb',
    ]) {
      const { status } = await request(gateway.url).get(`/api/insights/search?${query}`).set(owner)
      expect([query.slice(0, 40), status]).toEqual([query.slice(0, 40), 200])
    }
  })
})

describe('the analytics summary', () => {
  test('a key sees the sums of its own scans and of the public ones, with every field of the specification', async () => {
    const [ours, theirs] = [await summary({}, owner), await summary({ time_range: '7d' }, other)]
    expect(ours).toMatchObject({
      totalScans: 2,
      scansByStatus: { pending: 0, fetching: 0, analyzing: 0, complete: 2, error: 0 },
    })
    expect(theirs).toMatchObject({ totalScans: 1, scansByStatus: { complete: 1 } })
    const { body } = await request(gateway.url).get(`/api/insights/scan/${openId}/results`).set(other)
    expect(theirs.averageReadinessScore).toBe(body.results.readinessScore)
    expect(theirs.averageAeoScore).toBe(body.results.aeoScore)
  })

  test('the summary needs a key', async () => {
    const { status, body } = await ask('analytics', {}, newClient())
    expect([status, body]).toMatchObject([401, { code: 'API_KEY_REQUIRED' }])
  })

  test('a faulty range is refused with the name of the faulty field', async () => {
    await expectRefused(
      'analytics',
      [
        ['time_range', 'time_range='],
        ['time_range', 'time_range=7D'],
        ['time_range', 'time_range=-1d'],
        ['time_range', 'time_range=365d'],
        ['time_range', 'time_range=7d&time_range=30d'],
        ['limit', 'limit=1'],
      ],
      owner,
    )
  })
})
