import type { ColumnType, Generated } from 'kysely'

/** How an action of the operator ended. `begun` stays when the gateway died before it ended. */
export const auditOutcomes = ['begun', 'done', 'refused', 'failed'] as const

/** One request of the operator that changes something. */
export interface AuditRow {
  /** The call's X-Request-Id. */
  callId: string
  at: Date
  /** The operation id of the endpoint. */
  action: string
  /** The id of the key, payment or transfer that it is about; null while it has none. */
  subject: string | null
  /** What was asked for, without secrets. */
  details: Record<string, unknown>
  /** The caller's address, as quotas count it. */
  client: string
  outcome: (typeof auditOutcomes)[number]
  status: number | null
  /** The error code of a refused or failed action. */
  code: string | null
  /** What was replied, without secrets; null for an action that was not done. */
  result: Record<string, unknown> | null
}

/** How many units of an operation a subject has used in a day or month. */
export interface UsageRow {
  /** `key:<id>`, `oidc:<subject>` or `client:<address>`. */
  subject: string
  operation: string
  /** A day (2026-11-21) or a month (2026-11) of UTC. */
  period: string
  used: bigint
}

/** An API key. The store has only hashes of it: the key itself is shown once, when it is made. */
export interface KeyRow {
  /** A part of the key's text, by which the key is looked up. */
  id: string
  /** SHA-256 of the whole key, in hex. */
  hash: string
  /** The number of secrets so far. An access token is bound to the secret that it was issued for. */
  generation: Generated<number>
  /** The hash before the last rotation, and until when that secret is still accepted. */
  previousHash: string | null
  previousUntil: Date | null
  tier: string
  owner: string
  label: string
  /** The payment that bought the key; null when the operator made it. */
  paymentId: string | null
  /**
   * The network on which the key was bought or made; it opens doors on no other. Null, for every network, when
   * the operator made it before keys had one.
   */
  chainId: number | null
  createdAt: Date
  /** Null when the key never expires. */
  expiresAt: Date | null
  revokedAt: Date | null
  /** Accurate to about a minute. */
  lastUsedAt: Date | null
}

/** A key pair that signs access tokens. */
export interface SigningKeyRow {
  id: string
  /** JSON Web Key, private. */
  privateJwk: ColumnType<Record<string, unknown>, string, never>
  createdAt: Date
}
