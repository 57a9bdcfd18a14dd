import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import request, { type Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operatorToken } from '../../support/gateways/gateway.ts'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'
import {
  ended,
  newClient,
  newKey,
  openScanScene,
  read,
  type ScanScene,
  startScan,
} from '../../support/scans/scan-scene.ts'

/** The directory from scan to listing, as callers and the operator use it. */

const page = (title: string, head = '') => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><title>${title}</title>${head}<h1>${title}</h1><p>We sell small things by post.</p>`,
})
/** Whether the changing site asks not to be listed. */
let isShy = false
let scene: ScanScene
let gateway: ScanScene['gateway']
let workplace: Workplace

beforeAll(async () => {
  scene = await openScanScene({
    'cake.example': () => page('北京烤鸭', '<meta name="description" content="Duck. See http://evil.com">'),
    'shy.example': () => page('Shy Shop', isShy ? '<meta name="tollgate" content="noindex">' : ''),
    'private.example': () => page('Private Shop'),
    'gone.example': () => page('Small Shop'),
    'forgotten.example': () => page('Forgotten Shop'),
  })
  gateway = scene.gateway
  workplace = await openWorkplace()
})
afterAll(async () => {
  await workplace.close()
  await scene.close()
})

const get = (path: string, headers = {}) =>
  request(gateway.url)
    .get(path)
    .set({ ...newClient(), ...headers })
const cli = (...args: string[]) =>
  workplace.run('cli', { args: [...args, '--url', gateway.url], settings: { OPERATOR_TOKEN: operatorToken } })

async function scan(name: string, caller = newClient(), more: object = {}): Promise<string> {
  const id = await startScan(gateway, name, caller, { scanType: 'basic', ...more })
  expect(await ended(gateway, id, caller)).toMatchObject({ status: 'complete' })
  return id
}

/** Checks that the reply matches the endpoint's schema and has no other field. */
function expectDeclared(endpointId: string, { body }: Response): void {
  const endpoint = gateway.services.parts.endpoints.find(({ id }) => id === endpointId)
  expect(endpoint?.response.parse(body)).toEqual(body)
}

test('a free basic scan lists its site with the fields of the specification, and with its report', async () => {
  const id = await scan('cake.example')
  const list = await get('/api/directory?industry=other')
  expectDeclared('listDirectory', list)
  const listing = {
    businessName: '北京烤鸭',
    slug: 'bei-jing-kao-ya',
    domain: 'cake.example',
    industry: expect.any(String),
    readinessScore: expect.any(Number),
    aeoScore: expect.any(Number),
    description: 'Duck. See http[://]evil[.]com',
  }
  const all = await get('/api/directory')
  expect(all.body).toEqual({ listings: [listing], total: 1 })

  const detail = await get('/api/directory/bei-jing-kao-ya')
  expectDeclared('getDirectoryListing', detail)
  const { results } = (await read(gateway, id, 'results')).body
  const { scanId: _, domain: __, ...report } = results
  expect(detail.body).toEqual({
    ...{ ...report, ...listing, scanId: id, scannedAt: expect.any(Number) },
    recommendations: expect.arrayContaining([expect.any(String)]),
  })
  expect(detail.body.recommendations.length).toBeLessThanOrEqual(5)

  const events = await gateway.services.queries
    .selectFrom('outbox')
    .selectAll()
    .where('type', '=', 'directory.updated')
    .execute()
  expect(events).toMatchObject([
    {
      ...{ owner: null, scanId: id },
      data: { slug: 'bei-jing-kao-ya', domain: 'cake.example', businessName: '北京烤鸭', change: 'created' },
    },
  ])
})

test('a caller who has a form of the directory already gets 304', async () => {
  for (const path of ['/api/directory', '/api/directory/bei-jing-kao-ya']) {
    const { headers } = await get(path)
    expect(headers['cache-control']).toBe('no-cache')
    const again = await get(path, { 'if-none-match': headers.etag })
    expect([again.status, again.text]).toEqual([304, ''])
  }
})

test('a scan with a key is not published, and its holder sees the listing only of a site that is listed', async () => {
  const key = await newKey(gateway)
  const id = await scan('private.example', key)
  expect((await get('/api/directory')).body.total).toBe(1)
  expect((await read(gateway, id, 'comprehensive', key)).body).not.toHaveProperty('directoryListing')
  await scan('private.example')
  const whole = await read(gateway, id, 'comprehensive', key)
  expect(whole.body.directoryListing).toEqual({
    ...{ businessName: 'Private Shop', slug: 'private-shop', industry: expect.any(String) },
  })
})

test('a site that asks not to be listed leaves the directory with its next scan', async () => {
  await scan('shy.example')
  expect((await get('/api/directory/shy-shop')).status).toBe(200)
  isShy = true
  await scan('shy.example')
  expect((await get('/api/directory/shy-shop')).status).toBe(404)
})

describe('a faulty request', () => {
  test.each([
    ['limit', '?limit=0'],
    ['limit', '?limit=51'],
    ['limit', '?limit=-1'],
    ['limit', '?limit=1e1'],
    ['limit', '?limit=0x10'],
    ['limit', '?limit='],
    ['limit', '?limit=5&limit=6'],
    ['limit', `?limit=${'9'.repeat(30)}`],
    ['offset', '?offset=-1'],
    ['offset', '?offset=1.5'],
    ['offset', '?offset=99999999999999'],
    ['industry', '?industry=Finance'],
    ['industry', '?industry=%00'],
    ['page', '?page=2'],
  ])('for the directory names the field %s (%s)', async (field, query) => {
    const reply = await get(`/api/directory${query}`)
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(reply.body.details.issues).toEqual([{ field, problem: expect.any(String) }])
  })

  test.each([
    'unknown',
    'BEI-JING-KAO-YA',
    'bei-jing-kao-ya%20',
    'bei-jing-kao-ya%2F',
    '..%2Fdirectory',
    '%00',
    'a%00',
    '%E5%8C%97',
    'a'.repeat(10_000),
  ])('for a slug that no listing has is 404 in our form', async (slug) => {
    const reply = await get(`/api/directory/${slug}`)
    expect([reply.status, reply.body]).toMatchObject([
      404,
      { error: 'not_found', code: 'LISTING_NOT_FOUND', details: { field: 'slug' } },
    ])
  })

  test('with a path that is no UTF-8 is refused and not looked up', async () => {
    // A client library would not send it.
    const socket = connect(gateway.port, '127.0.0.1')
    socket.end('GET /api/directory/%ff HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[04] /)
  })

  test('an offset behind the last listing gives an empty page with the total', async () => {
    const { body } = await get('/api/directory?offset=1000000')
    expect(body).toEqual({ listings: [], total: expect.any(Number) })
  })
})

describe('the operator', () => {
  test('removes a site, which no scan brings back, and restores it', async () => {
    await scan('gone.example')
    expect((await get('/api/directory/small-shop')).status).toBe(200)
    const removed = await cli('directory', 'remove', 'WWW.Gone.example', '--json')
    expect(JSON.parse(removed.stdout)).toEqual({ domain: 'gone.example', alreadyRemoved: false })
    expect((await get('/api/directory/small-shop')).status).toBe(404)
    await scan('gone.example')
    expect((await get('/api/directory/small-shop')).status).toBe(404)

    const listed = await cli('directory', 'list', '--state', 'removed')
    expect(listed.stdout).toMatch(/^gone\.example +removed +small-shop/m)
    const again = await cli('directory', 'remove', 'gone.example')
    expect(again).toMatchObject({ code: 0, stdout: 'already removed: gone.example\n' })
    const restored = await cli('directory', 'restore', 'gone.example')
    expect(restored).toMatchObject({ code: 0, stdout: 'listed again: gone.example as small-shop\n' })
    expect((await get('/api/directory/small-shop')).status).toBe(200)
    const audit = await cli('audit', '--json', '--limit', '3')
    const named = JSON.parse(audit.stdout).actions.map((one: { action: string; subject: string }) => [
      one.action,
      one.subject,
    ])
    expect(named).toEqual([
      ['restoreListing', 'gone.example'],
      ['removeListing', 'gone.example'],
      ['removeListing', 'WWW.Gone.example'],
    ])
  })

  test.each([
    ['directory', 'remove', 'https://gone.example/'],
    ['directory', 'remove', ''],
    ['directory', 'restore', 'never-removed.example'],
    ['directory', 'list', '--state', 'hidden'],
    ['directory', 'list', '--cursor', 'nonsense'],
    ['scans', 'list', '--limit', '501'],
    ['scans', 'list', '--cursor', 'nonsense'],
    ['scans', 'delete'],
    ['scans', 'delete', 'nonsense', '--yes'],
    ['scans', 'delete', '--email', 'nobody', '--yes'],
    ['scans', 'delete', '--older-than', 'yesterday', '--yes'],
  ])('gets a reason and exit code 1 for `tollgate %s %s %s`', async (...args) => {
    const { code, stdout, stderr } = await cli(...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/\S/)
  })

  test('finds the scans of an address and deletes them, without leaving the address in the audit trail', async () => {
    const id = await scan('forgotten.example', newClient(), { email: 'ada@example.com' })
    expect((await get('/api/directory/forgotten-shop')).status).toBe(200)
    const listed = await cli('scans', 'list', '--email', 'Ada@example.com')
    expect(listed.stdout).toMatch(
      new RegExp(`^${id} .* basic +forgotten\\.example +- +ada@example\\.com$`, 'm'),
    )

    const dry = await cli('scans', 'delete', '--email', 'ada@example.com', '--dry-run', '--json')
    expect(JSON.parse(dry.stdout)).toEqual({ matching: 1 })
    const asked = await cli('scans', 'delete', '--email', 'ada@example.com')
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('pass --yes') })
    expect((await read(gateway, id, 'results')).status).toBe(200)

    const deleted = await cli('scans', 'delete', '--email', 'ada@example.com', '--yes', '--json')
    expect(JSON.parse(deleted.stdout)).toEqual({ deleted: 1 })
    for (const what of ['status', 'results'] as const)
      expect((await read(gateway, id, what)).status).toBe(404)
    expect((await get('/api/directory/forgotten-shop')).status).toBe(404)
    const { queries } = gateway.services
    const trail = await queries.selectFrom('audit').selectAll().where('action', '=', 'deleteScans').execute()
    expect(trail).toMatchObject([{ outcome: 'done', result: { deleted: 1, isDone: true } }])
    expect(JSON.stringify(trail)).not.toContain('ada@')
    expect(gateway.logged.join('\n')).not.toContain('ada@')
  })

  test('deletes a scan while it runs, and it does not come back', async () => {
    const held = scene.hold('private.example')
    const id = await startScan(gateway, 'private.example', newClient(), { scanType: 'basic' })
    await held.asked
    expect(await cli('scans', 'delete', id, '--yes')).toMatchObject({ code: 0, stdout: '1 scans deleted\n' })
    held.release()
    await scan('cake.example')
    expect((await read(gateway, id, 'status')).status).toBe(404)
    expect(await cli('scans', 'delete', id, '--yes')).toMatchObject({ code: 0, stdout: '0 scans deleted\n' })
  })
})
