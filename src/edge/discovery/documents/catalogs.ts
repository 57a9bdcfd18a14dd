import type { Site } from '../site.ts'
import { iconUrl } from './agent-cards.ts'
import { skillsOf } from './skills.ts'

/** Lists of what is here, for programs that look for services: the API catalog, the MCP server card, the AI catalog. */

/** /.well-known/api-catalog (RFC 9727, RFC 9264). An address that nothing answers has no entry. */
export function apiCatalog(site: Site) {
  const { baseUrl, paymentsBaseUrl, find } = site
  const openApi = 'application/vnd.oai.openapi+json;version=3.1'
  const tools = find('/.well-known/mcp', 'POST')
  const paidTools = find('/mcp', 'POST')
  return {
    linkset: [
      {
        anchor: `${baseUrl}/`,
        ...targets({
          'service-desc': [find('/openapi.json'), openApi],
          'service-doc': [find('/docs'), 'text/html'],
          status: [find('/api/health'), 'application/json'],
          'service-meta': [find('/.well-known/agent-card.json'), 'application/json'],
        }),
      },
      {
        anchor: `${paymentsBaseUrl}/pricing`,
        ...targets({
          'service-desc': [find('/payments/openapi.json'), openApi],
          'service-doc': [find('/pricing'), 'text/html'],
          status: [find('/health'), 'application/json'],
        }),
      },
      ...(tools === undefined
        ? []
        : [
            {
              anchor: tools,
              ...targets({
                'service-desc': [find('/.well-known/mcp/server-card'), 'application/mcp-server-card+json'],
              }),
            },
          ]),
      ...(paidTools === undefined
        ? []
        : [
            {
              anchor: paidTools,
              ...targets({
                'service-desc': [find('/mcp/server-card'), 'application/mcp-server-card+json'],
                'service-doc': [find('/pricing'), 'text/html'],
              }),
            },
          ]),
    ],
  }
}

/** Each relation is a list of targets. */
function targets(relations: Readonly<Record<string, readonly [href: string | undefined, type: string]>>) {
  return Object.fromEntries(
    Object.entries(relations).flatMap(([relation, [href, type]]) =>
      href === undefined ? [] : [[relation, [{ href, type }]]],
    ),
  )
}

/** The server card of MCP (SEP-2127, with the fields of SEP-1649 that older readers look for). */
export function mcpServerCard(site: Site) {
  const capabilities = { tools: {}, resources: {}, prompts: {}, ...extensions(site) }
  return serverCard(site, site.find('/.well-known/mcp', 'POST'), { ...serviceNames(site), capabilities })
}

/** The same of the server whose tools are paid per call. */
export function paidMcpServerCard(site: Site) {
  const capabilities = { tools: {}, resources: {}, ...extensions(site) }
  return serverCard(site, site.find('/mcp', 'POST'), { ...paidNames(site), capabilities })
}

/** Where tokens are issued for keys, clients of MCP may exchange theirs. */
function extensions({ find }: Site): object {
  if (find('/oauth/token', 'POST') === undefined) return {}
  return { extensions: { 'io.modelcontextprotocol/oauth-client-credentials': {} } }
}

interface ServerNames {
  /** As the server introduces itself. */
  readonly serverName: string
  readonly title: string
  /** At most 100 characters. */
  readonly description: string
}

function serverCard(
  site: Site,
  tools: string | undefined,
  { serverName, title, description, capabilities }: ServerNames & { readonly capabilities: object },
) {
  const { version, baseUrl } = site
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversedDomain(site)}/${serverName}`,
    version,
    title,
    description,
    websiteUrl: baseUrl,
    icons: [{ src: iconUrl(site) }],
    ...(tools !== undefined && {
      remotes: [
        {
          type: 'streamable-http',
          url: tools,
          headers: [{ name: 'x-mcp-api-key', isSecret: true, isRequired: false }],
          supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
        },
      ],
    }),
    serverInfo: { name: serverName, version },
    capabilities: tools === undefined ? {} : capabilities,
  }
}

/** Names of servers have the form of reverse DNS. */
function reversedDomain({ baseUrl }: Site): string {
  const { hostname } = new URL(baseUrl)
  return hostname
    .replace(/[^A-Za-z0-9.-]/g, '')
    .split('.')
    .toReversed()
    .join('.')
}

function serviceNames({ pricing }: Site): ServerNames {
  return {
    serverName: 'tollgate',
    title: pricing.provider,
    description:
      'Scans of websites for AI readiness, their results, a directory, search, analytics, webhooks.',
  }
}

function paidNames({ pricing }: Site): ServerNames {
  return {
    serverName: 'tollgate-paid',
    title: `${pricing.provider}: paid tools`,
    description: 'Business analysis, lead research and articles, paid per call in USDC by x402.',
  }
}

/** /.well-known/ai-catalog.json (AI Catalog 1.0; `mediaType` beside `type` for readers of its draft). */
export function aiCatalog(site: Site) {
  const { baseUrl, version, pricing, find } = site
  const domain = new URL(baseUrl).hostname
  const entry = (
    kind: string,
    displayName: string,
    type: string,
    url: string | undefined,
    description: string = pricing.description,
  ) =>
    url === undefined
      ? []
      : [
          {
            identifier: `urn:air:${domain}:${kind}`,
            displayName,
            type,
            mediaType: type,
            url,
            description,
            version,
          },
        ]
  const tools = find('/.well-known/mcp', 'POST')
  return {
    specVersion: '1.0',
    host: { displayName: pricing.provider, documentationUrl: find('/docs') ?? `${baseUrl}/` },
    entries: [
      ...entry(
        'mcp:tollgate',
        `${pricing.provider} tools`,
        'application/mcp-server-card+json',
        tools && find('/.well-known/mcp/server-card'),
        serviceNames(site).description,
      ),
      ...entry(
        'mcp:tollgate-paid',
        paidNames(site).title,
        'application/mcp-server-card+json',
        find('/mcp', 'POST') && find('/mcp/server-card'),
        paidNames(site).description,
      ),
      ...entry(
        'a2a:tollgate',
        pricing.provider,
        'application/a2a-agent-card+json',
        find('/.well-known/agent-card.json'),
      ),
      ...skillsOf(site).flatMap(({ id, title, description }) =>
        entry(
          `skill:${id}`,
          title,
          // The type by which ARD's catalogs know them.
          'text/markdown; profile="urn:air:agent-skills"',
          `${baseUrl}/.well-known/agent-skills/${id}/SKILL.md`,
          description,
        ),
      ),
    ],
  }
}
