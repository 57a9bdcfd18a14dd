import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../../core/clock.ts'
import { writePermit } from '../../wire/permit.ts'
import type { Payment, Refusal } from '../../wire/types.ts'

/**
 * Remembers which payments were refused, so that the same payment sent again is refused from memory.
 * Without it, every repeat of a bad payment costs us calls to the node, and a caller can repeat it without
 * end.
 *
 * A used nonce stays used, so that refusal is kept for a minute at once. Any other may change: a wallet gets
 * money, a contract changes its mind. So the first repeat looks at the chain again, and only then each look
 * waits twice as long as the one before, up to half a minute.
 */
export class KeptRefusals {
  readonly #clock: Clock
  readonly #entries = new LRUCache<string, Entry>({ max: maxEntries })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The refusal to give without a look at the chain; undefined when the chain has to be asked. */
  find(payment: Payment): Refusal | undefined {
    const entry = this.#entries.get(paymentKey(payment))
    const now = this.#clock.now()
    // A clock that was set back must not keep a refusal for longer.
    if (!entry || now >= entry.until || now < entry.notedAt) return undefined
    const seconds = Math.ceil((entry.until - now) / 1000)
    return { ...entry.refusal, message: `${entry.refusal.message}; the chain is asked again in ${seconds} s` }
  }

  /**
   * Keeps why a payment was refused.
   * @param askedAt when the chain was asked for it, in milliseconds of the clock.
   */
  note(payment: Payment, refusal: Refusal, askedAt: number): void {
    const key = paymentKey(payment)
    const known = this.#entries.get(key)
    const now = this.#clock.now()
    const isForgotten = known === undefined || now - known.notedAt > forgottenAfterMs
    // Copies that were looked at together count as one look.
    if (!isForgotten && askedAt < known.notedAt) return
    const looks = isForgotten ? 1 : known.looks + 1
    this.#entries.set(key, { refusal, looks, notedAt: now, until: now + keptMs(refusal, looks) })
  }

  /** Drops what was kept, because the payment is good now. */
  forget(payment: Payment): void {
    this.#entries.delete(paymentKey(payment))
  }
}

interface Entry {
  readonly refusal: Refusal
  /** How often the chain was asked. */
  readonly looks: number
  readonly notedAt: number
  readonly until: number
}

const maxEntries = 20_000
/** A payer who comes back after this time begins anew. */
const forgottenAfterMs = 600_000
const usedNonceMs = 60_000
const firstPauseMs = 500
const longestPauseMs = 30_000

function keptMs({ reason }: Refusal, looks: number): number {
  if (isUsedNonce(reason)) return usedNonceMs
  if (looks === 1) return 0
  return Math.min(firstPauseMs * 2 ** Math.min(looks - 2, 10), longestPauseMs)
}

/** Whether a refusal says that the nonce was used on the chain. */
export function isUsedNonce(reason: string | undefined): boolean {
  return reason === 'invalid_transaction_state' || reason === 'permit2_invalid_nonce'
}

/**
 * A key for all that was signed and its signature: another signature of the same payment may be the right
 * one.
 */
export function paymentKey({ authorization, signature, permit }: Payment): string {
  const { from, to, value, validAfter, validBefore, nonce, facilitator } = authorization
  const signed = [from, to, value, validAfter, validBefore, nonce, facilitator, signature]
  return createHash('sha256')
    .update([...signed, permit && writePermit(permit)].join(' ').toLowerCase())
    .digest('base64')
}
