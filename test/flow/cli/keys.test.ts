import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../../src/core/clock.ts'
import { bind } from '../../../src/core/endpoint.ts'
import { createLog } from '../../../src/core/log.ts'
import { createKeyText, parseKeyText } from '../../../src/doors/keys/key-text.ts'
import { createKeyVerifier } from '../../../src/doors/keys/verify.ts'
import { operatorKeyHandlers, operatorKeyRows } from '../../../src/edge/handlers/operator/keys.ts'
import { keyListSchema, keySchema, shownKeySchema } from '../../../src/edge/handlers/operator/replies.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { contextOf } from '../../support/gateways/context.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'

/** `tollgate keys` as an operator types it, and the endpoints it calls, with a catalog of three tiers. */

let workplace: Workplace
let chain: TestChain
let gateway: TestGateway

const owner = 'ann@example.com'

beforeAll(async () => {
  workplace = await openWorkplace()
  chain = await startTestChain()
  const tiers = { max: { description: 'For more work.', operations: { analyzeBusiness: 'unlimited' } } }
  const catalog = await writeCatalog(workplace.folder, {}, tiers)
  gateway = await startGateway(chain.rpcUrl, { CATALOG_FILE: catalog })
})
afterAll(async () => {
  await gateway.close()
  await chain.close()
  await workplace.close()
})

const keys = (...args: string[]) =>
  workplace.run('cli', {
    args: ['keys', ...args, '--url', gateway.url],
    settings: { OPERATOR_TOKEN: operatorToken },
  })
const network = networks['base-sepolia']
const { chainId } = network
const asOperator = (method: 'get' | 'post', path: string) =>
  request(gateway.url)[method](path).set('authorization', `Bearer ${operatorToken}`)
const make = async (body: object = { tier: 'pro' }) =>
  shownKeySchema.parse((await asOperator('post', '/operator/keys').send(body).expect(201)).body)
const show = async (keyId: string) =>
  keySchema.parse((await asOperator('get', `/operator/keys/${keyId}`).expect(200)).body)

/** The tier or the error code of a key, as a process that has just started sees it. */
async function verdict(text: string): Promise<string> {
  const { queries } = gateway.services
  const answer = await createKeyVerifier({
    queries,
    clock: systemClock,
    chainId,
    log: createLog('silent'),
  }).verify(text)
  return answer.kind === 'key' ? answer.key.tier : answer.code
}

describe('tollgate keys create', () => {
  test('prints a key of the tier alone on standard output, and its id and expiry on standard error', async () => {
    const made = await keys('create', '--tier', 'pro', '--owner', owner, '--label', 'laptop', '--days', '30')
    expect(made.code).toBe(0)
    expect(made.stdout).toMatch(/^tgk_\w{54}\n$/)
    expect(await verdict(made.stdout.trim())).toBe('pro')
    const id = parseKeyText(made.stdout.trim())?.id ?? ''
    expect(made.stderr).toMatch(
      new RegExp(`^Key ${id} of tier pro expires \\d{4}-\\S+Z\\. It is shown this once`),
    )
    const shown = await show(id)
    expect(shown).toMatchObject({ state: 'active', tier: 'pro', owner, label: 'laptop', paymentId: null })
    expect(shown.expiresAt).toBe(shown.createdAt + 30 * 86_400)
  })

  test('creates a key that expires at a given time, or never, and prints one object with --json', async () => {
    const until = await keys('create', '--tier', 'max', '--expires', '2999-01-01', '--json')
    expect(until).toMatchObject({ code: 0, stderr: '' })
    const made = shownKeySchema.parse(JSON.parse(until.stdout))
    expect(made).toMatchObject({ tier: 'max', owner: '', expiresAt: Date.UTC(2999, 0, 1) / 1000 })
    expect(parseKeyText(made.key)?.id).toBe(made.keyId)
    const forever = await keys('create', '--tier', 'max')
    expect(forever.stderr).toContain('never expires')
    expect((await show(parseKeyText(forever.stdout.trim())?.id ?? '')).expiresAt).toBeNull()
  })

  test.each([
    ['an unknown tier', ['--tier', 'gold'], /"tier","problem":"must be one of starter, pro, max"/],
    [
      'a tier named like a property of every object',
      ['--tier', 'constructor'],
      /must be one of starter, pro, max/,
    ],
    [
      'an expiry in the past',
      ['--tier', 'pro', '--expires', '2020-01-01'],
      /"expires","problem":"must lie in the future"/,
    ],
    ['an expiry that is not a time', ['--tier', 'pro', '--expires', 'soon'], /"expires"/],
    [
      'both --expires and --days',
      ['--tier', 'pro', '--expires', '2999-01-01', '--days', '1'],
      /cannot be used with/,
    ],
    ['half a day', ['--tier', 'pro', '--days', '0.5'], /must be a whole number/],
    ['zero days', ['--tier', 'pro', '--days', '0'], /"days"/],
    [
      'an owner of two lines',
      ['--tier', 'pro', '--owner', 'a\nb'],
      /"owner","problem":"must be at most 200 printable/,
    ],
    ['no tier', [], /--tier <tier>.* not specified/],
  ])('refuses %s, and creates no key', async (_what, args, message) => {
    const before = (await keyList()).length
    const refused = await keys('create', ...args)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(message)
    expect((await keyList()).length).toBe(before)
  })
})

async function keyList(query: Readonly<Record<string, string | number>> = {}) {
  const reply = await asOperator('get', '/operator/keys')
    .query({ limit: 500, ...query })
    .expect(200)
  return keyListSchema.parse(reply.body).keys
}

describe('tollgate keys list', () => {
  test('lists the newest first, filtered and page by page, as a table and as JSON', async () => {
    const whose = 'bob & co'
    const first = await make({ tier: 'pro', owner: whose, label: 'one' })
    const second = await make({ tier: 'max', owner: whose })
    await asOperator('post', `/operator/keys/${first.keyId}/revoke`).expect(200)

    const all = await keys('list', '--owner', whose)
    expect(all).toMatchObject({ code: 0, stderr: '' })
    const [head = '', ...rows] = all.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
    expect(head).toEqual([
      'id',
      'state',
      'tier',
      'network',
      'created',
      'expires',
      'last used',
      'owner',
      'label',
    ])
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(rows).toEqual([
      [second.keyId, 'active', 'max', 'eip155:84532', time, '-', '-', whose, '-'],
      [first.keyId, 'revoked', 'pro', 'eip155:84532', time, '-', '-', whose, 'one'],
    ])

    const revoked = await keys('list', '--owner', whose, '--state', 'revoked', '--tier', 'pro', '--json')
    expect(keyListSchema.parse(JSON.parse(revoked.stdout)).keys).toEqual([await show(first.keyId)])

    const page = await keys('list', '--owner', whose, '--limit', '1')
    expect(page.stdout).toContain(second.keyId)
    expect(page.stdout).not.toContain(first.keyId)
    const cursor = /--cursor (\S+)/.exec(page.stderr)?.[1] ?? ''
    const rest = await keys('list', '--owner', whose, '--limit', '1', '--cursor', cursor)
    expect(rest.stdout).toContain(first.keyId)
    expect(rest.stdout).not.toContain(second.keyId)
    expect(rest.stderr).toBe('')
    expect((await keys('list', '--owner', 'nobody')).stderr).toBe('No key matches.\n')
  })

  test.each([
    [{ state: 'gone' }, 'state'],
    [{ cursor: 'first' }, 'cursor'],
    [{ limit: 501 }, 'limit'],
    [{ tier: 'a\u0000b' }, 'tier'],
    [{ owner: 'a\u0000b' }, 'owner'],
    [{ own: 'me' }, 'own'],
  ])('the endpoint behind it refuses %j and names the field', async (query, field) => {
    const reply = await asOperator('get', '/operator/keys').query(query)
    expect([reply.status, reply.body.details.issues[0].field]).toEqual([400, field])
  })
})

describe('tollgate keys revoke', () => {
  test('revokes a key permanently, and prints the same when it is run again', async () => {
    const { keyId, key } = await make()
    const revoked = await keys('revoke', keyId)
    expect(revoked).toMatchObject({ code: 0, stderr: '' })
    expect(revoked.stdout).toMatch(/^revoked \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/)
    expect(await verdict(key)).toBe('API_KEY_REVOKED')
    const again = await keys('revoke', keyId, '--json')
    expect(keySchema.parse(JSON.parse(again.stdout))).toEqual(await show(keyId))
    expect((await keys('revoke', keyId)).stdout).toBe(revoked.stdout)
  })
})

describe('tollgate keys rotate', () => {
  test('prints the new key alone on standard output, and ends the old secret without a grace', async () => {
    const { keyId, key } = await make()
    const rotated = await keys('rotate', keyId)
    expect(rotated.code).toBe(0)
    expect(rotated.stdout).toMatch(new RegExp(`^tgk_${keyId}\\w{38}\\n$`))
    expect(rotated.stderr).toContain(`The old secret of key ${keyId} is no longer valid.`)
    expect(await verdict(rotated.stdout.trim())).toBe('pro')
    expect(await verdict(key)).toBe('API_KEY_REVOKED')
  })

  test('keeps the old secret valid for the time of --grace', async () => {
    const { keyId, key } = await make()
    const begun = Math.floor(Date.now() / 1000)
    const rotated = await keys('rotate', keyId, '--grace', '24h', '--json')
    const made = shownKeySchema.parse(JSON.parse(rotated.stdout))
    expect(made.previousUntil).toBeGreaterThanOrEqual(begun + 86_400)
    expect(made.previousUntil).toBeLessThanOrEqual(Date.now() / 1000 + 86_400)
    for (const text of [made.key, key]) expect(await verdict(text)).toBe('pro')
    expect((await keys('rotate', keyId, '--grace', '15m')).stderr).toMatch(/stays valid until \d{4}-\S+Z\./)
  })

  test('refuses a grace of more than 30 days or without a unit', async () => {
    const { keyId, key } = await make()
    expect((await keys('rotate', keyId, '--grace', '31d')).stderr).toContain('"graceSeconds"')
    expect((await keys('rotate', keyId, '--grace', 'soon')).stderr).toContain('like 24h')
    expect(await verdict(key)).toBe('pro')
  })

  test('refuses a revoked key, which stays revoked', async () => {
    const { keyId, key } = await make()
    await asOperator('post', `/operator/keys/${keyId}/revoke`).expect(200)
    const refused = await keys('rotate', keyId)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('names a revoked key')
    expect(await verdict(key)).toBe('API_KEY_REVOKED')
  })
})

test.each(['revoke', 'rotate'])('tollgate keys %s says when no key has the id', async (command) => {
  const refused = await keys(command, createKeyText().id)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('No API key has this id.')
  expect((await keys(command, 'tgk_1')).stderr).toContain('"keyId"')
})

describe('the /operator/keys endpoints', () => {
  const id = 'A'.repeat(16)
  test.each([
    ['post', '/operator/keys'],
    ['get', '/operator/keys'],
    ['get', `/operator/keys/${id}`],
    ['post', `/operator/keys/${id}/revoke`],
    ['post', `/operator/keys/${id}/rotate`],
  ] as const)('%s %s needs the operator token and forbids caching', async (method, path) => {
    const without = await request(gateway.url)[method](path)
    expect([without.status, without.body.code]).toEqual([401, 'OPERATOR_TOKEN_REQUIRED'])
    expect((await asOperator(method, path)).headers['cache-control']).toBe('no-store')
  })

  test('never show the secret of an existing key, in a list, by its id, or on revocation', async () => {
    const { keyId, key } = await make()
    const { text: revoked } = await asOperator('post', `/operator/keys/${keyId}/revoke`)
    const { text: shown } = await asOperator('get', `/operator/keys/${keyId}`)
    const { text: listed } = await asOperator('get', '/operator/keys?limit=500')
    for (const text of [revoked, shown, listed]) {
      expect(text).toContain(keyId)
      expect(text).not.toContain(key.slice(20))
      expect(text).not.toMatch(/hash/i)
    }
  })

  test('make this process refuse a revoked or replaced key from the next call on', async () => {
    const { queries } = gateway.services
    const clock = { now: () => stopped }
    const stopped = Date.now()
    const verifier = createKeyVerifier({ queries, clock, chainId, log: createLog('silent') })
    const parts = { books: { queries, clock }, keys: verifier, network, tiers: () => ({}) }
    for (const id of ['revokeKey', 'rotateKey']) {
      const { keyId, key } = await make()
      expect(await verifier.verify(key)).toMatchObject({ kind: 'key' })
      const endpoint = bind(operatorKeyRows, operatorKeyHandlers(parts)).find((one) => one.id === id)
      await endpoint?.prepare({ params: { keyId }, body: {} })(contextOf())
      expect(await verifier.verify(key)).toEqual({ kind: 'refused', code: 'API_KEY_REVOKED' })
    }
  })
})

test('neither key nor owner is in the log, and no key is on standard error', async () => {
  const made = await keys('create', '--tier', 'pro', '--owner', owner)
  await keys('list', '--owner', owner)
  expect(made.stderr).not.toContain('tgk_')
  expect(gateway.logged.join('')).toContain('createKey')
  expect(gateway.logged.join('')).not.toMatch(/tgk_|ann@|ann%40/)
})

test.each(['keys', 'keys create', 'keys list', 'keys revoke', 'keys rotate'])(
  'tollgate %s --help fits 80 columns and describes every option',
  async (command) => {
    const { code, stdout, stderr } = await keys(...command.split(' ').slice(1), '--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Usage: tollgate ${command} `)
    const shown = stdout.split('\n')
    expect(shown.filter((line) => line.length > 80)).toEqual([])
    expect(shown.filter((line) => /^ +-.*--\S+( <\S+>)?$/.test(line))).toEqual([])
  },
)

describe('tollgate keys rotate-signing', () => {
  test('publishes a new signing key, and keeps issued tokens valid', async () => {
    const { key, keyId } = await make()
    const token = async () => {
      const form = 'grant_type=client_credentials'
      const answer = await request(gateway.url).post('/oauth/token').auth(keyId, key).send(form).expect(200)
      return String(answer.body.access_token)
    }
    const published = async () => {
      const { body } = await request(gateway.url).get('/.well-known/jwks.json').expect(200)
      return keySet.parse(body).keys.map(({ kid }) => kid)
    }
    const given = await token()
    const before = await published()

    const rotated = await keys('rotate-signing')

    expect({ code: rotated.code, stderr: rotated.stderr }).toEqual({ code: 0, stderr: '' })
    const [, kid] = /^(\S+) signs from \d{4}-\S+Z on\n$/.exec(rotated.stdout) ?? []
    await expect
      .poll(published, { timeout: 15_000, message: 'the new signing key was not published' })
      .toEqual(expect.arrayContaining([...before, kid]))
    expect(before).not.toContain(kid)
    for (const bearer of [given, await token()]) {
      await request(gateway.url).get('/api/keys/usage').set('authorization', `Bearer ${bearer}`).expect(200)
    }
    // Until the new key signs, a second rotation makes no further one.
    expect((await keys('rotate-signing', '--json')).stdout).toContain(`"kid":"${kid}"`)
  })
})

const keySet = z.object({ keys: z.array(z.object({ kid: z.string() })) })
