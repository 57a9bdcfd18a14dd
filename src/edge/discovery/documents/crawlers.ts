import { Eta } from 'eta'
import type { Site } from '../site.ts'

/** What crawlers read: their rules, the pages there are, and whom to tell of a weakness. */

/** /robots.txt (RFC 9309), with Content-Signal: text may be found and quoted, and models are not trained on it. */
export function robots({ find }: Site): string {
  const sitemap = find('/sitemap.xml')
  const catalog = find('/.well-known/ai-catalog.json')
  return [
    'User-agent: *',
    'Content-Signal: search=yes, ai-input=yes, ai-train=no',
    'Allow: /',
    'Disallow: /operator/',
    '',
    // Named, so that an operator's own rules for all others do not shut them out by mistake.
    ...['GPTBot', 'OAI-SearchBot', 'ClaudeBot', 'PerplexityBot', 'Google-Extended'].map(
      (agent) => `User-agent: ${agent}`,
    ),
    'Content-Signal: search=yes, ai-input=yes, ai-train=no',
    'Allow: /',
    'Disallow: /operator/',
    '',
    ...(sitemap === undefined ? [] : [`Sitemap: ${sitemap}`]),
    ...(catalog === undefined ? [] : [`Agentmap: ${catalog}`]),
    '',
  ].join('\n')
}

/** /sitemap.xml: what people and language models read here. */
export function sitemap({ baseUrl, find }: Pick<Site, 'baseUrl' | 'find'>): string {
  const pages = [
    '/',
    '/pricing',
    '/docs',
    '/docs.md',
    '/pricing.md',
    '/agents.md',
    '/index.md',
    '/llms.txt',
    '/llms-full.txt',
  ]
  // Only addresses of the sitemap's own host may stand in it.
  const own = pages.map((path) => find(path)).filter((url) => url?.startsWith(`${baseUrl}/`))
  return eta.renderString(sitemapTemplate, { urls: own })
}

const eta = new Eta({ autoEscape: true })
// The pages' renderer escapes addresses as XML wants it. A library that writes XML is 40 modules more at each start.
const sitemapTemplate = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<% for (const url of it.urls) { -%>
  <url>
    <loc><%= url %></loc>
  </url>
<% } -%>
</urlset>
`

const dayMs = 86_400_000

/** /.well-known/security.txt (RFC 9116); undefined while the catalog names no contact. */
export function securityContact({ baseUrl, catalog }: Site, nowMs: number): string | undefined {
  const { contact } = catalog.provider
  if (contact === undefined) return undefined
  // It should be less than a year from now; a gateway reads its catalog anew at least at each start.
  const expires = new Date(nowMs + 360 * dayMs).toISOString()
  return `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${baseUrl}/.well-known/security.txt\n`
}

/** /favicon.svg: a gate. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#14213d"/><path d="M7 26V8h4v18zm5-14 13-4 1 3-13 4z" fill="#fca311"/></svg>\n'
