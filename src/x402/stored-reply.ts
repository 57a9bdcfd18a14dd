import { getAddress, isAddressEqual } from 'viem'
import type { Network } from '../chain/networks.ts'
import type { Reply } from '../core/call.ts'
import type { PaymentRow } from '../store/schema.ts'
import { withReceipt } from './receipt.ts'
import { parseWalletSignature, recoverSigner } from './signature.ts'
import type { Payment } from './types.ts'

/** What a payment has bought, as it stands in the books: undefined when there is nothing to give again. */
export function storedReply(row: PaymentRow, network: Network): Reply | undefined {
  if (
    row.reply_status === null ||
    row.reply_headers === null ||
    row.reply_body === null ||
    row.transaction === null
  ) {
    return undefined
  }
  const reply: Reply = { status: row.reply_status, headers: row.reply_headers, body: row.reply_body }
  return withReceipt(
    reply,
    { success: true, transaction: row.transaction, payer: getAddress(row.payer) },
    network,
  )
}

/**
 * Whoever asks for a stored reply must show the payer's signature and send the very request it paid for.
 * The signature stands in the chain's calldata once settled, so it is the request that is the secret
 * then. A smart wallet's signature is compared with the one that was verified.
 */
export function provesOwnership(payment: Payment, row: PaymentRow, network: Network): boolean {
  if (payment.signature === row.signature) return true
  const wallet = parseWalletSignature(payment.signature)
  const signer = wallet && recoverSigner(payment.authorization, wallet, network)
  return signer !== undefined && isAddressEqual(signer, payment.authorization.from)
}
