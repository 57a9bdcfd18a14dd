import { setTimeout as wait } from 'node:timers/promises'
import type { SettleResponse } from '@x402/core/types'
import { z } from 'zod'
import { formatUsdc } from '../core/money.ts'
import type { CallResult, PaidRequest } from './send.ts'

/**
 * Finds out how much a payment of scheme `upto` took. The payer signed only a maximum. A streamed reply is
 * settled after its last piece, so its headers cannot name the amount. `GET /payments/{paymentId}` names it
 * then, to a caller that shows the payment.
 * @param payment the value of the payment header that the call was sent with.
 * @returns decimal USDC; undefined when the server does not say.
 */
export async function findAmountCharged(
  { url }: Pick<PaidRequest, 'url'>,
  { receipt, paymentId }: Pick<CallResult, 'receipt' | 'paymentId'>,
  payment: string,
): Promise<string | undefined> {
  if (receipt) return amountOf(receipt)
  if (paymentId === null || !/^0x[0-9a-f]{64}$/.test(paymentId)) return undefined
  const address = new URL(`/payments/${paymentId}`, url)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const shown = await fetchPayment(address, payment)
    if (!shown) return undefined
    if (!openStates.has(shown.state)) {
      return shown.state === 'released' ? formatUsdc(0n) : shown.amount
    }
    await wait(retryAfterMs)
  }
  return undefined
}

function amountOf({ success, amount }: SettleResponse): string | undefined {
  return success && amount !== undefined && /^\d{1,18}$/.test(amount) ? formatUsdc(BigInt(amount)) : undefined
}

/** Settlement takes a block or two. */
const maxAttempts = 60
const retryAfterMs = 250
const timeoutMs = 10_000
const openStates: ReadonlySet<string> = new Set(['claimed', 'served', 'settling'])

const paymentSchema = z.object({ state: z.string(), amount: z.string().max(30) })

/** @returns undefined on any error: the reply is paid for and shown, so a missing amount must not fail the call. */
async function fetchPayment(
  address: URL,
  payment: string,
): Promise<z.infer<typeof paymentSchema> | undefined> {
  try {
    const response = await fetch(address, {
      headers: { 'payment-signature': payment },
      // A redirect would hand the payment to another address.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return paymentSchema.safeParse(await response.json()).data
  } catch {
    return undefined
  }
}
