import request from 'supertest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventTypes } from '../../../src/platform/store/outbox.ts'
import { industrySlugs } from '../../../src/products/text/knowledge/industry.ts'
import {
  type Caller,
  ended,
  newClient,
  newKey,
  openScanScene,
  type ScanScene,
  startScan,
  unreachableSite,
} from '../../support/scans/scan-scene.ts'
import { secret } from '../../support/webhooks/box.ts'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'

/** From a free scan to the directory, analytics, search and every event, as the specification describes them. */

const page = `<!doctype html><html lang="en"><title>Bright Smile Dental</title>
  <meta name="description" content="Dentists for families."><h1>Dentists</h1><p>Call us to book an appointment.</p>`
let receiver: Receiver
let scene: ScanScene
let gateway: ScanScene['gateway']

beforeAll(async () => {
  receiver = await startReceiver()
  const html = { 'content-type': 'text/html; charset=utf-8' }
  scene = await openScanScene({ 'smile.example': () => ({ headers: html, body: page }) }, {}, [
    receiver.target,
  ])
  gateway = scene.gateway
})
afterAll(async () => {
  await scene.close()
  await receiver.close()
})

const get = async (path: string, caller: Caller = newClient()) => {
  const reply = await request(gateway.url).get(path).set(caller)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const score = expect.toSatisfy((value) => Number.isInteger(value) && value >= 0 && value <= 100)
const text = expect.stringMatching(/./)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
const whole = expect.toSatisfy(Number.isInteger)

test('a receiver with standardwebhooks accepts every event from a free scan to the directory, and each resource has the fields and types of the specification', async () => {
  const key = await newKey(gateway)
  const asked = { callback_url: receiver.url, events: eventTypes, secret, metadata: { team: 'sales' } }
  const { status, body } = await request(gateway.url).post('/api/webhooks/subscribe').set(key).send(asked)
  // 2.11 and 4.11
  expect([status, body]).toEqual([
    201,
    {
      ok: true,
      subscription: {
        ...{ id: text, status: 'active', callback_url: receiver.url, created_at: time },
        events: [...eventTypes],
      },
    },
  ])

  const scanId = await startScan(gateway, 'smile.example', newClient(), { scanType: 'basic' })
  await ended(gateway, scanId)
  const failedId = await startScan(gateway, unreachableSite)
  await ended(gateway, failedId)

  // 2.8 and 4.8
  const { listings, total } = await get('/api/directory')
  const listing = {
    ...{ businessName: 'Bright Smile Dental', slug: 'bright-smile-dental', domain: 'smile.example' },
    ...{ industry: expect.toBeOneOf([...industrySlugs]), description: 'Dentists for families.' },
    ...{ readinessScore: score, aeoScore: score },
  }
  expect({ listings, total }).toEqual({ listings: [listing], total: 1 })
  expect(await get('/api/directory/bright-smile-dental')).toMatchObject(listing)

  // 2.9 and 4.9
  const analytics = {
    ...{
      totalScans: 2,
      averageReadinessScore: listings[0].readinessScore,
      averageAeoScore: listings[0].aeoScore,
    },
    topOpportunityCategories: expect.toSatisfy((names) =>
      names.every((name: unknown) => typeof name === 'string'),
    ),
    scansByStatus: { pending: 0, fetching: 0, analyzing: 0, complete: 1, error: 1 },
  }
  expect(await get('/api/insights/analytics', key)).toEqual(analytics)

  // 2.10 and 4.10
  expect(await get('/api/insights/search?query=dentists')).toEqual({
    results: expect.arrayContaining([
      {
        ...{ type: 'domain', scanId, domain: 'smile.example', title: 'smile.example' },
        ...{ snippet: expect.stringContaining('Dentists'), score: expect.any(Number) },
      },
    ]),
    total: whole,
    query: 'dentists',
  })

  // Gateways announce a week at their start. The first one may have done so before anyone subscribed.
  await gateway.services.queries.deleteFrom('weeklyEvents').execute()
  await scene.open()
  const isWeekly = (event: string) => event === 'analytics.weekly'
  await expect
    .poll(() => [receiver.events.some(isWeekly), receiver.events.filter((one) => !isWeekly(one)).length], {
      message: 'deliveries did not arrive',
    })
    .toEqual([true, 6])
  expect(receiver.received.filter(({ isGenuine }) => !isGenuine)).toEqual([])
  const dataOf = (event: string) =>
    receiver.received.filter(({ payload }) => payload.event === event).map(({ payload }) => payload.data)
  const of = (id: string, domain = 'smile.example') => ({ scan_id: id, domain })
  const { readinessScore: readiness, aeoScore: aeo } = listings[0]
  const { slug, domain, businessName } = listing
  // Part 6
  expect(dataOf('scan.completed')).toEqual([
    { ...of(scanId), status: 'complete', scores: { readiness, aeo } },
  ])
  expect(dataOf('scan.started')).toEqual(
    expect.arrayContaining([
      { ...of(scanId), status: 'fetching', scan_type: 'basic' },
      { ...of(failedId, unreachableSite), status: 'fetching', scan_type: 'light' },
    ]),
  )
  expect(dataOf('scan.failed')).toEqual([
    { ...of(failedId, unreachableSite), status: 'error', error: { code: 'SITE_UNREACHABLE', message: text } },
  ])
  expect(dataOf('directory.updated')).toEqual([{ slug, domain, businessName, change: 'created' }])
  expect(dataOf('insights.updated')).toEqual([
    { ...of(scanId), scope: 'public', cause: 'scan.completed', affects: ['analytics', 'search'] },
  ])
  for (const week of dataOf('analytics.weekly')) {
    expect(week).toEqual({
      ...{ week: { from: date, to: date }, totalScans: whole, topOpportunityCategories: [] },
      ...{ averageReadinessScore: expect.any(Number), averageAeoScore: expect.any(Number) },
      scansByStatus: { pending: 0, fetching: 0, analyzing: 0, complete: 0, error: 0 },
    })
  }
  for (const { payload } of receiver.received) {
    expect(payload).toEqual({
      type: payload.event,
      event: payload.event,
      timestamp: time,
      data: payload.data,
    })
  }
})
