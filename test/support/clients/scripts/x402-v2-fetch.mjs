import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { callWithFetch, serveOrders } from './serve-orders.mjs'

serveOrders((order) => {
  const account = privateKeyToAccount(order.privateKey)
  const scheme =
    order.scheme === 'upto'
      ? new UptoEvmScheme(account, { rpcUrl: order.rpcUrl })
      : new ExactEvmScheme(account)
  const client = new x402Client().register('eip155:*', scheme)
  if (order.limitUsdc) client.setSpendControls({ maxAmountPerPayment: `$${order.limitUsdc}` })
  return callWithFetch(wrapFetchWithPayment(fetch, client), order)
})
