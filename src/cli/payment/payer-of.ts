import { getAddress, isAddress } from 'viem'
import { z } from 'zod'

const header = z.object({
  payload: z.union([
    z.object({ authorization: z.object({ from: z.string() }) }),
    z.object({ permit2Authorization: z.object({ from: z.string() }) }),
  ]),
})

/** The account that a payment header takes the money from; undefined when the header cannot be read. */
export function payerOf(payment: string) {
  const parsed = header.safeParse(jsonOf(payment))
  if (!parsed.success) return undefined
  const { payload } = parsed.data
  const { from } = 'authorization' in payload ? payload.authorization : payload.permit2Authorization
  return isAddress(from, { strict: false }) ? getAddress(from) : undefined
}

function jsonOf(payment: string): unknown {
  try {
    return JSON.parse(Buffer.from(payment, 'base64').toString())
  } catch {
    // The server says what is wrong with it.
    return undefined
  }
}
