import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../../src/core/clock.ts'
import { bind } from '../../../src/core/endpoint.ts'
import { createLog } from '../../../src/core/log.ts'
import { createKeyText, parseKeyText } from '../../../src/doors/keys/key-text.ts'
import { createKeyVerifier } from '../../../src/doors/keys/verify.ts'
import { operatorKeyHandlers, operatorKeyRows } from '../../../src/edge/handlers/operator/keys.ts'
import {
  auditSchema,
  keyListSchema,
  keySchema,
  keysUsedSchema,
  shownKeySchema,
  shownUsageSchema,
} from '../../../src/edge/handlers/operator/replies.ts'
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

describe('tollgate keys update', () => {
  test('changes tier, expiry and label, and nothing that is not named', async () => {
    const { keyId, key } = await make({ tier: 'pro', owner, label: 'laptop', days: 1 })
    const changed = await keys('update', keyId, '--tier', 'max', '--json')
    expect(changed).toMatchObject({ code: 0, stderr: '' })
    const before = keySchema.parse(JSON.parse(changed.stdout))
    expect(before).toMatchObject({ tier: 'max', owner, label: 'laptop', state: 'active' })
    expect(before.expiresAt).toBe(before.createdAt + 86_400)
    expect(await verdict(key)).toBe('max')

    const until = await keys('update', keyId, '--expires', '2999-01-01', '--label', '')
    expect(until.stdout).toMatch(
      new RegExp(`^${keyId} +active +max .* 2999-01-01T00:00:00Z +- +${owner} +-$`, 'm'),
    )
    await keys('update', keyId, '--expires', 'never')
    expect(await show(keyId)).toEqual({ ...before, label: '', expiresAt: null, lastUsedAt: null })
  })

  test('makes an expired key valid again', async () => {
    const { keyId, key } = await make()
    const past = new Date(Date.now() - 1_000)
    const { queries } = gateway.services
    await queries.updateTable('keys').set({ expiresAt: past }).where('id', '=', keyId).execute()
    expect(await verdict(key)).toBe('API_KEY_EXPIRED')
    await keys('update', keyId, '--expires', '2999-01-01')
    expect(await verdict(key)).toBe('pro')
  })

  test.each([
    ['an unknown tier', ['--tier', 'gold'], /"tier","problem":"must be one of starter, pro, max"/],
    ['an end in the past', ['--expires', '2020-01-01'], /"expires","problem":"must lie in the future"/],
    ['an end that is not a time', ['--expires', 'soon'], /"field":"expires"/],
    ['a label of two lines', ['--label', 'a\nb'], /"label","problem":"must be at most 200 printable/],
    ['no change', [], /^Nothing to change: name --tier, --expires or --label\.$/m],
  ])('refuses %s, and changes nothing', async (_what, args, message) => {
    const { keyId } = await make()
    const before = await show(keyId)
    const refused = await keys('update', keyId, ...args)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(message)
    expect(await show(keyId)).toEqual(before)
  })

  test('refuses a revoked key, and the endpoint refuses a change of nothing', async () => {
    const { keyId } = await make()
    const empty = await asOperator('post', `/operator/keys/${keyId}/update`).send({})
    expect([empty.status, empty.body.details.issues[0].problem]).toEqual([
      400,
      'must name what to change: tier, label or expires',
    ])
    await asOperator('post', `/operator/keys/${keyId}/revoke`).expect(200)
    const refused = await keys('update', keyId, '--label', 'x')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('names a revoked key, which cannot be changed')
  })
})

describe('texts that the store or a reader cannot take', () => {
  test.each([
    ['tier', '\ud800'],
    ['tier', '\0'],
    ['label', '\ud800'],
    ['label', 'an\u2028n'],
    ['owner', '\u{e0041}'],
  ])('as %s are refused with 400, and not recorded: %j', async (field, text) => {
    const { keyId } = await make()
    const trail = async () => (await asOperator('get', '/operator/audit?limit=1')).body.actions[0]
    const before = await trail()
    const paths = ['/operator/keys', ...(field === 'owner' ? [] : [`/operator/keys/${keyId}/update`])]
    for (const path of paths) {
      const body = path === '/operator/keys' ? { tier: 'pro', [field]: text } : { [field]: text }
      const refused = await asOperator('post', path).send(body)
      expect([refused.status, refused.body.details?.issues]).toMatchObject([400, [{ field }]])
    }
    expect(await trail()).toEqual(before)
  })
})

describe('tollgate keys usage', () => {
  const analyze = (key: string) =>
    request(gateway.url)
      .post('/api/analyze')
      .set('x-mcp-api-key', key)
      .send({ businessName: 'Acme Dental' })
      .expect(200)

  test('shows the operator what the holder sees: used, limit, left and reset, by operation and period', async () => {
    const { keyId, key } = await make({ tier: 'starter' })
    for (let calls = 0; calls < 3; calls += 1) await analyze(key)
    const holder = await request(gateway.url).get('/api/keys/usage').set('x-mcp-api-key', key).expect(200)
    const shown = await keys('usage', keyId, '--json')
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    const usage = shownUsageSchema.parse(JSON.parse(shown.stdout))
    expect(usage).toMatchObject({ keyId, state: 'active', rate: { calls: 30, seconds: 60 } })
    expect(usage.operations).toEqual(holder.body.operations)
    expect(usage.operations[0]).toMatchObject({
      operation: 'analyzeBusiness',
      day: { used: 3, limit: 20, remaining: 17 },
      month: { used: 3, limit: 150, remaining: 147 },
    })
    const text = await keys('usage', keyId)
    expect(text.stdout).toMatch(/^analyzeBusiness +calls +day +3 +20 +17 +\d{4}-\d\d-\d\dT00:00:00Z$/m)
    expect(text.stdout).toMatch(/^researchLead +calls +day +0 +none +- /m)
    expect(text.stderr).toBe(`Key ${keyId}, active, of tier starter, at most 30 calls in 60 s.\n`)
  })

  test('without an id lists what each key has used in a day or month, page by page', async () => {
    const whose = 'counted & co'
    const [first, second] = [
      await make({ tier: 'max', owner: whose }),
      await make({ tier: 'pro', owner: whose }),
    ]
    for (const { key } of [first, second, second]) await analyze(key)
    const month = new Date().toISOString().slice(0, 7)
    const today = new Date().toISOString().slice(0, 10)
    const all = await keys('usage', '--owner', whose)
    const rows = all.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
    expect(rows).toEqual([
      ['id', 'state', 'tier', 'owner', 'label', 'operation', 'unit', `used in ${month}`],
      [second.keyId, 'active', 'pro', whose, '-', 'analyzeBusiness', 'calls', '2'],
      [first.keyId, 'active', 'max', whose, '-', 'analyzeBusiness', 'calls', '1'],
    ])
    const page = await keys('usage', '--owner', whose, '--period', today, '--limit', '1', '--json')
    const { period, keys: listed, nextCursor } = keysUsedSchema.parse(JSON.parse(page.stdout))
    expect([period, listed.map(({ keyId, used }) => [keyId, used])]).toEqual([
      today,
      [[second.keyId, [{ operation: 'analyzeBusiness', unit: 'calls', used: 2 }]]],
    ])
    const rest = await keys('usage', '--owner', whose, '--limit', '1', '--cursor', nextCursor ?? '')
    expect(rest.stdout).toContain(first.keyId)
    expect(rest.stdout).not.toContain(second.keyId)
  })

  test.each([
    ['2026', 'must be a day like 2026-05-31 or a month like 2026-05'],
    ['2026-13', 'must be a day like 2026-05-31 or a month like 2026-05'],
    ['2020-01', 'is not kept any more'],
    ['2026-01-01', 'is not kept any more'],
  ])('refuses the period %s and says why', async (period, problem) => {
    expect((await keys('usage', '--period', period)).stderr).toContain(problem)
  })
})

describe('tollgate audit', () => {
  const audit = (...args: string[]) =>
    workplace.run('cli', {
      args: ['audit', ...args, '--url', gateway.url],
      settings: { OPERATOR_TOKEN: operatorToken },
    })

  test('lists what was changed with the operator token, newest first, and neither reads nor secrets', async () => {
    const { keyId, key } = await make({ tier: 'pro', label: 'watched' })
    await keys('update', keyId, '--tier', 'starter')
    await keys('rotate', keyId, '--grace', '1h')
    await keys('usage', keyId)
    await keys('revoke', keyId)
    await keys('rotate', keyId)
    const listed = await audit('--since', '1h', '--json', '--limit', '500')
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    const { actions } = auditSchema.parse(JSON.parse(listed.stdout))
    const own = actions.filter(({ subject }) => subject === keyId)
    expect(own.map(({ action, outcome, code, details }) => [action, outcome, code, details])).toEqual([
      ['rotateKey', 'refused', 'VALIDATION_ERROR', { keyId, graceSeconds: 0 }],
      ['revokeKey', 'done', null, { keyId }],
      ['rotateKey', 'done', null, { keyId, graceSeconds: 3_600 }],
      ['updateKey', 'done', null, { keyId, tier: 'starter' }],
      ['createKey', 'done', null, { tier: 'pro', label: 'watched' }],
    ])
    expect(own.every(({ client }) => client === '127.0.0.1')).toBe(true)
    expect(listed.stdout).not.toContain(key.slice(20))
    expect(listed.stdout).not.toContain('tgk_')

    const text = await audit('--action', 'updateKey', '--outcome', 'done', '--limit', '1')
    expect(text.stdout).toMatch(
      new RegExp(`Z +updateKey +done +127\\.0\\.0\\.1 +${keyId} +tier=starter$`, 'm'),
    )
    expect((await audit('--until', '2020-01-01')).stderr).toBe('No action matches.\n')
    expect((await audit('--action', 'nosuch')).stderr).toMatch(
      /must be one of .*refundPayment.*refundTransfer/,
    )
    expect((await audit('--outcome', 'lost')).stderr).toContain('"field":"outcome"')
  })
})

test.each(['revoke', 'rotate', 'usage'])('tollgate keys %s says when no key has the id', async (command) => {
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
    ['post', `/operator/keys/${id}/update`],
    ['get', `/operator/keys/${id}/usage`],
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
      // An id may have the letters by chance.
      expect(text).not.toMatch(/"\w*hash\w*":/i)
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

test.each(['keys', 'keys create', 'keys list', 'keys update', 'keys usage', 'keys revoke', 'keys rotate'])(
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
      .poll(published, { message: 'the new signing key was not published' })
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
