import { bind, type Endpoint } from '../core/endpoint.ts'
import { type Offer, requirementsFor } from '../doors/x402/wire/requirements.ts'
import { type PricingInput, pricingDocument, pricingOverview } from '../edge/discovery/pricing/document.ts'
import { pricingMarkdown } from '../edge/discovery/pricing/markdown.ts'
import { createSite, type Site } from '../edge/discovery/site.ts'
import { documentTexts } from '../edge/discovery/texts.ts'
import type { DocumentTexts } from '../edge/handlers/discovery/documents.ts'
import { oncePer } from '../edge/handlers/document.ts'
import type { OAuthDocuments } from '../edge/handlers/keys/oauth.ts'
import { mcpRows } from '../edge/handlers/mcp/mcp.ts'
import { webhookDocumentation } from '../edge/handlers/webhooks/documentation.ts'
import type { SubscriptionLimits } from '../products/webhooks/subscriptions/subscriptions.ts'

interface SiteOptions {
  /** Read anew for each catalog: the endpoints that serve documents are described by them, too. */
  readonly pricing: () => PricingInput
  readonly catalog: () => object
  readonly version: string
  readonly offer: Offer
  readonly oauth: OAuthDocuments
  readonly webhooks: SubscriptionLimits
  readonly now: () => number
  /** Whether offers and receipts are signed. */
  readonly hasSigner: boolean
}

/** The MCP servers answer beside the chain, so the table of endpoints does not hold them. */
const mcpEndpoints = bind(mcpRows, { callTools: notServed, callPaidTools: notServed })

function notServed(): never {
  throw new Error('an MCP endpoint that only documents name was called')
}

/** Connects the discovery documents with the endpoints, the catalog and the way to be paid. */
export function openDocuments(options: SiteOptions): DocumentTexts {
  const { pricing, catalog, version, offer, oauth, webhooks, now, hasSigner } = options
  const site = oncePer(catalog, (): Site => {
    const input = pricing()
    const { baseUrl, paymentsBaseUrl } = input
    const endpoints = [...input.endpoints, ...mcpEndpoints]
    const { firstCall, freeCall, playMoney } = pricingOverview(input)
    // Their endpoints answer 404 while there is nothing to tell.
    const silent = new Set([
      ...(hasSigner ? [] : ['getSigner']),
      ...(input.catalog.provider.contact === undefined ? ['getSecurityContact'] : []),
      ...(endpoints.some(({ id }) => id === 'callTools') ? [] : ['getMcpResource']),
    ])
    return createSite({
      version,
      baseUrl,
      paymentsBaseUrl,
      catalog: input.catalog,
      pricing: pricingDocument(input),
      firstCall,
      freeCall,
      playMoney,
      endpoints: endpoints.filter(({ id }) => !silent.has(id)),
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
    webhooks: () => webhookDocumentation(webhooks),
    protectedResource: (resource) => ({ ...oauth.protectedResource(), resource }),
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
