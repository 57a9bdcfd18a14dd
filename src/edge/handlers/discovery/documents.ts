import { z } from 'zod'
import {
  type DocumentHeaders,
  type EndpointRow,
  type EndpointRows,
  type Handlers,
  noInput,
} from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import { text } from '../../../core/reply.ts'
import type { Passage } from '../ask/passage.ts'
import { createDocument, oncePer, type RenderedDocument } from '../document.ts'
import { prefersMarkdown } from '../service/prefers-html.ts'

/**
 * The documents by which programs find out what is here (specification 4.14). Their operations are declared here and
 * not in the catalog, as they name no price: an older catalog must not hide what the gateway offers.
 */

/** JSON whose form its own standard fixes; `discovery/documents` writes it. */
const anyJson = z.record(z.string(), z.unknown())

function row<const Path extends string>(path: Path, mediaType: string, summary: string) {
  return rowOf([mediaType], path, summary)
}

/** @param mediaTypes of its forms, of which a caller without a preference gets the first. */
function rowOf<const Path extends string>(
  mediaTypes: readonly [string, ...string[]],
  path: Path,
  summary: string,
) {
  return {
    ...noInput,
    method: 'GET',
    path,
    response: mediaTypes[0].endsWith('json') ? anyJson : z.string(),
    operation: { access: 'open', description: `${summary}.`, deadlineSeconds: 5 },
    docs: { summary, details: '', tag: 'discovery', mediaTypes, errors: [], example: {} },
  } as const satisfies EndpointRow
}

const markdown = 'text/markdown'
const json = 'application/json'
const openApi = 'application/vnd.oai.openapi+json'

const pathRows = {
  getAgentCard: row('/.well-known/agent-card.json', json, 'Read the agent card (A2A 1.0)'),
  getOldAgentCard: row('/.well-known/agent.json', json, 'Read the agent card (A2A 0.3)'),
  getAiPlugin: row('/.well-known/ai-plugin.json', json, 'Read the plugin manifest'),
  getMcpCard: row(
    '/.well-known/mcp',
    'application/mcp-server-card+json',
    'Read the MCP server card at its server',
  ),
  getMcpServerCard: row(
    '/.well-known/mcp/server-card',
    'application/mcp-server-card+json',
    'Read the MCP server card',
  ),
  getMcpServerCardJson: row(
    '/.well-known/mcp/server-card.json',
    'application/mcp-server-card+json',
    'Read the MCP server card, with suffix',
  ),
  getPaidMcpCard: row(
    '/mcp',
    'application/mcp-server-card+json',
    'Read the card of the paid MCP server at its server',
  ),
  getPaidMcpServerCard: row(
    '/mcp/server-card',
    'application/mcp-server-card+json',
    'Read the card of the paid MCP server',
  ),
  getAiCatalog: row('/.well-known/ai-catalog.json', 'application/ai-catalog+json', 'Read the AI catalog'),
  getSkillIndex: row('/.well-known/agent-skills/index.json', json, 'List our skills for agents'),
  getApiCatalog: row(
    '/.well-known/api-catalog',
    'application/linkset+json',
    'Read the API catalog (RFC 9727)',
  ),
  getMcpResource: row(
    '/.well-known/oauth-protected-resource/.well-known/mcp',
    json,
    'Find whose tokens the MCP server takes',
  ),
  getPaidMcpResource: row(
    '/.well-known/oauth-protected-resource/mcp',
    json,
    'Find whose tokens the paid MCP server takes',
  ),
  getLlms: row('/llms.txt', markdown, 'Read the guide for language models'),
  getWellKnownLlms: row('/.well-known/llms.txt', markdown, 'Read the guide at its well-known path'),
  getApiLlms: row('/api/llms.txt', markdown, 'Read the guide to the operations'),
  getDocsLlms: row('/docs/llms.txt', markdown, 'Read the guide to the documentation'),
  getLlmsFull: row('/llms-full.txt', markdown, 'Read all guides in one'),
  getAgentsGuide: row('/agents.md', markdown, 'Read the guide for agents'),
  getHomeMarkdown: row('/index.md', markdown, 'Read the home page as markdown'),
  getRobots: row('/robots.txt', 'text/plain', 'Read the rules for crawlers'),
  getSitemap: row('/sitemap.xml', 'application/xml', 'Read the site map'),
  getSecurityContact: row('/.well-known/security.txt', 'text/plain', 'Find whom to tell of a weakness'),
  getIcon: row('/favicon.svg', 'image/svg+xml', 'Get the icon'),
  getDocsPage: rowOf(['text/html', markdown], '/docs', 'Read the API reference'),
  getDocsMarkdown: row('/docs.md', markdown, 'Read the API reference as markdown'),
  getPaymentsOpenApi: row('/payments/openapi.json', openApi, 'Read the API of all paid operations'),
} as const

const skillRow = row('/.well-known/agent-skills/{skill}/SKILL.md', markdown, 'Read one skill')

export const documentRows = {
  /** The whole interface. Its access stands in the catalog: specification part 5 asks for a key. */
  getOpenApi: {
    ...noInput,
    method: 'GET',
    path: '/openapi.json',
    response: anyJson,
    docs: {
      summary: 'Read the API description',
      details: 'OpenAPI 3.1. The paid operations alone are described without a key.',
      tag: 'discovery',
      mediaTypes: [openApi],
      errors: [],
      example: {},
    },
  },
  ...pathRows,
  getSkill: {
    ...skillRow,
    params: z.object({ skill: z.string().describe('a name of the index') }),
    docs: { ...skillRow.docs, errors: ['NOT_FOUND'], example: { params: { skill: 'scan-website' } } },
  },
} satisfies EndpointRows

type PathId = keyof typeof pathRows

/** The documents as they are written, each for the catalog in use. */
export interface DocumentTexts {
  /** The catalog in use. */
  readonly catalog: () => object
  readonly openApi: () => string
  /** Undefined for a document that there is none of now. */
  readonly texts: Readonly<Record<PathId, () => DocumentText | undefined>>
  /** SKILL.md by name. */
  readonly skills: () => ReadonlyMap<string, string>
  /** The Link header of the home page: where everything else is. */
  readonly links: () => string
  /** Where a document is served; undefined where it is not. */
  readonly find: (path: string) => string | undefined
  /** The Link header of a document whose text has none. */
  readonly documentLinks: () => string
  /** What the documents say, in parts that can answer a question. The same list until the catalog changes. */
  readonly passages: () => readonly Passage[]
}

interface DocumentText {
  readonly body: string
  /** Instead of the media type of the row, where it has parameters. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function documentHandlers({
  catalog,
  openApi: writeOpenApi,
  texts,
  skills,
  documentLinks: links,
}: Omit<DocumentTexts, 'passages' | 'links'>): Handlers<typeof documentRows> {
  const serve = (id: PathId) => {
    const found = oncePer(catalog, () => {
      const written = texts[id]()
      return { serve: written && document(catalog, typeOf(id), written, links) }
    })
    return {
      document(headers: DocumentHeaders) {
        const { serve: answer } = found()
        if (!answer) throw new GatewayError('NOT_FOUND')
        return answer(headers)
      },
    }
  }
  const asOpenApi = oncePer(catalog, () => document(catalog, openApiType, { body: writeOpenApi() }, links))
  const asSkills = oncePer(
    catalog,
    () =>
      new Map(
        [...skills()].map(([name, body]) => [name, document(catalog, utf8(markdown), { body }, links)]),
      ),
  )
  /** The card of an MCP server, at the address of the server itself. */
  const serveAtServer = (id: PathId) => {
    const card = serve(id)
    return {
      document(headers: DocumentHeaders) {
        // An older client asks for a stream of events here, and takes 405 for a server that has none.
        if (headers.accept.includes('text/event-stream'))
          throw new GatewayError('METHOD_NOT_ALLOWED', {}, { headers: { allow: 'POST, GET, HEAD, OPTIONS' } })
        return card.document(headers)
      },
    }
  }
  const page = serve('getDocsPage')
  // The same bytes as at its own address, with the header that tells caches of the two forms.
  const asMarkdown = oncePer(catalog, () => {
    const written = texts.getDocsMarkdown()
    const varied = written && { ...written, headers: { ...written.headers, vary: 'Accept' } }
    return { serve: varied && document(catalog, utf8(markdown), varied, links) }
  })
  const docsPage = {
    document(headers: DocumentHeaders) {
      const { serve: answer } = asMarkdown()
      return answer && prefersMarkdown(headers.accept) ? answer(headers) : page.document(headers)
    },
  }
  return {
    getOpenApi: { document: (headers) => asOpenApi()(headers) },
    getSkill: {
      document(headers, { skill }) {
        const answer = asSkills().get(String(skill))
        if (!answer) throw new GatewayError('NOT_FOUND')
        return answer(headers)
      },
    },
    getAgentCard: serve('getAgentCard'),
    getOldAgentCard: serve('getOldAgentCard'),
    getAiPlugin: serve('getAiPlugin'),
    getMcpCard: serveAtServer('getMcpCard'),
    getMcpServerCard: serve('getMcpServerCard'),
    getMcpServerCardJson: serve('getMcpServerCardJson'),
    getPaidMcpCard: serveAtServer('getPaidMcpCard'),
    getPaidMcpServerCard: serve('getPaidMcpServerCard'),
    getAiCatalog: serve('getAiCatalog'),
    getSkillIndex: serve('getSkillIndex'),
    getApiCatalog: serve('getApiCatalog'),
    getMcpResource: serve('getMcpResource'),
    getPaidMcpResource: serve('getPaidMcpResource'),
    getLlms: serve('getLlms'),
    getWellKnownLlms: serve('getWellKnownLlms'),
    getApiLlms: serve('getApiLlms'),
    getDocsLlms: serve('getDocsLlms'),
    getLlmsFull: serve('getLlmsFull'),
    getAgentsGuide: serve('getAgentsGuide'),
    getHomeMarkdown: serve('getHomeMarkdown'),
    getRobots: serve('getRobots'),
    getSitemap: serve('getSitemap'),
    getSecurityContact: serve('getSecurityContact'),
    getIcon: serve('getIcon'),
    getDocsPage: docsPage,
    getDocsMarkdown: serve('getDocsMarkdown'),
    getPaymentsOpenApi: serve('getPaymentsOpenApi'),
  }
}

/** Prices and operations change rarely; a reader that asks again after an hour loses nothing. */
const cached = { 'cache-control': 'public, max-age=3600' }

function document(
  catalog: () => object,
  contentType: string,
  written: DocumentText,
  links: () => string,
): RenderedDocument {
  return createDocument(catalog, () =>
    text(200, written.contentType ?? contentType, written.body, {
      ...cached,
      link: links(),
      ...written.headers,
    }),
  )
}

const openApiType = `${openApi};version=3.1`

function typeOf(id: PathId): string {
  if (id === 'getPaymentsOpenApi') return openApiType
  const [type = json] = pathRows[id].docs.mediaTypes
  return type.startsWith('text/') ? utf8(type) : type
}

function utf8(type: string): string {
  return `${type}; charset=utf-8`
}
