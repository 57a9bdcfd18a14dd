import { createHmac } from 'node:crypto'
import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { createLog } from '../../../src/core/log.ts'
import { createOidc, issuerOf, type Oidc } from '../../../src/doors/keys/oidc.ts'
import {
  algorithms,
  extension,
  type IssuerConduct,
  startIssuer,
  type TestIssuer,
} from '../../support/servers/oidc-issuer.ts'

const audience = 'https://gateway.example'
const tierClaim = 'https://gateway.example/tier'
const invalid = { kind: 'refused', code: 'TOKEN_INVALID' }
const expired = { kind: 'refused', code: 'TOKEN_EXPIRED' }
const minute = 60_000

let issuer: TestIssuer
let oidc: Oidc

beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

// The library reads the system's time, so that is the clock that moves here.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  issuer.conduct = 'well'
  issuer.asked.configuration = 0
  issuer.asked.keys = 0
  oidc = open()
})
afterEach(() => {
  vi.useRealTimers()
})

function open(settings: { issuer?: string } = {}): Oidc {
  const given = { issuer: issuer.url, audience, tierClaim, ...settings }
  return createOidc({ ...given, clock: systemClock, log: createLog('silent'), timeoutMs: 1_000 })
}

function claims(change: Readonly<Record<string, unknown>> = {}) {
  const now = Math.floor(Date.now() / 1000)
  const good = { iss: issuer.url, aud: audience, sub: 'user-1', iat: now, exp: now + 86_400 }
  return { ...good, [tierClaim]: 'pro', ...change }
}

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

describe('a token of the issuer', () => {
  test.each(algorithms)(
    'signed with %s says who its holder is and which tier they have',
    async (algorithm) => {
      const token = await issuer.sign(claims(), algorithm)
      expect(await oidc.verify(token)).toEqual({
        kind: 'member',
        subject: 'user-1',
        tier: 'pro',
        scopes: undefined,
      })
    },
  )

  test.each([
    [{ scope: 'researchLead writeBlog' }, ['researchLead', 'writeBlog']],
    [{ scope: '' }, []],
    [{ scope: ['researchLead'] }, ['researchLead']],
    [{ scp: 'researchLead' }, ['researchLead']],
    [{ scp: ['researchLead'] }, ['researchLead']],
    [{ scope: 'writeBlog', scp: 'researchLead' }, ['writeBlog']],
  ])('with %j is limited to it', async (limit, scopes) => {
    expect(await oidc.verify(await issuer.sign(claims(limit)))).toMatchObject({ kind: 'member', scopes })
  })

  test('may name us among other audiences', async () => {
    const token = await issuer.sign(claims({ aud: ['https://other.example', audience] }))
    expect(await oidc.verify(token)).toMatchObject({ kind: 'member' })
  })

  test.each([
    ['for another audience', { aud: 'https://other.example' }],
    ['for nobody', { aud: undefined }],
    ['of another issuer', { iss: 'https://other.example' }],
    ['without a tier', { [tierClaim]: undefined }],
    ['with an empty tier', { [tierClaim]: '' }],
    ['with a list of tiers', { [tierClaim]: ['pro'] }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject no store can keep', { sub: 'user\u0000' }],
    ['with a subject longer than any', { sub: 'x'.repeat(256) }],
    ['that never expires', { exp: undefined }],
    ['not valid yet', { nbf: Math.floor(Date.now() / 1000) + 3_600 }],
    ['with a limit nobody can read', { scope: { read: true } }],
    ['with a limit of numbers', { scope: [1] }],
  ])('%s is refused', async (_what, change) => {
    expect(await oidc.verify(await issuer.sign(claims(change)))).toEqual(invalid)
  })

  test('that has expired is told apart, with five seconds for clocks that differ', async () => {
    const now = Math.floor(Date.now() / 1000)
    expect(await oidc.verify(await issuer.sign(claims({ exp: now - 4 })))).toMatchObject({ kind: 'member' })
    expect(await oidc.verify(await issuer.sign(claims({ exp: now - 6 })))).toEqual(expired)
    expect(await oidc.verify(await issuer.sign(claims({ nbf: now + 4 })))).toMatchObject({ kind: 'member' })
    expect(await oidc.verify(await issuer.sign(claims({ nbf: now + 7 })))).toEqual(invalid)
  })

  test.each(['at+jwt', 'application/at+JWT', 'jwt', undefined])('may be of type %s', async (typ) => {
    expect(await oidc.verify(await issuer.sign(claims(), 'RS256', { typ }))).toMatchObject({ kind: 'member' })
  })

  test.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt'])('of type %s opens nothing', async (typ) => {
    expect(await oidc.verify(await issuer.sign(claims(), 'RS256', { typ }))).toEqual(invalid)
  })
})

describe('a forged token is refused', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test('without a signature', async () => {
    expect(await oidc.verify(`${part({ alg: 'none' })}.${part(claims())}.`)).toEqual(invalid)
  })

  test('with the public key as a shared secret', async () => {
    const published = await (await fetch(`${issuer.url}/keys`)).text()
    const { kid } = decodeProtectedHeader(await issuer.sign(claims()))
    const signed = `${part({ alg: 'HS256', kid })}.${part(claims())}`
    const signature = createHmac('sha256', published).update(signed).digest('base64url')
    expect(await oidc.verify(`${signed}.${signature}`)).toEqual(invalid)
  })

  test('with a key of its own in the header, embedded or by address', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const { kid = '' } = decodeProtectedHeader(await issuer.sign(claims()))
    const jwk = { kty: 'RSA', ...(await exportJWK(publicKey)) }
    const header = { alg: 'RS256', kid, jwk, jku: `${issuer.url}/keys` }
    const token = await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey)
    expect(await oidc.verify(token)).toEqual(invalid)
  })

  test('with a critical extension that is unknown here, however truly it is signed', async () => {
    const token = await issuer.sign(claims(), 'RS256', { crit: [extension], [extension]: true })
    expect(await oidc.verify(token)).toEqual(invalid)
  })

  test('with another body under a true signature', async () => {
    const [header, , signature] = (await issuer.sign(claims())).split('.')
    const token = `${header}.${part(claims({ [tierClaim]: 'enterprise' }))}.${signature}`
    expect(await oidc.verify(token)).toEqual(invalid)
  })

  test('that is longer than any, without asking the issuer', async () => {
    const token = await issuer.sign(claims({ padding: 'x'.repeat(8_192) }))
    expect(await oidc.verify(token)).toEqual(invalid)
    expect(issuer.asked.configuration).toBe(0)
  })

  test.each(['', '.', '..', '...', 'a.b.c', 'é.é.é', 'eyJ.eyJ.eyJ', `${'a'.repeat(4_000)}.b.c`])(
    'that is none: %j',
    async (token) => {
      expect(await oidc.verify(token)).toEqual(invalid)
      expect(issuerOf(token)).toBeUndefined()
    },
  )
})

describe('the keys of the issuer', () => {
  test('are asked for once, however many tokens come at once', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, n) => issuer.sign(claims({ sub: `u${n}` }))),
    )
    const members = await Promise.all(tokens.map((token) => oidc.verify(token)))
    expect(members.map(({ kind }) => kind)).toEqual(tokens.map(() => 'member'))
    expect(issuer.asked).toEqual({ configuration: 1, keys: 1 })
  })

  test('are asked for again when a token names a new one, at most twice a minute', async () => {
    const old = await issuer.sign(claims())
    expect(await oidc.verify(old)).toMatchObject({ kind: 'member' })
    await issuer.rotate()
    const fresh = await issuer.sign(claims())
    expect(await oidc.verify(fresh)).toEqual(invalid)
    expect(issuer.asked.keys).toBe(1)
    pass(30_000)
    expect(await oidc.verify(fresh)).toMatchObject({ kind: 'member' })
    expect(await oidc.verify(old)).toEqual(invalid)
    const unknown = await issuer.sign(claims(), 'RS256', { kid: 'invented' })
    for (let time = 0; time < 5; time += 1) expect(await oidc.verify(unknown)).toEqual(invalid)
    expect(issuer.asked.keys).toBe(2)
  })

  test('are forgotten after ten minutes: one that was withdrawn proves nothing then', async () => {
    const token = await issuer.sign(claims())
    expect(await oidc.verify(token)).toMatchObject({ kind: 'member' })
    await issuer.rotate()
    pass(10 * minute - 1)
    expect(await oidc.verify(token)).toMatchObject({ kind: 'member' })
    pass(1)
    expect(await oidc.verify(token)).toEqual(invalid)
  })

  test('that cannot be had are asked for again a second later, and not before', async () => {
    const token = await issuer.sign(claims())
    issuer.conduct = 'answers 500'
    await expect(oidc.verify(token)).rejects.toMatchObject({ code: 'QUOTAS_UNAVAILABLE' })
    issuer.conduct = 'well'
    await expect(oidc.verify(token)).rejects.toMatchObject({ code: 'QUOTAS_UNAVAILABLE' })
    expect(issuer.asked.configuration).toBe(1)
    pass(1_000)
    expect(await oidc.verify(token)).toMatchObject({ kind: 'member' })
  })

  test.each<IssuerConduct>([
    'hangs',
    'hangs up',
    'answers 500',
    'answers no JSON',
    'answers too much',
    'redirects',
    'redirects to its keys',
    'names another issuer',
    'names no keys',
    'publishes no set',
  ])('let nobody in when it %s', async (conduct) => {
    issuer.conduct = conduct
    await expect(oidc.verify(await issuer.sign(claims()))).rejects.toMatchObject({
      code: 'QUOTAS_UNAVAILABLE',
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    })
  })

  test('are good for ten minutes when it goes away, and then nobody is let in until it is back', async () => {
    const token = await issuer.sign(claims())
    expect(await oidc.verify(token)).toMatchObject({ kind: 'member' })
    issuer.conduct = 'hangs up'
    pass(10 * minute - 1)
    expect(await oidc.verify(token)).toMatchObject({ kind: 'member' })
    pass(1)
    await expect(oidc.verify(token)).rejects.toMatchObject({ code: 'QUOTAS_UNAVAILABLE' })
    issuer.conduct = 'well'
    pass(1_000)
    expect(await oidc.verify(token)).toMatchObject({ kind: 'member' })
  })
})

test('an issuer whose name ends with a slash is asked at the right address and must say its slash', async () => {
  issuer.conduct = 'names another issuer'
  const slashed = `${issuer.url}/`
  const token = await issuer.sign(claims({ iss: slashed }))
  expect(await open({ issuer: slashed }).verify(token)).toMatchObject({ kind: 'member' })
  expect(await open({ issuer: slashed }).verify(await issuer.sign(claims()))).toEqual(invalid)
})

test('who claims to have issued a token is told without proof, for routing', async () => {
  const token = await issuer.sign(claims())
  expect(issuerOf(token)).toBe(issuer.url)
  expect(issuerOf(token.replace(/[^.]*$/, ''))).toBe(issuer.url)
  expect(issuerOf(await issuer.sign(claims({ iss: undefined })))).toBeUndefined()
  expect(issuerOf(await issuer.sign(claims({ padding: 'x'.repeat(8_192) })))).toBeUndefined()
})
