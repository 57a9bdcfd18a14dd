import { EventEmitter, once } from 'node:events'
import { mkdir, readFile, watch } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pTimeout from 'p-timeout'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { patienceMs } from '../../support/patience.ts'
import {
  type Caller,
  ended,
  newClient,
  newKey,
  openScanScene,
  read,
  type ScanScene,
  startScan,
  trigger,
} from '../../support/scans/scan-scene.ts'

/** Reports by mail, and the order of scans that wait. */

const sites = {
  'shop.example': 'small',
  'refusing.example': ({ path }: { path: string }) => ({
    body: path === '/robots.txt' ? 'User-agent: *\nDisallow: /\n' : '',
  }),
  'held.example': 'small',
  'early.example': 'small',
  'late.example': 'small',
  'hurried.example': 'small',
} as const

/**
 * Checks what every report of a complete scan says.
 * @param letter as a mail program reads it.
 */
async function expectReport(letter: Email, gateway: ScanScene['gateway'], id: string, to: string) {
  const { results } = (await read(gateway, id, 'results')).body
  expect(letter.from?.address).toBe('tollgate@api.example.com')
  expect(letter.to?.map(({ address }) => address)).toEqual([to])
  expect(letter.subject).toBe(`Scan of shop.example: ${results.readinessScore} of 100 for AI readiness`)
  for (const part of [letter.text, letter.html]) {
    expect(part).toContain('shop.example')
    expect(part).toContain(String(results.aeoScore))
    expect(part).toContain(`https://api.example.com/api/insights/scan/${id}/results`)
  }
  expect(letter.html).toMatch(/^<!doctype html>/i)
  expect(letter.text).not.toMatch(/<\w+>/)
}

describe('without a mail server', () => {
  let scene: ScanScene

  beforeAll(async () => {
    scene = await openScanScene(sites, { SCANS_AT_ONCE: '1' })
  })
  afterAll(() => scene.close())

  test('without a mail server, the report is written to the data folder as a letter in HTML and plain text', async () => {
    const mail = join(scene.folder, 'mail')
    await mkdir(mail)
    const changes = watch(mail)
    const id = await startScan(scene.gateway, 'shop.example', newClient(), { email: 'reader@example.com' })
    for await (const { filename } of changes) if (filename === `scan-${id}.eml`) break
    const letter = await PostalMime.parse(await readFile(join(mail, `scan-${id}.eml`)))
    await expectReport(letter, scene.gateway, id, 'reader@example.com')
  })

  test('callers without a key get three reports a day to one address, and a key gets more', async () => {
    const { gateway } = scene
    const ask = (caller: Caller, email: string, more = {}) =>
      trigger(gateway, { url: 'http://shop.example/', scanType: 'light', email, ...more }, caller)
    for (const email of ['Victim@example.com', 'victim@example.com', 'VICTIM@EXAMPLE.COM'])
      expect((await ask(newClient(), email)).status).toBe(200)

    const refused = await ask(newClient(), 'victim@example.com')
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({
      code: 'RATE_LIMIT',
      details: { limit: '3 reports a day (UTC) to one e-mail address without a key' },
    })
    expect(Number(refused.headers['retry-after'])).toBe(refused.body.details.retry_after_seconds)
    expect((await ask(newClient(), 'other@example.com')).status).toBe(200)
    expect((await ask(await newKey(gateway), 'victim@example.com')).status).toBe(200)
  })

  test('a request that is repeated under its Idempotency-Key takes no further report of the address', async () => {
    const { gateway } = scene
    const caller = { ...newClient(), 'idempotency-key': 'the-same-request' }
    const ask = () =>
      trigger(gateway, { url: 'http://shop.example/', scanType: 'light', email: 'often@example.com' }, caller)
    const ids = new Set<string>()
    for (let repeat = 0; repeat < 5; repeat += 1) ids.add((await ask()).body.scanId)
    expect(ids.size).toBe(1)
    const fresh = await trigger(gateway, { url: 'shop.example', email: 'often@example.com' })
    expect(fresh.status).toBe(200)
  })

  test('scans of a tier with a higher priority run first, and the others in the order in which they came', async () => {
    const { gateway, hold, visited } = scene
    const site = hold('held.example')
    const [ordinary, hurried] = [await newKey(gateway), await newKey(gateway, 'hurried')]
    await startScan(gateway, 'held.example')
    await site.asked
    const waiting = [
      ['early.example', newClient()],
      ['late.example', ordinary],
      ['hurried.example', hurried],
    ] as const
    const ids: string[] = []
    for (const [name, caller] of waiting) ids.push(await startScan(gateway, name, caller))
    const { body } = await read(gateway, ids[2] ?? '', 'status', hurried)
    expect(body).toEqual({ status: 'pending', progress: 0, error: null })

    site.release()
    for (const [index, [, caller]] of waiting.entries()) await ended(gateway, ids[index] ?? '', caller)
    expect(visited.slice(visited.indexOf('held.example') + 1)).toEqual([
      'hurried.example',
      'early.example',
      'late.example',
    ])
  })
})

describe('with a mail server', () => {
  let scene: ScanScene
  let server: SMTPServer
  /** Emits each letter under its recipient's address. */
  const inbox = new EventEmitter<Record<string, [{ to: string[]; raw: string }]>>()
  const refusals = new EventEmitter<Record<string, [string]>>()

  beforeAll(async () => {
    server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      onRcptTo({ address }, _session, done) {
        if (!address.startsWith('gone')) return done()
        done(Object.assign(new Error(`no mailbox ${address}`), { responseCode: 550 }))
        refusals.emit('refused', address)
      },
      async onData(stream, { envelope }, done) {
        const raw = await text(stream)
        const to = envelope.rcptTo.map(({ address }) => address)
        done()
        inbox.emit(to[0] ?? '', { to, raw })
      },
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = z.object({ port: z.number() }).parse(server.server.address())
    scene = await openScanScene(sites, { SMTP_URL: `smtp://127.0.0.1:${port}` })
  })
  afterAll(async () => {
    await scene.close()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  /**
   * Starts a scan whose report goes to `to`.
   * @returns the letter that arrives there.
   */
  async function letterFor(name: string, to: string) {
    const arriving = pTimeout(once(inbox, to), {
      milliseconds: patienceMs,
      message: `no letter to ${to} arrived within 25 seconds`,
    })
    const id = await startScan(scene.gateway, name, newClient(), { email: to })
    const [{ to: recipients, raw }] = await arriving
    expect(recipients).toEqual([to])
    return { id, letter: await PostalMime.parse(raw) }
  }

  test('the report is sent to the address that the caller named, and to no other', async () => {
    const { id, letter } = await letterFor('shop.example', 'reader@example.com')
    await expectReport(letter, scene.gateway, id, 'reader@example.com')
  })

  test('the letter about a scan that failed says why', async () => {
    const { id, letter } = await letterFor('refusing.example', 'curious@example.com')
    const { error } = (await read(scene.gateway, id, 'status')).body
    expect(error).toMatch(/robots\.txt/)
    expect(letter.subject).toBe('The scan of refusing.example could not be finished')
    expect(letter.text?.replace(/\s+/g, ' ')).toContain(error.replace('://', '[://]'))
    expect(letter.html).toContain('robots.txt')
  })

  test('no e-mail address gets into the log, not even one that the mail server refuses', async () => {
    const { gateway } = scene
    const refused = pTimeout(once(refusals, 'refused'), {
      milliseconds: patienceMs,
      message: 'the mail server was not asked to take a letter within 25 seconds',
    })
    const id = await startScan(gateway, 'shop.example', newClient(), { email: 'gone@example.com' })
    await refused
    // Reports are sent one after the other, so the refusal was handled before this letter.
    await letterFor('shop.example', 'witness@example.com')
    expect((await read(gateway, id, 'status')).body.status).toBe('complete')
    expect(gateway.logged.filter((line) => line.includes('refused by the mail server'))).toHaveLength(1)
    for (const name of ['reader', 'curious', 'gone', 'witness']) {
      expect(gateway.logged.filter((line) => line.includes(`${name}@`))).toEqual([])
    }
  })
})
