import type { FarEndPlace } from './case.ts'

/** What the gateway of the edge run sells: one operation for each way to a door that an attack takes. */

export const paths = {
  /** Open documents of the gateway's own. */
  documents: ['/pricing', '/pricing.md', '/.well-known/pricing.md', '/api/health', '/', '/health'],
  /** A fixed price. */
  work: '/far/work',
  /** Priced by tokens, with a free quota. */
  model: '/far/v1/chat/completions',
  /** Priced by a field of the body. */
  draw: '/far/draw',
  /** Priced by a field of the query. */
  size: '/far/size',
  /** Priced by the items of the reply, with a free quota: a list in one place, and everything. */
  items: '/far/items',
  everything: '/far/everything',
  /** Open, and by tokens with a free quota: one byte after another. */
  drip: '/far/drip',
  words: '/far/words',
  /** Refused upgrades, open and for a fixed price. */
  socket: '/far/socket',
  paidSocket: '/far/paid-socket',
  /** Priced by bytes, with a base: replies without any. */
  nothing: '/far/nothing',
  /** One page for a price beside an open rest. */
  premium: '/shop/premium.html',
  /** Replies that are no HTTP. */
  raw: '/raw',
  countedRaw: '/raw/counted',
} as const

/** In atomic units. */
export const prices = { work: 10_000n, size: 10_000n, maxSize: 400_000n, base: 100n, most: 20_000n } as const

export function catalogOf({ url, rawUrl }: FarEndPlace): string {
  const tokens = `{ per: tokens, units: 1000000, base: "0.000010", input: "0.50", output: "2.00", max: "0.05", max_units: 50000 }`
  return `
provider: { name: Soak, description: Sells what attackers ask for. }
upstreams:
  far: { prefix: /far, targets: ["${url}"], private: true, retries: 0, response_headers: ["*"] }
  shop: { prefix: /shop, targets: ["${url}/shop"], private: true, retries: 0 }
  raw: { prefix: /raw, targets: ["${rawUrl}"], private: true, retries: 0, idle_seconds: 5, first_byte_seconds: 5, health: { failures: 100 } }
operations:
  buyWork: { access: price, upstream: far, route: POST /work, price: "0.01", description: A piece of work. }
  askModel: { access: optional, upstream: far, route: POST /v1/chat/completions, free: 900000000 tokens/day, price: ${tokens}, description: The answer of a language model. }
  readWords: { access: optional, upstream: far, route: GET /words, free: 900000000 tokens/day, price: ${tokens}, description: Words of a language model. }
  drawPicture:
    access: price
    upstream: far
    route: POST /draw
    description: Pictures from a description.
    price: { per: request, count: "has(body.n) ? body.n : 1", each: "0.01", max: "0.40" }
  readSize:
    access: price
    upstream: far
    route: GET /size
    description: As much as is asked for.
    price: { per: request, count: "int(query.n)", each: "0.01", max: "0.40" }
  listItems:
    access: optional
    upstream: far
    route: GET,POST /items
    free: 900000000 items/day
    description: A list, by the item.
    price: { per: items, items: "$.data[*]", output: "0.000001", max: "0.05", max_units: 50000 }
  listEverything:
    access: optional
    upstream: far
    route: GET /everything
    free: 900000000 items/day
    description: All values of a document.
    price: { per: items, items: "$..*", output: "0.000001", max: "0.05", max_units: 50000 }
  readNothing:
    access: price
    upstream: far
    route: GET /nothing/*
    description: Replies without a body.
    price: { per: bytes, base: "0.0001", output: "0.000001", max: "0.02" }
  listNothing:
    access: price
    upstream: far
    route: GET /no-items
    description: An empty list.
    price: { per: items, items: "$.data[*]", base: "0.0001", output: "0.000001", max: "0.02" }
  readDrip: { access: open, upstream: far, route: GET /drip, description: One byte after another., deadline_seconds: 300 }
  openSocket: { access: open, upstream: far, route: GET /socket, description: A WebSocket. }
  buySocket: { access: price, upstream: far, route: GET /paid-socket, price: "0.01", description: A WebSocket for a price. }
  readPremium: { access: price, upstream: shop, route: GET /premium.html, price: "0.01", description: The page that costs. }
  readShop: { access: open, upstream: shop, route: GET /*, description: All other pages. }
  readCountedRaw: { access: optional, upstream: raw, route: GET /counted/*, free: 900000000 tokens/day, price: ${tokens}, description: The same by the token. }
  readRaw: { access: open, upstream: raw, route: GET /*, description: What no server should send. }
  analyzeBusiness: { access: price, price: "0.10", description: Three opportunities for a business. }
  triggerScan: { access: optional, rate: 100000/minute, description: Starts a scan of a website. }
  getScanStatus: { access: optional, rate: 100000/minute, description: How far a scan is. }
  stream: { access: optional, rate: 100000/minute, description: The progress of a scan as it happens., deadline_seconds: 60 }
  getHome: { access: open, description: What this service is. }
  getHealth: { access: open, description: Whether the service works. }
  getPaymentsHealth: { access: open, description: Whether payments work. }
  getPricing: { access: open, description: The prices. }
  getPricingMarkdown: { access: open, description: The prices as markdown. }
  getWellKnownPricing: { access: open, description: The same text at the well-known address. }
  getPayment: { access: open, description: What became of a payment. }
`
}
