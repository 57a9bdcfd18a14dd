import axios from 'axios'
import { createSigner, withPaymentInterceptor } from 'x402-axios'
import { callWithAxios, serveOrders } from './serve-orders.mjs'

serveOrders(async (order) => {
  const signer = await createSigner('base-sepolia', order.privateKey)
  return callWithAxios(withPaymentInterceptor(axios.create(), signer), order)
})
