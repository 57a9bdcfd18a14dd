import type { Selectable } from 'kysely'
import type { KeyRow } from '../../platform/store/schema.ts'

/** What a key is good for at a moment; it is worked out and never stored. */
export const keyStates = ['active', 'expired', 'revoked'] as const

export type KeyState = (typeof keyStates)[number]

/** @param now in milliseconds since the Unix epoch. A key lasts up to its expiry and not through it. */
export function stateOf(
  { revokedAt, expiresAt }: Pick<Selectable<KeyRow>, 'revokedAt' | 'expiresAt'>,
  now: number,
): KeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt.getTime() <= now ? 'expired' : 'active'
}
