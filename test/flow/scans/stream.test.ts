import { once } from 'node:events'
import { createServer, get } from 'node:http'
import express from 'express'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../../src/core/log.ts'
import { streamReply } from '../../../src/edge/http/stream.ts'
import {
  allSteps,
  ended,
  follow,
  newClient,
  openScanScene,
  type ScanScene,
  startScan,
} from '../../support/scans/scan-scene.ts'

/** The stream of a scan: every step once and in order, at any gateway, without leaks. */

let scene: ScanScene
/** The gateway that scans, and a second one on the same store. */
let here: ScanScene['gateway']
let elsewhere: ScanScene['gateway']

beforeAll(async () => {
  scene = await openScanScene({
    'watched.example': 'small',
    'done.example': 'small',
    'left.example': 'small',
    'crowded.example': 'small',
    'many.example': 'small',
    'refusing.example': ({ path }) => ({
      body: path === '/robots.txt' ? 'User-agent: *\nDisallow: /\n' : '',
    }),
  })
  here = scene.gateway
})
afterAll(() => scene.close())

test('a client that has twenty streams open gets no further one until it closes one; another client does', async () => {
  const site = scene.hold('crowded.example')
  const id = await startScan(here, 'crowded.example')
  await site.asked
  const client = newClient()
  const open = await Promise.all(Array.from({ length: 20 }, () => follow(here, id, client)))
  for (const { steps } of open) await steps.next()

  const { response } = await follow(here, id, client)
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '15'])
  expect(await response.json()).toMatchObject({ details: { limit: '20 streams at a time' } })
  expect((await follow(here, id)).response.status).toBe(200)

  await open[0]?.steps.return(undefined)
  await expect.poll(async () => (await follow(here, id, client)).response.status).toBe(200)
  site.release()
  await ended(here, id)
})

describe('streams of a running scan', () => {
  test('streams at every gateway send each step once, in order, until the scan is complete', async () => {
    const site = scene.hold('watched.example')
    const id = await startScan(here, 'watched.example')
    const near = await follow(here, id)
    await site.asked
    // From now on the first gateway has the scan.
    elsewhere = await scene.open()
    const far = await follow(elsewhere, id)
    for (const { response } of [near, far]) {
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(response.headers.get('cache-control')).toContain('no-store')
      expect(response.headers.get('x-accel-buffering')).toBe('no')
    }
    const beginning = [await near.steps.next(), await far.steps.next()].map(({ value }) => value)
    expect(beginning[0]).toMatchObject({ id: '1', event: 'status', status: 'pending', progress: 0 })
    expect(beginning[1]).toEqual(beginning[0])

    site.release()
    const rest = await allSteps(near.steps)
    expect(rest.map((step) => step.id)).toEqual(rest.map((_, index) => String(index + 2)))
    expect(rest.every(({ event }) => event === 'status')).toBe(true)
    expect(rest.at(-1)).toMatchObject({ status: 'complete', progress: 100 })
    expect(await allSteps(far.steps)).toEqual(rest)
  })

  test('the stream of a scan that fails says why and ends', async () => {
    const { response, steps } = await follow(here, await startScan(here, 'refusing.example'))
    const last = (await allSteps(steps)).at(-1)
    expect([response.status, last]).toMatchObject([200, { status: 'error' }])
    expect(last?.message).toMatch(/robots\.txt/)
  })

  test('streams end cleanly when their gateway closes, and continue at another gateway', async () => {
    const site = scene.hold('left.example')
    const id = await startScan(here, 'left.example')
    await site.asked
    const leaving = await scene.open()
    const { steps } = await follow(leaving, id)
    const { value: first } = await steps.next()
    const rest = allSteps(steps)
    // A connection that is cut after the drain time would fail this.
    await leaving.close()
    const seen = [first, ...(await rest)].map((step) => z.object({ id: z.string() }).parse(step).id)

    const again = await follow(elsewhere, id, newClient(), seen.at(-1))
    site.release()
    const others = await allSteps(again.steps)
    expect(others[0]?.id).toBe(String(seen.length + 1))
    expect(others.at(-1)).toMatchObject({ status: 'complete' })
  })

  test('two hundred clients of one scan get the same bytes, and those cut off go on at another gateway', async () => {
    const site = scene.hold('many.example')
    const id = await startScan(here, 'many.example')
    await site.asked
    const clients = Array.from({ length: 10 }, newClient)
    const open = await Promise.all(
      Array.from({ length: 200 }, (_, index) => follow(here, id, clients[index % clients.length])),
    )
    const cut = open.slice(100)
    const seen = await Promise.all(
      cut.map(async ({ steps }) => {
        const { value } = await steps.next()
        await steps.return(undefined)
        return z.object({ id: z.string() }).parse(value)
      }),
    )
    const again = await Promise.all(
      seen.map((last, index) => follow(elsewhere, id, clients[index % clients.length], last.id)),
    )
    site.release()
    const [whole, ...others] = await Promise.all(open.slice(0, 100).map(({ steps }) => allSteps(steps)))
    expect(whole?.map((step) => step.id)).toEqual(whole?.map((_, index) => String(index + 1)))
    expect(whole?.at(-1)).toMatchObject({ status: 'complete' })
    for (const steps of others) expect(steps).toEqual(whole)
    const rests = await Promise.all(again.map(({ steps }) => allSteps(steps)))
    for (const [index, rest] of rests.entries())
      expect([seen[index], ...rest]).toMatchObject([{ id: '1' }, ...(whole?.slice(1) ?? [])])
  })

  test('a client that leaves ends only its own stream, and no error is logged', async () => {
    const site = scene.hold('left.example')
    const id = await startScan(here, 'left.example')
    const staying = await follow(here, id)
    for (const gateway of [here, elsewhere]) {
      const leaving = get(`${gateway.url}/api/insights/scan/${id}/stream`, { headers: newClient() })
      const [reply] = await once(leaving, 'response')
      await once(reply, 'data')
      leaving.destroy()
    }
    site.release()
    expect((await allSteps(staying.steps)).at(-1)).toMatchObject({ status: 'complete' })
    const faults = [...here.logged, ...elsewhere.logged].filter((line) => line.includes('stream broke off'))
    expect(faults).toEqual([])
  })

  test('a HEAD request gets the headers and opens no stream', async () => {
    const site = scene.hold('left.example')
    const id = await startScan(here, 'left.example')
    const address = `${here.url}/api/insights/scan/${id}/stream`
    const reply = await fetch(address, { method: 'HEAD', headers: newClient() })
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await reply.text()).toBe('')
    site.release()
  })
})

describe('a client that connects to a stream again', () => {
  let id: string

  beforeAll(async () => {
    id = await startScan(here, 'done.example')
    await ended(here, id)
  })

  test('a client that connects again gets the events it has not seen, and then 204', async () => {
    const { steps } = await follow(here, id)
    const all = await allSteps(steps)
    expect(all.length).toBeGreaterThan(3)
    for (const [seen, gateway] of [
      ['', here],
      ['0', elsewhere],
      ['1', here],
      ['2', elsewhere],
      [String(all.length - 1), here],
    ] as const) {
      const again = await follow(gateway, id, newClient(), seen)
      expect(await allSteps(again.steps)).toEqual(all.slice(Number(seen)))
    }
    for (const seen of [all.length, all.length + 1, 999_999_999]) {
      const { response } = await follow(elsewhere, id, newClient(), String(seen))
      expect([response.status, await response.text()]).toEqual([204, ''])
    }
  })

  test.each(['x', '-1', '1.5', '1e3', '0x1', '1234567890', '1, 2'])(
    'a Last-Event-ID of %s is refused',
    async (lastEventId) => {
      const { response } = await follow(here, id, newClient(), lastEventId)
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { code: 'VALIDATION_ERROR', details: { issues: [{ field: 'Last-Event-ID' }] } },
      ])
    },
  )
})

describe('a reply that streams', () => {
  /** A server whose only reply continues until the test ends it. */
  async function open() {
    const logged: string[] = []
    const log = createLog('debug', { write: (line: string) => void logged.push(line) })
    const closing = new AbortController()
    const over = Promise.withResolvers<string>()
    async function* stream(signal: AbortSignal) {
      try {
        yield new TextEncoder().encode('begun')
        if (!signal.aborted) await once(signal, 'abort')
      } finally {
        over.resolve('over')
      }
    }
    const reply = { status: 200, headers: {}, body: new Uint8Array(), stream }
    const sent = Promise.withResolvers<void>()
    const app = express().get('/', (_req, res) => {
      const sending = streamReply({
        res,
        reply,
        stream,
        audience: 'public',
        callId: 'test',
        closing: closing.signal,
        log,
      })
      sent.resolve(sending)
    })
    const server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = z.object({ port: z.number() }).parse(server.address())
    const asking = get({ host: '127.0.0.1', port })
    const [answer] = await once(asking, 'response')
    await once(answer, 'data')
    return { asking, answer, closing, over: over.promise, sent: sent.promise, logged }
  }

  test('a streamed reply is aborted when its caller leaves', async () => {
    const { asking, over, sent, logged } = await open()
    asking.destroy()
    expect(await over).toBe('over')
    await sent
    expect(logged).toEqual([])
  })

  test('a streamed reply ends completely when the gateway is about to stop', async () => {
    const { answer, closing, over, sent, logged } = await open()
    const end = once(answer, 'end')
    closing.abort()
    await end
    expect([await over, answer.complete]).toEqual(['over', true])
    await sent
    expect(logged).toEqual([])
  })
})
