import type { Catalog, Operation } from '../../core/catalog/catalog.ts'
import type { Endpoint, EndpointRow } from '../../core/endpoint.ts'
import type { Requirement } from '../../doors/x402/wire/types.ts'
import type { PricingDocument } from '../handlers/service/pricing.ts'

/**
 * What stands at our addresses. Every discovery document is written from this value, and takes each address from it: so
 * no document names what does not answer, and none can be led to another host by a request.
 */
export interface Site {
  readonly version: string
  /** Both without a trailing slash. */
  readonly baseUrl: string
  readonly paymentsBaseUrl: string
  readonly catalog: Catalog
  readonly pricing: PricingDocument
  /** A shell command that gets a 402, and one that is free; undefined without such an operation. */
  readonly firstCall: string | undefined
  readonly freeCall: string | undefined
  /** Says that the money is not real; undefined where it is. */
  readonly playMoney: string | undefined
  /** All but the operator's, in the order of the table; upstreams' come last. */
  readonly served: readonly Served[]
  /** Where a GET, or the method named, is answered; undefined where nothing is. */
  readonly find: (path: string, method?: string) => string | undefined
  /** The ways to pay for an operation. */
  readonly accepts: (operation: Operation) => readonly Requirement[]
}

/** An endpoint and how it may be used. */
export interface Served {
  readonly endpoint: Endpoint
  readonly operation: Operation | NonNullable<EndpointRow['operation']>
  /** Absolute; parameters stand in braces. */
  readonly url: string
}

export interface SiteInput extends Omit<Site, 'served' | 'find'> {
  readonly endpoints: readonly Endpoint[]
}

/** Looks up what is served of all endpoints. */
export function createSite({ endpoints, ...site }: SiteInput): Site {
  const served = endpoints.flatMap((endpoint): Served[] => {
    const operation = endpoint.operation ?? site.catalog.operations[endpoint.id]
    if (!operation || operation.access === 'operator') return []
    return [{ endpoint, operation, url: `${baseOf(endpoint, operation, site)}${endpoint.path}` }]
  })
  const urls = new Map(served.map(({ endpoint: { method, path }, url }) => [`${method} ${path}`, url]))
  return { ...site, served, find: (path, method = 'GET') => urls.get(`${method} ${path}`) }
}

/** What is paid for, and what tells of payments, has the address that the payers know. */
function baseOf(
  { path, upstream }: Endpoint,
  operation: Served['operation'],
  { baseUrl, paymentsBaseUrl }: Pick<Site, 'baseUrl' | 'paymentsBaseUrl'>,
): string {
  if (upstream?.host !== undefined) return `${new URL(baseUrl).protocol}//${upstream.host}`
  const isPayments = isForSale(operation) || paymentsPaths.test(path)
  return isPayments ? paymentsBaseUrl : baseUrl
}

const paymentsPaths =
  /^\/(?:payments\/.*|pricing|health|mcp(?:\/server-card)?|\.well-known\/(?:did\.json|oauth-protected-resource\/mcp))$/

/** Whether a payment opens it. */
export function isForSale(operation: Served['operation']): boolean {
  return operation.priced !== undefined || operation.access === 'tier'
}
