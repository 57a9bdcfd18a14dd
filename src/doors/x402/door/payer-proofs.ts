import { timingSafeEqual } from 'node:crypto'
import type { Network } from '../../../platform/chain/networks.ts'
import { permit2Address } from '../../../platform/chain/permit2.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import type { SignIns } from '../evidence/sign-in.ts'
import { createReadPayerSignature } from '../evidence/signature.ts'
import { hex, readRow, type SignedRow } from '../recovery/payment-row.ts'
import { paymentId } from '../wire/requirements.ts'
import type { Payment } from '../wire/types.ts'
import { minNameLength, nameHash } from './seal.ts'
import { provesOwnership } from './stored-reply.ts'

/**
 * What shows that a caller is the payer of a recorded payment, although everybody can read the payment on the chain:
 * the name that the purchase was made with, or a sign-in of the payer's wallet. A wrong proof is none.
 */
export interface PayerProofs {
  isProven(row: RecordedPurchase, shown: ShownProof): Promise<boolean>
  /** Whether this is the recorded payment, with the signature of its payer. */
  isSignedBy(payment: Payment, row: RecordedPurchase & Pick<PaymentRow, 'chainId'>): boolean
  /** What the payer of this payment can sign. */
  readonly challenge: SignIns['challenge']
}

type RecordedPurchase = SignedRow & Pick<PaymentRow, 'id' | 'idempotencyKey'>

interface ShownProof {
  /** The `Idempotency-Key`, or the identifier in the payment. */
  readonly name: string | undefined
  /** The header `SIGN-IN-WITH-X`. */
  readonly signIn: string | undefined
}

export function createPayerProofs(network: Network, signIns: SignIns): PayerProofs {
  const readPayerSignature = createReadPayerSignature(network)
  return {
    challenge: signIns.challenge,
    async isProven(row, { name, signIn }) {
      if (name !== undefined && isNameOf(row, name)) return true
      if (signIn === undefined) return false
      const isContract = readPayerSignature(readRow(row, network).payment) === undefined
      return signIns.isSignedIn(signIn, row, isContract)
    },
    isSignedBy(payment, row) {
      const { from, nonce, facilitator } = payment.authorization
      const permit2 = facilitator === undefined ? undefined : permit2Address
      const isSame = paymentId(row.chainId, hex(row.asset), from, nonce, permit2) === row.id
      return isSame && provesOwnership(payment, row, readPayerSignature)
    },
  }
}

/**
 * Whether a purchase was made with this name. A short one can be guessed, so it proves nothing. The books hold the
 * hash of the name of a secret reply.
 */
function isNameOf({ idempotencyKey }: Pick<PaymentRow, 'idempotencyKey'>, name: string): boolean {
  if (idempotencyKey === null || name.length < minNameLength) return false
  const recorded = Buffer.from(nameHash(idempotencyKey))
  return [name, nameHash(name)].some((one) => timingSafeEqual(Buffer.from(nameHash(one)), recorded))
}

/**
 * Whether others than the payer may know the signature of a payment. That begins before the chain shows it: a
 * transfer is sent to a node or to a facilitator, stands in the public mempool for as long as it waits for its block,
 * and anyone who watches the mempool can copy it. So it is public from the state that is written before a transfer
 * is handed to anyone (`served`, or `settling` where the money moves first), whatever the chain shows. A transfer that
 * failed stays public, also while its payment is claimed again, and so does one in a block that was dropped.
 */
export function isPublic({ state, failure, settledAt }: Pick<PaymentRow, 'state' | 'failure' | 'settledAt'>) {
  const isUnsent = state === 'claimed' || state === 'released'
  return !isUnsent || settledAt !== null || (failure !== null && failure !== 'caller_left')
}

/**
 * Whether a payment without a name has bought a call of which no reply is stored yet. Its payer, like most clients,
 * has no proof but a sign-in. The call is served without one: otherwise the payer would have paid for nothing. No stored
 * reply can leak, because there is none yet.
 */
export function isOwedWithoutName(row: PaymentRow): boolean {
  const { state, idempotencyKey, replyStatus } = row
  const isUnserved =
    state === 'paid' || ((state === 'served' || state === 'settling') && replyStatus === null)
  return isUnserved && idempotencyKey === null
}
