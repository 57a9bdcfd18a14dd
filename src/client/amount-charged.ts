import { setTimeout as wait } from 'node:timers/promises'
import type { SettleResponse } from '@x402/core/types'
import { z } from 'zod'
import { formatUsdc } from '../core/money.ts'
import type { CallResult, PaidRequest } from './pay.ts'

/**
 * What a payment of scheme `upto` came to. A wallet has signed a maximum, so whoever pays wants to know; with a
 * stream it is settled only once the last piece is out, and no header can tell any more.
 * @returns decimal USDC; undefined when the server does not say.
 */
export async function amountTaken(
  { url }: Pick<PaidRequest, 'url'>,
  { receipt, paymentId }: Pick<CallResult, 'receipt' | 'paymentId'>,
): Promise<string | undefined> {
  if (receipt) return told(receipt)
  if (paymentId === null || !/^0x[0-9a-f]{64}$/.test(paymentId)) return undefined
  const address = new URL(`/payments/${paymentId}`, url)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const payment = await look(address)
    if (!payment) return undefined
    if (!underWay.has(payment.state)) return payment.state === 'released' ? formatUsdc(0n) : payment.amount
    await wait(pauseMs)
  }
  return undefined
}

function told({ success, amount }: SettleResponse): string | undefined {
  return success && amount !== undefined && /^\d{1,18}$/.test(amount) ? formatUsdc(BigInt(amount)) : undefined
}

/** It takes a block or two. */
const maxAttempts = 60
const pauseMs = 250
const deadlineMs = 10_000
const underWay: ReadonlySet<string> = new Set(['claimed', 'served', 'settling'])

const paymentSchema = z.object({ state: z.string(), amount: z.string().max(30) })

/** The answer was paid for and shown; that its price cannot be told does not make the call fail. */
async function look(address: URL): Promise<z.infer<typeof paymentSchema> | undefined> {
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(deadlineMs) })
    return paymentSchema.safeParse(await response.json()).data
  } catch {
    return undefined
  }
}
