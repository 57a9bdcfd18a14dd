import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi'
import { operationTags } from '../../../core/documented/operation-docs.ts'
import { applyWireForm } from '../../../core/documented/wire-forms.ts'
import { describeEvents } from '../../../products/webhooks/events/payload.ts'
import type { Served, Site } from '../site.ts'
import { isOfPayments, openApiOperation } from './operation.ts'

export type OpenApi = ReturnType<typeof createDocument>

/**
 * Writes the description of our interface in OpenAPI 3.1: of everything that is served, or of what is paid for, which
 * directories of paid services read without a key.
 */
export function openApiDocument(site: Site, scope: 'all' | 'payments'): OpenApi {
  const { version, pricing } = site
  const included = site.served.filter((one) => isDescribed(one) && (scope === 'all' || isOfPayments(one)))
  const isSold = included.some(({ endpoint }) => endpoint.upstream)
  const guide = site.find('/llms.txt')
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: scope === 'all' ? pricing.provider : `${pricing.provider}: paid operations`,
        version,
        description: descriptionOf(site),
        'x-guidance': guidanceOf(site),
      },
      servers: [{ url: homeOf(site, scope) }],
      tags: [
        ...Object.entries(operationTags).map(([name, description]) => ({ name, description })),
        ...(isSold ? [{ name: 'upstreams', description: 'Operations of others, sold by the call.' }] : []),
      ].filter(({ name }) => included.some(({ endpoint }) => (endpoint.docs?.tag ?? 'upstreams') === name)),
      paths: pathsOf(included, site, scope),
      ...(scope === 'all' && { webhooks: webhooks() }),
      components: { securitySchemes },
      ...(guide !== undefined && { 'x-agentcash-guidance': { llmsTxtUrl: guide } }),
    },
    { override: applyWireForm },
  )
}

function homeOf({ baseUrl, paymentsBaseUrl }: Site, scope: 'all' | 'payments'): string {
  return scope === 'all' ? baseUrl : paymentsBaseUrl
}

/** An upstream's operation is described where it is sold: of any other, we know no more than its path. */
function isDescribed({ endpoint, operation }: Served): boolean {
  return endpoint.upstream ? operation.priced !== undefined : endpoint.docs !== undefined
}

function pathsOf(included: readonly Served[], site: Site, scope: 'all' | 'payments'): ZodOpenApiPathsObject {
  const home = homeOf(site, scope)
  const paths: Record<string, ZodOpenApiPathsObject[string]> = {}
  for (const served of included) {
    const { endpoint, url } = served
    const path = endpoint.path.replaceAll('*', '{rest}')
    const base = url.slice(0, url.length - endpoint.path.length)
    const method = methods.find((one) => one === endpoint.method.toLowerCase())
    if (method === undefined || paths[path]?.[method]) continue
    const written = openApiOperation({ ...served, endpoint: { ...endpoint, path } }, site, scope)
    paths[path] = {
      ...paths[path],
      [method]: { ...written, ...(base === home ? {} : { servers: [{ url: base }] }) },
    }
  }
  return paths
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const

function webhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    describeEvents().map(({ event, meaning, payload }) => [
      event,
      {
        post: {
          operationId: `on_${event.replaceAll('.', '_')}`,
          summary: event,
          description: meaning,
          tags: ['webhooks'],
          security: [],
          requestBody: { content: { 'application/json': { schema: { type: 'object' }, example: payload } } },
          responses: { '200': { description: 'Any status from 200 to 299 accepts the event.' } },
        },
      },
    ]),
  )
}

const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-mcp-api-key',
    description: 'An API key of a tier; it raises limits and opens more operations.',
  },
  AccessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token for an API key, from POST /oauth/token.',
  },
} as const

function descriptionOf({ pricing, playMoney }: Site): string {
  return [pricing.description, playMoney].filter((text) => text !== undefined).join('\n\n')
}

function guidanceOf({ find }: Site): string {
  const paying =
    'Send a paid call without a payment first: the 402 says what to pay. Sign one of its requirements with a wallet that holds USDC, and send the same request again with the signed payment in the PAYMENT-SIGNATURE header.'
  return find('/pricing') === undefined ? paying : `${paying} ${find('/pricing')} lists all prices.`
}
