import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConnector } from '../../../src/platform/net/connect.ts'
import { createFetcher, FetchError, type Fetcher } from '../../../src/platform/net/fetch.ts'
import { isPublicAddress } from '../../../src/platform/net/public-address.ts'
import {
  answer,
  type HostileServer,
  redirect,
  startHostileServer,
} from '../../support/servers/hostile-server.ts'

/**
 * The guard against private addresses. A real server on loopback counts connections, so that a refusal counts
 * only when no connection was made.
 */
let inside: HostileServer
let website: HostileServer
let fetcher: Fetcher

beforeAll(async () => {
  inside = await startHostileServer({ '/': answer(200, {}, 'secret') })
  website = await startHostileServer({
    '/refresh': answer(
      200,
      { 'content-type': 'text/html' },
      `<meta http-equiv="refresh" content="0;url=http://127.0.0.1:${inside.port}/">`,
    ),
    '/to': (socket, { path }) => {
      const wanted = new URL(path, 'http://website.example').searchParams
      redirect(wanted.get('url') ?? '', Number(wanted.get('status')))(socket, {
        method: 'GET',
        path,
        headers: {},
        body: '',
      })
    },
  })
  fetcher = createFetcher({
    userAgent: 'tollgate-test',
    allowed: [{ name: 'website.example', address: '127.0.0.1', port: website.port }],
    resolve: async () => ['127.0.0.1'],
  })
})

afterAll(async () => {
  await fetcher.close()
  await Promise.all([inside.close(), website.close()])
})

async function failureOf(work: Promise<unknown>): Promise<FetchError> {
  const error: unknown = await work.then(
    () => new Error('it was fetched'),
    (error: unknown) => error,
  )
  if (error instanceof FetchError) return error
  throw error
}

/** Every spelling of a private target; a port in it is one where the server listens. */
function bypasses(port: number): string[] {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[::ffff:0:7f00:1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[fd00:ec2::254]',
    '[fe80::1%25eth0]',
    '169.254.169.254',
    'metadata.google.internal',
    '100.100.100.200',
    '168.63.129.16',
    'localhost',
    'localhost.',
    'foo.localhost',
    '127.0.0.1.nip.example',
    `${'a'.repeat(300)}.example`,
    'public@127.0.0.1',
    'public\\@127.0.0.1',
  ]
  return [
    ...hosts.flatMap((host) => [`http://${host}:${port}/`, `http://${host}/`]),
    'http://1.1.1.1 &@2.2.2.2# @3.3.3.3/',
    ...[22, 25, 6379, 8080].map((other) => `http://website-elsewhere.example:${other}/`),
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    `gopher://127.0.0.1:${port}/`,
    'data:text/plain,hello',
  ]
}

test('no spelling of a private target is connected to', async () => {
  for (const url of bypasses(inside.port)) {
    expect({ url, reason: (await failureOf(fetcher.fetch(url))).reason }).toEqual({ url, reason: 'refused' })
  }

  expect(inside.connections).toBe(0)
})

test('no redirect of any status leads to a private target', async () => {
  const statuses = [301, 302, 303, 307, 308]
  // An address with a zone is no valid URL, so that redirect fails.
  const urls = [...bypasses(inside.port), '//169.254.169.254/', `//127.0.0.1:${inside.port}/`]
  for (const [index, url] of urls.entries()) {
    const status = statuses[index % statuses.length]
    const start = `http://website.example/to?status=${status}&url=${encodeURIComponent(Buffer.from(url).toString('latin1'))}`

    const { reason } = await failureOf(fetcher.fetch(start))

    expect({ url, reason }).toEqual({ url, reason: url.includes('%25') ? 'redirects' : 'refused' })
  }

  expect(inside.connections).toBe(0)
})

test('a TLS handshake without a request is refused to a private target too', async () => {
  const { reason } = await failureOf(fetcher.negotiate(`https://127.0.0.1:${inside.port}/`))

  expect(reason).toBe('refused')
  expect(inside.connections).toBe(0)
})

test('a page with a meta refresh to a private target is returned and its refresh not followed', async () => {
  const { status, redirects } = await fetcher.fetch('http://website.example/refresh')

  expect({ status, redirects }).toEqual({ status: 200, redirects: [] })
  expect(inside.connections).toBe(0)
})

describe('the connector, without any check of the URL', () => {
  const reach = (
    hostname: string,
    { resolve = async (): Promise<readonly string[]> => [], isAllowedAddress = isPublicAddress } = {},
  ) =>
    new Promise<void>((done, fail) => {
      const connect = createConnector({ allowed: [], isAllowedAddress, resolve })
      connect({ hostname, protocol: 'http:', port: String(inside.port) }, (error, socket) => {
        socket?.destroy()
        if (error) fail(error)
        else done()
      })
    })

  test('connects to a private address that is allowed', async () => {
    const before = inside.connections

    await reach('127.0.0.1', { isAllowedAddress: () => true })
    await reach('a.example', { resolve: async () => ['127.0.0.1'], isAllowedAddress: () => true })

    await expect.poll(() => inside.connections).toBe(before + 2)
  })

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0.0.0.0', '::', '::7f00:1'])(
    'refuses the literal address %s before it connects',
    async (address) => {
      const before = inside.connections

      await expect(reach(address)).rejects.toMatchObject({ reason: 'refused' })

      expect(inside.connections).toBe(before)
    },
  )

  test.each([
    ['is private', ['127.0.0.1']],
    ['is private in IPv6', ['::1']],
    ['is private within IPv6', ['::ffff:127.0.0.1']],
    ['follows a public one', ['93.184.216.34', '127.0.0.1']],
    ['is of the other family than the public one', ['93.184.216.34', '::1']],
    ['comes before a public one', ['127.0.0.1', '93.184.216.34']],
    ['is where an alias ends', ['169.254.169.254']],
    ['is no address', ['93.184.216.34', 'localhost']],
  ])('refuses a name with an address that %s', async (_what, addresses) => {
    const before = inside.connections

    await expect(reach('name.example', { resolve: async () => addresses })).rejects.toMatchObject({
      reason: 'refused',
    })

    expect(inside.connections).toBe(before)
  })

  test('looks a name up once for a connection, so that DNS rebinding changes nothing', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    const resolve = async () => answers.shift() ?? []
    const isAllowedAddress = (ip: string) => ip === '127.0.0.1'
    const before = inside.connections

    await reach('flips.example', { resolve, isAllowedAddress })
    expect(answers).toHaveLength(1)
    await expect(reach('flips.example', { resolve, isAllowedAddress })).rejects.toMatchObject({
      reason: 'refused',
    })

    await expect.poll(() => inside.connections).toBe(before + 1)
  })

  test('refuses an open connection whose remote address is not allowed', async () => {
    const verdicts = [true, false]

    await expect(
      reach('name.example', {
        resolve: async () => ['127.0.0.1'],
        isAllowedAddress: () => verdicts.shift() ?? false,
      }),
    ).rejects.toMatchObject({ reason: 'refused' })

    expect(verdicts).toEqual([])
  })

  test.each([
    [
      'dns',
      'does not have',
      async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    ],
    ['lookup', 'fails to look up', async () => Promise.reject(new Error('no'))],
    ['dns', 'has without an address', async () => []],
  ])('fails with `%s`, and not `refused`, for a name that the DNS %s', async (reason, _what, resolve) => {
    await expect(reach('name.example', { resolve })).rejects.toMatchObject({ reason })
  })
})
