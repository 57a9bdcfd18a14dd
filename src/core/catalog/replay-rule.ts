import type { Endpoint } from '../endpoint.ts'

/**
 * Who gets the stored reply of a payment whose transfer was sent: others can read its signature from then on.
 * `payer`: only a caller who shows that the payment is theirs. `anyone_with_payment`: every caller that repeats the
 * payment and the request, so a stranger who guesses the request gets the reply.
 */
export const replayRules = ['payer', 'anyone_with_payment'] as const

export type ReplayRule = (typeof replayRules)[number]

/**
 * The rule of an operation. Where the catalog names none, replies that may be private go to the payer only: those
 * of upstreams, whose content we do not know, and those that a key may have opened.
 */
export function replayRuleOf(
  { upstream, isPrivate, isSecret }: Pick<Endpoint, 'upstream' | 'isPrivate' | 'isSecret'>,
  { replay }: { readonly replay?: ReplayRule | undefined },
): ReplayRule {
  return replay ?? (upstream || isPrivate || isSecret ? 'payer' : 'anyone_with_payment')
}
