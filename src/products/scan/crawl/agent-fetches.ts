import { absolute } from '../site/addresses.ts'
import type { SiteReply } from '../site/capture.ts'
import { readLinkHeader } from '../site/files/link-header.ts'
import { keep } from './capture-budget.ts'
import type { PageReferences } from './pages/page-references.ts'
import { htmlHeaders, type PlannedFetch, statusFetch } from './planned-fetch.ts'

/**
 * What a full scan fetches to see how a site serves agents: documents for them, scripts, stylesheets and cacheable files.
 */
export function agentFetches(
  origin: string,
  home: SiteReply,
  references: PageReferences | undefined,
  agentmaps: readonly string[],
): PlannedFetch[] {
  const insecure = new URL(home.finalUrl)
  insecure.protocol = 'http:'
  const links = readLinkHeader(home.headers.link ?? [], home.finalUrl)
  const named = (rel: string) =>
    links.filter(({ rels }) => rels.includes(rel)).flatMap(({ url }) => absolute(url, home.finalUrl) ?? [])
  const wellKnown = wellKnownPaths.map((path) => `${origin}${path}`)
  const serviceDescs = new Set([...named('service-desc'), ...(references?.serviceDescs ?? [])])
  const aiCatalogs = new Set([...agentmaps, ...named('ai-catalog'), ...(references?.aiCatalogs ?? [])])
  return [
    {
      purpose: 'home-markdown',
      url: home.finalUrl,
      keepBytes: keep.page,
      headers: { accept: 'text/markdown' },
    },
    ...conditionalFetch(home),
    { purpose: 'http', url: insecure.href, keepBytes: keep.nothing, staysPut: true },
    { purpose: 'llms-full', url: `${origin}/llms-full.txt`, keepBytes: keep.document },
    ...[...serviceDescs]
      .slice(0, maxNamed)
      .map((url): PlannedFetch => ({ purpose: 'service-desc', url, keepBytes: keep.page })),
    ...[...aiCatalogs]
      .filter((url) => !wellKnown.includes(url))
      .slice(0, maxNamed)
      .map((url): PlannedFetch => ({ purpose: 'ai-catalog', url, keepBytes: keep.script })),
    ...wellKnown.map(
      (url): PlannedFetch => ({
        purpose: 'well-known',
        url,
        keepBytes: url.startsWith(`${origin}/.well-known/`) ? keep.script : keep.page,
        headers: { accept: 'application/json,*/*;q=0.8' },
      }),
    ),
    ...(references?.feed ? [feedFetch(references.feed)] : []),
    ...(references?.scripts ?? []).slice(0, maxScripts).map(scriptFetch),
    ...(references?.styles ?? []).slice(0, maxStyles).map(styleFetch),
    ...(references?.pictures ?? []).slice(0, maxPictures).map((url) => statusFetch('picture', url)),
    ...(references?.hashedAssets ?? []).slice(0, 5).map((url) => statusFetch('asset', url)),
  ]
}

export function feedFetch(url: string): PlannedFetch {
  return { purpose: 'feed', url, keepBytes: keep.page }
}

export function scriptFetch(url: string): PlannedFetch {
  return { purpose: 'script', url, keepBytes: keep.script }
}

/** A file that a script puts into a page. */
export function partFetch(url: string): PlannedFetch {
  return { purpose: 'part', url, keepBytes: keep.script }
}

export function styleFetch(url: string): PlannedFetch {
  return { purpose: 'style', url, keepBytes: keep.script }
}

/** Most sites have one or two of their own, beside those of libraries. */
const maxScripts = 6
export const maxStyles = 8

/** Logo, picture of the business and picture of the preview. */
const maxPictures = 4

/** Of each kind of document that the site names by itself. */
const maxNamed = 2

/** Where sites publish documents for agents, as far as the checks know how to read them. */
const wellKnownPaths = [
  '/openapi.json',
  '/openapi.yaml',
  '/swagger.json',
  '/api/openapi.json',
  ...[
    'openapi.json',
    'mcp.json',
    'mcp',
    'mcp/server-card.json',
    'ai-catalog.json',
    'api-catalog',
    'agent-card.json',
    'agent.json',
    'agent-skills/index.json',
    'oauth-authorization-server',
    'oauth-protected-resource',
    'openid-configuration',
    'ai-plugin.json',
    'security.txt',
    'x402',
    'ucp',
    'acp.json',
    'ap2.json',
    'http-message-signatures-directory',
  ].map((name) => `/.well-known/${name}`),
]

/** Only a page with a validator can be asked for again conditionally. */
function conditionalFetch(home: SiteReply): PlannedFetch[] {
  const [etag, lastModified] = ['etag', 'last-modified'].map((name) =>
    home.headers[name]?.find((value) => value.length < 1_000),
  )
  if (etag === undefined && lastModified === undefined) return []
  const headers: Record<string, string> = {
    ...htmlHeaders,
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  }
  return [{ purpose: 'home-conditional', url: home.finalUrl, keepBytes: keep.nothing, headers }]
}
