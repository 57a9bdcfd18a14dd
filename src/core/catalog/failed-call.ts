import { listed } from '../problems.ts'
import type { PricedOperation } from './priced-operation.ts'

/**
 * Who is to blame for a call that failed. A caller whose requests fail by its own making has work done that
 * nobody pays for: such failures count more against it, and an operation may charge for them.
 */

/**
 * Statuses from 400 to 499 that are not the caller's making. The gateway chooses the credentials that an
 * upstream sees (401, 403, 407), pays it (402), connects to it (421, 425, 426), and shares its limit among
 * all callers (429). A slow connection (408) and the law (451) are nobody's request. 499 is the gateway's
 * own, for a caller that disconnects, which is counted apart.
 */
const notCallersMaking: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 421, 425, 426, 429, 451, 499])

/** Whether a reply says that the request itself was wrong. */
export function isCallersMaking(status: number): boolean {
  return status >= 400 && status < 500 && !notCallersMaking.has(status)
}

/** The statuses that `charge_failed` charges for, in words. */
const chargedStatuses = `400 to 499, except ${listed([...notCallersMaking].map(String))}`

/** What a call costs that fails by the caller's own making, for people; undefined when it costs nothing. */
export function failedCallText({ chargeFailed, meter }: PricedOperation): string | undefined {
  if (chargeFailed === undefined) return undefined
  const price = chargeFailed === 'price' ? 'the whole price' : `at least ${chargeFailed} USDC`
  // A payment by `exact` moves all that was signed, or nothing.
  const exact = meter && chargeFailed !== 'price' ? ' by the scheme upto, and the whole price by exact' : ''
  return `A call that the upstream answers with a status that says the request was wrong (${chargedStatuses}) costs ${price}${exact}. Any other call that fails is free, unless the money had to move before the call: then it is owed.`
}
