import { decodeJwt } from 'jose'
import { privateKeyToAccount } from 'viem/accounts'
import { systemClock } from '../../../src/core/clock.ts'
import { createKeyText } from '../../../src/doors/keys/key-text.ts'
import { revokeKey, rotateKey } from '../../../src/doors/keys/keys.ts'
import { createTokens } from '../../../src/doors/keys/tokens.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import type { ReceivingAccount } from '../chain/receiving-account.ts'
import { type SignedPayment, signPayment, v2Header } from '../chain/wallet.ts'
import { operatorToken, type TestGateway } from './gateway.ts'
import { baseUrl, hour, openTokens, type TokenParts } from './tokens.ts'

/**
 * All kinds of callers: with each kind of credential, valid or not, alone and beside a payment. Each call
 * uses a new key or payment, so that no test depends on another one.
 */

/** What a caller sends. */
export interface Brought {
  readonly headers: Readonly<Record<string, string>>
  /** The key whose units the call may use, in addition to the client's. */
  readonly keyId?: string
  /** The payment, which must not be used when a key decides. */
  readonly payment?: SignedPayment
}

/**
 * Makes new credentials for one call.
 * @param amount the price of the operation.
 */
type Caller = (amount: bigint) => Promise<Brought>

export type CallerName = keyof ReturnType<typeof createCallers>

/** Tiers of the test's catalog. */
type TierName = 'covering' | 'narrow' | 'constructor'

const payer = privateKeyToAccount(devPayers[2].privateKey)

const key = (text: string) => ({ headers: { 'x-mcp-api-key': text } })
const bearer = (text: string) => ({ headers: { authorization: `Bearer ${text}` } })
const both = (one: Brought, other: Brought): Brought => ({
  ...one,
  ...other,
  headers: { ...one.headers, ...other.headers },
})
const unreadable: Brought = { headers: { 'payment-signature': 'garbage' } }

/**
 * @param gateway one with the base URL `baseUrl`.
 * @param scopes the operations that the tier `covering` covers.
 */
export function createCallers({ services }: TestGateway, payee: ReceivingAccount, scopes: readonly string[]) {
  const { queries } = services
  const books = { queries, clock: systemClock }
  const tokens = openTokens(queries, systemClock)

  async function held(tier: TierName, expiresAt: Date | null = null) {
    const made = await tokens.makeKey({ tier, expiresAt })
    return { ...made, sent: { ...key(made.text), keyId: made.key.id } }
  }

  async function tokenFor(parts: TokenParts, given: readonly string[]) {
    const { key: owner } = await parts.makeKey({ tier: 'covering' })
    const { token } = await parts.tokens.issue({ key: owner, scopes: given })
    return { ...bearer(token), keyId: owner.id, token }
  }

  async function paying(amount: bigint): Promise<Brought & { payment: SignedPayment }> {
    const payment = await signPayment(payer, amount, { to: payee.address })
    return { headers: { 'payment-signature': v2Header(payment, { payTo: payee.address }) }, payment }
  }

  return {
    'no credentials': async () => ({ headers: {} }),
    'a key': async () => (await held('covering')).sent,
    'a key as a bearer token': async () => {
      const { text, key: owner } = await held('covering')
      return { ...bearer(text), keyId: owner.id }
    },
    'a key of a tier that does not cover it': async () => (await held('narrow')).sent,
    'a key of a tier that is gone': async () => (await held('constructor')).sent,
    'a malformed key': async () => key(`${createKeyText().text}0`),
    'an unknown key': async () => key(createKeyText().text),
    'a forged key': async () => {
      const { key: owner } = await held('covering')
      return { ...key(createKeyText(owner.id).text), keyId: owner.id }
    },
    'an expired key': async () => (await held('covering', new Date(Date.now() - 1_000))).sent,
    'a revoked key': async () => {
      const { key: owner, sent } = await held('covering')
      await revokeKey(books, owner.id)
      return sent
    },
    'a key that was replaced': async () => {
      const { key: owner, sent } = await held('covering')
      await rotateKey(books, owner.id, 0)
      return sent
    },
    'an access token': async () => tokenFor(tokens, scopes),
    'an access token for another operation': async () => tokenFor(tokens, ['writeBlog']),
    'an expired access token': async () => {
      const earlier = { now: () => Date.now() - 2 * hour }
      return tokenFor(openTokens(queries, earlier), scopes)
    },
    'the access token of a revoked key': async () => {
      const sent = await tokenFor(tokens, scopes)
      await revokeKey(books, sent.keyId)
      return sent
    },
    'an access token of another issuer': async () => {
      const { signingKeys, verifier } = tokens
      const elsewhere = { issuer: 'https://elsewhere.example', audience: baseUrl, findKey: verifier.find }
      const foreign = createTokens({ signingKeys, ...elsewhere, clock: systemClock })
      return tokenFor({ ...tokens, tokens: foreign }, scopes)
    },
    'a tampered access token': async () => {
      const { token, keyId } = await tokenFor(tokens, scopes)
      const [head, , signature] = token.split('.')
      const longer = { ...decodeJwt(token), exp: 4_000_000_000 }
      const changed = Buffer.from(JSON.stringify(longer)).toString('base64url')
      return { ...bearer(`${head}.${changed}.${signature}`), keyId }
    },
    'the operator token': async () => bearer(operatorToken),
    'a key and an access token': async () =>
      both((await held('covering')).sent, await tokenFor(tokens, scopes)),
    'a key and a payment': async (amount) => both((await held('covering')).sent, await paying(amount)),
    'a key and an unreadable payment': async () => both((await held('covering')).sent, unreadable),
    'a key that does not cover it and a payment': async (amount) =>
      both((await held('narrow')).sent, await paying(amount)),
    'a key that does not cover it and an unreadable payment': async () =>
      both((await held('narrow')).sent, unreadable),
    'an unknown key and a payment': async (amount) => both(key(createKeyText().text), await paying(amount)),
    'a payment': async (amount) => paying(amount),
    'an unreadable payment': async () => unreadable,
    'two payments': async (amount) => {
      const [one, other] = [await paying(amount), await paying(amount)]
      const { 'payment-signature': second = '' } = other.headers
      return both({ ...one, headers: { 'x-payment': second } }, one)
    },
  } as const satisfies Record<string, Caller>
}
