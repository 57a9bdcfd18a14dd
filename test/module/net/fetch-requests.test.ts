import { generateKeyPairSync, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { verifySignature } from 'http-message-sig'
import pTimeout from 'p-timeout'
import { generate } from 'selfsigned'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createBotSigner } from '../../../src/platform/net/bot-signature.ts'
import { createFetcher, FetchError, type Fetcher } from '../../../src/platform/net/fetch.ts'
import type { PrivateTarget } from '../../../src/platform/net/target.ts'
import { patienceMs } from '../../support/patience.ts'
import {
  answer,
  type Behavior,
  type HostileServer,
  redirect,
  startHostileServer,
} from '../../support/servers/hostile-server.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((part) => part.close()))
})

async function serve(
  behaviors: Record<string, Behavior>,
  tls?: Parameters<typeof startHostileServer>[1],
): Promise<HostileServer> {
  const server = await startHostileServer(behaviors, tls)
  opened.push(server)
  return server
}

function fetcherTo(
  servers: Record<string, Pick<HostileServer, 'port'>>,
  parts: Partial<Parameters<typeof createFetcher>[0]> = {},
): Fetcher {
  const allowed: PrivateTarget[] = Object.entries(servers).map(([name, { port }]) => {
    const [host = '', namePort] = name.split(':')
    const to = { name: host, address: '127.0.0.1', port }
    return namePort === undefined ? to : { ...to, namePort: Number(namePort) }
  })
  const fetcher = createFetcher({ userAgent: 'tollgate-test/1', allowed, ...parts })
  opened.push(fetcher)
  return fetcher
}

async function failureOf(work: Promise<unknown>): Promise<FetchError> {
  const error: unknown = await work.then(
    () => new Error('it was fetched'),
    (error: unknown) => error,
  )
  if (error instanceof FetchError) return error
  throw error
}

describe('a request', () => {
  test('sends our user agent and the encodings we decompress, and nothing else', async () => {
    const server = await serve({ '/a': answer(200, { 'set-cookie': 'seen=1' }) })
    const fetcher = fetcherTo({ 'site.example': server })

    await fetcher.fetch('http://site.example/a?b=c#d')
    await fetcher.fetch(new URL('http://site.example/a'))

    expect(server.requests[0]).toEqual({
      method: 'GET',
      path: '/a?b=c',
      headers: {
        host: 'site.example',
        connection: 'keep-alive',
        accept: '*/*',
        'accept-encoding': 'gzip, br, zstd',
        'user-agent': 'tollgate-test/1',
      },
      body: '',
    })
    expect(server.requests[1]?.headers).not.toHaveProperty('cookie')
  })

  test('reuses an open connection', async () => {
    const server = await serve({ '/': answer(200, {}, 'hello') })
    const fetcher = fetcherTo({ 'site.example': server })

    for (let index = 0; index < 3; index += 1) await fetcher.fetch('http://site.example/')

    expect(server.connections).toBe(1)
  })

  test('carries the body and the headers of the options', async () => {
    const server = await serve({ '/': answer(202) })
    const fetcher = fetcherTo({ 'site.example': server })

    const { status } = await fetcher.fetch('http://site.example/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from('{"a":1}'),
      userAgent: 'Other/2',
    })

    expect(status).toBe(202)
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '7', 'user-agent': 'Other/2' },
      body: '{"a":1}',
    })
  })

  test('with HEAD does not wait for a body', async () => {
    const server = await serve({
      '/': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 900000000\r\n\r\n'),
    })

    expect(
      await fetcherTo({ 'site.example': server }).fetch('http://site.example/', { method: 'HEAD' }),
    ).toMatchObject({
      status: 200,
      bytes: 0,
      headers: { 'content-length': ['900000000'] },
    })
  })
})

test('a result has each line of a repeated header, the redirects and the sizes', async () => {
  const server = await serve({
    '/old': redirect('/new', 301),
    '/new': answer(200, { 'X-Robots-Tag': ['noindex', 'bot: none'], 'x-one': 'a, b' }, 'hello'),
  })

  const fetched = await fetcherTo({ 'site.example': server }).fetch('http://site.example/old')

  expect(fetched).toMatchObject({
    url: 'http://site.example/new',
    status: 200,
    redirects: [{ url: 'http://site.example/old', status: 301 }],
    headers: { 'x-robots-tag': ['noindex', 'bot: none'], 'x-one': ['a, b'] },
    isCut: false,
    bytes: 5,
    wireBytes: 5,
  })
  expect(Buffer.from(fetched.body).toString()).toBe('hello')
  expect(fetched.firstByteMs).toBeGreaterThan(0)
})

describe('a redirect', () => {
  const secrets = {
    authorization: 'Bearer secret',
    cookie: 'a=b',
    'x-api-key': 'secret',
    'webhook-signature': 'v1,secret',
    'accept-language': 'de',
    'if-none-match': '"tag"',
  }

  test('to another origin carries no header that could be secret', async () => {
    const other = await serve({ '/': answer(200) })
    const server = await serve({ '/': redirect('http://other.example/') })
    const fetcher = fetcherTo({ 'site.example': server, 'other.example': other })

    await fetcher.fetch('http://site.example/', { headers: secrets })

    expect(server.requests[0]?.headers).toMatchObject(secrets)
    expect(Object.keys(other.requests[0]?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'accept-language',
      'connection',
      'host',
      'if-none-match',
      'user-agent',
    ])
  })

  test('to another origin and back carries no secret header either', async () => {
    const server = await serve({ '/': redirect('http://other.example/'), '/back': answer(200) })
    const other = await serve({ '/': redirect('http://site.example/back') })
    const fetcher = fetcherTo({ 'site.example': server, 'other.example': other })

    await fetcher.fetch('http://site.example/', { headers: secrets })

    expect(server.requests[1]?.path).toBe('/back')
    expect(server.requests[1]?.headers).not.toHaveProperty('authorization')
  })

  test('within the origin carries all headers', async () => {
    const server = await serve({ '/': redirect('/next'), '/next': answer(200) })

    await fetcherTo({ 'site.example': server }).fetch('http://site.example/', { headers: secrets })

    expect(server.requests[1]?.headers).toMatchObject(secrets)
  })

  test.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'sent'],
    [308, 'POST', 'sent'],
  ])('with status %i makes a %s of a POST', async (status, method, body) => {
    const server = await serve({ '/': redirect('/next', status), '/next': answer(200) })

    await fetcherTo({ 'site.example': server }).fetch('http://site.example/', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from('sent'),
    })

    expect(server.requests[1]).toMatchObject({ method, body })
    expect('content-type' in (server.requests[1]?.headers ?? {})).toBe(method === 'POST')
  })

  test('does not send a body to another origin', async () => {
    const other = await serve({ '/': answer(200) })
    const server = await serve({ '/': redirect('http://other.example/', 307) })
    const fetcher = fetcherTo({ 'site.example': server, 'other.example': other })
    const sent = { method: 'POST', body: Buffer.from('sent') } as const

    expect((await failureOf(fetcher.fetch('http://site.example/', sent))).reason).toBe('redirects')

    expect(other.connections).toBe(0)
  })

  test('without a location, or with a status that is no redirect, is returned', async () => {
    const server = await serve({
      '/302': answer(302),
      '/300': answer(300, { location: '/x' }),
      '/304': answer(304),
    })
    const fetcher = fetcherTo({ 'site.example': server })

    for (const status of [300, 302, 304]) {
      expect(await fetcher.fetch(`http://site.example/${status}`)).toMatchObject({ status, redirects: [] })
    }
  })

  test('with a location in UTF-8 leads there', async () => {
    const server = await serve({
      '/': redirect(Buffer.from('/grün').toString('latin1')),
      '/gr%C3%BCn': answer(200),
    })

    expect(await fetcherTo({ 'site.example': server }).fetch('http://site.example/')).toMatchObject({
      status: 200,
      url: 'http://site.example/gr%C3%BCn',
    })
  })
})

describe('the bot signature', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const sign = createBotSigner({
    privateKey,
    agentUrl: 'https://tollgate.example',
    clock: { now: () => Date.now() },
  })

  test('is made for each hop, and valid there', async () => {
    const other = await serve({ '/': answer(200) })
    const server = await serve({ '/': redirect('http://other.example/') })
    const fetcher = fetcherTo({ 'site.example': server, 'other.example': other }, { sign })

    await fetcher.fetch('http://site.example/')

    for (const { requests } of [server, other]) {
      const headers = requests[0]?.headers ?? {}
      const request = new Request(`http://${headers.host}/`, { headers })
      const verified = await verifySignature(request, {
        policy: {
          algorithms: ['ed25519'],
          requiredComponents: ['@authority'],
          requiredParameters: ['created', 'expires', 'keyid', 'tag'],
        },
        resolveVerifier: () => ({
          algorithm: 'ed25519',
          verify: (bytes, signature) => verify(null, bytes, publicKey, signature),
        }),
      })
      expect(verified.parameters.tag).toBe('web-bot-auth')
    }
  })

  test('is not added to a request under another user agent', async () => {
    const server = await serve({ '/': answer(200) })
    const fetcher = fetcherTo({ 'site.example': server }, { sign })

    await fetcher.fetch('http://site.example/', { userAgent: 'Mozilla/5.0' })
    await fetcher.fetch('http://site.example/', { headers: { 'User-Agent': 'Mozilla/5.0' } })

    for (const { headers } of server.requests) {
      expect(headers['user-agent']).toBe('Mozilla/5.0')
      expect(Object.keys(headers).filter((name) => name.startsWith('signature'))).toEqual([])
    }
  })
})

describe('the limit of concurrent requests to one host', () => {
  /** Responds only when released, so that requests pile up. */
  function holding() {
    const held: (() => void)[] = []
    const behavior: Behavior = (socket, request) => {
      held.push(() => answer(200)(socket, request))
      arrivals.dispatchEvent(new Event('arrival'))
    }
    const arrivals = new EventTarget()
    const until = async (count: number) => {
      const message = `fewer than ${count} requests arrived`
      while (held.length < count) {
        await pTimeout(once(arrivals, 'arrival'), { milliseconds: patienceMs, message })
      }
    }
    return { held, behavior, until }
  }

  test('is four: more requests wait, and other hosts do not', async () => {
    const { held, behavior, until } = holding()
    const server = await serve({ '/': behavior, '/other': answer(200) })
    const fetcher = fetcherTo({ 'site.example': server, 'other.example': server })

    const ports = [80, 443, 8080]
    const all = [...ports, ...ports].map((port) => fetcher.fetch(`http://site.example:${port}/`))
    await until(4)
    // Its response comes after everything that was sent before it.
    await fetcher.fetch('http://other.example/other')
    expect(held).toHaveLength(4)
    for (const release of held.splice(0)) release()
    await until(2)
    for (const release of held.splice(0)) release()

    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  })

  test('does not count the wait for a slot against the deadline', async () => {
    const { held, behavior, until } = holding()
    const server = await serve({ '/': behavior, '/quick': answer(200), '/silent': () => undefined })
    const fetcher = fetcherTo({ 'site.example': server, 'other.example': server }, { maxPerHost: 1 })
    const first = fetcher.fetch('http://site.example/')
    await until(1)

    const second = fetcher.fetch('http://site.example/quick', { deadlineMs: 150 })
    const longer = failureOf(fetcher.fetch('http://other.example/silent', { deadlineMs: 300 }))
    expect((await longer).reason).toBe('timeout')
    held.pop()?.()

    expect((await first).status).toBe(200)
    expect((await second).status).toBe(200)
  })

  test('sends no request whose caller aborted during the wait', async () => {
    const { held, behavior, until } = holding()
    const server = await serve({ '/': behavior })
    const fetcher = fetcherTo({ 'site.example': server }, { maxPerHost: 1 })
    const first = fetcher.fetch('http://site.example/')
    await until(1)
    const impatient = new AbortController()

    const second = fetcher.fetch('http://site.example/never', { signal: impatient.signal })
    impatient.abort()

    expect((await failureOf(second)).reason).toBe('aborted')
    held.pop()?.()
    await first
    expect(server.requests.map(({ path }) => path)).toEqual(['/'])
  })
})

describe('an abort', () => {
  test('ends a running fetch and its connection', async () => {
    const started = new AbortController()
    const server = await serve({ '/': () => started.abort() })
    const fetcher = fetcherTo({ 'site.example': server })

    const { reason } = await failureOf(fetcher.fetch('http://site.example/', { signal: started.signal }))

    expect(reason).toBe('aborted')
    await server.hungUp()
  })

  test('before the start makes no connection', async () => {
    const server = await serve({ '/': answer(200) })
    const fetcher = fetcherTo({ 'site.example': server })

    const { reason } = await failureOf(fetcher.fetch('http://site.example/', { signal: AbortSignal.abort() }))

    expect(reason).toBe('aborted')
    expect(server.connections).toBe(0)
  })

  test('by closing the fetcher ends every fetch, also later ones', async () => {
    const asked = new EventTarget()
    const server = await serve({ '/': () => asked.dispatchEvent(new Event('asked')) })
    const fetcher = fetcherTo({ 'site.example': server })
    const failed = failureOf(fetcher.fetch('http://site.example/'))
    await once(asked, 'asked')

    await fetcher.close()

    expect((await failed).reason).toBe('aborted')
    expect((await failureOf(fetcher.fetch('http://site.example/'))).reason).toBe('aborted')
  })
})

describe('over TLS', () => {
  let tls: { key: string; cert: string }
  let otherName: { key: string; cert: string }
  let expired: { key: string; cert: string }

  beforeAll(async () => {
    const made = await Promise.all([
      certificate('site.example'),
      certificate('other.example'),
      certificate('site.example', new Date('2020-01-01')),
    ])
    tls = made[0]
    otherName = made[1]
    expired = made[2]
  })

  async function certificate(name: string, notAfterDate?: Date) {
    const made = await generate([{ name: 'commonName', value: name }], {
      keyType: 'ec',
      algorithm: 'sha256',
      notBeforeDate: new Date('2019-01-01'),
      notAfterDate: notAfterDate ?? new Date('2099-01-01'),
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
    })
    return { key: made.private, cert: made.cert }
  }

  test('a configured certificate authority is trusted besides the usual ones', async () => {
    const server = await serve({ '/': answer(200) }, tls)
    const fetcher = fetcherTo({ 'site.example': server }, { ca: tls.cert })

    expect(await fetcher.fetch('https://site.example/')).toMatchObject({ status: 200 })
  })

  test('a self-signed certificate is refused before a request is sent', async () => {
    const server = await serve({ '/': answer(200) }, tls)

    const { reason, message } = await failureOf(
      fetcherTo({ 'site.example': server }).fetch('https://site.example/'),
    )

    expect({ reason, message }).toEqual({
      reason: 'tls',
      message: 'TLS failed: the certificate was signed by itself.',
    })
    expect(server.requests).toEqual([])
  })

  test('a certificate for another name is refused, also on the second connection', async () => {
    const server = await serve({ '/': answer(200) }, { ...otherName, maxVersion: 'TLSv1.2' })
    const fetcher = fetcherTo({ 'site.example': server }, { ca: otherName.cert })

    for (let time = 0; time < 2; time += 1) {
      expect((await failureOf(fetcher.fetch('https://site.example/'))).message).toBe(
        'TLS failed: the certificate was made out for another name.',
      )
    }
    expect(server.requests).toEqual([])
  })

  test('an expired certificate fails with a message that says so', async () => {
    const server = await serve({}, expired)
    const fetcher = fetcherTo({ 'site.example': server }, { ca: expired.cert })

    expect((await failureOf(fetcher.fetch('https://site.example/'))).message).toBe(
      'TLS failed: the certificate has expired.',
    )
  })

  test('a server that does not speak TLS fails with `tls`', async () => {
    const server = await serve({ '/': answer(200) })

    expect(
      (await failureOf(fetcherTo({ 'site.example': server }).fetch('https://site.example/'))).reason,
    ).toBe('tls')
  })

  test('a redirect to http is followed, and refused with refuseDowngrade', async () => {
    const plain = await serve({ '/': answer(200) })
    const server = await serve({ '/': redirect('http://site.example/') }, tls)
    const fetcher = fetcherTo({ 'site.example:443': server, 'site.example:80': plain }, { ca: tls.cert })

    expect((await failureOf(fetcher.fetch('https://site.example/', { refuseDowngrade: true }))).reason).toBe(
      'refused',
    )
    expect(plain.connections).toBe(0)
    expect(await fetcher.fetch('https://site.example/')).toMatchObject({
      url: 'http://site.example/',
      status: 200,
    })
  })

  test.each([
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [undefined, undefined],
  ])('negotiation with a server that speaks %j gives %s, and sends no request', async (protocols, chosen) => {
    const server = await serve(
      { '/': answer(200) },
      { ...tls, ...(protocols && { ALPNProtocols: protocols }) },
    )
    const fetcher = fetcherTo({ 'site.example': server }, { ca: tls.cert })

    expect(await fetcher.negotiate('https://site.example/')).toBe(chosen)

    expect(server.requests).toEqual([])
  })

  test('a request speaks HTTP/1.1 to a server that prefers HTTP/2', async () => {
    const server = await serve({ '/': answer(200) }, { ...tls, ALPNProtocols: ['h2', 'http/1.1'] })
    const fetcher = fetcherTo({ 'site.example': server }, { ca: tls.cert })

    expect(await fetcher.fetch('https://site.example/')).toMatchObject({ status: 200 })
  })

  test('negotiation fails without TLS, and at its deadline with a silent server', async () => {
    // It accepts the connection and stays silent, so that no reply can come before the deadline.
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    if (address === null || typeof address === 'string')
      throw new Error('the server does not listen on a port')
    const fetcher = fetcherTo({ 'site.example': { port: address.port } })

    expect((await failureOf(fetcher.negotiate('http://site.example/'))).reason).toBe('refused')
    expect((await failureOf(fetcher.negotiate('https://site.example/', { deadlineMs: 10 }))).reason).toBe(
      'timeout',
    )
    silent.close()
  })
})
