import type { PaymentPayload } from '@x402/core/types'
import { permit2Address, uptoProxyAddress } from '../../../platform/chain/permit2.ts'
import type { Extensions } from './extensions.ts'
import type { ResourceDescription } from './resource.ts'
import { isUpto, type Payment, type Requirement, type UptoAuthorization } from './types.ts'

/**
 * Writes a payment as x402 v2 does, whatever envelope it came in. The authorization is the same in all of
 * them, and `accepted` is our own requirement, never the client's copy.
 * @param requirement names the amount to take. With `upto` it may be less than the signed maximum, which
 * stays in `accepted`.
 * @param declared extensions to send besides the payment's own.
 * @param resource what is paid for, where a facilitator shall list it.
 */
export function v2Payload(
  payment: Payment,
  requirement: Requirement,
  declared: Extensions | undefined,
  resource?: ResourceDescription,
): PaymentPayload {
  const { authorization, permit } = payment
  const accepted = { ...requirement, extra: { ...requirement.extra } }
  if (!isUpto(authorization)) {
    return {
      x402Version: 2,
      ...(resource && { resource }),
      accepted,
      payload: exactPayload(payment),
      ...(declared ? { extensions: declared } : {}),
    }
  }
  const sponsored = permit && {
    eip2612GasSponsoring: { info: permitInfo(authorization, permit, requirement) },
  }
  return {
    x402Version: 2,
    ...(resource && { resource }),
    accepted: { ...accepted, amount: authorization.value.toString() },
    payload: uptoPayload(authorization, payment, requirement),
    ...(declared || sponsored ? { extensions: { ...declared, ...sponsored } } : {}),
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

function uptoPayload(
  { from, to, value, validAfter, validBefore, nonce, facilitator }: UptoAuthorization,
  { signature }: Pick<Payment, 'signature'>,
  { asset }: Requirement,
) {
  return {
    signature,
    permit2Authorization: {
      from,
      permitted: { token: asset, amount: value.toString() },
      spender: uptoProxyAddress,
      nonce: BigInt(nonce).toString(),
      deadline: validBefore.toString(),
      witness: { to, facilitator, validAfter: validAfter.toString() },
    },
  }
}

function permitInfo(
  { from }: UptoAuthorization,
  { value, nonce, deadline, signature }: NonNullable<Payment['permit']>,
  { asset }: Requirement,
) {
  return {
    from,
    asset,
    spender: permit2Address,
    amount: value.toString(),
    nonce: nonce.toString(),
    deadline: deadline.toString(),
    signature,
    version: '1',
  }
}
