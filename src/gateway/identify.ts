import type { Call, Stage } from '../core/call.ts'
import { GatewayError } from '../core/errors.ts'
import { readPayment } from '../x402/headers.ts'
import type { Payment, Refusal } from '../x402/types.ts'

/** Who calls, by the credentials they sent. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'payer'; readonly payment: Payment }
  /** Somebody who tried to pay with something unreadable: told so, instead of being asked to pay as if they had not. */
  | { readonly kind: 'unreadable'; readonly refusal: Refusal }

/** A call whose credentials have been read; its headers stay behind. */
export interface IdentifiedCall extends Omit<Call, 'header'> {
  readonly principal: Principal
  readonly accept: string
}

/** Reads the credentials once. Nothing below this stage looks at a header. */
export const identify: Stage<Call, IdentifiedCall> = ({ header, ...call }, next) => {
  return next({ ...call, principal: principalOf(header), accept: header('accept')?.join(', ') ?? '*/*' })
}

function principalOf(header: Call['header']): Principal {
  const read = readPayment(header)
  switch (read.kind) {
    case 'none':
      return { kind: 'anonymous' }
    case 'payment':
      return { kind: 'payer', payment: read.payment }
    case 'unreadable':
      return { kind: 'unreadable', refusal: read.refusal }
    case 'conflict':
      throw new GatewayError('CONFLICTING_PAYMENTS')
  }
}
