import { decodeProtectedHeader } from 'jose'
import type { Clock } from '../../../src/core/clock.ts'
import { createLog } from '../../../src/core/log.ts'
import { createKey, type OwnKey, type ShownKey } from '../../../src/doors/keys/keys.ts'
import { createSigningKeys, type SigningKeys } from '../../../src/doors/keys/signing-keys.ts'
import { createTokens, type Tokens } from '../../../src/doors/keys/tokens.ts'
import { createKeyVerifier, type KeyVerifier } from '../../../src/doors/keys/verify.ts'
import type { Queries } from '../../../src/platform/store/database.ts'
import { chainId } from '../stores/ledger.ts'

/** The parts with which one gateway of a store issues and verifies access tokens. */
export interface TokenParts {
  readonly queries: Queries
  readonly signingKeys: SigningKeys
  readonly verifier: KeyVerifier
  readonly tokens: Tokens
  makeKey(change?: Partial<OwnKey>): Promise<ShownKey>
}

export const baseUrl = 'https://gateway.example'
export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute

export function openTokens(queries: Queries, clock: Clock): TokenParts {
  const log = createLog('silent')
  const signingKeys = createSigningKeys({ queries, clock, log })
  const verifier = createKeyVerifier({ queries, clock, chainId, log })
  const findKey = verifier.find
  const tokens = createTokens({ signingKeys, issuer: baseUrl, audience: baseUrl, findKey, clock })
  const usual = { tier: 'pro', owner: 'Ada', label: '', chainId, expiresAt: null }
  const makeKey = (change = {}) => createKey({ queries, clock }, { ...usual, ...change })
  return { queries, signingKeys, verifier, tokens, makeKey }
}

/** Counts the statements that reach the store. */
export function countStatements(queries: Queries) {
  const count = { statements: 0 }
  const counted = queries.withPlugin({
    transformQuery({ node }) {
      count.statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { queries: counted, count }
}

export function kidOf(token: string): string {
  const { kid } = decodeProtectedHeader(token)
  if (kid === undefined) throw new Error('the token names no key')
  return kid
}
