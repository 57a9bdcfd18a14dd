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

// The library reads the system's time, so the tests move that clock.
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
  test.each(algorithms)('a token signed with %s gives its holder and their tier', async (algorithm) => {
    const token = await issuer.sign(claims(), algorithm)
    expect(await oidc.verify(token)).toEqual({
      kind: 'member',
      subject: 'user-1',
      tier: 'pro',
      scopes: undefined,
    })
  })

  test.each([
    [{ scope: 'researchLead writeBlog' }, ['researchLead', 'writeBlog']],
    [{ scope: '' }, []],
    [{ scope: ['researchLead'] }, ['researchLead']],
    [{ scp: 'researchLead' }, ['researchLead']],
    [{ scp: ['researchLead'] }, ['researchLead']],
    [{ scope: 'writeBlog', scp: 'researchLead' }, ['writeBlog']],
  ])('a token with %j is limited to those scopes', async (limit, scopes) => {
    expect(await oidc.verify(await issuer.sign(claims(limit)))).toMatchObject({ kind: 'member', scopes })
  })

  test('a token may name us among other audiences', async () => {
    const token = await issuer.sign(claims({ aud: ['https://other.example', audience] }))
    expect(await oidc.verify(token)).toMatchObject({ kind: 'member' })
  })

  test.each([
    ['for another audience', { aud: 'https://other.example' }],
    ['without an audience', { aud: undefined }],
    ['of another issuer', { iss: 'https://other.example' }],
    ['without a tier', { [tierClaim]: undefined }],
    ['with an empty tier', { [tierClaim]: '' }],
    ['with a list of tiers', { [tierClaim]: ['pro'] }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject that no store can hold', { sub: 'user\u0000' }],
    ['with an oversized subject', { sub: 'x'.repeat(256) }],
    ['without an expiry', { exp: undefined }],
    ['that is not valid yet', { nbf: Math.floor(Date.now() / 1000) + 3_600 }],
    ['with a scope of an unknown form', { scope: { read: true } }],
    ['with a scope of numbers', { scope: [1] }],
  ])('a token %s is refused', async (_what, change) => {
    expect(await oidc.verify(await issuer.sign(claims(change)))).toEqual(invalid)
  })

  test('an expired token gets its own code, with five seconds for clocks that differ', async () => {
    const now = Math.floor(Date.now() / 1000)
    expect(await oidc.verify(await issuer.sign(claims({ exp: now - 4 })))).toMatchObject({ kind: 'member' })
    expect(await oidc.verify(await issuer.sign(claims({ exp: now - 6 })))).toEqual(expired)
    expect(await oidc.verify(await issuer.sign(claims({ nbf: now + 4 })))).toMatchObject({ kind: 'member' })
    expect(await oidc.verify(await issuer.sign(claims({ nbf: now + 7 })))).toEqual(invalid)
  })

  test.each(['at+jwt', 'application/at+JWT', 'jwt', undefined])(
    'a token of type %s is accepted',
    async (typ) => {
      expect(await oidc.verify(await issuer.sign(claims(), 'RS256', { typ }))).toMatchObject({
        kind: 'member',
      })
    },
  )

  test.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt'])('a token of type %s is refused', async (typ) => {
    expect(await oidc.verify(await issuer.sign(claims(), 'RS256', { typ }))).toEqual(invalid)
  })
})

describe('a forged token', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test('a token without a signature is refused', async () => {
    expect(await oidc.verify(`${part({ alg: 'none' })}.${part(claims())}.`)).toEqual(invalid)
  })

  test('a token signed with the public key as a shared secret is refused', async () => {
    const published = await (await fetch(`${issuer.url}/keys`)).text()
    const { kid } = decodeProtectedHeader(await issuer.sign(claims()))
    const signed = `${part({ alg: 'HS256', kid })}.${part(claims())}`
    const signature = createHmac('sha256', published).update(signed).digest('base64url')
    expect(await oidc.verify(`${signed}.${signature}`)).toEqual(invalid)
  })

  test('a token with its own key in the header, embedded or by address, is refused', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const { kid = '' } = decodeProtectedHeader(await issuer.sign(claims()))
    const jwk = { kty: 'RSA', ...(await exportJWK(publicKey)) }
    const header = { alg: 'RS256', kid, jwk, jku: `${issuer.url}/keys` }
    const token = await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey)
    expect(await oidc.verify(token)).toEqual(invalid)
  })

  test('a token with an unknown critical extension is refused', async () => {
    const token = await issuer.sign(claims(), 'RS256', { crit: [extension], [extension]: true })
    expect(await oidc.verify(token)).toEqual(invalid)
  })

  test('a token with another body under a valid signature is refused', async () => {
    const [header, , signature] = (await issuer.sign(claims())).split('.')
    const token = `${header}.${part(claims({ [tierClaim]: 'enterprise' }))}.${signature}`
    expect(await oidc.verify(token)).toEqual(invalid)
  })

  test('an oversized token is refused without asking the issuer', async () => {
    const token = await issuer.sign(claims({ padding: 'x'.repeat(8_192) }))
    expect(await oidc.verify(token)).toEqual(invalid)
    expect(issuer.asked.configuration).toBe(0)
  })

  test.each(['', '.', '..', '...', 'a.b.c', 'é.é.é', 'eyJ.eyJ.eyJ', `${'a'.repeat(4_000)}.b.c`])(
    'text that is no token is refused: %j',
    async (token) => {
      expect(await oidc.verify(token)).toEqual(invalid)
      expect(issuerOf(token)).toBeUndefined()
    },
  )
})

describe('the keys of the issuer', () => {
  test('the issuer’s keys are fetched once for many tokens at once', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, n) => issuer.sign(claims({ sub: `u${n}` }))),
    )
    const members = await Promise.all(tokens.map((token) => oidc.verify(token)))
    expect(members.map(({ kind }) => kind)).toEqual(tokens.map(() => 'member'))
    expect(issuer.asked).toEqual({ configuration: 1, keys: 1 })
  })

  test('the issuer’s keys are fetched again for an unknown key name, at most twice a minute', async () => {
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

  test('a withdrawn key of the issuer is not accepted after ten minutes', async () => {
    const token = await issuer.sign(claims())
    expect(await oidc.verify(token)).toMatchObject({ kind: 'member' })
    await issuer.rotate()
    pass(10 * minute - 1)
    expect(await oidc.verify(token)).toMatchObject({ kind: 'member' })
    pass(1)
    expect(await oidc.verify(token)).toEqual(invalid)
  })

  test('after a failure the issuer’s keys are fetched again a second later, and not before', async () => {
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
  ])('no token is accepted when the issuer %s', async (conduct) => {
    issuer.conduct = conduct
    await expect(oidc.verify(await issuer.sign(claims()))).rejects.toMatchObject({
      code: 'QUOTAS_UNAVAILABLE',
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    })
  })

  test('when the issuer is down its keys are used for ten minutes, and then no token is accepted until it is back', async () => {
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

test('an issuer whose name ends with a slash is asked at the right address, and must name itself with the slash', async () => {
  issuer.conduct = 'names another issuer'
  const slashed = `${issuer.url}/`
  const token = await issuer.sign(claims({ iss: slashed }))
  expect(await open({ issuer: slashed }).verify(token)).toMatchObject({ kind: 'member' })
  expect(await open({ issuer: slashed }).verify(await issuer.sign(claims()))).toEqual(invalid)
})

test('the issuer that a token names is read without proof, to select the verifier', async () => {
  const token = await issuer.sign(claims())
  expect(issuerOf(token)).toBe(issuer.url)
  expect(issuerOf(token.replace(/[^.]*$/, ''))).toBe(issuer.url)
  expect(issuerOf(await issuer.sign(claims({ iss: undefined })))).toBeUndefined()
  expect(issuerOf(await issuer.sign(claims({ padding: 'x'.repeat(8_192) })))).toBeUndefined()
})
