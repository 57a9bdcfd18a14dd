import { createSigner, wrapFetchWithPayment } from '@b3dotfun/anyspend-x402-fetch'
import { callWithFetch, serveOrders } from './serve-orders.mjs'

serveOrders(async (order) => {
  const signer = await createSigner('base-sepolia', order.privateKey)
  const limit = order.limitUsdc ? [BigInt(Number(order.limitUsdc) * 1_000_000)] : []
  return callWithFetch(wrapFetchWithPayment(fetch, signer, ...limit), order)
})
