/**
 * fetch for clients of x402 that look at 402 alone. Where a free quota or an allowance is used up the reply is a 429
 * that names the price all the same: to whoever can pay that is as good as a 402.
 */
export async function fetchOrPay(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  if (response.status !== 429 || !response.headers.has('payment-required')) return response
  return new Response(response.body, { status: 402, headers: response.headers })
}
