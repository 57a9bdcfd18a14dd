/**
 * `fetch` for x402 clients that look at status 402 alone. When a free quota or an allowance is used up, the gateway
 * answers 429 with the price; this turns that reply into a 402, so that the client pays it.
 */
export async function fetchOrPay(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  if (response.status !== 429 || !response.headers.has('payment-required')) return response
  return new Response(response.body, { status: 402, headers: response.headers })
}
