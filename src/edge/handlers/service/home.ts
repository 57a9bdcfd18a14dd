import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json, text } from '../../../core/reply.ts'
import { createDocument } from '../document.ts'
import type { HtmlPage } from './html-page.ts'
import { describeOffer, link, type OfferSources, offerSchema } from './offer.ts'
import { preferredForm } from './prefers-html.ts'

/**
 * GET /: what stands at this address. A browser gets a page, every other client what the health document says of the
 * endpoints and the first steps, with links to the documents that are served.
 */

export const homeSchema = z.strictObject({
  service: z.string(),
  provider: z.string(),
  description: z.string(),
  network: z.string(),
  play_money: z.string().optional().describe('says that the money is not real, where it is not'),
  ...offerSchema.shape,
  _links: z.strictObject({
    self: link,
    pricing: link.optional(),
    docs: link.optional(),
    reference: link,
    health: link.optional(),
    payments: link.optional(),
    openapi: link.optional().describe('the API of the paid operations, for everyone'),
    llms: link.optional().describe('the guide for language models'),
    mcp: link.optional().describe('the card of the MCP server'),
  }),
})

export type HomeDocument = z.infer<typeof homeSchema>

export const homeRows = {
  getHome: {
    ...noInput,
    method: 'GET',
    path: '/',
    response: homeSchema,
    docs: {
      summary: 'Read what is here',
      details: '',
      tag: 'service',
      mediaTypes: ['application/json', 'text/html', 'text/markdown'],
      errors: [],
      example: {},
    },
  },
} satisfies EndpointRows

export interface HomeSources extends OfferSources {
  readonly network: string
  /** Says that the money is not real; undefined where it is. */
  readonly playMoney: string | undefined
  /** The page, from the catalog in use. */
  readonly page: (document: HomeDocument) => HtmlPage
  /** The same as markdown. */
  readonly markdown: () => string
  /** The Link header: where everything else is. */
  readonly links: () => string
  /** Where a document is served. */
  readonly find: (path: string) => string | undefined
}

export function homeHandlers(sources: HomeSources): Handlers<typeof homeRows> {
  const head = () => ({ ...varied, link: sources.links() })
  const asJson = createDocument(sources.catalog, () => json(200, homeDocument(sources), head()))
  const asPage = createDocument(sources.catalog, () => {
    const { html, headers } = sources.page(homeDocument(sources))
    return text(200, 'text/html; charset=utf-8', html, { ...head(), ...headers })
  })
  const asMarkdown = createDocument(sources.catalog, () =>
    text(200, 'text/markdown; charset=utf-8', sources.markdown(), head()),
  )
  const forms = { json: asJson, html: asPage, markdown: asMarkdown }
  return {
    getHome: { document: (headers) => forms[preferredForm(headers.accept)](headers) },
  }
}

const varied = { 'cache-control': 'public, max-age=60', vary: 'Accept' }

function homeDocument(sources: HomeSources): HomeDocument {
  const { baseUrl, paymentsBaseUrl, network, playMoney } = sources
  const { provider, operations } = sources.catalog()
  /** Undefined for an operation that the catalog does not offer. */
  const linkTo = (id: string, href: string) => (operations[id] ? { href, method: 'GET' as const } : undefined)
  const linkToDocument = (path: string) => {
    const href = sources.find(path)
    return href === undefined ? undefined : { href, method: 'GET' as const }
  }
  const { _links: _, ...offer } = describeOffer(sources)
  return {
    service: 'tollgate',
    provider: provider.name,
    description: provider.description,
    network,
    ...(playMoney !== undefined && { play_money: playMoney }),
    ...offer,
    _links: {
      self: { href: `${baseUrl}/`, method: 'GET' },
      pricing: linkTo('getPricing', `${paymentsBaseUrl}/pricing`),
      docs: linkTo('getPricingMarkdown', `${baseUrl}/pricing.md`),
      reference: { href: `${baseUrl}/docs`, method: 'GET' },
      health: linkTo('getHealth', `${baseUrl}/api/health`),
      payments: linkTo('getPaymentsHealth', `${paymentsBaseUrl}/health`),
      openapi: linkToDocument('/payments/openapi.json'),
      llms: linkToDocument('/llms.txt'),
      mcp: linkToDocument('/.well-known/mcp/server-card'),
    },
  }
}
