import type { PricedOperation } from '../../../core/catalog/priced-operation.ts'
import type { Endpoint } from '../../../core/endpoint.ts'
import { formatUsdc } from '../../../core/money.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import { findPayment, findPurchase } from '../../ledger/find-payment.ts'
import { isForAnotherToken } from '../wire/match.ts'
import type { Offer } from '../wire/requirements.ts'
import { unavailable } from './payment-errors.ts'
import { idOf, type PaidCall } from './purchase.ts'
import { nameHash } from './seal.ts'

/**
 * Finds what a payment has bought that is not for sale any more: the operator took a tier or an operation off sale,
 * or revoked a key that was being renewed. Without it the call would be refused before the payment is looked up, and
 * a payer who has paid would get neither the reply nor a way to a refund.
 * @returns the operation at the price that was signed; undefined when the payment has bought nothing, so that nothing
 *   is sold that is off sale.
 * @throws GatewayError PAYMENTS_UNAVAILABLE when the store does not reply.
 */
export type Recall = (
  call: Pick<PaidCall, 'payment' | 'idempotencyKey'>,
  endpoint: Pick<Endpoint, 'isSecret'>,
  deadlineSeconds: number,
) => Promise<PricedOperation | undefined>

export function createRecall(books: Books, { network }: Pick<Offer, 'network'>): Recall {
  async function findBought({ payment, idempotencyKey }: Parameters<Recall>[0], isSecret: boolean) {
    const own = await findPayment(books, idOf(payment, network))
    if (own && isBought(own, books.clock.now())) return own
    if (idempotencyKey === undefined) return undefined
    const payer = payment.authorization.from.toLowerCase()
    const name = isSecret ? nameHash(idempotencyKey) : idempotencyKey
    const purchase = await findPurchase(books, { chainId: network.chainId, payer }, name)
    return purchase && isBought(purchase, books.clock.now()) ? purchase : undefined
  }

  return async (call, { isSecret = false }, deadlineSeconds) => {
    if (isForAnotherToken(call.payment, network)) return undefined
    let row: PaymentRow | undefined
    try {
      row = await findBought(call, isSecret)
    } catch (cause) {
      throw unavailable(cause)
    }
    if (!row || row.chainId !== network.chainId) return undefined
    return {
      description: 'No longer for sale.',
      price: formatUsdc(row.authorized),
      settle: row.timing,
      deadlineSeconds,
      validitySeconds: 0,
    }
  }
}

/** Whether the payment is held by a run, or money was taken for it, or is about to be. */
function isBought({ state, leaseUntil }: PaymentRow, now: number): boolean {
  if (state === 'claimed') return leaseUntil.getTime() >= now
  return state !== 'released' && state !== 'failed'
}
