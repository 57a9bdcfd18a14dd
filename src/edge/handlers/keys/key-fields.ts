import { z } from 'zod'
import { comeBack } from '../../../core/errors.ts'
import { isVisibleLine } from '../visible-line.ts'

/** What the endpoints of API keys have in common: for buyers, for holders and for the operator. */

export const keyId = z
  .string()
  .regex(/^[0-9A-Za-z]{16}$/, 'must be the 16 letters and digits after tgk_ in a key')

/** The owner of a key, or its label; empty when there is none. */
export const shortText = z.string().refine((text) => text === '' || isVisibleLine(text), {
  error: 'must be at most 200 printable characters, without hidden ones',
})

export const dayMs = 86_400_000

export const noStore = { 'cache-control': 'no-store' }

/**
 * Waits for a read of keys or counters.
 * @throws GatewayError QUOTAS_UNAVAILABLE when the store or Redis fails.
 */
export async function orKeysUnavailable<Row>(read: Promise<Row>): Promise<Row> {
  try {
    return await read
  } catch (cause) {
    throw comeBack('QUOTAS_UNAVAILABLE', cause)
  }
}
