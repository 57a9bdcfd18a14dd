/**
 * When a delivery is tried again, and when a receiver gets nothing more. Pure, so that a test can read it as a table.
 */

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** Pauses after the first attempt, the second one, and so on; after the last pause comes the last attempt. */
export const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
] as const

/** Share of a pause that chance adds or takes: receivers that were down must not get all deliveries in one second. */
export const jitter = 0.2
/**
 * The longest Retry-After that is honored. A shorter one than the pause of the schedule is not: a server that writes
 * `Retry-After: 1` while it is down for a minute would use up all attempts in seconds.
 */
const maxRetryAfterMs = 24 * hourMs
/** A receiver that only failed for so long gets nothing more. */
export const maxFailingMs = 5 * 24 * hourMs

/** How an attempt ended. */
export type Answer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly text: string
      readonly retryAfterMs?: number | undefined
    }
  | { readonly kind: 'failed'; readonly problem: string }

/** What follows from it. */
export type Verdict =
  | { readonly kind: 'delivered' }
  /** The receiver wants nothing more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'retry'; readonly inMs: number; readonly problem: string }
  /** That was the last attempt. */
  | { readonly kind: 'given up'; readonly problem: string }

/**
 * Decides by an answer. Only 2xx accepts a delivery: a redirect could lead to any address, so it is a failure.
 * @param attempts all so far, this one included.
 * @param chance from 0 to 1.
 */
export function judge(answer: Answer, attempts: number, chance: number): Verdict {
  if (answer.kind === 'answered') {
    if (answer.status >= 200 && answer.status < 300) return { kind: 'delivered' }
    if (answer.status === 410) return { kind: 'gone' }
  }
  const problem = answer.kind === 'failed' ? answer.problem : problemOf(answer.status)
  const delayMs = retryDelaysMs[attempts - 1]
  if (delayMs === undefined) return { kind: 'given up', problem }
  const asked =
    answer.kind === 'answered' && mayAskForLater.has(answer.status) ? answer.retryAfterMs : undefined
  const inMs = Math.max(delayMs * (1 + jitter * (2 * chance - 1)), Math.min(asked ?? 0, maxRetryAfterMs))
  return { kind: 'retry', inMs: Math.round(inMs), problem }
}

const mayAskForLater: ReadonlySet<number> = new Set([429, 503])

function problemOf(status: number): string {
  return status >= 300 && status < 400
    ? `The receiver answered ${status}. Redirects are not followed: subscribe with the address that receives.`
    : `The receiver answered ${status}; only 200 to 299 accept a delivery.`
}

/** Reads a Retry-After header: seconds, or a date. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * secondMs
  // Other texts that JavaScript takes for dates, such as -1, are none here (RFC 9110, 10.2.3).
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(at - nowMs, 0)
}
