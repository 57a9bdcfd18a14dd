import { type Address, concat, type Hex, keccak256, type PublicClient, pad, toHex } from 'viem'
import type { BookedPayment } from '../../ledger/reconciling/inbound.ts'
import { type Inbound, noncesIn, type UsedNonce } from '../evidence/transfers.ts'
import { paymentId } from '../wire/requirements.ts'

/** A transfer without a payment in its block, with the authorization that it carried out, if any. */
export type UnmatchedInbound = Inbound & {
  readonly nonce: Hex | undefined
  /** The id that a payment with this authorization has, whether the books know it or not. */
  readonly paymentId: string | undefined
}

interface Match {
  readonly unmatched: UnmatchedInbound[]
  /** Payments that the chain does not show in these blocks. */
  readonly missing: BookedPayment[]
}

/**
 * Compares the transfers of some blocks with the payments that the books have in them. First it counts the
 * transfers and payments of one transaction, payer and amount. Only where the counts differ it asks the chain
 * which authorization each transfer carried out: of two equal transfers, either may be the one that the books
 * do not have.
 */
export async function matchTransfers(
  client: PublicClient,
  { chainId, asset }: { readonly chainId: number; readonly asset: Address },
  transfers: readonly Inbound[],
  payments: readonly BookedPayment[],
): Promise<Match> {
  const booked = Map.groupBy(payments, alike)
  const shown = Map.groupBy(transfers, alike)
  const differs = (key: string) => booked.get(key)?.length !== shown.get(key)?.length

  const noncesByTransaction = new Map<Hex, ReadonlyMap<number, UsedNonce>>()
  const unmatched: UnmatchedInbound[] = []
  const seen = new Set<string>()
  for (const transfer of transfers) {
    const key = alike(transfer)
    if (!differs(key)) continue
    const { transaction, logIndex, payer } = transfer
    const nonces = noncesByTransaction.get(transaction) ?? (await noncesIn(client, asset, transaction))
    noncesByTransaction.set(transaction, nonces)
    const used = nonces.get(logIndex)
    const id = used && paymentId(chainId, asset, payer, used.nonce, used.permit2)
    const own = transferPaymentId(chainId, transaction, logIndex)
    const payment = booked.get(key)?.find((one) => one.id === id || one.id === own)
    if (payment) seen.add(payment.id)
    else unmatched.push({ ...transfer, nonce: used?.nonce, paymentId: id })
  }
  return { unmatched, missing: payments.filter((one) => differs(alike(one)) && !seen.has(one.id)) }
}

/**
 * Makes the id of the payment that an unmatched transfer becomes when it was not signed for one: a plain
 * transfer has no nonce.
 */
export function transferPaymentId(chainId: number, transaction: Hex, logIndex: number): Hex {
  const place = [chainId, logIndex].map((number) => pad(toHex(number), { size: 32 }))
  return keccak256(concat([toHex('tollgate transfer'), transaction, ...place]))
}

function alike({
  transaction,
  payer,
  amount,
}: Pick<BookedPayment, 'transaction' | 'payer' | 'amount'>): string {
  return `${transaction} ${payer.toLowerCase()} ${amount}`
}
