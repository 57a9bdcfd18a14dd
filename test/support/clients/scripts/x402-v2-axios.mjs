import { wrapAxiosWithPayment, x402Client } from '@x402/axios'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import axios from 'axios'
import { privateKeyToAccount } from 'viem/accounts'
import { callWithAxios, serveOrders } from './serve-orders.mjs'

serveOrders((order) => {
  const account = privateKeyToAccount(order.privateKey)
  const scheme =
    order.scheme === 'upto'
      ? new UptoEvmScheme(account, { rpcUrl: order.rpcUrl })
      : new ExactEvmScheme(account)
  return callWithAxios(
    wrapAxiosWithPayment(axios.create(), new x402Client().register('eip155:*', scheme)),
    order,
  )
})
