import type { Call } from '../../core/call.ts'
import type { PricedOperation } from '../../core/catalog/priced-operation.ts'
import type { GatewayError } from '../../core/errors.ts'
import type { Question } from '../../core/explanation.ts'
import type { Standing } from '../../doors/quota/door.ts'
import { leastNameLength } from '../../doors/x402/door/seal.ts'
import type { Door } from '../policy.ts'

/** Why a call takes its door, in a sentence or two for whoever is asked about it. */

export const preflightReason = 'A browser asks what it may send; everybody is told, and nothing runs.'

/** @param isHolder whether a good key or token counts for this operation. */
export function doorReason(
  door: Exclude<Door, { kind: 'refuse' }>,
  { endpoint, operation }: Pick<Call, 'endpoint' | 'operation'>,
  question: Question,
  { isHolder, isDryRun }: { readonly isHolder: boolean; readonly isDryRun: boolean },
): string {
  const uncovered = isHolder ? 'The caller’s tier does not cover this operation. ' : ''
  switch (door.kind) {
    case 'open':
      return openReasons[
        operation.access === 'operator' || operation.access === 'holder' ? operation.access : 'open'
      ]
    case 'free':
      return question.client === undefined
        ? 'Without a key or a payment it is counted against the free quota of the caller’s address. Name an address to learn what it has left.'
        : 'Without a key or a payment it is counted against the free quota of this address.'
    case 'key': {
      const covered = `Tier ${door.holder.tier} covers this operation, so the call is counted against its limits and costs nothing more.`
      return question.payer === undefined ? covered : `${covered} The payment beside the key is not touched.`
    }
    case 'challenge':
      return `${uncovered}It costs ${priceOf(door.operation)}, and no payment comes with it: it is told the price.`
    case 'payment': {
      const moment = isDryRun ? 'which this dry run checks and does not take' : moments[door.operation.settle]
      const name = endpoint.isSecret ? ` ${nameNeeded}` : ''
      return `${uncovered}It is paid with ${priceOf(door.operation)}, ${moment}.${name}`
    }
  }
}

function priceOf({ price, meter }: PricedOperation): string {
  return meter ? `at most ${price} USDC` : `${price} USDC`
}

const openReasons = {
  open: 'It is open to everyone; nothing is counted and nothing is charged.',
  holder: 'Every good key opens it, and nothing is counted.',
  operator: 'It is the operator’s, and you ask with the operator’s token.',
} as const

const moments = {
  after: 'taken once the work succeeded',
  before: 'taken before the work is done',
  metered: 'taken at the end, by what was used',
} as const

const nameNeeded = `The request needs an Idempotency-Key of at least ${leastNameLength} random characters, which gets a lost reply again.`

/** @param full the limits that have too few left. @param price in USDC, where a payment opens it. */
export function fullReason(
  door: 'free' | 'key',
  full: readonly Standing[],
  price: string | undefined,
): string {
  const whose = door === 'key' ? 'of the key' : 'of this address'
  const limits = full.map(({ name, unit, units, limit, used = 0, resetsAtMs }) => {
    const counted = unit === 'calls' ? limit : `${limit} ${unit}`
    const state = used < limit ? `has ${limit - used} left, and a call sets ${units} aside` : 'is used up'
    // To the second, and never too early.
    const end =
      resetsAtMs === undefined ? '' : ` until ${new Date(Math.ceil(resetsAtMs / 1000) * 1000).toISOString()}`
    return `the ${name} limit ${whose} (${counted}) ${state}${end}`
  })
  const said = limits.join(', and ').replace(/^t/, 'T')
  if (price === undefined) return `${said}.`
  return `${said}. A payment of ${price} USDC${door === 'key' ? ' instead of the key' : ''} opens it.`
}

export function balanceReason(balance: string, price: string): string {
  return `The wallet holds ${balance} USDC and the call costs ${price}, so the payment is refused.`
}

/** The sentence the caller would get; that of a wrong method speaks of a header, which nobody sees here. */
export function refusalReason({ code, message, headers }: GatewayError, method: string): string {
  if (code === 'METHOD_NOT_ALLOWED') return `This path answers ${headers.allow} and not ${method}.`
  return message
}
