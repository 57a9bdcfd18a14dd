import { getAddress, type Hex } from 'viem'
import type { Network } from '../../../platform/chain/networks.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import { parsePermit } from '../wire/permit.ts'
import type { Payment, Requirement } from '../wire/types.ts'

/** The columns that hold what a payer has signed, and how much of it is to be taken. */
export type SignedRow = Pick<
  PaymentRow,
  | 'payer'
  | 'payTo'
  | 'asset'
  | 'nonce'
  | 'amount'
  | 'authorized'
  | 'scheme'
  | 'facilitator'
  | 'validAfter'
  | 'validBefore'
  | 'signature'
  | 'permit'
>

/**
 * Reads a payment from its row, as a facilitator takes it: a gateway settles with it after the process that
 * verified the payment has died. The requirement names the amount to take now, which for `upto` may be less
 * than was signed.
 */
export function readRow(row: SignedRow, network: Network): { payment: Payment; requirement: Requirement } {
  const { name, version } = network.usdc
  const facilitator = row.facilitator === null ? undefined : getAddress(row.facilitator)
  const requirement: Requirement = {
    scheme: row.scheme,
    network: network.caip2,
    amount: row.amount.toString(),
    asset: hex(row.asset),
    payTo: hex(row.payTo),
    maxTimeoutSeconds: validitySeconds(row),
    extra: facilitator
      ? { name, version, assetTransferMethod: 'permit2', facilitatorAddress: facilitator }
      : { name, version },
  }
  return {
    requirement,
    payment: {
      version: 2,
      accepted: { version: 2, ...requirement, amount: row.authorized.toString() },
      authorization: {
        from: hex(row.payer),
        to: requirement.payTo,
        value: row.authorized,
        validAfter: BigInt(row.validAfter),
        validBefore: BigInt(row.validBefore),
        nonce: hex(row.nonce),
        ...(facilitator ? { facilitator } : {}),
      },
      signature: hex(row.signature),
      permit: row.permit === null ? undefined : parsePermit(row.permit),
      identifier: undefined,
    },
  }
}

/** A payer may sign any 256-bit time, but facilitators read an integer of ordinary size. */
function validitySeconds(row: SignedRow): number {
  const seconds = BigInt(row.validBefore) - BigInt(row.validAfter)
  return Number(seconds < maxSeconds ? seconds : maxSeconds)
}

const maxSeconds = 2n ** 31n - 1n

/** Gives hex text of the books the type that viem reads. */
export function hex(text: string): Hex {
  return `0x${text.slice(2)}`
}
