import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoint } from '../../../src/core/endpoint.ts'
import { GatewayError } from '../../../src/core/errors.ts'
import { streamHandlers, streamRows } from '../../../src/edge/handlers/scans/stream.ts'
import { createScan, type NewScan, takeStale } from '../../../src/products/scan/scans/accepted-scans.ts'
import { findReusable, findScan, listScans } from '../../../src/products/scan/scans/find-scans.ts'
import { completePlaybook, findPlaybook } from '../../../src/products/scan/scans/playbooks.ts'
import { followScan, forgetEvents, type ScanEvent } from '../../../src/products/scan/scans/scan-events.ts'
import { PollingWatch } from '../../../src/products/scan/scans/scan-watch.ts'
import {
  advance,
  begin,
  complete,
  createScans,
  fail,
  type Scans,
} from '../../../src/products/scan/scans/scans.ts'
import { contextOf, noHeaders } from '../../support/gateways/context.ts'
import { patienceMs } from '../../support/patience.ts'
import { analysis, playbook } from '../../support/scans/scans.ts'
import { type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('scans in %s', (_driver, open) => {
  let opened: Opened
  /** The test clock, which only the tests move. */
  const clock = { time: Date.UTC(2026, 10, 21), now: () => clock.time }
  let scans: Scans
  /** The same scans through another connection. */
  let others: Scans

  beforeAll(async () => {
    opened = await open()
    scans = createScans({ queries: opened.one.queries, clock })
    others = createScans({ queries: opened.other.queries, clock })
  })
  afterAll(() => opened.close())

  const newScan = (change: Partial<NewScan> = {}): NewScan => {
    const domain = change.domain ?? `${randomUUID()}.example`
    return { url: `https://${domain}/`, domain, hasScheme: false, depth: 'basic', priority: 0, ...change }
  }

  async function created(change: Partial<NewScan> = {}): Promise<string> {
    const answer = await createScan(scans, newScan(change))
    if (answer === 'conflict')
      throw new Error('the store took a new scan for one with the same idempotency key')
    return answer.id
  }

  async function begun(change: Partial<NewScan> = {}): Promise<{ id: string; attempt: number }> {
    const id = await created(change)
    const { attempt } = (await begin(scans, id)) ?? {}
    if (attempt === undefined) throw new Error('a new scan could not be begun')
    return { id, attempt }
  }

  async function completed(change: Partial<NewScan> = {}): Promise<string> {
    const { id, attempt } = await begun(change)
    await advance(scans, id, attempt, { status: 'analyzing', progress: 70, message: 'half' })
    expect(await complete(scans, id, attempt, analysis())).toBe(true)
    return id
  }

  const stateOf = async (id: string) => {
    const { status, progress, attempt } = (await findScan(scans, id, undefined)) ?? {}
    return { status, progress, attempt }
  }

  async function eventsOf(id: string, after = 0): Promise<ScanEvent[]> {
    const events: ScanEvent[] = []
    for await (const event of followScan(scans, id, after, AbortSignal.timeout(patienceMs)))
      events.push(event)
    return events
  }

  test('a new scan is stored as it was asked for, as pending', async () => {
    const id = await created({ domain: 'Shop.Example', url: 'https://shop.example/', email: 'a@b.example' })
    expect(await findScan(scans, id, undefined)).toMatchObject({
      ...{
        id,
        domain: 'shop.example',
        url: 'https://shop.example/',
        hasScheme: false,
        email: 'a@b.example',
      },
      ...{ depth: 'basic', status: 'pending', progress: 0, attempt: 0, owner: null, analysis: null },
      ...{ createdAt: new Date(clock.time), startedAt: null, completedAt: null, errorMessage: null },
    })
  })

  test('a scan goes from pending to fetching, analyzing and complete, and each step writes one event', async () => {
    const { id, attempt } = await begun()
    await advance(scans, id, attempt, { status: 'fetching', progress: 30, message: 'a third' })
    await advance(scans, id, attempt, { status: 'analyzing', progress: 70, message: 'fetched' })
    await complete(scans, id, attempt, analysis())
    const events = await eventsOf(id)
    expect(events.map(({ seq, status, progress }) => [seq, status, progress])).toEqual([
      [1, 'pending', 0],
      [2, 'fetching', 1],
      [3, 'fetching', 30],
      [4, 'analyzing', 70],
      [5, 'complete', 100],
    ])
    expect(await findScan(scans, id, undefined)).toMatchObject({
      ...{ status: 'complete', progress: 100, analysis: analysis() },
      ...{ startedAt: new Date(clock.time), completedAt: new Date(clock.time) },
    })
  })

  test('progress and status never go back, and progress is 100 only at the end', async () => {
    const { id, attempt } = await begun()
    await advance(scans, id, attempt, { status: 'analyzing', progress: 80, message: 'far' })
    expect(await advance(scans, id, attempt, { status: 'fetching', progress: 20, message: 'late' })).toBe(
      true,
    )
    expect(await stateOf(id)).toMatchObject({ status: 'analyzing', progress: 80 })
    await advance(scans, id, attempt, { status: 'analyzing', progress: 100, message: 'nearly' })
    expect(await stateOf(id)).toMatchObject({ status: 'analyzing', progress: 99 })
  })

  test('a scan cannot be completed before it is analyzed, and cannot advance before it has begun', async () => {
    const { id, attempt } = await begun()
    expect(await complete(scans, id, attempt, analysis())).toBe(false)
    const pending = await created()
    expect(await advance(scans, pending, 0, { status: 'analyzing', progress: 50, message: '' })).toBe(false)
    expect(await complete(scans, pending, 0, analysis())).toBe(false)
    expect(await stateOf(pending)).toMatchObject({ status: 'pending', progress: 0 })
  })

  test.each(['complete', 'error'] as const)('a scan with status %s never changes again', async (end) => {
    const { id, attempt } = await begun()
    await advance(scans, id, attempt, { status: 'analyzing', progress: 70, message: '' })
    if (end === 'complete') await complete(scans, id, attempt, analysis())
    else await fail(scans, id, attempt, 'SITE_DOWN', 'The site is down.')
    const before = await findScan(scans, id, undefined)
    expect(await begin(scans, id)).toBeUndefined()
    for (const late of [attempt, attempt + 1]) {
      expect(await advance(scans, id, late, { status: 'analyzing', progress: 90, message: '' })).toBe(false)
      expect(await complete(scans, id, late, analysis())).toBe(false)
      expect(await fail(scans, id, late, 'LATE', 'Late.')).toBe(false)
    }
    expect(await fail(scans, id, 'any', 'LATE', 'Late.')).toBe(false)
    expect(await findScan(scans, id, undefined)).toEqual(before)
  })

  test('a worker whose scan another worker has taken over cannot change it', async () => {
    const { id, attempt } = await begun()
    expect((await begin(others, id))?.attempt).toBe(attempt + 1)
    expect(await advance(scans, id, attempt, { status: 'analyzing', progress: 50, message: '' })).toBe(false)
    expect(await fail(scans, id, attempt, 'LATE', 'Late.')).toBe(false)
    expect(await stateOf(id)).toEqual({ status: 'fetching', progress: 1, attempt: attempt + 1 })
  })

  test('a scan that has not moved for long is taken by one gateway, once, and other scans are not taken', async () => {
    const { id } = await begun()
    const [pending, done] = [await created(), await completed()]
    clock.time += 1_000
    const { id: young } = await begun()
    clock.time += 500
    const taken = await Promise.all([takeStale(scans, 1_000), takeStale(others, 1_000)])
    const ids = taken.flat().map((scan) => scan.id)
    expect(ids.filter((one) => one === id)).toHaveLength(1)
    for (const one of [young, pending, done]) expect(ids).not.toContain(one)
    expect(await takeStale(scans, 1_000)).toEqual([])
  })

  test('when many workers end a scan at the same time, one of them does', async () => {
    const { id, attempt } = await begun()
    await advance(scans, id, attempt, { status: 'analyzing', progress: 70, message: '' })
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0
          ? complete(index % 4 === 0 ? scans : others, id, attempt, analysis())
          : fail(others, id, attempt, 'DOWN', 'Down.'),
      ),
    )
    expect(ends.filter(Boolean)).toHaveLength(1)
    expect((await eventsOf(id)).filter(({ status }) => ['complete', 'error'].includes(status))).toHaveLength(
      1,
    )
  })

  test('events of workers that advance a scan at the same time are numbered without a gap', async () => {
    const { id, attempt } = await begun()
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        advance(index % 2 ? scans : others, id, attempt, {
          status: 'fetching',
          progress: index,
          message: '',
        }),
      ),
    )
    await fail(scans, id, attempt, 'DOWN', 'Down.')
    const events = await eventsOf(id)
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 23 }, (_, index) => index + 1))
    const progress = events.map((event) => event.progress)
    expect(progress).toEqual(progress.toSorted((one, other) => one - other))
  })

  test('text that PostgreSQL cannot store does not keep a scan from completing', async () => {
    const { id, attempt } = await begun()
    await advance(scans, id, attempt, { status: 'analyzing', progress: 70, message: 'a\0b\ud800c' })
    expect(await complete(scans, id, attempt, { ...analysis(), companyName: 'A\0B\ud800C' })).toBe(true)
    expect((await findScan(scans, id, undefined))?.analysis?.companyName).toBe('AB\ufffdC')
  })

  test('a repeated request makes one scan, also when both come at the same time, and a different request conflicts', async () => {
    const asked = newScan({ idempotency: { scope: 'client:1', key: 'k'.repeat(16) }, email: 'a@b.example' })
    const answers = await Promise.all([scans, others, scans].map((from) => createScan(from, asked)))
    expect(new Set(answers.map((answer) => answer !== 'conflict' && answer.id)).size).toBe(1)
    expect(answers.filter((answer) => answer !== 'conflict' && answer.isNew)).toHaveLength(1)
    for (const change of [
      { url: 'https://other.example/' },
      { hasScheme: true },
      { depth: 'full' as const },
      { email: 'c@d.example' },
      { owner: 'key:1' },
    ]) {
      expect(await createScan(scans, { ...asked, ...change })).toBe('conflict')
    }
    const elsewhere = { ...asked, idempotency: { scope: 'client:2', key: 'k'.repeat(16) } }
    expect(await createScan(scans, elsewhere)).toMatchObject({ isNew: true })
  })

  test('only its key sees a scan that was started with a key, and every caller sees one without', async () => {
    const owned = await created({ owner: 'key:1' })
    expect(await findScan(scans, owned, undefined)).toBeUndefined()
    expect(await findScan(scans, owned, 'key:2')).toBeUndefined()
    expect(await findScan(scans, owned, 'key:1')).toMatchObject({ id: owned })
    expect(await findScan(scans, await created(), 'key:2')).toBeDefined()
  })

  test.each(['', 'x', '../etc', `${randomUUID()}x`, '0'.repeat(36), randomUUID()])(
    'no scan has the id %s',
    async (id) => {
      expect(await findScan(scans, id, undefined)).toBeUndefined()
    },
  )

  test('the newest identical scan may be reused while it runs or is complete, but not when it failed or is too old', async () => {
    const asked = newScan()
    const look = (change: Partial<NewScan> = {}) =>
      findReusable(scans, { ...asked, maxAgeSeconds: 3_600, ...change })
    expect(await look()).toBeUndefined()
    const first = await completed(asked)
    clock.time += 1_000
    expect(await look()).toMatchObject({ id: first, analysis: analysis() })
    const running = await begun(asked)
    clock.time += 1_000
    expect(await look()).toMatchObject({ id: running.id })
    await fail(scans, running.id, running.attempt, 'DOWN', 'Down.')
    expect(await look()).toMatchObject({ id: first })
    for (const change of [
      { depth: 'full' as const },
      { url: `${asked.url}a` },
      { hasScheme: true },
      { domain: 'x.example' },
    ]) {
      expect(await look(change)).toBeUndefined()
    }
    clock.time += 3_600_000
    expect(await look()).toBeUndefined()
  })

  test('a scan of another key is not reused', async () => {
    const asked = newScan({ owner: 'key:1' })
    const id = await completed(asked)
    const look = (owner: string | undefined) => findReusable(scans, { ...asked, owner, maxAgeSeconds: 60 })
    expect(await look(undefined)).toBeUndefined()
    expect(await look('key:2')).toBeUndefined()
    expect(await look('key:1')).toMatchObject({ id })
  })

  describe('the list of scans', () => {
    const mark = randomUUID()
    const list = (change: Partial<Parameters<typeof listScans>[1]> = {}) =>
      listScans(scans, { viewer: undefined, limit: 20, domain: mark, ...change })

    test('pages of the list hold each scan once, newest first, while scans are added and many share a moment', async () => {
      const ids: string[] = []
      for (let count = 0; count < 7; count += 1) {
        if (count % 3 === 0) clock.time += 1
        ids.push(await created({ domain: `${count}.${mark}.example` }))
      }
      const seen: string[] = []
      let cursor: string | null | undefined
      while (cursor !== null) {
        const page = await list({ limit: 2, ...(cursor ? { cursor } : {}) })
        seen.push(...page.rows.map(({ id }) => id))
        cursor = page.nextCursor
        clock.time += 1
        await created({ domain: `added.${mark}.example` })
      }
      expect(seen).toHaveLength(7)
      expect(new Set(seen)).toEqual(new Set(ids))
      const times = (await list({ limit: 100 })).rows.map(({ createdAt }) => createdAt.getTime())
      expect(times).toEqual(times.toSorted((one, other) => other - one))
    })

    test('the list has the total of all pages, and its last page has no cursor', async () => {
      const { total } = await list({ limit: 1 })
      expect(total).toBeGreaterThan(7)
      expect(await list({ limit: total })).toMatchObject({ total, nextCursor: null })
      expect((await list({ limit: total - 1 })).nextCursor).not.toBeNull()
    })

    test('the list is filtered by any part of a domain in any case, and % and _ are no wildcards', async () => {
      const own = randomUUID()
      await created({ domain: `a_b.${own}.example` })
      await created({ domain: `axb.${own}.example` })
      const found = async (domain: string) => (await list({ domain })).rows.length
      expect(await found(own.toUpperCase())).toBe(2)
      expect(await found(`a_b.${own}`)).toBe(1)
      expect(await found(`%${own}`)).toBe(0)
    })

    test('the list is filtered by status and by what the caller may see', async () => {
      const own = randomUUID()
      const id = await completed({ domain: `1.${own}.example`, owner: 'key:1' })
      await created({ domain: `2.${own}.example`, owner: 'key:2' })
      await created({ domain: `3.${own}.example` })
      const seenBy = async (viewer: string | undefined) => (await list({ domain: own, viewer })).total
      expect([await seenBy(undefined), await seenBy('key:1'), await seenBy('key:2')]).toEqual([1, 2, 2])
      const complete = await list({ domain: own, viewer: 'key:1', status: 'complete' })
      expect(complete.rows).toMatchObject([{ id, analysis: null }])
      const whole = await list({ domain: own, viewer: 'key:1', status: 'complete', hasAnalysis: true })
      expect(whole.rows).toMatchObject([{ id, analysis: analysis() }])
    })

    test.each(['', 'x', '[]', Buffer.from('["1","2"]').toString('base64url'), `${'a'.repeat(90)}=`])(
      'a cursor that the list never returned is refused: %s',
      async (cursor) => {
        const refused = await list({ cursor }).catch((error: unknown) => error)
        expect(refused).toBeInstanceOf(GatewayError)
        expect(refused).toMatchObject({
          code: 'VALIDATION_ERROR',
          details: { issues: [{ field: 'cursor' }] },
        })
      },
    )
  })

  test('a complete scan has a playbook that is being generated, which is completed once', async () => {
    const { id } = await begun()
    expect(await findPlaybook(scans, id)).toBeUndefined()
    const done = await completed()
    expect(await findPlaybook(scans, done)).toMatchObject({
      scanId: done,
      status: 'generating',
      content: null,
    })
    expect(await completePlaybook(scans, done, playbook())).toBe(true)
    expect(await completePlaybook(others, done, { ...playbook(), skillCount: 9 })).toBe(false)
    expect(await findPlaybook(scans, done)).toMatchObject({ status: 'complete', content: playbook() })
  })

  describe('a follower of a scan', () => {
    test('a follower gets each event once, from this process or another, and ends after the last one', async () => {
      const { id, attempt } = await begun()
      const seqs: number[] = []
      const steps = [
        () => advance(scans, id, attempt, { status: 'fetching', progress: 10, message: '' }),
        () => advance(others, id, attempt, { status: 'analyzing', progress: 70, message: '' }),
        () => complete(others, id, attempt, analysis()),
      ]
      for await (const event of followScan(scans, id, 0, AbortSignal.timeout(patienceMs))) {
        seqs.push(event.seq)
        if (event.seq >= 2) await steps[event.seq - 2]?.()
      }
      expect(seqs).toEqual([1, 2, 3, 4, 5])
    })

    /** Follows a scan with a watch that never polls. `waits` resolves when the follower waits. */
    function followQuietly(id: string, after: number) {
      const watch = new PollingWatch(scans.queries, 600_000)
      const waits = Promise.withResolvers<void>()
      const join = (scanId: string) => {
        const follower = watch.join(scanId)
        const changed: typeof follower.changed = (seq, signal) => {
          const change = follower.changed(seq, signal)
          waits.resolve()
          return change
        }
        return { changed, leave: () => follower.leave() }
      }
      const quiet: Scans = { ...scans, watch: { join, wake: (scanId) => watch.wake(scanId) } }
      return {
        quiet,
        waits: waits.promise,
        events: followScan(quiet, id, after, AbortSignal.timeout(patienceMs)),
      }
    }

    test('a follower is woken by its own process without a poll', async () => {
      const { id, attempt } = await begun()
      const { quiet, waits, events } = followQuietly(id, 2)
      const next = events.next()
      await waits
      await advance(quiet, id, attempt, { status: 'fetching', progress: 10, message: 'moved' })
      expect((await next).value).toMatchObject({ seq: 3, message: 'moved' })
      await events.return()
    })

    test('a follower continues after the event that it names, and misses none when that event is still to come', async () => {
      const done = await completed()
      expect((await eventsOf(done, 2)).map(({ seq }) => seq)).toEqual([3, 4])
      expect(await eventsOf(done, 4)).toEqual([])
      const { id, attempt } = await begun()
      const { quiet, waits, events } = followQuietly(id, 4_000_000_000)
      const next = events.next()
      await waits
      await fail(quiet, id, attempt, 'DOWN', 'The site is down.')
      expect((await next).value).toMatchObject({ seq: 3, status: 'error', message: 'The site is down.' })
    })

    test('a follower ends when there is no such scan, and when its caller leaves', async () => {
      expect(await eventsOf(randomUUID())).toEqual([])
      const { id } = await begun()
      const leaving = new AbortController()
      const following = followScan(scans, id, 2, leaving.signal)
      const next = following.next()
      leaving.abort()
      expect(await next).toEqual({ done: true, value: undefined })
    })

    test('two hundred callers follow a scan for the reads of one, and get the same bytes once and in order', async () => {
      const { id, attempt } = await begun()
      const reads: string[] = []
      const queries = scans.queries.withPlugin({
        transformQuery: ({ node }) => {
          if (node.kind === 'SelectQueryNode')
            reads.push(JSON.stringify(node.from).match(/scan_?events/i) ? 'events' : 'scans')
          return node
        },
        transformResult: async ({ result }) => result,
      })
      const counted: Scans = { ...scans, queries, watch: new PollingWatch(queries, 600_000) }
      const { prepare } = endpoint('stream', streamRows.stream, streamHandlers(counted).stream)
      const going = new AbortController()
      const callers = await Promise.all(
        Array.from({ length: 200 }, async (_, caller) => {
          const lastEventId = caller % 2 === 0 ? undefined : '1'
          const context = contextOf({
            client: () => `${caller % 10}`,
            headers: { ...noHeaders, lastEventId },
          })
          const reply = await prepare({ params: { scanId: id } })(context)
          const body = reply.stream?.(going.signal)
          if (!body) throw new Error('the reply is no stream')
          return { body: body[Symbol.asyncIterator](), text: '' }
        }),
      )
      const readAll = (until: string) =>
        Promise.all(
          callers.map(async (caller) => {
            while (!caller.text.includes(until)) caller.text += String((await caller.body.next()).value)
          }),
        )
      await readAll('id: 2\n')
      // All of them asked in the same turn: one look-up for all, and one reading of the events.
      expect(reads).toEqual(['scans', 'scans', 'events'])
      reads.length = 0
      await advance(counted, id, attempt, { status: 'analyzing', progress: 70, message: 'seventy' })
      await readAll('seventy')
      await complete(counted, id, attempt, analysis())
      await readAll('id: 4\n')
      for (const { body } of callers) expect(await body.next()).toMatchObject({ done: true })
      expect(reads.filter((table) => table === 'events')).toHaveLength(2)
      expect(reads).toHaveLength(4)

      const [whole = '', rest = ''] = callers.map(({ text }) => text)
      const idsOf = (text: string) => text.match(/(?<=^id: )\d+/gm)
      expect([idsOf(whole), idsOf(rest)]).toEqual([
        ['1', '2', '3', '4'],
        ['2', '3', '4'],
      ])
      expect(whole.endsWith(rest.slice(rest.indexOf('event: ')))).toBe(true)
      expect(new Set(callers.map(({ text }) => text))).toEqual(new Set([whole, rest]))
    })

    test('a caller joins a scan that others follow without a read, and sees no scan of another key', async () => {
      const { id } = await begun({ owner: 'key:1' })
      let reads = 0
      const queries = scans.queries.withPlugin({
        transformQuery: ({ node }) => {
          reads += 1
          return node
        },
        transformResult: async ({ result }) => result,
      })
      const counted: Scans = { ...scans, queries, watch: new PollingWatch(queries, 600_000) }
      const { prepare } = endpoint('stream', streamRows.stream, streamHandlers(counted).stream)
      const going = new AbortController()
      const call = async (subject: string | undefined, lastEventId: string | undefined) => {
        const context = contextOf({
          headers: { ...noHeaders, lastEventId },
          ...(subject !== undefined && {
            holder: { subject, keyId: undefined, tier: 'team', scopes: undefined },
          }),
        })
        const reply = await prepare({ params: { scanId: id } })(context)
        const body = reply.stream?.(going.signal)
        if (!body) throw new Error('the reply is no stream')
        return body[Symbol.asyncIterator]()
      }
      const first = await call('key:1', undefined)
      for (let text = ''; !text.includes('id: 2\n'); ) text += String((await first.next()).value)
      reads = 0
      await call('key:1', undefined)
      await call('key:1', '2')
      expect(reads).toBe(0)
      for (const other of [undefined, 'key:2'])
        await expect(call(other, undefined)).rejects.toMatchObject({ code: 'SCAN_NOT_FOUND' })
      // Another gateway may know of that event already.
      reads = 0
      await call('key:1', '3')
      expect(reads).toBe(1)
      going.abort()
    })

    test('events are deleted after a week, and the scan stays', async () => {
      const id = await completed()
      clock.time += 7 * 86_400_000
      const young = await completed()
      await forgetEvents(scans)
      expect(await eventsOf(id)).toHaveLength(4)
      clock.time += 1
      await forgetEvents(scans)
      expect(await eventsOf(id)).toEqual([])
      expect(await eventsOf(young)).toHaveLength(4)
      expect(await stateOf(id)).toMatchObject({ status: 'complete' })
    })
  })
})
