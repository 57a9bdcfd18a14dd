import type { Site } from '../site.ts'
import { skillsOf } from './skills.ts'

/**
 * The cards by which agents introduce themselves to each other (A2A), and the manifest of an older kind of plugin. We
 * speak no A2A, so the cards name the interfaces that there are, each by the address of its own standard (A2A 1.0, 5.8).
 */

const rest = 'https://spec.openapis.org/oas/v3.1.0'
const mcp = 'https://modelcontextprotocol.io/specification'

function interfacesOf({ baseUrl, find }: Site) {
  const servers = [find('/.well-known/mcp', 'POST'), find('/mcp', 'POST')]
  return [
    { url: `${baseUrl}/`, protocolBinding: rest, protocolVersion: '3.1' },
    ...servers.flatMap((url) =>
      url === undefined ? [] : [{ url, protocolBinding: mcp, protocolVersion: '2026-07-28' }],
    ),
  ]
}

function common(site: Site) {
  const { pricing, version, baseUrl, find } = site
  return {
    name: pricing.provider,
    description: pricing.description,
    version,
    provider: { organization: pricing.provider, url: pricing.website },
    documentationUrl: find('/docs') ?? `${baseUrl}/`,
    iconUrl: iconUrl(site),
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: skillsOf(site).map(({ id, title, description, tags, example }) => ({
      id,
      name: title,
      description,
      tags,
      examples: [example],
    })),
  }
}

/** /.well-known/agent-card.json, A2A 1.0. */
export function agentCard(site: Site) {
  return {
    ...common(site),
    supportedInterfaces: interfacesOf(site),
    securitySchemes: { apiKey: { apiKeySecurityScheme: { location: 'header', name: 'x-mcp-api-key' } } },
  }
}

/** /.well-known/agent.json, A2A 0.3, for clients that look there. */
export function oldAgentCard(site: Site) {
  const [first, ...others] = interfacesOf(site)
  const written = (one: typeof first) => ({ url: one?.url, transport: one?.protocolBinding })
  return {
    protocolVersion: '0.3.0',
    ...common(site),
    url: first?.url,
    preferredTransport: first?.protocolBinding,
    additionalInterfaces: others.map(written),
    securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-mcp-api-key' } },
  }
}

/** /.well-known/ai-plugin.json. Its API is the part that needs no key. */
export function aiPlugin(site: Site) {
  const { pricing, catalog, find } = site
  const { contact } = catalog.provider
  const email = contact?.startsWith('mailto:') ? contact.slice('mailto:'.length) : undefined
  return {
    schema_version: 'v1',
    name_for_human: cut(pricing.provider, 20),
    name_for_model: cut(pricing.provider.replace(/\W+/g, '_'), 50),
    description_for_human: cut(pricing.description, 100),
    description_for_model: cut(pricing.description, 8_000),
    auth: { type: 'none' },
    api: { type: 'openapi', url: find('/payments/openapi.json') },
    logo_url: iconUrl(site),
    ...(email !== undefined && { contact_email: email }),
    legal_info_url: pricing.website,
  }
}

/** Shortens text to whole characters. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`
}

export function iconUrl({ catalog, baseUrl }: Pick<Site, 'catalog' | 'baseUrl'>): string {
  return catalog.provider.icon ?? `${baseUrl}/favicon.svg`
}
