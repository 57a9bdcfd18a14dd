import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { operatorToken } from '../../support/gateways/gateway.ts'
import { createBuyers, get, settled, walletOf } from '../../support/gateways/payment-for.ts'
import { openRelayScene, type RelayScene } from '../../support/gateways/relay-scene.ts'
import { type FarEnd, says, startFarEnd } from '../../support/servers/far-end.ts'

/** Upstreams that a reload of the catalog adds and removes. */

let chain: TestChain
let far: FarEnd
let place: Awaited<ReturnType<typeof temporaryFolder>>
let file: string
let scene: RelayScene
let buyers: ReturnType<typeof createBuyers>

/** More keys of an upstream's entry, by its name. */
type Entries = Readonly<Record<string, string>>

async function write(entries: Entries): Promise<void> {
  const names = Object.entries(entries)
  const upstreams = names.map(
    ([name, more]) =>
      `  ${name}: { prefix: /${name}, targets: ["${far.url}"], private: true, retries: 0${more} }`,
  )
  const operations = names.map(
    ([name]) =>
      `  ${name}Call: { access: price, price: "0.01", upstream: ${name}, route: GET /*, description: A call. }`,
  )
  await writeFile(
    `${file}.new`,
    `provider: { name: Tests, description: Sells what others serve. }\nupstreams:\n${upstreams.join('\n')}\noperations:\n${operations.join('\n')}\n`,
  )
  await rename(`${file}.new`, file)
}

async function reload(entries: Entries): Promise<{ status: number; text: string }> {
  await write(entries)
  const reply = await fetch(`${scene.gateway.url}/operator/catalog/reload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}` },
  })
  return { status: reply.status, text: await reply.text() }
}

beforeAll(async () => {
  chain = await startTestChain()
  far = await startFarEnd()
  place = await temporaryFolder()
  file = join(place.folder, 'catalog.yaml')
  await write({ one: '' })
  scene = await openRelayScene(chain, '', { CATALOG_FILE: file, UPSTREAM_KNOWN: 'a secret' })
  buyers = createBuyers(scene)
})
beforeEach(() => reload({ one: '' }))
afterAll(async () => {
  await scene?.close()
  await far?.close()
  await place?.remove()
  await chain?.close()
})

const statusOf = async (path: string) => (await buyers.send(get(path))).status

test('a changed catalog adds one upstream and removes another, whose running paid call is completed', async () => {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  far.on('/slow', async (res) => {
    res.writeHead(200).write('first ')
    begun.resolve()
    await end.promise
    res.end('last')
  })
  const payment = await buyers.sign(get('/one/slow'), walletOf(4), 'exact')
  const reply = await buyers.send(get('/one/slow'), payment)
  await begun.promise
  expect(await statusOf('/two/fast')).toBe(404)
  expect((await reload({ two: '' })).status).toBe(200)
  expect([await statusOf('/one/slow'), await statusOf('/two/fast')]).toEqual([404, 402])

  far.on('/fast', says('fast'))
  const other = await buyers.sign(get('/two/fast'), walletOf(4), 'exact')
  expect((await buyers.send(get('/two/fast'), other)).status).toBe(200)
  end.resolve()
  expect(await reply.text()).toBe('first last')
  await scene.idle()
  expect([await buyers.stateOf(payment), await buyers.stateOf(other)]).toEqual([settled, settled])
})

test('what an upstream’s operation has sold before it left the catalog is given again, and nothing else is sold', async () => {
  far.on('/kept', says({ kept: 'reply' }))
  const call = { ...get('/one/kept'), headers: { 'idempotency-key': 'a-name-that-nobody-guesses' } }
  const payment = await buyers.sign(call, walletOf(4), 'exact')
  const first = await (await buyers.send(call, payment)).text()
  for (const entries of [{ two: '' }, { one: ', request_headers: ["x-other"]', two: '' }]) {
    await reload(entries)
    const again = await buyers.send(call, payment)
    expect([again.status, await again.text()]).toEqual([200, first])
  }
  await reload({ two: '' })
  expect((await buyers.send({ ...call, path: '/one/other' }, payment)).status).toBe(409)
  const late = { ...call, headers: {} }
  await reload({ one: '' })
  const unused = await buyers.sign(late, walletOf(4), 'exact')
  await reload({ two: '' })
  expect((await buyers.send(late, unused)).status).toBe(404)
  expect(far.heard('/kept')).toHaveLength(1)
})

test('an injected header changes with the catalog', async () => {
  far.on('/who', says('well'))
  for (const name of ['first', 'second']) {
    await reload({ one: `, inject: { x-who: "${name} \${UPSTREAM_KNOWN}" }` })
    const payment = await buyers.sign(get('/one/who'), walletOf(4), 'exact')
    expect((await buyers.send(get('/one/who'), payment)).status).toBe(200)
    expect(far.heard('/who').at(-1)?.headers['x-who']).toBe(`${name} a secret`)
  }
})

test.each([
  [`, inject: { authorization: "Bearer \${UPSTREAM_MISSING}" }`, 'UPSTREAM_MISSING'],
  [', tls: { ca_file: missing.pem }', 'missing.pem'],
])(
  'a catalog whose upstream has %s is refused with the reason, and the current one stays in use',
  async (more, reason) => {
    const { status, text } = await reload({ two: more })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).toContain('upstreams.two')
    expect(text).toContain(reason)
    expect([await statusOf('/one/x'), await statusOf('/two/x')]).toEqual([402, 404])
  },
)
