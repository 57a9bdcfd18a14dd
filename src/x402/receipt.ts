import type { Network } from '../chain/networks.ts'
import type { Reply } from '../core/call.ts'
import { paymentHeaders } from './headers.ts'

/**
 * What a paid reply carries: the transaction that bears the payment, in v2's header and in v1's, whose
 * clients know the network by another name.
 */
interface Receipt {
  readonly success: boolean
  readonly transaction: string
  readonly payer: string
  readonly errorReason?: string
}

export function withReceipt(reply: Reply, receipt: Receipt, network: Network): Reply {
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'payment-response': encode({ ...receipt, network: network.caip2 }),
      'x-payment-response': encode({ ...receipt, network: network.name }),
      // What one caller paid for must not reach another one out of a cache.
      'cache-control': reply.status === 402 ? 'no-store' : 'private, no-store',
      vary: paymentHeaders.join(', '),
    },
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}
