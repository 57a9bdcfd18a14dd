import { wrapFetch } from '@dexterai/x402/client'
import { callWithFetch, serveOrders } from './serve-orders.mjs'

serveOrders((order) => {
  const payingFetch = wrapFetch(fetch, {
    evmPrivateKey: order.privateKey,
    // It looks at the wallet's balance before it signs.
    rpcUrls: { 'eip155:84532': order.rpcUrl },
    ...(order.limitUsdc ? { maxAmountAtomic: `${Number(order.limitUsdc) * 1_000_000}` } : {}),
  })
  return callWithFetch(payingFetch, order)
})
