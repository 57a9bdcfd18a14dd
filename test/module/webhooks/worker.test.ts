import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { createFetcher, type Fetcher } from '../../../src/platform/net/fetch.ts'
import { parsePrivateTargets } from '../../../src/platform/net/target.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { openEmbedded, openPostgres } from '../../../src/platform/store/database.ts'
import { fanOut } from '../../../src/products/webhooks/deliveries/fan-out.ts'
import { DeliveryWorker, type DeliveryWorkerParts } from '../../../src/products/webhooks/deliveries/worker.ts'
import { cacheDir, temporaryFolder } from '../../support/chain/chain.ts'
import { startSite } from '../../support/servers/site-server.ts'
import { emptyDatabase } from '../../support/stores/database.ts'
import { type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'
import { box } from '../../support/webhooks/box.ts'
import { deliveriesOf, happened, subscribed } from '../../support/webhooks/hooks.ts'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'

const log = createLog('silent')
const clock = { now: () => Date.now() }

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('the worker of deliveries in %s', (driver, open) => {
  let opened: Opened
  let books: Books
  const closers: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
    await books.queries.deleteFrom('outbox').execute()
    await books.queries.deleteFrom('webhookSubscriptions').execute()
  })
  afterAll(() => opened.close())

  async function receiver(): Promise<Receiver> {
    const started = await startReceiver()
    closers.push(started.close)
    return started
  }

  function work(receivers: readonly Pick<Receiver, 'target'>[], change: Partial<DeliveryWorkerParts> = {}) {
    const allowed = parsePrivateTargets(receivers.map(({ target }) => target).join())
    return workWith(createFetcher({ userAgent: 'tests', allowed, maxPerHost: 1_000 }), change)
  }

  function workWith(fetcher: Fetcher, change: Partial<DeliveryWorkerParts> = {}): DeliveryWorker {
    const worker = new DeliveryWorker({
      ...{ books, log, secrets: box, isAlone: driver === 'PGlite' },
      loadFetcher: async () => fetcher,
      pace: { pollMs: 50 },
      ...change,
    })
    closers.push(fetcher.close.bind(fetcher), () => worker.close())
    worker.startLater(0)
    return worker
  }

  async function happen(count: number): Promise<void> {
    await books.queries.transaction().execute(async (queries) => {
      for (let made = 0; made < count; made += 1) await happened({ queries, clock })
    })
  }

  test('sends every event once to a receiver that accepts, and standardwebhooks accepts each', async () => {
    const shop = await receiver()
    const one = await subscribed(books, { url: shop.url })
    await happen(150)
    work([shop])
    await shop.gets(150)
    await expect
      .poll(async () => (await deliveriesOf(books, one)).every((row) => row.status === 'delivered'))
      .toBe(true)
    expect(shop.received.every(({ isGenuine }) => isGenuine)).toBe(true)
    expect(new Set(shop.received.map(({ id }) => id)).size).toBe(150)
    expect(shop.received).toHaveLength(150)
  })

  test('sends over https, and to no receiver whose certificate is not trusted', async () => {
    const bodies: string[] = []
    const site = await startSite(['hooks.example.com'], ({ method, headers }) => {
      bodies.push(`${method} ${headers['webhook-id'] !== undefined}`)
      return { status: 200 }
    })
    closers.push(site.close)
    const trusted = await subscribed(books, { url: 'https://hooks.example.com/' })
    await happen(1)
    const untrusting = workWith(createFetcher({ userAgent: 'tests', allowed: site.allowed }))
    await expect.poll(async () => (await deliveriesOf(books, trusted))[0]?.error).toMatch(/^TLS failed/)
    await untrusting.close()
    expect(bodies).toEqual([])
    await happen(1)
    workWith(createFetcher({ userAgent: 'tests', allowed: site.allowed, ca: site.ca }))
    await expect.poll(() => bodies).toEqual(['POST true'])
  })

  test('connects to no private address, though the subscription was made when the name led elsewhere', async () => {
    const shop = await receiver()
    const one = await subscribed(books, { url: 'https://rebound.example.com/' })
    await happen(1)
    workWith(createFetcher({ userAgent: 'tests', resolve: async () => ['127.0.0.1'] }))
    await expect
      .poll(async () => (await deliveriesOf(books, one))[0]?.error)
      .toBe('The address lies in a private or reserved network.')
    expect(shop.received).toEqual([])
  })

  test('counts an attempt that fails by a fault of ours, so that it is not repeated without end', async () => {
    const one = await subscribed(books)
    await happen(1)
    const fetcher = createFetcher({ userAgent: 'tests' })
    workWith({
      fetch: () => Promise.reject(new TypeError('a bug')),
      negotiate: () => Promise.reject(new TypeError('a bug')),
      close: () => fetcher.close(),
    })
    await expect
      .poll(async () => (await deliveriesOf(books, one))[0]?.error)
      .toMatch(/a fault of this service/)
    expect((await deliveriesOf(books, one))[0]?.attempts).toBe(1)
  })

  test('takes 2xx for accepted, though the body of the answer cannot be read', async () => {
    const shop = await receiver()
    shop.answer = (_received, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
    const one = await subscribed(books, { url: shop.url })
    await happen(1)
    work([shop])
    await expect
      .poll(async () => (await deliveriesOf(books, one))[0])
      .toMatchObject({ status: 'delivered', attempts: 1, answerStatus: 200, answer: '', error: null })
  })

  test('does not follow a redirect', async () => {
    const [shop, other] = [await receiver(), await receiver()]
    shop.answer = (_received, res) => void res.writeHead(307, { location: other.url }).end()
    const one = await subscribed(books, { url: shop.url })
    await happen(1)
    work([shop, other])
    await expect.poll(async () => (await deliveriesOf(books, one))[0]?.error).toMatch(/answered 307/)
    expect(other.received).toEqual([])
  })

  test('keeps the beginning of an answer without end, and counts its status', async () => {
    const shop = await receiver()
    shop.answer = (_received, res) => {
      res.writeHead(500)
      const pour = () => void (res.destroyed || res.write('x'.repeat(65_536), pour))
      pour()
    }
    const one = await subscribed(books, { url: shop.url })
    await happen(1)
    work([shop])
    await expect.poll(async () => (await deliveriesOf(books, one))[0]?.answer).toBe('x'.repeat(500))
    expect((await deliveriesOf(books, one))[0]?.answerStatus).toBe(500)
  })

  test('serves a quick receiver while more others than there are places do not answer', async () => {
    const stuck = await Promise.all(Array.from({ length: 6 }, receiver))
    for (const one of stuck) {
      one.answer = () => {}
      await subscribed(books, { url: one.url })
    }
    await happen(20)
    while ((await fanOut(books)) > 0);
    const quick = await receiver()
    await subscribed(books, { url: quick.url })
    await happen(20)
    work([...stuck, quick], { pace: { pollMs: 50, perHost: 2, atOnce: 4 } })
    await quick.gets(20)
  })

  test('serves all receivers while one of them does not answer', async () => {
    const [slow, quick] = [await receiver(), await receiver()]
    slow.answer = () => {}
    const stuck = await subscribed(books, { url: slow.url })
    await happen(400)
    while ((await fanOut(books)) > 0);
    await subscribed(books, { url: quick.url })
    await happen(50)
    work([slow, quick], { pace: { pollMs: 50, graceMs: 0 } })
    await quick.gets(50)
    expect((await deliveriesOf(books, stuck)).filter(({ status }) => status === 'delivered')).toEqual([])
  })

  test('sends the first delivery alone to a receiver that is new, and the others once it has accepted', async () => {
    const [shop, other] = [await receiver(), await receiver()]
    const first = Promise.withResolvers<() => void>()
    shop.answer = (_received, res) => first.resolve(() => void res.writeHead(200).end())
    await subscribed(books, { url: shop.url, isProven: false })
    await happen(20)
    work([shop, other])
    const accept = await first.promise
    await subscribed(books, { url: other.url, events: ['scan.failed'] })
    await happened(books, 'scan.failed')
    // By then the worker has looked for further work.
    await other.gets(1)
    expect(shop.received).toHaveLength(1)
    shop.answer = (_received, res) => void res.writeHead(200).end()
    accept()
    await shop.gets(20)
    expect(new Set(shop.received.map(({ id }) => id)).size).toBe(20)
  })

  test('gives back what it has not sent when it closes, without counting an attempt', async () => {
    const shop = await receiver()
    shop.answer = () => {}
    const one = await subscribed(books, { url: shop.url })
    await happen(20)
    const worker = work([shop], { pace: { pollMs: 50, graceMs: 0 } })
    await shop.gets(8)
    await worker.close()
    const rows = await deliveriesOf(books, one)
    expect(rows.map(({ status, attempts, isLeased }) => ({ status, attempts, isLeased }))).toEqual(
      Array(20).fill({ status: 'pending', attempts: 0, isLeased: false }),
    )
    shop.answer = (_received, res) => void res.writeHead(200).end()
    work([shop])
    await shop.gets(28)
  })
})

/** After so many deliveries the process is killed. The soak kills it three times on PGlite, too, where a start is slow. */
describe.each([
  ['PGlite', 'once', [200], async () => await temporaryFolder()],
  [
    'PostgreSQL',
    'three times',
    [50, 200, 350],
    async () => ({ folder: await emptyDatabase(), remove: async () => {} }),
  ],
] as const)('a gateway on %s that is killed %s while it sends', (driver, _times, kills, openStore) => {
  test('loses no delivery', async () => {
    const { folder: store, remove } = await openStore()
    const open = () => (driver === 'PGlite' ? openEmbedded(store, cacheDir) : openPostgres(store, log))
    const receiver = await startReceiver()
    const before = await open()
    await subscribed({ queries: before.queries, clock }, { url: receiver.url })
    const events = await before.queries.transaction().execute(async (queries) => {
      const ids: string[] = []
      for (let made = 0; made < 600; made += 1) ids.push(await happened({ queries, clock }))
      return ids
    })
    await before.close()
    const start = () => {
      const file = fileURLToPath(new URL('../../support/webhooks/worker-killed.ts', import.meta.url))
      const args = ['--liftoff-only', file, store, receiver.target, '1000', cacheDir]
      return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    }
    for (const count of kills) {
      const doomed = start()
      await receiver.gets(count)
      doomed.kill('SIGKILL')
      await once(doomed, 'exit')
    }
    const last = start()
    try {
      await expect
        .poll(() => new Set(receiver.received.map(({ id }) => id)).size, {
          message: 'deliveries were lost',
        })
        .toBe(events.length)
    } finally {
      last.kill('SIGKILL')
      await once(last, 'exit')
      await receiver.close()
      await remove()
    }
    expect(receiver.received.every(({ isGenuine }) => isGenuine)).toBe(true)
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set(events))
  })
})
