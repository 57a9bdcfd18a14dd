import { setTimeout as wait } from 'node:timers/promises'
import type { SettleResponse } from '@x402/core/types'
import { z } from 'zod'
import { formatUsdc } from '../core/money.ts'
import type { CallResult, PaidRequest } from './send.ts'

/**
 * Finds out how much a payment of scheme `upto` took. The payer signed only a maximum. A streamed reply is
 * settled after its last piece, so its headers cannot name the amount. `GET /payments/{paymentId}` names it
 * then.
 * @returns decimal USDC; undefined when the server does not say.
 */
export async function findAmountCharged(
  { url }: Pick<PaidRequest, 'url'>,
  { receipt, paymentId }: Pick<CallResult, 'receipt' | 'paymentId'>,
): Promise<string | undefined> {
  if (receipt) return amountOf(receipt)
  if (paymentId === null || !/^0x[0-9a-f]{64}$/.test(paymentId)) return undefined
  const address = new URL(`/payments/${paymentId}`, url)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const payment = await fetchPayment(address)
    if (!payment) return undefined
    if (!openStates.has(payment.state)) {
      return payment.state === 'released' ? formatUsdc(0n) : payment.amount
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
async function fetchPayment(address: URL): Promise<z.infer<typeof paymentSchema> | undefined> {
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    return paymentSchema.safeParse(await response.json()).data
  } catch {
    return undefined
  }
}
