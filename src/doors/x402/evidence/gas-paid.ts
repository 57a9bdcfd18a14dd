import type { TransactionReceipt } from 'viem'
import { z } from 'zod'
import type { GasCostRow, GasPurpose } from '../../../platform/store/rows/settlement.ts'

/** What a mined transaction of ours has cost, whether it did what it was sent for or not. */
type GasPaid = Omit<GasCostRow, 'seenAt' | 'chainId'>

/**
 * Base charges twice: for the execution, and for the data that it publishes on Ethereum. viem passes the second
 * fee on as the node writes it, because our chains have no formatter of their own.
 */
const dataFeeSchema = z.looseObject({
  l1Fee: z
    .union([z.bigint(), z.string().regex(/^0x[0-9a-fA-F]{1,32}$/)])
    .nullish()
    .transform((fee) => BigInt(fee ?? 0)),
})

/** Reads from a receipt what the transaction has cost its sender, in wei. */
export function gasPaid(receipt: TransactionReceipt, purpose: GasPurpose): GasPaid {
  const { transactionHash, from, gasUsed, effectiveGasPrice, status, blockNumber } = receipt
  return {
    transaction: transactionHash,
    account: from.toLowerCase(),
    purpose,
    wei: gasUsed * effectiveGasPrice + dataFeeSchema.parse(receipt).l1Fee,
    isReverted: status === 'reverted',
    blockNumber,
  }
}
