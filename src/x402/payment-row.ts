import type { Hex } from 'viem'
import type { Network } from '../chain/networks.ts'
import type { PaymentRow } from '../store/schema.ts'
import type { Payment, Requirement } from './types.ts'

/**
 * A payment as it stands in the books, in the words it came in: what a gateway needs to settle after
 * the process that verified it is gone.
 */
export function readRow(row: PaymentRow, network: Network): { payment: Payment; requirement: Requirement } {
  const requirement: Requirement = {
    scheme: 'exact',
    network: network.caip2,
    amount: row.amount.toString(),
    asset: hex(row.asset),
    payTo: hex(row.pay_to),
    maxTimeoutSeconds: validitySeconds(row),
    extra: { name: network.usdc.name, version: network.usdc.version },
  }
  return {
    requirement,
    payment: {
      version: 2,
      accepted: { version: 2, ...requirement },
      authorization: {
        from: hex(row.payer),
        to: requirement.payTo,
        value: row.amount,
        validAfter: BigInt(row.valid_after),
        validBefore: BigInt(row.valid_before),
        nonce: hex(row.nonce),
      },
      signature: hex(row.signature),
      identifier: undefined,
    },
  }
}

/** A payer may sign for ever, but facilitators read an integer of ordinary size. */
function validitySeconds(row: PaymentRow): number {
  const seconds = BigInt(row.valid_before) - BigInt(row.valid_after)
  return Number(seconds < longestSeconds ? seconds : longestSeconds)
}

const longestSeconds = 2n ** 31n - 1n

/** Hex as the books keep it, in the type that viem reads. */
export function hex(text: string): Hex {
  return `0x${text.slice(2)}`
}
