import type { Catalog, Operation } from '../../../core/catalog/catalog.ts'
import { failedCallText } from '../../../core/catalog/failed-call.ts'
import { priceText } from '../../../core/catalog/priced-operation.ts'
import type { Meter } from '../../../core/catalog/prices.ts'
import type { Endpoint } from '../../../core/endpoint.ts'
import { formatUsdc, parseUsdc } from '../../../core/money.ts'
import type { PricingDocument } from '../../handlers/service/pricing.ts'
import { exampleBody, inputFields, outputFields } from './fields.ts'
import { describeTiers, limitsText } from './tiers.ts'

/**
 * The price list as data, derived from the catalog and the endpoint table. All its forms (JSON, markdown,
 * page) are made from it, so none can name another price than the payment door.
 */

export interface PricingInput {
  readonly catalog: Catalog
  readonly endpoints: readonly Endpoint[]
  readonly network: { readonly name: string }
  /** `local`: a chain on this machine, which has the name of a network and none of its money. */
  readonly chain: 'local' | 'public'
  /** The receiving address. */
  readonly payTo: string
  /** Both without a trailing slash. */
  readonly baseUrl: string
  readonly paymentsBaseUrl: string
}

/**
 * Writes the pricing document of specification 4.15, with one service for each operation that a payment
 * opens. The free operations and the tiers are added to it.
 */
export function pricingDocument(input: PricingInput): PricingDocument {
  const { provider, tiers } = input.catalog
  const rows = served(input)
  return {
    provider: provider.name,
    description: provider.description,
    website: provider.website ?? `${input.baseUrl}/pricing`,
    protocol: 'x402',
    network: input.network.name,
    asset: 'USDC',
    recipient: input.payTo,
    services: rows.flatMap(({ endpoint, operation }) => {
      const { priced } = operation
      if (!priced) return []
      const free = freeLimits(operation)
      const failedCalls = failedCallText(priced)
      return {
        endpoint: nameOf(endpoint),
        price: priceText(priced),
        priceUSDC: formatUsdc(parseUsdc(priced.price)),
        ...(priced.meter && { metered: meteredOf(priced.meter) }),
        ...(free !== undefined && { free }),
        ...(failedCalls !== undefined && { failedCalls }),
        description: operation.description,
        input: inputFields(endpoint.body),
        output: outputFields(endpoint.response),
      }
    }),
    freeOperations: rows.flatMap(({ endpoint, operation }) => {
      const free = freeLimits(operation)
      if (free === undefined) return []
      const input = inputFields(endpoint.body)
      const fields = Object.keys(input).length > 0 ? { input } : {}
      return { endpoint: nameOf(endpoint), free, description: operation.description, ...fields }
    }),
    tiers: describeTiers(
      tiers,
      rows.map(({ endpoint }) => endpoint),
    ),
  }
}

/** The document, with the additions of the forms for people. */
export interface PricingOverview {
  readonly document: PricingDocument
  /** The operations for key holders only. */
  readonly keyed: readonly { readonly endpoint: string; readonly description: string }[]
  /** The operations of upstreams, as `endpoint` names them: their fields are not known here. */
  readonly relayed: ReadonlySet<string>
  /** A shell command that gets a 402; undefined when no operation of our own replies with one. */
  readonly firstCall: string | undefined
  /** A shell command that is served on a free quota; undefined when no operation of our own has one. */
  readonly freeCall: string | undefined
  /** Where the results of a scan that `freeCall` starts are read. */
  readonly freeResults: string | undefined
  /** Says that the money is not real; undefined where it is. */
  readonly playMoney: string | undefined
  /** How long a signed payment may be used. */
  readonly validity: string
  readonly jsonUrl: string
  readonly markdownUrl: string
}

export function pricingOverview(input: PricingInput): PricingOverview {
  const rows = served(input)
  // An operation with a free quota would serve the call instead of naming its price.
  const first = rows.find(({ endpoint, operation }) => operation.access === 'price' && !endpoint.upstream)
  const free = rows.find(
    ({ endpoint: { method, upstream }, operation: { access } }) =>
      access === 'optional' && method === 'POST' && !upstream,
  )
  const results = rows.find(
    ({ endpoint: { id }, operation: { access } }) =>
      free?.endpoint.id === 'triggerScan' && id === 'getScanResults' && access === 'optional',
  )
  return {
    document: pricingDocument(input),
    keyed: rows
      .filter(({ operation: { access } }) => access === 'key' || access === 'holder')
      .map(({ endpoint, operation }) => ({
        endpoint: nameOf(endpoint),
        description: operation.description,
      })),
    relayed: new Set(
      rows.filter(({ endpoint }) => endpoint.upstream).map(({ endpoint }) => nameOf(endpoint)),
    ),
    firstCall: first && curl(input.paymentsBaseUrl, first.endpoint),
    freeCall: free && curl(free.operation.priced ? input.paymentsBaseUrl : input.baseUrl, free.endpoint),
    freeResults: results && nameOf(results.endpoint),
    playMoney: playMoney(input),
    validity: validityText(rows.flatMap(({ operation }) => operation.priced?.validitySeconds ?? [])),
    jsonUrl: `${input.paymentsBaseUrl}/pricing`,
    markdownUrl: `${input.baseUrl}/pricing.md`,
  }
}

/** A caller must know before it signs whether the price is in money that is worth something. */
export function playMoney({
  network: { name },
  chain,
}: Pick<PricingInput, 'network' | 'chain'>): string | undefined {
  if (chain === 'local') {
    return 'This gateway runs on a local chain, for trying it out. Its USDC is play money: a payment here costs nothing and is worth nothing.'
  }
  if (name === 'base') return undefined
  return `This gateway runs on the test network ${name}. USDC is play money there: a payment here costs nothing and is worth nothing.`
}

/** @param seconds of each operation that is sold. */
function validityText(seconds: readonly number[]): string {
  if (seconds.length === 0) return 'A signed payment is valid for the maxTimeoutSeconds that its price names.'
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)]
  const during = least === most ? `${most} seconds` : `${least} to ${most} seconds, by the operation`
  return `A signed payment is valid for ${during}: its price says it in maxTimeoutSeconds.`
}

/** How often a caller without a key or payment may call; undefined when it may not. */
function freeLimits(operation: Operation): string | undefined {
  if (operation.access === 'open') return limitsText([], undefined)
  if (operation.access !== 'optional') return undefined
  return limitsText(operation.free ? [operation.free] : [], operation.rate)
}

function nameOf({ method, path, upstream }: Endpoint): string {
  return `${method} ${upstream?.host ?? ''}${path}`
}

function meteredOf({ per, units, base, input, output, max, maxUnits }: Meter) {
  return { per, units, base, input, output, max, maxUnits }
}

/** An endpoint without an entry in the catalog is not served, so the documents do not name it. */
function served({ catalog, endpoints }: PricingInput) {
  return endpoints.flatMap((endpoint) => {
    const operation = catalog.operations[endpoint.id]
    return operation ? { endpoint, operation } : []
  })
}

function curl(base: string, { method, path, body }: Endpoint): string {
  const lines = [`curl -i -X ${method} ${quoted(base + path)}`]
  if (method === 'POST') {
    lines.push(`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(exampleBody(body)))}`)
  }
  return lines.join(' \\\n  ')
}

/** Quotes text as one word of a POSIX shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
