import type { Selectable } from 'kysely'
import type { KeyRow } from '../../platform/store/rows/callers.ts'

/** The state of a key at a moment. It is computed, not stored. */
export const keyStates = ['active', 'expired', 'revoked'] as const

export type KeyState = (typeof keyStates)[number]

/** @param now milliseconds since the Unix epoch. At the millisecond of its expiry a key is expired. */
export function stateOf(
  { revokedAt, expiresAt }: Pick<Selectable<KeyRow>, 'revokedAt' | 'expiresAt'>,
  now: number,
): KeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt.getTime() <= now ? 'expired' : 'active'
}
