import { createPublicKey, verify } from 'node:crypto'
import { verifySignature } from 'http-message-sig'
import request, { type Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  allSteps,
  ended,
  follow,
  newClient,
  newKey,
  openScanScene,
  read,
  type ScanScene,
  startScan,
  trigger,
  unreachableSite,
} from '../../support/scans/scan-scene.ts'
import { loadSite } from '../../support/servers/saved-site.ts'

/** Scans over HTTP: requests, costs, states and results. */

const dentist = loadSite('dentist')
let scene: ScanScene
let gateway: ScanScene['gateway']
let hanging: string

beforeAll(async () => {
  scene = await openScanScene({
    'harbourdental.example': (asked) => dentist.answer({ ...asked, scheme: 'https' }),
    'small.example': 'small',
    'again.example': 'small',
    'held.example': 'small',
    'hanging.example': () => 'hang',
    'closed.example': ({ path }) =>
      path === '/robots.txt' ? { body: 'User-agent: *\nDisallow: /\n' } : { body: 'secret' },
    'broken.example': () => ({ status: 503, body: 'secret stack trace' }),
  })
  gateway = scene.gateway
  // This scan takes long, so it begins before all others.
  hanging = await startScan(gateway, 'hanging.example')
})
afterAll(() => scene.close())

const get = (path: string, caller = newClient()) => request(gateway.url).get(path).set(caller)

/** Checks that the reply matches the endpoint's schema and has no other field. */
function expectDeclared(endpointId: string, { body }: Response): void {
  const endpoint = gateway.services.parts.endpoints.find(({ id }) => id === endpointId)
  expect(endpoint?.response.parse(body)).toEqual(body)
}

function expectRefused(reply: Response, status: number, code: string, details?: object): void {
  const expected = { code, ...(details ? { details } : {}) }
  expect([reply.status, reply.body]).toMatchObject([status, expected])
  expect(reply.body.message).toMatch(/^[A-Z].*\.$/)
}

describe('a request for a scan', () => {
  test('a caller who starts a scan gets its id, its status and what to do next', async () => {
    const reply = await trigger(gateway, { url: 'small.example', scanType: 'light' })
    expectDeclared('triggerScan', reply)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      scanId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      status: expect.stringMatching(/^(pending|fetching)$/),
      message: expect.stringContaining('small.example'),
    })
    expect(reply.headers['cache-control']).toContain('no-store')
  })

  test('an address that is no public website is refused as INVALID_URL, whatever else is wrong, and costs no unit', async () => {
    const client = newClient()
    const bodies = [...badUrls.map((url) => ({ url })), {}, null, [], ['example.com'], 'example.com', 7, true]
    for (const body of bodies) {
      const reply = await trigger(gateway, body, client)
      expect([JSON.stringify(body).slice(0, 60), reply.status, reply.body.code]).toEqual([
        JSON.stringify(body).slice(0, 60),
        400,
        'INVALID_URL',
      ])
      expectRefused(reply, 400, 'INVALID_URL', {
        field: 'url',
        expected: expect.stringContaining('example.com'),
        problem: expect.stringMatching(/\.$/),
      })
      expect(reply.body.error).toBe('bad_request')
    }
    const all = await request(gateway.url)
      .post('/api/insights/scan?max_age=x')
      .set(client)
      .send({ url: 'localhost', email: 'nobody', scanType: 'deep', more: 1 })
    expectRefused(all, 400, 'INVALID_URL', { field: 'url' })
    const misspelt = await trigger(gateway, { url: 'example.c' }, client)
    expect(misspelt.body.details.problem).toBe('There are no public domains under .c. Check the spelling.')
    const good = await trigger(gateway, { url: 'http://small.example', scanType: 'light' }, client)
    expect(good.headers['x-ratelimit-remaining']).toBe('2')
  })

  test.each([
    ['email', { email: 'nobody' }],
    ['email', { email: 'a@example.com, b@example.com' }],
    ['email', { email: 'a@example.com\r\nbcc: b@example.com' }],
    ['email', { email: `${'a'.repeat(65)}@example.com` }],
    ['scanType', { scanType: 'deep' }],
    ['scanType', { scanType: null }],
    ['depth', { depth: 'light' }],
  ])('a fault in the field %s is named (%j), and costs no unit', async (field, more) => {
    const client = newClient()
    const reply = await trigger(gateway, { url: 'http://small.example', ...more }, client)
    expectRefused(reply, 400, 'VALIDATION_ERROR', { issues: [expect.objectContaining({ field })] })
    const good = await trigger(gateway, { url: 'http://small.example', scanType: 'light' }, client)
    expect(good.headers['x-ratelimit-remaining']).toBe('2')
  })

  test.each([
    ['a key that is too long', { 'idempotency-key': 'k'.repeat(256) }, ''],
    ['an empty key', { 'idempotency-key': '' }, ''],
    ['a key of two words', { 'idempotency-key': 'two words' }, ''],
    ['a key beside a known scan', { 'idempotency-key': 'two words' }, '?max_age=86400'],
    ['an age that is no number', {}, '?max_age=day'],
    ['an age before now', {}, '?max_age=-1'],
    ['half a second', {}, '?max_age=0.5'],
    ['more than a day', {}, '?max_age=86401'],
    ['an age that comes twice', {}, '?max_age=1&max_age=2'],
  ])('%s is refused and costs no unit', async (_what, headers, query) => {
    const client = newClient()
    const body = { url: 'http://small.example', scanType: 'light' }
    const reply = await request(gateway.url)
      .post(`/api/insights/scan${query}`)
      .set({ ...client, ...headers })
      .send(body)
    const field = 'idempotency-key' in headers ? 'Idempotency-Key' : 'max_age'
    expectRefused(reply, 400, 'VALIDATION_ERROR', { issues: [expect.objectContaining({ field })] })
    const good = await trigger(gateway, body, client)
    expect(good.headers['x-ratelimit-remaining']).toBe('2')
  })
})

describe('what a scan costs', () => {
  const body = { url: 'http://again.example/', scanType: 'light' }
  const left = ({ headers }: Response) => headers['x-ratelimit-remaining']

  test('a client has three scans a day; the fourth request says when to come back', async () => {
    const client = newClient()
    const replies = []
    for (let count = 0; count < 4; count += 1) replies.push(await trigger(gateway, body, client))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(replies.map(left)).toEqual(['2', '1', '0', '0'])
    const fourth = replies[3]
    expect(fourth?.body).toMatchObject({
      error: 'rate_limited',
      code: 'RATE_LIMIT',
      details: { retry_after_seconds: expect.any(Number) },
    })
    // No payment opens this call, so the message speaks of what does.
    expect(fourth?.body.message).toMatch(
      /resets at \d{4}-\d\d-\d\dT00:00:00\.000Z\. An API key has its own limits: /,
    )
    expect(fourth?.body.message).not.toMatch(/pay/i)
    expect(fourth?.headers).toMatchObject({
      'retry-after': String(fourth?.body.details.retry_after_seconds),
      'x-ratelimit-limit': '3',
    })
    expect((await trigger(gateway, body, newClient())).status).toBe(200)
  })

  test('a scan whose site accepts no connection gives its unit back and says so, for a client and for a key', async () => {
    for (const caller of [newClient(), await newKey(gateway)]) {
      const started = await trigger(gateway, { url: unreachableSite, scanType: 'light' }, caller)
      const before = Number(left(started))
      const last = await ended(gateway, started.body.scanId, caller)
      expect(last).toMatchObject({ status: 'error' })
      expect(last?.message).toMatch(/gone\.example.*scan again\. It does not count against your scans\.$/)
      const again = await trigger(gateway, body, caller)
      expect(Number(left(again))).toBe(before)
    }
  })

  test('a request that is repeated under its Idempotency-Key starts one scan and costs one unit', async () => {
    const client = newClient()
    const named = { ...client, 'idempotency-key': 'first' }
    const replies = await Promise.all([1, 2, 3].map(() => trigger(gateway, body, named)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(replies.map((reply) => reply.body.scanId)).size).toBe(1)
    const other = await trigger(gateway, { ...body, scanType: 'basic' }, named)
    expectRefused(other, 409, 'IDEMPOTENCY_KEY_REUSED')
    expect(left(await trigger(gateway, body, client))).toBe('1')
  })

  test('the same Idempotency-Key of four callers starts four scans', async () => {
    const [one, other] = [await newKey(gateway), await newKey(gateway)]
    const name = { 'idempotency-key': 'order-7' }
    const callers = [newClient(), newClient(), one, other].map((caller) => ({ ...caller, ...name }))
    const ids = []
    for (const caller of callers) ids.push((await trigger(gateway, body, caller)).body.scanId)
    expect(new Set(ids).size).toBe(4)
  })

  test('with max_age, a caller gets an older scan for free, and never a scan of another key', async () => {
    const client = newClient()
    const [one, other] = [await newKey(gateway, 'few'), await newKey(gateway, 'few')]
    const asking = (caller: object, more: object = {}) =>
      request(gateway.url)
        .post('/api/insights/scan?max_age=3600')
        .set({ ...caller })
        .send({ url: 'http://again.example/only-here', scanType: 'light', ...more })
    const own = await asking(one)
    expect(left(own)).toBe('1')
    const again = await asking(one)
    expect([again.body.scanId, left(again)]).toEqual([own.body.scanId, '1'])
    const [strangers, others] = [await asking(client), await asking(other)]
    expect(strangers.body.scanId).not.toBe(own.body.scanId)
    // Every caller may see a scan without a key, so every caller may get it.
    expect([others.body.scanId, left(others)]).toEqual([strangers.body.scanId, '2'])
    const anothers = await asking(newClient())
    expect([anothers.body.scanId, left(anothers)]).toEqual([strangers.body.scanId, '3'])
    // A scan of another depth, or with a report to another address, is another scan.
    expect((await asking(newClient(), { scanType: 'basic' })).body.scanId).not.toBe(strangers.body.scanId)
    const mailed = await asking(newClient(), { email: 'reader@example.com' })
    expect(mailed.body.scanId).not.toBe(strangers.body.scanId)
  })
})

describe('a scan that runs', () => {
  const statusOf = async (id: string) => (await read(gateway, id, 'status')).body

  test('a scan is pending, fetching, analyzing, then complete, and its progress only grows', async () => {
    const site = scene.hold('held.example')
    const key = await newKey(gateway)
    const first = await startScan(gateway, 'held.example')
    await site.asked
    // One website is fetched by one scan at a time, so the second one waits.
    const second = await startScan(gateway, 'held.example')
    expect(await statusOf(first)).toMatchObject({ status: 'fetching', error: null })
    expect(await statusOf(second)).toEqual({ status: 'pending', progress: 0, error: null })

    for (const id of [first, second]) {
      const results = await read(gateway, id, 'results')
      expectDeclared('getScanResults', results)
      expect([results.status, Object.keys(results.body)]).toEqual([200, ['scan']])
      expect(results.body.scan).toMatchObject({ id, domain: 'held.example', completedAt: null })
      const comprehensive = await read(gateway, id, 'comprehensive', key)
      expect([comprehensive.status, Object.keys(comprehensive.body)]).toEqual([200, ['scan']])
      expectRefused(await get(`/api/insights/playbook/${id}`, key), 409, 'SCAN_NOT_COMPLETE')
    }
    const { steps } = await follow(gateway, second)
    site.release()
    const seen = await allSteps(steps)
    const order = ['pending', 'fetching', 'analyzing', 'complete']
    expect([...new Set(seen.map(({ status }) => status))]).toEqual(order)
    expect(seen.map(({ status }) => order.indexOf(status))).toEqual(
      seen.map(({ status }) => order.indexOf(status)).toSorted((one, other) => one - other),
    )
    const progress = seen.map((step) => step.progress)
    expect(progress).toEqual(progress.toSorted((one, other) => one - other))
    expect([progress[0], progress.at(-1)]).toEqual([0, 100])
    for (const id of [first, second]) {
      const reply = await read(gateway, id, 'status')
      expectDeclared('getScanStatus', reply)
      expect(reply.body).toEqual({ status: 'complete', progress: 100, error: null })
    }
  })

  test.each(['status', 'results', 'stream', 'comprehensive'] as const)(
    '%s answers 404 for an id that does not exist',
    async (what) => {
      const key = await newKey(gateway)
      for (const id of ['0b6ac02e-93f4-4b6a-9f7c-64cc6d8ee2a1', 'x', '%00', '1', "'--"]) {
        expectRefused(await read(gateway, id, what, key), 404, 'SCAN_NOT_FOUND', { field: 'scanId' })
      }
      expectRefused(await get('/api/insights/playbook/x', key), 404, 'SCAN_NOT_FOUND', { field: 'scanId' })
    },
  )
})

describe('a scan that fails', () => {
  /** How each endpoint shows the failure. */
  async function messageOf(id: string): Promise<string> {
    const last = await ended(gateway, id)
    expect(last?.status).toBe('error')
    const status = await read(gateway, id, 'status')
    expectDeclared('getScanStatus', status)
    expect(status.body).toMatchObject({ status: 'error', error: last?.message })
    const key = await newKey(gateway)
    const { body } = await get('/api/insights/scans?status=error&limit=100', key)
    const listed = z.array(z.looseObject({ id: z.string() })).parse(body.scans)
    expect(listed.find((scan) => scan.id === id)).toMatchObject({
      status: 'error',
      errorMessage: last?.message,
      completedAt: expect.any(Number),
    })
    expect(Object.keys((await read(gateway, id, 'results')).body)).toEqual(['scan'])
    expectRefused(await get(`/api/insights/playbook/${id}`, key), 404, 'PLAYBOOK_NOT_FOUND')
    return last?.message ?? ''
  }

  test.each([
    ['closed.example', /robots\.txt, .* shuts out search engines and assistants, too/],
    ['broken.example', /robots\.txt answered with status 503/],
  ])('says why in words for people, and nothing of our insides: %s', async (name, reason) => {
    const message = await messageOf(await startScan(gateway, name))
    expect(message).toMatch(reason)
    expect(message).toMatch(/scan again\.$/)
    expect(message).not.toMatch(/secret|127\.0\.0\.1|Error|undici|E[A-Z]{5,}/)
  })

  test('a scan that fails because its site never answers says so', async () => {
    const message = await messageOf(hanging)
    expect(message).toMatch(/hanging\.example.* seconds?\..*scan again\.$/)
    expect(message).not.toMatch(/127\.0\.0\.1|Error|abort/i)
  })
})

describe('a complete scan', () => {
  let id: string
  let key: Record<string, string>
  let results: Response

  beforeAll(async () => {
    key = { ...(await newKey(gateway)) }
    id = await startScan(gateway, 'harbourdental.example', key, { scanType: 'full' })
    expect(await ended(gateway, id, key)).toMatchObject({ status: 'complete', progress: 100 })
    results = await read(gateway, id, 'results', key)
  })

  test('a complete scan has results with every field of the specification, in its range', () => {
    expectDeclared('getScanResults', results)
    expect(results.body.scan).toEqual({
      id,
      domain: 'harbourdental.example',
      url: expect.stringMatching(/^https?:\/\/harbourdental\.example/),
      depth: 'full',
      status: 'complete',
      createdAt: expect.any(Number),
      completedAt: expect.any(Number),
    })
    const { createdAt, completedAt } = results.body.scan
    const now = Date.now() / 1_000
    expect(createdAt).toBeGreaterThan(now - 120)
    expect(completedAt).toBeGreaterThanOrEqual(createdAt)
    expect(completedAt).toBeLessThanOrEqual(now)

    const found = results.body.results
    expect(found).toMatchObject({ scanId: id, domain: 'harbourdental.example' })
    expectScore(found.coverage)
    for (const name of ['readiness', 'aeo']) {
      expectScore(found[`${name}Score`])
      const breakdown: unknown[] = found[`${name}Breakdown`]
      expect(breakdown.length).toBeGreaterThan(0)
      for (const area of breakdown) expect(area).toEqual(scoreBreakdown)
    }
    expect(found.readinessBreakdown.map(({ score }: { score: number }) => score).every(isScore)).toBe(true)
    expect(found.executiveSummary.length).toBeGreaterThan(40)
    expect(found.totalTimeSavingsPotential).toEqual(expect.any(String))
    expect(found.keyFindings.length).toBeGreaterThan(0)
    expect(found.keyFindings.every((finding: unknown) => typeof finding === 'string')).toBe(true)
    expect(found.opportunities.length).toBeGreaterThan(0)
    for (const opportunity of found.opportunities) {
      expect(opportunity).toMatchObject({
        id: expect.any(String),
        title: expect.any(String),
        description: expect.any(String),
        impact: level,
        effort: level,
        category: expect.any(String),
      })
    }
    expect(found.workflows.length).toBeGreaterThan(0)
    for (const workflow of found.workflows) {
      expect(workflow).toMatchObject({
        name: expect.any(String),
        description: expect.any(String),
        automationPotential: level,
      })
      for (const step of workflow.steps ?? []) {
        expect(step).toMatchObject({ name: expect.any(String), isManual: expect.any(Boolean) })
      }
    }
  })

  test('the comprehensive form of a scan has the same results, and playbook, listing and challenges', async () => {
    const reply = await read(gateway, id, 'comprehensive', key)
    expectDeclared('getComprehensiveScan', reply)
    const { playbook, aeoBoost, directoryListing, challenges, ...rest } = reply.body
    expect(rest).toEqual(results.body)
    expect(playbook).toEqual({
      id: expect.any(String),
      status: expect.stringMatching(/^(generating|complete)$/),
      skillCount: expect.any(Number),
      topPrioritySkills: expect.any(Array),
    })
    expect(aeoBoost).toEqual({
      aeoScore: results.body.results.aeoScore,
      companyName: expect.stringContaining('Harbour'),
      industry: 'healthcare',
    })
    // A scan with a key is its holder's own, so it has not listed the site.
    expect(directoryListing).toBeUndefined()
    expect(challenges.length).toBeGreaterThan(0)
    for (const challenge of challenges) {
      expect(challenge).toMatchObject({
        id: expect.stringMatching(/^[a-z-]+\/[a-z0-9-]+$/),
        severity: expect.stringMatching(/^(high|medium|low|unmeasured)$/),
        reason: expect.any(String),
      })
    }
  })

  test('a complete scan has a playbook, with skills unless the caller excludes them', async () => {
    const path = `/api/insights/playbook/${id}`
    // It is generated after the scan is complete, and no event reports it.
    await expect.poll(async () => (await get(path, key)).body.status).toBe('complete')
    const whole = await get(path, key)
    expectDeclared('getPlaybook', whole)
    const { skills, ...rest } = whole.body
    expect(rest).toMatchObject({
      id: expect.any(String),
      scanId: id,
      status: 'complete',
      skillCount: skills.length,
      roadmap: { days_1_30: {}, days_31_60: {}, days_61_90: {} },
    })
    expect(skills.length).toBeGreaterThan(0)
    expect(rest.topPrioritySkills.length).toBeGreaterThan(0)
    expect((await get(`${path}?include_skills=true`, key)).body).toEqual(whole.body)
    const short = await get(`${path}?include_skills=false`, key)
    expectDeclared('getPlaybook', short)
    expect(short.body).toEqual(rest)
    expectRefused(await get(`${path}?include_skills=no`, key), 400, 'VALIDATION_ERROR')
    const { body } = await read(gateway, id, 'comprehensive', key)
    expect(body.playbook).toMatchObject({ id: rest.id, status: 'complete', skillCount: rest.skillCount })
  })
})

test('our signature directory shows our key, with a signature that proves that it is ours', async () => {
  const path = '/.well-known/http-message-signatures-directory'
  const reply = await get(path)
  expect(reply.headers['content-type']).toBe('application/http-message-signatures-directory+json')
  const { keys } = z.object({ keys: z.array(z.record(z.string(), z.string())) }).parse(reply.body)
  const key = createPublicKey({ key: { ...keys[0] }, format: 'jwk' })
  const directory = (authority: string) =>
    verifySignature(
      {
        kind: 'response',
        status: 200,
        fields: Object.entries(reply.headers).map(([name, value]) => ({ name, value: String(value) })),
        request: { kind: 'request', method: 'GET', targetUri: `https://${authority}${path}`, fields: [] },
      },
      {
        policy: {
          algorithms: ['ed25519'],
          requiredComponents: [{ name: '@authority', parameters: { req: true } }, 'content-digest'],
          requiredParameters: ['created', 'expires', 'keyid', 'tag'],
          maxAge: 60,
        },
        resolveVerifier: () => ({
          algorithm: 'ed25519',
          verify: (bytes, signature) => verify(null, bytes, key, signature),
        }),
      },
    )
  const { parameters } = await directory('api.example.com')
  expect(parameters).toMatchObject({ keyid: keys[0]?.kid, tag: 'http-message-signatures-directory' })
  await expect(directory('other.example')).rejects.toThrow()

  const { etag = '', 'cache-control': caching } = reply.headers
  expect(caching).toBe('public, max-age=60')
  const head = await request(gateway.url).head(path).expect(200)
  expect([head.headers.etag, head.text]).toEqual([etag, undefined])
  const unchanged = await request(gateway.url).get(path).set('if-none-match', etag).expect(304)
  // A kept copy goes on with a signature that is still valid.
  expect(unchanged.headers.signature).toMatch(/^binding0=:/)
})

const level = expect.stringMatching(/^(high|medium|low)$/)
const scoreBreakdown = {
  category: expect.any(String),
  score: expect.any(Number),
  explanation: expect.stringMatching(/./),
  checked: expect.any(Number),
}
const isScore = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 100
function expectScore(value: unknown): void {
  expect([value, isScore(value)]).toEqual([value, true])
}

const badUrls: readonly unknown[] = [
  null,
  7,
  {},
  ['example.com'],
  '',
  '   ',
  'exam ple.com',
  'example\n.com',
  'example.com/\0',
  'ftp://example.com',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'mailto:a@example.com',
  'data:text/html,x',
  'http:/\\example.com',
  'example',
  'localhost',
  'localhost.',
  'x.localhost',
  'printer.local',
  'metadata.google.internal',
  'http://169.254.169.254/latest/meta-data',
  'user@example.com',
  'https://user:secret@example.com',
  'example.com:8080',
  'http://example.com:22',
  'example.com:99999',
  '127.0.0.1',
  'http://127.1',
  'http://2130706433',
  'http://0x7f000001',
  'http://0177.0.0.1',
  'http://127。0。0。1',
  'http://①②⑦.⓪.⓪.①',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  'http://[::1]',
  'http://[::]',
  'http://[::ffff:127.0.0.1]',
  'http://[64:ff9b::7f00:1]',
  'http://[fe80::1]',
  'http://[fd00::1]',
  'http://[::1%25eth0]',
  'https://',
  'https://.com.',
  'https://a..b.com',
  `https://${'a.'.repeat(148)}com`,
  `https://example.com/${'x'.repeat(3_000)}`,
]
