import { wrap } from '@faremeter/fetch'
import { createPaymentHandler } from '@faremeter/payment-evm/exact'
import { createLocalWallet } from '@faremeter/wallet-evm'
import { baseSepolia } from 'viem/chains'
import { callWithFetch, serveOrders } from './serve-orders.mjs'

serveOrders(async (order) => {
  const wallet = await createLocalWallet(baseSepolia, order.privateKey)
  return callWithFetch(wrap(fetch, { handlers: [createPaymentHandler(wallet)] }), order)
})
