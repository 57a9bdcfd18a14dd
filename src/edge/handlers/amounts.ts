import { z } from 'zod'
import { formatUsdc } from '../../core/money.ts'

/** A sum of money: decimal USDC for people, atomic units for programs. */
export const sumFields = { amount: z.string(), amountAtomic: z.string() }

export function sum(atomic: bigint): z.infer<z.ZodObject<typeof sumFields>> {
  return { amount: formatUsdc(atomic), amountAtomic: atomic.toString() }
}
