import request, { type Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Caller,
  ended,
  follow,
  newClient,
  newKey,
  openScanScene,
  read,
  type ScanScene,
  startScan,
  trigger,
} from '../../support/scans/scan-scene.ts'
import type { SiteAnswer, SiteRequest } from '../../support/servers/site-server.ts'

/** Which callers see which scans, and the list of scans. */

let scene: ScanScene
let gateway: ScanScene['gateway']
let owner: Caller
let other: Caller

beforeAll(async () => {
  scene = await openScanScene({
    'open.example': 'small',
    'secret.example': 'small',
    'listed.example': 'small',
    'listed.shop.example': 'small',
    'pages.example': 'small',
    'mixed.example': 'small',
    'hostile.example': hostilePage,
    'keyed.example': 'small',
    'waiting.example': 'small',
    'refusing.example': ({ path }) => ({
      body: path === '/robots.txt' ? 'User-agent: *\nDisallow: /\n' : '',
    }),
  })
  gateway = scene.gateway
  owner = await newKey(gateway)
  other = await newKey(gateway)
})
afterAll(() => scene.close())

/** Its texts try to become elements of the page that quotes them. */
function hostilePage({ path }: SiteRequest): SiteAnswer {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  if (path !== '/') return { status: 404, headers, body: 'Not found' }
  const name = '&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;'
  return {
    headers,
    body: `<!doctype html><html lang="en"><title>Hostile &amp; Co</title><meta property="og:site_name" content="${name} &quot;Co&quot;">
      <meta name="description" content="&lt;/script&gt;&lt;script&gt;alert(3)&lt;/script&gt; We sell small things to everyone by post.">
      <h1>${name}</h1><p>We sell small things.</p><form action="/x"><input name="&lt;b onclick=alert(4)&gt;"></form>`,
  }
}

const get = (path: string, caller: Caller) => request(gateway.url).get(path).set(caller)
const list = (query: string, caller = owner) => get(`/api/insights/scans${query}`, caller)
const playbook = (id: string, caller: Caller) => get(`/api/insights/playbook/${id}`, caller)

const listSchema = z.strictObject({
  scans: z.array(
    z.strictObject({
      id: z.uuid(),
      domain: z.string(),
      url: z.url(),
      email: z.email().optional(),
      status: z.enum(['pending', 'fetching', 'analyzing', 'complete', 'error']),
      createdAt: z.int(),
      completedAt: z.int().nullable(),
      errorMessage: z.string().nullable(),
      results: z.looseObject({ scanId: z.uuid(), readinessScore: z.number() }).optional(),
    }),
  ),
  total: z.int(),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
})
async function page(query: string, caller?: Caller) {
  const reply = await list(query, caller)
  expect(reply.status).toBe(200)
  const read = listSchema.parse(reply.body)
  return { ...read, ids: read.scans.map(({ id }) => id) }
}

describe('a scan that was started with a key', () => {
  let id: string

  beforeAll(async () => {
    id = await startScan(gateway, 'secret.example', owner, { email: 'owner@example.com' })
    expect(await ended(gateway, id, owner)).toMatchObject({ status: 'complete' })
  })

  test('a scan that was started with a key is shown to that key, with its e-mail address', async () => {
    for (const what of ['status', 'results', 'comprehensive', 'stream'] as const) {
      expect((await read(gateway, id, what, owner)).status).toBe(200)
    }
    expect((await playbook(id, owner)).status).toBe(200)
    const { scans, total } = await page('?domain=secret.example')
    expect(total).toBe(1)
    expect(scans).toEqual([
      {
        id,
        domain: 'secret.example',
        url: 'http://secret.example/',
        email: 'owner@example.com',
        status: 'complete',
        createdAt: expect.any(Number),
        completedAt: expect.any(Number),
        errorMessage: null,
      },
    ])
  })

  test('a scan that was started with a key looks to all other callers like one that does not exist', async () => {
    const unknown = 'b2f5ff47-4364-4b6a-8f9e-0d0e7f0c4a11'
    const visible = ({ status, body, headers }: Response) => ({
      status,
      body,
      cache: headers['cache-control'],
      type: headers['content-type'],
    })
    for (const what of ['status', 'results', 'stream', 'comprehensive'] as const) {
      for (const caller of what === 'comprehensive' ? [other] : [other, newClient()]) {
        const reply = await read(gateway, id, what, caller)
        expect([what, reply.status]).toEqual([what, 404])
        expect(visible(reply)).toEqual(visible(await read(gateway, unknown, what, caller)))
      }
    }
    expect(visible(await playbook(id, other))).toEqual(visible(await playbook(unknown, other)))
    expect((await playbook(id, other)).status).toBe(404)
  })

  test('a scan that was started with a key is neither in the list of another key nor counted there', async () => {
    for (const query of ['?domain=secret', '?domain=secret.example&status=complete&include_results=true']) {
      expect(await page(query, other)).toMatchObject({
        scans: [],
        total: 0,
        hasMore: false,
        nextCursor: null,
      })
    }
    const { ids } = await page('?limit=100', other)
    expect(ids).not.toContain(id)
  })
})

describe('a scan that was started without a key', () => {
  let id: string

  beforeAll(async () => {
    id = await startScan(gateway, 'open.example', newClient(), { email: 'reader@example.com' })
    expect(await ended(gateway, id)).toMatchObject({ status: 'complete' })
  })

  test('a scan that was started without a key is shown to every caller, with or without a key', async () => {
    for (const caller of [owner, other, newClient()]) {
      for (const what of ['status', 'results', 'stream'] as const) {
        expect((await read(gateway, id, what, caller)).status).toBe(200)
      }
    }
    expect((await read(gateway, id, 'comprehensive', other)).status).toBe(200)
    expect((await playbook(id, other)).status).toBe(200)
    expect((await page('?domain=open.example', other)).ids).toEqual([id])
  })

  test('a scan that was started without a key never shows its e-mail address', async () => {
    const replies = [
      await read(gateway, id, 'status'),
      await read(gateway, id, 'results'),
      await read(gateway, id, 'stream'),
      await read(gateway, id, 'comprehensive', owner),
      await list('?domain=open.example&include_results=true'),
    ]
    for (const { text, status } of replies) {
      expect(status).toBe(200)
      expect(text).not.toContain('reader@')
    }
  })

  test('comprehensive results, playbook and list need a key', async () => {
    for (const path of [
      `/api/insights/scan/${id}/comprehensive`,
      `/api/insights/playbook/${id}`,
      '/api/insights/scans',
    ]) {
      const { status, body, headers } = await get(path, newClient())
      expect([status, body]).toMatchObject([401, { error: 'unauthorized', code: 'API_KEY_REQUIRED' }])
      expect(headers['www-authenticate']).toMatch(/^Bearer /)
    }
  })

  test('a scan cannot be started with an unknown key', async () => {
    const bad = { 'x-mcp-api-key': 'tgk_wrong' }
    const reply = await trigger(gateway, { url: 'http://open.example' }, bad)
    expect([reply.status, reply.body.code]).toEqual([401, 'API_KEY_MALFORMED'])
    expect((await follow(gateway, id, bad)).response.status).toBe(401)
  })
})

describe('the list of scans', () => {
  /** Scans of one site, the oldest first. They wait for one that does not end, so none of them changes. */
  async function startMany(name: string, count: number, caller: Caller): Promise<string[]> {
    const ids: string[] = []
    while (ids.length < count) ids.push(await startScan(gateway, name, caller))
    return ids
  }

  test('the list is newest first, and its pages neither repeat nor skip a scan while scans are added', async () => {
    scene.hold('pages.example')
    const oldest = (await startMany('pages.example', 7, owner)).toReversed()
    const query = '?domain=pages.example&limit=3'
    const first = await page(query)
    expect(first).toMatchObject({ ids: oldest.slice(0, 3), total: 7, hasMore: true })

    const added = await startMany('pages.example', 2, newClient())
    const second = await page(`${query}&cursor=${first.nextCursor}`)
    expect(second).toMatchObject({ ids: oldest.slice(3, 6), total: 9, hasMore: true })
    const third = await page(`${query}&cursor=${second.nextCursor}`)
    expect(third).toMatchObject({ ids: oldest.slice(6), hasMore: false, nextCursor: null })

    expect((await page('?domain=pages.example')).ids).toEqual([...added.toReversed(), ...oldest])
    // A cursor names a position, and gives no access.
    expect((await page(`${query}&cursor=${first.nextCursor}`, other)).ids).toEqual([])
    expect((await page('?domain=pages.example', other)).ids).toEqual(added.toReversed())
    // The last page says that there is no further page, even when it is full.
    expect(await page('?domain=pages.example&limit=9')).toMatchObject({ hasMore: false, nextCursor: null })
  })

  test('the list is filtered by status and by part of the domain, without wildcards', async () => {
    const one = await startScan(gateway, 'listed.example', owner)
    const two = await startScan(gateway, 'listed.shop.example', owner)
    for (const id of [one, two]) await ended(gateway, id, owner)
    scene.hold('mixed.example')
    const [running] = await startMany('mixed.example', 1, owner)
    const found = async (query: string) => (await page(query)).ids.toSorted()
    expect(await found('?domain=listed')).toEqual([one, two].toSorted())
    expect(await found('?domain=LISTED.shop')).toEqual([two])
    expect(await found('?domain=sted.e')).toEqual([one])
    for (const wildcard of ['%25', 'listed%25', 'listed_example', '_', '*', '\\', "'"]) {
      expect([wildcard, await found(`?domain=${wildcard}`)]).toEqual([wildcard, []])
    }
    expect(await found('?domain=listed&status=complete')).toEqual([one, two].toSorted())
    expect(await found('?domain=listed&status=error')).toEqual([])
    expect(await found('?domain=mixed&status=complete')).toEqual([])
    expect(await found('?domain=mixed')).toEqual([running])
    const statuses = (await page('?status=complete&limit=100')).scans.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set(['complete']))
  })

  test('the list has results when the caller asks for them and the scan is complete', async () => {
    const id = await startScan(gateway, 'listed.example', owner)
    await ended(gateway, id, owner)
    scene.hold('listed.example')
    const running = await startScan(gateway, 'listed.example', owner)
    const { results } = (await read(gateway, id, 'results', owner)).body
    const { scans } = await page('?domain=listed.example&include_results=true&limit=2')
    expect(scans.map((scan) => [scan.id, scan.results])).toEqual([
      [running, undefined],
      [id, results],
    ])
    for (const query of ['?domain=listed.example', '?domain=listed.example&include_results=false']) {
      const plain = await page(query)
      expect(plain.scans.every((scan) => !('results' in scan))).toBe(true)
    }
  })

  test('a faulty query of the list is refused with the name of the faulty field', async () => {
    const faulty = [
      ['limit', '?limit=0'],
      ['limit', '?limit=101'],
      ['limit', '?limit=-1'],
      ['limit', '?limit=1.5'],
      ['limit', '?limit=abc'],
      ['limit', '?limit='],
      ['limit', '?limit=1&limit=2'],
      ['status', '?status=done'],
      ['status', '?status='],
      ['domain', '?domain='],
      ['domain', `?domain=${'a'.repeat(254)}`],
      ['domain', '?domain=a%00b'],
      ['include_results', '?include_results=1'],
      ['cursor', '?cursor=abc'],
      ['cursor', '?cursor='],
      ['cursor', `?cursor=${encode([1, 'x'])}`],
      ['cursor', `?cursor=${encode(['2026-01-01T00:00:00.000000Z', '0123456789abcdef'])}`],
      // After the last moment that the store can read: the end of the year 9999.
      ['cursor', `?cursor=${encode([253_402_300_800_000, 'b2f5ff47-4364-4b6a-8f9e-0d0e7f0c4a11'])}`],
      ['cursor', `?cursor=${encode([1e300, 'b2f5ff47-4364-4b6a-8f9e-0d0e7f0c4a11'])}`],
      ['cursor', `?cursor=${'x'.repeat(600)}`],
    ] as const
    for (const [field, query] of faulty) {
      const { status, body } = await list(query)
      expect([query, status, body]).toMatchObject([
        query,
        400,
        { code: 'VALIDATION_ERROR', details: { issues: [expect.objectContaining({ field })] } },
      ])
    }
  })

  test('the list accepts the last possible cursor, and the smallest and largest limit', async () => {
    const farthest = encode([253_402_300_799_999, 'b2f5ff47-4364-4b6a-8f9e-0d0e7f0c4a11'])
    const { total } = await page(`?cursor=${farthest}`)
    expect(total).toBeGreaterThan(0)
    expect((await page('?limit=1')).scans).toHaveLength(1)
    expect((await page('?limit=100')).scans.length).toBe(total)
  })
})

function encode(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

describe('the results as a page', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
  let id: string
  const results = (accept?: string, of = id, caller: Caller = {}) =>
    get(`/api/insights/scan/${of}/results`, accept === undefined ? caller : { ...caller, accept })

  beforeAll(async () => {
    const client = newClient()
    id = await startScan(gateway, 'hostile.example', client)
    expect(await ended(gateway, id, client)).toMatchObject({ status: 'complete' })
  })

  test.each([
    ['a browser', browser, 'text/html; charset=utf-8'],
    ['a program that prefers HTML', 'application/json;q=0.5, text/html', 'text/html; charset=utf-8'],
    ['a program that takes any text', 'text/*', 'text/html; charset=utf-8'],
    ['an agent without a wish', undefined, 'application/json; charset=utf-8'],
    ['an agent that takes all', '*/*', 'application/json; charset=utf-8'],
    ['an agent that prefers JSON', 'text/html;q=0.5, application/json', 'application/json; charset=utf-8'],
    ['an agent that names both alike', 'application/json, text/html', 'application/json; charset=utf-8'],
    ['an agent that refuses HTML', 'text/html;q=0, */*;q=0.1', 'application/json; charset=utf-8'],
    ['an agent that wants neither', 'image/png', 'application/json; charset=utf-8'],
    ['a header that cannot be read', ';;q=,,/', 'application/json; charset=utf-8'],
  ])('%s gets its form, and caches learn on what it depends', async (_, accept, type) => {
    const reply = await results(accept)
    expect([reply.status, reply.headers['content-type']]).toEqual([200, type])
    expect(reply.headers).toMatchObject({ vary: 'Accept', 'cache-control': 'private, no-store' })
  })

  test('the page allows no script, and no text of the site becomes an element', async () => {
    const { text, headers } = await results(browser)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'x-content-type-options': 'nosniff' })
    const tags = [...text.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name]) => name)
    const ours =
      'html head meta title style body main h1 h2 h3 p strong ol ul li pre table tr th td br span section details summary'
    expect(ours.split(' ')).toEqual(expect.arrayContaining([...new Set(tags)]))
    expect(text).not.toMatch(/\son\w+=(?!&quot;)["']|href=|src=["']/i)
    expect(text).toContain('&lt;script&gt;alert(1)')
    // What is pasted elsewhere must not end its own element there either.
    const [, block = ''] =
      /<pre[^>]*>[^<]*?(&lt;script type=[^<]*?application\/ld\+json[^<]*?)Here the lines end/.exec(text) ?? []
    expect(block.match(/&lt;\/script&gt;/g)).toHaveLength(1)
    expect(block).toContain('\\u003c/script>'.replace('>', '&gt;'))
  })

  test('page and JSON name the same actions and tasks: the first three by themselves, all others in their tasks', async () => {
    const { text } = await results(browser)
    const { body } = await results()
    const titled = z.array(z.object({ title: z.string() }))
    const { actions, tasks } = z
      .object({ results: z.object({ actions: titled, tasks: titled }) })
      .parse(body).results
    const titles = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, title]) => plain(title ?? ''))
    const [first, later] = [actions.slice(0, 3), actions.slice(3)].map((some) =>
      some.map(({ title }) => title),
    )
    const headings = titles(/<h3>(.*?)<\/h3>/g)
    expect(headings.slice(0, 3)).toEqual(first)
    expect(headings.slice(3)).toEqual(tasks.map(({ title }, place) => `Task ${place + 1}. ${title}`))
    // A step that is a task of its own has the title of the task.
    const alone = titles(/<h3>Task \d+\. ([^<]*)<\/h3>(?:(?!<\/section>).)*<summary>Step \d+: how to do it/gs)
    const named = titles(/<summary>Step \d+\. (.*?)<\/summary>/g)
    // What is handed on is listed above its one message.
    const parts = [...text.matchAll(/<li>Step (\d+)\. (.*?) (?:It |Once |Until |Before )/g)].flatMap(
      ([, step, title]) => (Number(step) > 3 ? [plain(title ?? '')] : []),
    )
    expect([...named, ...alone, ...parts].toSorted()).toEqual(later?.toSorted())
    expect(actions.length).toBeGreaterThan(5)
  })

  test.each([browser, 'application/json'])('HEAD has the head of GET for %s', async (accept) => {
    const path = `/api/insights/scan/${id}/results`
    const [head, whole] = [await request(gateway.url).head(path).set({ accept }), await results(accept)]
    const shown = ['content-type', 'content-length', 'vary', 'cache-control', 'content-security-policy']
    expect(shown.map((name) => head.headers[name])).toEqual(shown.map((name) => whole.headers[name]))
    expect([head.status, head.text ?? '']).toEqual([200, ''])
  })

  test('a browser sees no page of a scan of another key, and of one that is not complete how far it is', async () => {
    const keeper = await newKey(gateway)
    const secret = await startScan(gateway, 'keyed.example', keeper)
    expect(await ended(gateway, secret, keeper)).toMatchObject({ status: 'complete' })
    expect((await results(browser, secret, keeper)).headers['content-type']).toMatch(/^text\/html/)
    expect((await results(browser, secret, other)).status).toBe(404)
    const gate = scene.hold('waiting.example')
    const open = await startScan(gateway, 'waiting.example', newClient())
    await gate.asked
    const early = await results(browser, open)
    expect([early.status, early.headers['content-type'], early.headers.vary]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ])
    expect(early.text).toMatch(
      /<meta http-equiv="refresh" content="5">[\s\S]*The scan is under way: \d+ % is done/,
    )
    expect((await results('application/json', open)).body).not.toHaveProperty('results')
    gate.release()
  })

  test('a scan that failed says why, to a browser as to a program', async () => {
    const client = newClient()
    const failed = await startScan(gateway, 'refusing.example', client)
    expect(await ended(gateway, failed, client)).toMatchObject({ status: 'error' })
    const { scan } = (await results('application/json', failed)).body
    expect(scan).toMatchObject({ status: 'error', errorMessage: expect.stringContaining('robots.txt') })
    const page = await results(browser, failed)
    expect(plain(page.text)).toContain(scan.errorMessage)
    expect(page.text).not.toContain('http-equiv="refresh"')
  })
})

function plain(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
