import type { Endpoint } from '../core/endpoint.ts'
import { type Offer, requirementsFor } from '../doors/x402/wire/requirements.ts'
import { type PricingInput, pricingDocument, pricingOverview } from '../edge/discovery/pricing/document.ts'
import { pricingMarkdown } from '../edge/discovery/pricing/markdown.ts'
import { createSite, type Site } from '../edge/discovery/site.ts'
import { documentTexts } from '../edge/discovery/texts.ts'
import type { DocumentTexts } from '../edge/handlers/discovery/documents.ts'
import { oncePer } from '../edge/handlers/document.ts'
import type { OAuthDocuments } from '../edge/handlers/keys/oauth.ts'

interface SiteOptions {
  /** Read anew for each catalog: the endpoints that serve documents are described by them, too. */
  readonly pricing: () => PricingInput
  readonly catalog: () => object
  readonly version: string
  readonly offer: Offer
  readonly oauth: OAuthDocuments
  readonly now: () => number
}

/** Connects the discovery documents with the endpoints, the catalog and the way to be paid. */
export function openDocuments(options: SiteOptions): DocumentTexts {
  const { pricing, catalog, version, offer, oauth, now } = options
  const site = oncePer(catalog, (): Site => {
    const input = pricing()
    const { baseUrl, paymentsBaseUrl, endpoints } = input
    const { firstCall, freeCall, playMoney } = pricingOverview(input)
    return createSite({
      version,
      baseUrl,
      paymentsBaseUrl,
      catalog: input.catalog,
      pricing: pricingDocument(input),
      firstCall,
      freeCall,
      playMoney,
      endpoints,
      accepts: (operation) => {
        const sold = operation.access === 'tier' ? Object.values(operation.offers) : [operation]
        return sold.flatMap(({ priced }) => (priced ? requirementsFor(priced, offer) : []))
      },
    })
  })
  return documentTexts({
    catalog,
    site,
    pricingMarkdown: () => pricingMarkdown(pricing()),
    protectedResource: () => ({
      ...oauth.protectedResource(),
      resource: `${site().baseUrl}/.well-known/mcp`,
    }),
    now,
  })
}

/**
 * Where the payments side has a host of its own, that host describes what is paid for at the address where directories
 * of paid services look.
 */
export function atPaymentsHost(
  endpoints: readonly Endpoint[],
  { baseUrl, paymentsBaseUrl }: { readonly baseUrl: string; readonly paymentsBaseUrl: string },
): readonly Endpoint[] {
  const { host } = new URL(paymentsBaseUrl)
  const document = endpoints.find(({ id }) => id === 'getPaymentsOpenApi')
  if (!document || host === new URL(baseUrl).host) return endpoints
  return [...endpoints, { ...document, path: '/openapi.json', host }]
}
