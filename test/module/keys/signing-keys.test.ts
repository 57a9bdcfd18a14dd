import { createLocalJWKSet, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ShownKey } from '../../../src/doors/keys/keys.ts'
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
import { type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'

const invalid = { kind: 'refused', code: 'TOKEN_INVALID' }
const day = 24 * hour

/** The clock of all gateways, which only the tests move. */
const clock = { time: 0, now: () => clock.time }

const published = async ({ signingKeys }: TokenParts) => (await signingKeys.jwks()).keys.map(({ kid }) => kid)

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('signing keys in %s', (_driver, open) => {
  let opened: Opened
  let here: TokenParts
  let there: TokenParts
  let holder: ShownKey

  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  beforeEach(async () => {
    clock.time = Date.UTC(2026, 10, 21)
    await opened.one.queries.deleteFrom('signingKeys').execute()
    here = openTokens(opened.one.queries, clock)
    there = openTokens(opened.other.queries, clock)
    holder = await here.makeKey()
  })

  const issue = async ({ tokens }: TokenParts) =>
    (await tokens.issue({ key: holder.key, scopes: ['researchLead'] })).token
  const stored = () => opened.one.queries.selectFrom('signingKeys').select('id').execute()

  test('gateways that start at once share one signing key, and accept each other’s tokens', async () => {
    const issued = await Promise.all([here, there, here, there].map(issue))
    expect(new Set(issued.map(kidOf)).size).toBe(1)
    expect(await stored()).toHaveLength(1)
    for (const token of issued) {
      expect(await here.tokens.verify(token)).toMatchObject({ kind: 'bearer' })
      expect(await there.tokens.verify(token)).toMatchObject({ kind: 'bearer' })
    }
  })

  test('after thirty days a new signing key is published, and signs ten minutes later', async () => {
    const old = kidOf(await issue(here))
    clock.time += 30 * day - 1
    await issue(here)
    expect(await stored()).toHaveLength(1)
    clock.time += 10 * second
    const last = await Promise.all([issue(here), issue(there)])
    expect(last.map(kidOf)).toEqual([old, old])
    expect(await stored()).toHaveLength(2)
    const [, next] = await published(there)
    expect(await published(here)).toEqual([old, next])

    clock.time += 10 * minute - 1
    expect([kidOf(await issue(here)), kidOf(await issue(there))]).toEqual([old, old])
    clock.time += 1
    expect([kidOf(await issue(here)), kidOf(await issue(there))]).toEqual([next, next])
    expect(await stored()).toHaveLength(2)
  })

  test('a signing key verifies its tokens until the last has expired, and then leaves the store', async () => {
    const old = kidOf(await issue(here))
    await here.signingKeys.rotate()
    clock.time += 10 * minute - 1
    const last = await issue(here)
    expect(kidOf(last)).toBe(old)
    clock.time += hour - second
    expect(await here.tokens.verify(last)).toMatchObject({ kind: 'bearer' })
    expect(await there.tokens.verify(last)).toMatchObject({ kind: 'bearer' })
    clock.time += 11 * minute
    expect(await published(here)).not.toContain(old)
    expect(await stored()).toHaveLength(1)
    expect(await there.tokens.verify(last)).toEqual(invalid)
    expect(await there.tokens.verify(await issue(here))).toMatchObject({ kind: 'bearer' })
  })

  test('two operators who rotate at once get the same new signing key', async () => {
    await issue(here)
    const [one, other] = await Promise.all([here.signingKeys.rotate(), there.signingKeys.rotate()])
    expect(one).toEqual(other)
    expect(one.signsFrom).toEqual(new Date(clock.time + 10 * minute))
    expect(await stored()).toHaveLength(2)
    expect(await published(here)).toContain(one.kid)
    clock.time += 10 * minute
    expect(kidOf(await issue(there))).toBe(one.kid)
  })

  test('no further signing key is made while the newest does not sign yet', async () => {
    await issue(here)
    const { kid } = await here.signingKeys.rotate()
    clock.time += 10 * minute - 1
    expect((await there.signingKeys.rotate()).kid).toBe(kid)
    expect(await stored()).toHaveLength(2)
    clock.time += 1
    expect((await there.signingKeys.rotate()).kid).not.toBe(kid)
  })

  test('a rotation without any signing key makes one that signs immediately', async () => {
    const { kid, signsFrom } = await here.signingKeys.rotate()
    expect(signsFrom).toEqual(new Date(clock.time))
    expect(kidOf(await issue(there))).toBe(kid)
    expect(await stored()).toHaveLength(1)
  })

  test('a signing key of another gateway is read when a token names it', async () => {
    expect(await here.tokens.verify(await issue(here))).toMatchObject({ kind: 'bearer' })
    await opened.other.queries.deleteFrom('signingKeys').execute()
    const token = await issue(there)
    clock.time += second
    expect(await here.tokens.verify(token)).toMatchObject({ kind: 'bearer' })
  })

  test('a deleted signing key verifies nothing ten seconds later, not even tokens that were verified before', async () => {
    const token = await issue(here)
    expect(await here.tokens.verify(token)).toMatchObject({ kind: 'bearer' })
    await opened.other.queries.deleteFrom('signingKeys').execute()
    clock.time += 10 * second
    expect(await here.tokens.verify(token)).toEqual(invalid)
    expect(kidOf(await issue(here))).not.toBe(kidOf(token))
  })

  test('signing keys are read every ten seconds, and once a second for unknown names', async () => {
    const { queries, count } = countStatements(opened.one.queries)
    const gateway = openTokens(queries, clock)
    const token = await issue(gateway)
    const { privateKey } = await generateKeyPair('RS256')
    const foreign = await new SignJWT({})
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'x' })
      .sign(privateKey)
    clock.time += second
    count.statements = 0
    for (let time = 0; time < 10; time += 1) expect(await gateway.tokens.verify(foreign)).toEqual(invalid)
    await Promise.all(Array.from({ length: 10 }, () => gateway.tokens.verify(foreign)))
    expect(count.statements).toBe(1)
    clock.time += second
    await Promise.all(Array.from({ length: 10 }, () => gateway.tokens.verify(foreign)))
    expect(count.statements).toBe(2)

    count.statements = 0
    const { signingKeys } = gateway
    const kid = kidOf(token)
    clock.time += 10 * second - 1
    await signingKeys.publicKey(kid)
    expect(count.statements).toBe(0)
    clock.time += 1
    await Promise.all([signingKeys.publicKey(kid), signingKeys.publicKey(kid), signingKeys.jwks()])
    expect(count.statements).toBe(1)
  })

  test('signing keys are published without their private part, and verify a token', async () => {
    const token = await issue(here)
    const set = await here.signingKeys.jwks()
    expect(set.keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']])
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [...set.keys] }), {
      issuer: baseUrl,
      audience: baseUrl,
      typ: 'at+jwt',
      currentDate: new Date(clock.time),
    })
    expect(payload.sub).toBe(holder.key.id)
  })
})
