import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { JWK } from 'jose'
import { z } from 'zod'

/** One key pair that signs access tokens, as the store holds it and as clients see it. */
export interface SigningKey {
  /** Its number among all signing keys ever made, from 1. */
  readonly turn: number
  readonly createdAtMs: number
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export type PublicJwk = z.infer<typeof publicJwkSchema>

/** No token lives longer. */
export const tokenLifeMs = 3_600_000

/** Longer than clients may cache the published keys, and than the clocks of two gateways differ. */
const publishedBeforeMs = 600_000
const marginMs = 600_000

export const publicJwkSchema = z.object({
  kty: z.literal('RSA'),
  n: z.string(),
  e: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('RS256'),
})

const privateJwkSchema = z.object({
  kty: z.literal('RSA'),
  kid: z.string(),
  ...{ n: z.string(), e: z.string(), d: z.string() },
  ...{ p: z.string(), q: z.string(), dp: z.string(), dq: z.string(), qi: z.string() },
})

interface Row {
  readonly id: string
  readonly privateJwk: unknown
  readonly createdAt: Date
}

export function readSigningKey({ id, privateJwk, createdAt }: Row): SigningKey {
  const { kid, ...jwk } = privateJwkSchema.parse(privateJwk)
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const publicKey = createPublicKey(privateKey)
  return { turn: Number(id), createdAtMs: createdAt.getTime(), kid, privateKey, publicKey }
}

/** @returns whether a key was read from this row before, and need not be parsed again. */
export function isOfRow(row: Row): (key: SigningKey) => boolean {
  const named = z.object({ kid: z.string() }).safeParse(row.privateJwk)
  return ({ kid, turn }) => named.data?.kid === kid && row.id === String(turn)
}

export function publicJwk({ kid, publicKey }: SigningKey): PublicJwk {
  const jwk: JWK = publicKey.export({ format: 'jwk' })
  return publicJwkSchema.parse({ ...jwk, kid, use: 'sig', alg: 'RS256' })
}

/** When a key that follows another one begins to sign. The first key ever signs immediately. */
export function signsFromMs({ createdAtMs }: SigningKey): number {
  return createdAtMs + publishedBeforeMs
}

/** Whether the last token has expired that a key signed before `next` took over. */
export function isSpent(next: SigningKey | undefined, nowMs: number): boolean {
  return next !== undefined && signsFromMs(next) + tokenLifeMs + marginMs <= nowMs
}
