/** What the gateways of the abuse run sell: one operation for each attack and for each kind of honest payer. */

/** Prices in atomic units. */
export const prices = {
  /** One call of `/shop/work`, `/shop/upload` or `/shop/refuse`. */
  call: 100_000n,
  /** One lead research, which a handler of the gateway makes. */
  research: 250_000n,
  /** One word of a stream, and the maximum of a stream. */
  word: 400n,
  stream: 50_000n,
} as const

export const paths = {
  work: '/shop/work',
  refuse: '/shop/refuse',
  research: '/api/leads/research',
  stream: '/shop/v1/chat/completions',
} as const

/**
 * How long a payment may be used, in seconds. The chain gives each block its own second, so its clock runs ahead while
 * many payments are settled.
 */
export const validitySeconds = 86_400

/** @param upstream the address of the far end. */
export function catalogOf(upstream: string): string {
  const common = `deadline_seconds: 20, validity_seconds: ${validitySeconds}`
  return `
provider: { name: Soak, description: Sells work to honest payers and to attackers. }
upstreams:
  shop: { prefix: /shop, targets: ["${upstream}"], private: true, retries: 0 }
operations:
  buyWork:
    { access: price, upstream: shop, route: POST /work, price: "0.10", ${common}, description: A piece of work. }
  buyRefusal:
    { access: price, upstream: shop, route: POST /refuse, price: "0.10", ${common}, description: Work that fails. }
  askModel:
    access: price
    upstream: shop
    route: POST /v1/chat/completions
    description: A stream of words.
    deadline_seconds: 20
    validity_seconds: ${validitySeconds}
    price: { per: tokens, units: 1000, output: "0.40", max: "0.05" }
  researchLead: { access: price, price: "0.25", ${common}, description: A sales conversation with a company. }
  getPaymentsHealth: { access: open, description: Whether payments work. }
  getPayment: { access: open, description: What became of a payment. }
`
}
