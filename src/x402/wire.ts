import type { PaymentPayload } from '@x402/core/types'
import type { Payment, Requirement } from './types.ts'

/**
 * A payment as x402 v2 writes it, from whatever envelope it came in: the authorization is the same in
 * both, and what was accepted is our own requirement, never the client's copy of it.
 */
export function v2Payload(payment: Payment, requirement: Requirement): PaymentPayload {
  return {
    x402Version: 2,
    accepted: { ...requirement, extra: { ...requirement.extra } },
    payload: exactPayload(payment),
  }
}

/** The scheme's part of the payload, with numbers as decimal strings. */
function exactPayload({ authorization, signature }: Payment) {
  return {
    signature,
    authorization: {
      ...authorization,
      value: authorization.value.toString(),
      validAfter: authorization.validAfter.toString(),
      validBefore: authorization.validBefore.toString(),
    },
  }
}
