import type { Reply } from '../../../core/reply.ts'
import { paymentHeaders } from '../../../core/reserved-headers.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import { isStreamed } from '../../ledger/reply-columns.ts'
import { type Extensions, replayNotStored } from './extensions.ts'
import type { ReceiptSigner } from './offer-receipt.ts'
import { type Asked, resourceUrl } from './resource.ts'

/** The outcome of a payment, as its caller reads it. */
type Outcome =
  | {
      readonly success: true
      readonly transaction: string
      /** EIP-55 checksummed. */
      readonly payer: string
      /** What was paid for. */
      readonly call: Asked
      /** The time in the ledger: a receipt that is given again has the same second. */
      readonly settledAt: Date
      /** What was taken, in atomic units, when the payment allowed more. */
      readonly amount?: bigint | undefined
    }
  | { readonly success: false; readonly payer: string; readonly errorReason: string }

/**
 * Adds the receipt to a paid reply: the transaction of the payment, in v2's header and in v1's, which names
 * the network differently. With a key for it, v2's header holds the signed receipt too. v1's header leaves it
 * out: both headers go with every reply, and a client that looks for a receipt reads v2's first.
 */
export interface Receipts {
  /** Adds the headers that say how the payment ended. The same outcome gives the same bytes. */
  attach(reply: Reply, outcome: Outcome): Reply
}

interface ReceiptsOptions {
  readonly network: Network
  /** Public address of the paid endpoints, as in the 402. */
  readonly paymentsBaseUrl: string
  /** Signs receipts; without it there are no signed ones. */
  readonly signer?: ReceiptSigner | undefined
}

export function createReceipts({ network, paymentsBaseUrl, signer }: ReceiptsOptions): Receipts {
  return {
    attach(reply, outcome) {
      if (!outcome.success) return withReceipt(reply, { ...outcome, transaction: '' }, network)
      const { transaction, payer, amount } = outcome
      const extensions = isStreamed(reply) ? replayNotStored : signed(reply, outcome)
      return withReceipt(reply, { success: true, transaction, payer }, network, {
        ...(amount === undefined ? {} : { amount: amount.toString() }),
        ...(extensions ? { extensions } : {}),
      })
    },
  }

  /**
   * A signed receipt says that the call was served and paid (specification, part 5). So an error gets none,
   * nor does a stream that is only beginning, or a reply that cost nothing.
   */
  function signed(reply: Reply, outcome: Outcome & { success: true }): Extensions | undefined {
    if (!signer || reply.status >= 400 || outcome.transaction === '') return undefined
    const { transaction, payer, call, settledAt } = outcome
    return signer.signReceipt({
      network: network.caip2,
      resourceUrl: resourceUrl(paymentsBaseUrl, call),
      payer,
      issuedAt: Math.floor(settledAt.getTime() / 1000),
      transaction,
    })
  }
}

/** Adds the id by which `GET /payments/{paymentId}` finds the payment. */
export function withPaymentId(reply: Reply, id: string): Reply {
  return { ...reply, headers: { ...reply.headers, 'x-payment-id': id } }
}

/**
 * Adds the headers of a reply whose payment is settled after its delivery: no receipt, but the id by which
 * the caller can find out what was taken.
 */
export function unsettled(reply: Reply, id: string): Reply {
  const { headers, ...rest } = withPaymentId(reply, id)
  return { ...rest, headers: { ...headers, ...notForOthers(reply.status) } }
}

interface Receipt {
  readonly success: boolean
  readonly transaction: string
  readonly payer: string
  readonly errorReason?: string
}

/** @param more fields that only v2's header has. */
function withReceipt(reply: Reply, receipt: Receipt, network: Network, more: object = {}): Reply {
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'payment-response': encode({ ...receipt, network: network.caip2, ...more }),
      'x-payment-response': encode({ ...receipt, network: network.name }),
      ...notForOthers(reply.status),
    },
  }
}

/** A shared cache must not give a paid reply to another caller. */
function notForOthers(status: number): Readonly<Record<string, string>> {
  return {
    'cache-control': status === 402 ? 'no-store' : 'private, no-store',
    vary: paymentHeaders.join(', '),
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}
