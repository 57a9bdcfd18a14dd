import type { DocumentTexts } from '../handlers/discovery/documents.ts'
import { oncePer } from '../handlers/document.ts'
import { agentCard, aiPlugin, oldAgentCard } from './documents/agent-cards.ts'
import { aiCatalog, apiCatalog, mcpServerCard, paidMcpServerCard } from './documents/catalogs.ts'
import { icon, robots, securityContact, sitemap } from './documents/crawlers.ts'
import { agentsGuide, apiLlms, docsLlms, homeMarkdown, llms, llmsFull } from './documents/guides.ts'
import { docsLinks, documentLinks, homeLinks } from './documents/links.ts'
import { passagesOf } from './documents/passages.ts'
import { referenceMarkdown } from './documents/reference-markdown.ts'
import { skillFiles, skillIndex } from './documents/skills.ts'
import { openApiDocument } from './openapi/document.ts'
import { readReference, renderReference } from './reference.ts'
import type { Site } from './site.ts'

interface DocumentSources {
  readonly catalog: () => object
  /** What is there, by the catalog in use. */
  readonly site: () => Site
  readonly pricingMarkdown: () => string
  /** What GET /api/webhooks/subscribe tells. */
  readonly webhooks: () => Readonly<Record<string, unknown>>
  /** The metadata of the resource that an MCP server is, by its address. */
  readonly protectedResource: (resource: string) => object
  readonly now: () => number
}

/** Every discovery document with what writes it. */
export function documentTexts(sources: DocumentSources): DocumentTexts {
  const { catalog, site, pricingMarkdown, webhooks, protectedResource, now } = sources
  const json = (write: (site: Site) => object) => () => ({ body: JSON.stringify(write(site())) })
  const text = (write: (site: Site) => string) => () => ({ body: write(site()) })
  /** Only while the MCP server is served. */
  const resourceAt = (path: string) => () => {
    const address = site().find(path, 'POST')
    return address === undefined ? undefined : { body: JSON.stringify(protectedResource(address)) }
  }
  const links = () => homeLinks(site())
  const reference = () => readReference(openApiDocument(site(), 'all'), site())
  return {
    catalog,
    links,
    find: (path) => site().find(path),
    documentLinks: () => documentLinks(site()),
    passages: oncePer(catalog, () =>
      passagesOf(site(), { pricing: pricingMarkdown(), webhooks: webhooks() }),
    ),
    openApi: () => JSON.stringify(openApiDocument(site(), 'all')),
    skills: () => skillFiles(site()),
    texts: {
      getAgentCard: json(agentCard),
      getOldAgentCard: json(oldAgentCard),
      getAiPlugin: json(aiPlugin),
      getMcpCard: json(mcpServerCard),
      getMcpServerCard: json(mcpServerCard),
      getMcpServerCardJson: json(mcpServerCard),
      getPaidMcpCard: json(paidMcpServerCard),
      getPaidMcpServerCard: json(paidMcpServerCard),
      getAiCatalog: json(aiCatalog),
      getSkillIndex: json(skillIndex),
      getApiCatalog: () => ({
        body: JSON.stringify(apiCatalog(site())),
        contentType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      }),
      getMcpResource: resourceAt('/.well-known/mcp'),
      getPaidMcpResource: resourceAt('/mcp'),
      getLlms: text(llms),
      getWellKnownLlms: text(llms),
      getApiLlms: text(apiLlms),
      getDocsLlms: text(docsLlms),
      getLlmsFull: () => ({ body: llmsFull(site(), pricingMarkdown()) }),
      getAgentsGuide: text(agentsGuide),
      getHomeMarkdown: () => ({ body: homeMarkdown(site()), headers: { link: links() } }),
      getRobots: text(robots),
      getSitemap: text(sitemap),
      getSecurityContact() {
        const body = securityContact(site(), now())
        return body === undefined ? undefined : { body }
      },
      getIcon: () => ({ body: icon }),
      getDocsPage() {
        const { html, headers } = renderReference(reference())
        return { body: html, headers: { ...headers, vary: 'Accept', link: docsLinks(site()) } }
      },
      getDocsMarkdown: () => ({
        body: referenceMarkdown(reference()),
        headers: { link: docsLinks(site()) },
      }),
      getPaymentsOpenApi: () => ({ body: JSON.stringify(openApiDocument(site(), 'payments')) }),
    },
  }
}
