import { x402Client, x402HTTPClient } from '@payai/x402/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { privateKeyToAccount } from 'viem/accounts'
import { callWithFetch, serveOrders } from './serve-orders.mjs'

serveOrders((order) => {
  const account = privateKeyToAccount(order.privateKey)
  const scheme =
    order.scheme === 'upto'
      ? new UptoEvmScheme(account, { rpcUrl: order.rpcUrl })
      : new ExactEvmScheme(account)
  const client = new x402HTTPClient(new x402Client().register('eip155:*', scheme))
  return callWithFetch((url, init) => payingFetch(client, url, init), order)
})

/** The package has the three steps of a payment, and leaves the requests to its user. */
async function payingFetch(client, url, init) {
  const unpaid = await fetch(url, init)
  if (unpaid.status !== 402) return unpaid
  const required = client.getPaymentRequiredResponse((name) => unpaid.headers.get(name), await unpaid.json())
  const payment = client.encodePaymentSignatureHeader(await client.createPaymentPayload(required))
  const paid = await fetch(url, { ...init, headers: { ...init.headers, ...payment } })
  if (paid.status === 402) {
    const refused = client.getPaymentRequiredResponse((name) => paid.headers.get(name), await paid.json())
    throw new Error(refused.error)
  }
  client.getPaymentSettleResponse((name) => paid.headers.get(name))
  return paid
}
