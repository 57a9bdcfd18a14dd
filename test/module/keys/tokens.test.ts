import { createHmac } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { revokeKey, rotateKey, type ShownKey } from '../../../src/doors/keys/keys.ts'
import { issuerOf } from '../../../src/doors/keys/oidc.ts'
import {
  baseUrl,
  countStatements,
  hour,
  kidOf,
  minute,
  openTokens,
  second,
  type TokenParts,
} from '../../support/gateways/tokens.ts'
import { type Opened, openServer } from '../../support/stores/ledger.ts'

const invalid = { kind: 'refused', code: 'TOKEN_INVALID' }
const expired = { kind: 'refused', code: 'TOKEN_EXPIRED' }

/** The clock of all gateways, which only the tests move. */
const clock = { time: 0, now: () => clock.time }

describe('access tokens', () => {
  let opened: Opened
  let gateway: TokenParts
  let holder: ShownKey
  const scopes = ['researchLead', 'writeBlog']

  beforeAll(async () => {
    opened = await openServer()
    clock.time = Date.UTC(2026, 10, 21)
  })
  afterAll(() => opened.close())

  beforeEach(async () => {
    gateway = openTokens(opened.one.queries, clock)
    holder = await gateway.makeKey()
  })

  const issue = async (shown = holder) => (await gateway.tokens.issue({ key: shown.key, scopes })).token
  const good = () => {
    const now = Math.floor(clock.time / 1000)
    const { id } = holder.key
    return {
      iss: baseUrl,
      aud: baseUrl,
      sub: id,
      client_id: id,
      scope: 'a',
      generation: 1,
      iat: now,
      exp: now + 60,
    }
  }
  /** Signs, with the gateway's own key, a token that the gateway would not issue. */
  async function sign(claims: object, header: object = {}): Promise<string> {
    const { kid, privateKey } = await gateway.signingKeys.signer()
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid, ...header })
      .sign(privateKey, { crit: { 'x-strict': true } })
  }

  test('a token has the claims of RFC 9068 and lasts one hour', async () => {
    const { token, expiresInSeconds } = await gateway.tokens.issue({ key: holder.key, scopes })
    const now = Math.floor(clock.time / 1000)
    expect(expiresInSeconds).toBe(3_600)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.any(String) })
    expect(decodeJwt(token)).toEqual({
      iss: baseUrl,
      aud: baseUrl,
      sub: holder.key.id,
      generation: 1,
      client_id: holder.key.id,
      scope: 'researchLead writeBlog',
      iat: now,
      exp: now + 3_600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(issuerOf(token)).toBe(baseUrl)
    expect(await gateway.tokens.verify(token)).toEqual({
      kind: 'bearer',
      key: expect.objectContaining({ id: holder.key.id, tier: 'pro' }),
      scopes,
    })
    expect(decodeJwt(await issue()).jti).not.toBe(decodeJwt(token).jti)
  })

  test('a token expires after its hour, to the second, also when it was verified before', async () => {
    const seen = await issue()
    const unseen = await issue()
    clock.time += hour - 1
    expect(await gateway.tokens.verify(seen)).toMatchObject({ kind: 'bearer' })
    clock.time += 1
    expect(await gateway.tokens.verify(seen)).toEqual(expired)
    expect(await gateway.tokens.verify(unseen)).toEqual(expired)
  })

  test('a token expires with its key, if that is earlier', async () => {
    const short = await gateway.makeKey({ expiresAt: new Date(clock.time + 10 * minute) })
    const { token, expiresInSeconds } = await gateway.tokens.issue({ key: short.key, scopes })
    expect(expiresInSeconds).toBe(600)
    expect(await gateway.tokens.verify(token)).toMatchObject({ kind: 'bearer' })
    clock.time += 10 * minute
    expect(await gateway.tokens.verify(token)).toEqual(expired)
  })

  test('a token of a revoked key is refused within a second', async () => {
    const token = await issue()
    expect(await gateway.tokens.verify(token)).toMatchObject({ kind: 'bearer' })
    await revokeKey({ queries: opened.other.queries, clock }, holder.key.id)
    clock.time += second
    expect(await gateway.tokens.verify(token)).toEqual({ kind: 'refused', code: 'API_KEY_REVOKED' })
  })

  test('a token of a key whose expiry was moved forward expires with it', async () => {
    const token = await issue()
    await opened.one.queries
      .updateTable('keys')
      .set({ expiresAt: new Date(clock.time) })
      .where('id', '=', holder.key.id)
      .execute()
    clock.time += second
    expect(await gateway.tokens.verify(token)).toEqual({ kind: 'refused', code: 'API_KEY_EXPIRED' })
  })

  test('tokens of a replaced secret end with its grace, and later tokens do not', async () => {
    const before = await issue()
    const books = { queries: opened.one.queries, clock }
    const rotated = await rotateKey(books, holder.key.id, 10 * minute)
    if (typeof rotated !== 'object' || 'otherNetwork' in rotated) throw new Error('the key was not rotated')
    clock.time += 10 * minute - 1
    expect(await gateway.tokens.verify(before)).toMatchObject({ kind: 'bearer' })
    clock.time += 1
    const after = await issue(rotated)
    expect(await gateway.tokens.verify(before)).toEqual(invalid)
    expect(await gateway.tokens.verify(after)).toMatchObject({ kind: 'bearer' })
  })

  test('a token ends an hour after its issue, whatever expiry it contains', async () => {
    const long = await sign({ ...good(), exp: 9_999_999_999 })
    expect(await gateway.tokens.verify(long)).toMatchObject({ kind: 'bearer' })
    clock.time += 60 * minute
    expect(await gateway.tokens.verify(long)).toEqual(expired)
  })

  test('tokens of a replaced secret stay refused after further rotations', async () => {
    const books = { queries: opened.one.queries, clock }
    const token = await issue()
    for (const graceMs of [0, 10 * minute, 10 * minute]) {
      await rotateKey(books, holder.key.id, graceMs)
      clock.time += second
      expect(await gateway.tokens.verify(token)).toEqual(invalid)
    }
  })

  test('a token that another gateway issued for a just replaced secret is refused', async () => {
    const books = { queries: opened.one.queries, clock }
    await rotateKey(books, holder.key.id, 0)
    clock.time += 2 * second
    // The key as the other gateway still has it.
    const late = await issue(holder)
    expect(await gateway.tokens.verify(late)).toEqual(invalid)
  })

  test('a token of an unknown key is refused', async () => {
    const token = await issue()
    await opened.one.queries.deleteFrom('keys').where('id', '=', holder.key.id).execute()
    clock.time += second
    expect(await gateway.tokens.verify(token)).toEqual(invalid)
  })

  test('a token’s signature is verified once, and the store is read only for its key', async () => {
    const { queries, count } = countStatements(opened.one.queries)
    const { tokens } = openTokens(queries, clock)
    const token = await issue()
    await tokens.verify(token)
    count.statements = 0
    const checks = vi.spyOn(crypto.subtle, 'verify')
    for (let time = 0; time < 10; time += 1) {
      expect(await tokens.verify(token)).toMatchObject({ kind: 'bearer' })
    }
    expect([count.statements, checks.mock.calls.length]).toEqual([0, 0])
    await tokens.verify(await issue())
    expect(checks).toHaveBeenCalledOnce()
    checks.mockRestore()
  })

  test.each([
    ['of another issuer', { iss: 'https://other.example' }],
    ['for another audience', { aud: 'https://other.example' }],
    ['without an audience', { aud: undefined }],
    ['without a subject', { sub: undefined }],
    ['without a scope', { scope: undefined }],
    ['with scopes of another form', { scope: ['researchLead'] }],
    ['without an expiry', { exp: undefined }],
    ['without a time of issue', { iat: undefined }],
    ['without the generation of a secret', { generation: undefined }],
    ['of a secret the key has not had yet', { generation: 2 }],
    ['that is not valid yet', { nbf: 9_999_999_999 }],
  ])('a token %s is refused, even with a valid signature', async (_what, change) => {
    expect(await gateway.tokens.verify(await sign(good()))).toMatchObject({ kind: 'bearer' })
    expect(await gateway.tokens.verify(await sign({ ...good(), ...change }))).toEqual(invalid)
  })

  test.each([
    ['of another type', { typ: 'JWT' }],
    ['without a type', { typ: undefined }],
    ['without a key id', { kid: undefined }],
    ['with an unknown key id', { kid: 'unknown' }],
    ['with a critical extension', { crit: ['x-strict'], 'x-strict': true }],
    ['of another algorithm with the same key', { alg: 'RS512' }],
    ['of another kind of signature with the same key', { alg: 'PS256' }],
  ])('a token %s is refused, even with a valid signature', async (_what, header) => {
    expect(await gateway.tokens.verify(await sign(good(), header))).toEqual(invalid)
  })

  describe('that are forged', () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

    test.each(['none', 'None', 'NONE'])('a token with the algorithm %s is refused', async (alg) => {
      const kid = kidOf(await issue())
      expect(await gateway.tokens.verify(`${part({ alg, typ: 'at+jwt', kid })}.${part(good())}.`)).toEqual(
        invalid,
      )
    })

    test('a token signed with a public key as a shared secret is refused, in each form of the key', async () => {
      const kid = kidOf(await issue())
      const publicKey = await gateway.signingKeys.publicKey(kid)
      const forms = [
        JSON.stringify((await gateway.signingKeys.jwks()).keys[0]),
        publicKey?.export({ type: 'spki', format: 'pem' }) ?? '',
        publicKey?.export({ type: 'spki', format: 'der' }) ?? '',
      ]
      const signed = `${part({ alg: 'HS256', typ: 'at+jwt', kid })}.${part(good())}`
      for (const form of forms) {
        const signature = createHmac('sha256', form).update(signed).digest('base64url')
        expect(await gateway.tokens.verify(`${signed}.${signature}`)).toEqual(invalid)
      }
    })

    test.each(['ours', 'its own'])(
      'a token with its own key in the header under %s name is refused',
      async (whose) => {
        const { privateKey, publicKey } = await generateKeyPair('RS256')
        const kid = whose === 'ours' ? kidOf(await issue()) : 'mine'
        const jwk = { kty: 'RSA', ...(await exportJWK(publicKey)), kid }
        const header = { alg: 'RS256', typ: 'at+jwt', kid, jwk, jku: 'https://attacker.example/jwks.json' }
        const token = await new SignJWT(good()).setProtectedHeader(header).sign(privateKey)
        expect(await gateway.tokens.verify(token)).toEqual(invalid)
      },
    )

    test('a token with other claims under a valid signature is refused, also after the valid token was verified', async () => {
      const token = await issue()
      expect(await gateway.tokens.verify(token)).toMatchObject({ kind: 'bearer' })
      const [header, , signature] = token.split('.')
      const more = part({ ...good(), scope: 'everything' })
      expect(await gateway.tokens.verify(`${header}.${more}.${signature}`)).toEqual(invalid)
      expect(await gateway.tokens.verify(`${token.slice(0, -4)}AAAA`)).toEqual(invalid)
    })

    test('an oversized token is refused, even with a valid signature', async () => {
      expect(await gateway.tokens.verify(await sign({ ...good(), padding: 'x'.repeat(8_192) }))).toEqual(
        invalid,
      )
    })

    test.each(['', '.', '..', '...', 'a.b.c', 'é.é.é', 'eyJ.eyJ.eyJ', `${'a'.repeat(4_000)}.b.c`])(
      'text that is no token is refused: %j',
      async (token) => {
        expect(await gateway.tokens.verify(token)).toEqual(invalid)
      },
    )
  })

  test('no token is accepted while the store is down', async () => {
    const closed = await openServer()
    const lost = openTokens(closed.one.queries, clock)
    const token = await issue()
    await closed.close()
    const unavailable = {
      code: 'QUOTAS_UNAVAILABLE',
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    }
    await expect(lost.tokens.verify(token)).rejects.toMatchObject(unavailable)
    await expect(lost.tokens.issue({ key: holder.key, scopes })).rejects.toMatchObject(unavailable)
    await expect(lost.signingKeys.rotate()).rejects.toMatchObject(unavailable)
  })
})
