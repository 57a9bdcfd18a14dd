import type { Call } from '../../core/call.ts'
import type { PricedOperation } from '../../core/catalog/priced-operation.ts'
import type { GatewayError } from '../../core/errors.ts'
import type { ExplainRequest } from '../../core/explanation.ts'
import type { Standing } from '../../doors/quota/door.ts'
import { minNameLength } from '../../doors/x402/door/seal.ts'
import type { Door } from '../policy.ts'

/** Why a call takes its door, in one or two sentences for the operator. */

export const preflightReason = 'This is a CORS preflight: every browser gets an answer, and nothing runs.'

/** @param isHolder whether the call has a valid key or token. */
export function doorReason(
  door: Exclude<Door, { kind: 'refuse' }>,
  { endpoint, operation }: Pick<Call, 'endpoint' | 'operation'>,
  request: ExplainRequest,
  { isHolder, isDryRun }: { readonly isHolder: boolean; readonly isDryRun: boolean },
): string {
  const uncovered = isHolder ? 'The caller’s tier does not cover this operation. ' : ''
  switch (door.kind) {
    case 'open':
      return openReasonOf(operation)
    case 'free':
      return request.client === undefined
        ? 'Without a key or a payment, the call counts against the free quota of the caller’s address. Add an address to see what it has left.'
        : 'Without a key or a payment, the call counts against the free quota of this address.'
    case 'key': {
      const covered = `Tier ${door.holder.tier} covers this operation, so the call counts against the tier’s limits and costs nothing more.`
      return request.payer === undefined ? covered : `${covered} The payment beside the key is not touched.`
    }
    case 'challenge':
      return `${uncovered}It costs ${priceOf(door.operation)} and brings no payment, so it gets a 402 with the price.`
    case 'payment': {
      const moment = isDryRun ? 'which this dry run checks and does not take' : momentOf(door.operation)
      const name = endpoint.isSecret ? ` ${nameNeeded}` : ''
      return `${uncovered}It costs ${priceOf(door.operation)}, ${moment}.${name}`
    }
  }
}

function priceOf({ price, meter }: PricedOperation): string {
  return meter ? `at most ${price} USDC` : `${price} USDC`
}

function momentOf({ settle, newPayersFirst }: PricedOperation): string {
  if (!newPayersFirst) return moments[settle]
  return `${moments[settle]}, or before the call runs for a payer who has settled nothing here yet`
}

function openReasonOf({ access, priced }: Call['operation']): string {
  if (priced) return 'The condition free_when of its price holds for this call, so nothing is charged.'
  return openReasons[access === 'operator' || access === 'holder' ? access : 'open']
}

const openReasons = {
  open: 'The operation is open to every caller. Nothing is counted and nothing is charged.',
  holder: 'Every valid key may use the operation, and nothing is counted.',
  operator: 'Only the operator may use it, and your operator token is valid.',
} as const

const moments = {
  after: 'taken after the call succeeds',
  before: 'taken before the call runs',
  metered: 'of which the part that the call uses is taken at the end',
} as const

const nameNeeded = `The request needs an Idempotency-Key of at least ${minNameLength} random characters, so that the buyer can get a lost reply again.`

/**
 * @param full the limits that have too little left.
 * @param price in USDC, when a payment would let the call pass.
 */
export function fullReason(
  door: 'free' | 'key',
  full: readonly Standing[],
  price: string | undefined,
): string {
  const whose = door === 'key' ? 'of the key' : 'of this address'
  const limits = full.map(({ name, unit, units, limit, used = 0, resetsAtMs }) => {
    const counted = unit === 'calls' ? limit : `${limit} ${unit}`
    const state = used < limit ? `has ${limit - used} left, and a call reserves ${units}` : 'is used up'
    // Rounded up to the second, so that the time is never too early.
    const end =
      resetsAtMs === undefined ? '' : ` until ${new Date(Math.ceil(resetsAtMs / 1000) * 1000).toISOString()}`
    return `the ${name} limit ${whose} (${counted}) ${state}${end}`
  })
  const sentence = limits.join(', and ').replace(/^t/, 'T')
  if (price === undefined) return `${sentence}.`
  return `${sentence}. A payment of ${price} USDC${door === 'key' ? ' instead of the key' : ''} lets the call pass.`
}

export function balanceReason(balance: string, price: string): string {
  return `The wallet holds ${balance} USDC and the call costs ${price} USDC, so the payment is refused.`
}

/**
 * The caller's error message. For a wrong method it names the allowed ones, because no Allow header is shown
 * here.
 */
export function refusalReason({ code, message, headers }: GatewayError, method: string): string {
  if (code === 'METHOD_NOT_ALLOWED') return `This path supports ${headers.allow}, but not ${method}.`
  return message
}
