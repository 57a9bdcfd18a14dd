import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isAllowedPrivateAddress } from '../../../src/proxy/pool/private-address.ts'
import { closeAll, get, hostile, open, read, serve } from '../../support/gateways/pool.ts'

let folder: string
let pems: Record<'ca' | 'cert' | 'key' | 'clientCert' | 'clientKey', string>
const servers: (() => void)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-connector-'))
  const ca = await generate([{ name: 'commonName', value: 'Authority of the tests' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  })
  const leaf = (name: string) =>
    generate([{ name: 'commonName', value: name }], {
      keyType: 'ec',
      algorithm: 'sha256',
      ca: { key: ca.private, cert: ca.cert },
      extensions: [
        { name: 'basicConstraints', cA: false },
        { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
      ],
    })
  const [server, client] = [await leaf('shop.example'), await leaf('gateway.example')]
  pems = {
    ca: ca.cert,
    cert: server.cert,
    key: server.private,
    clientCert: client.cert,
    clientKey: client.private,
  }
  for (const [name, pem] of Object.entries(pems)) await writeFile(join(folder, `${name}.pem`), pem)
  await writeFile(join(folder, 'garbage.pem'), 'no certificate')
})

afterEach(async () => {
  await closeAll()
  for (const close of servers.splice(0)) close()
})

afterAll(() => rm(folder, { recursive: true }))

describe('TLS', () => {
  test('a certificate authority of the operator is trusted for the requested name, and the client certificate is sent', async () => {
    const { port } = await serveTls({ ca: pems.ca, requestCert: true })
    const pool = await open([`https://shop.example:${port}`], {
      folder,
      resolve: toLoopback,
      tls: { ca_file: 'ca.pem', cert_file: 'clientCert.pem', key_file: 'clientKey.pem' },
    })
    expect(await read(pool, get())).toBe('gateway.example')
  })

  test('a certificate may have another name than the target where the catalog says so', async () => {
    const { port } = await serveTls()
    const pool = await open([`https://127.0.0.1:${port}`], {
      folder,
      tls: { ca_file: 'ca.pem', server_name: 'shop.example' },
    })
    expect(await read(pool, get())).toBe('none')
  })

  test.each([
    ['of an unknown authority', 'shop.example', undefined, /not trusted/],
    ['made out for another name', 'other.example', { ca_file: 'ca.pem' }, /for another name/],
  ])('a certificate %s is refused before a request is sent', async (_name, host, tls, problem) => {
    const { port, requests } = await serveTls()
    const pool = await open([`https://${host}:${port}`], { folder, resolve: toLoopback, retries: 0, tls })
    await expect(pool.request(get())).rejects.toMatchObject({
      code: 'UPSTREAM_FAILED',
      details: { problem: expect.stringMatching(problem) },
    })
    expect(requests).toEqual([])
  })

  test.each([
    ['is missing', { ca_file: 'none.pem' }, /upstream shop: .*none\.pem cannot be used: ENOENT/],
    [
      'contains no certificate',
      { ca_file: 'garbage.pem' },
      /upstream shop: .*garbage\.pem .*no certificate in PEM/,
    ],
    [
      'contains no key',
      { cert_file: 'clientCert.pem', key_file: 'garbage.pem' },
      /upstream shop: .*garbage\.pem/,
    ],
    [
      'contains the key of another',
      { cert_file: 'clientCert.pem', key_file: 'key.pem' },
      /key\.pem .*another certificate/,
    ],
  ])('a TLS file that %s is reported before any call', async (_name, tls, message) => {
    await expect(open(['https://shop.example'], { folder, tls })).rejects.toThrow(message)
  })
})

describe('addresses', () => {
  test('a target with a private address, by itself or by its name, is not connected to unless the catalog allows it', async () => {
    const server = await hostile({})
    for (const [host, resolve] of [
      ['127.0.0.1', undefined],
      ['shop.example', toLoopback],
      ['shop.example', async () => ['192.0.2.1', '127.0.0.1']],
    ] as const) {
      const pool = await open([`http://${host}:${server.port}`], {
        private: false,
        ...(resolve && { resolve }),
      })
      await expect(pool.request(get())).rejects.toMatchObject({
        code: 'UPSTREAM_FAILED',
        details: { problem: 'its address is in a network that calls are not sent to' },
      })
    }
    expect(server.connections).toBe(0)
  })

  test('a name is looked up and its address checked for each connection', async () => {
    const { url } = await serve((_req, res) => res.writeHead(200, { connection: 'close' }).end('here'))
    const answers = [['127.0.0.1'], ['169.254.169.254']]
    const pool = await open([url.replace('127.0.0.1', 'shop.example')], {
      resolve: async () => answers.shift() ?? [],
      retries: 0,
    })
    expect(await read(pool, get())).toBe('here')
    await expect(pool.request(get())).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' })
  })

  test.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    'fd00:ec2::254',
    '100.100.100.200',
    '168.63.129.16',
    'nowhere',
  ])('%s is refused for a private upstream too', (address) => {
    expect(isAllowedPrivateAddress(address)).toBe(false)
  })

  test.each([
    '127.0.0.1',
    '::1',
    '10.0.0.8',
    '192.168.1.1',
    'fd12::1',
    'fe80::1',
    '203.0.113.9',
    '2606:4700::1',
  ])('%s is allowed for a private upstream', (address) => {
    expect(isAllowedPrivateAddress(address)).toBe(true)
  })
})

const toLoopback = async () => ['127.0.0.1']

async function serveTls(options: ServerOptions = {}): Promise<{ port: number; requests: string[] }> {
  const requests: string[] = []
  const server = createServer({ cert: pems.cert, key: pems.key, ...options }, (req, res) => {
    requests.push(req.url ?? '')
    res.end(subjectOf(req.socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, requests }
}

function subjectOf(socket: object): string {
  const shown = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined
  return [shown].join() || 'none'
}
