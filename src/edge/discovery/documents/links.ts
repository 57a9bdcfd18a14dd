import type { Site } from '../site.ts'

type Link = readonly [path: string, rel: string, type?: string]

/** The Link header of the home page in all its forms (RFC 8288): all that a program finds by our address alone. */
export function homeLinks(site: Site): string {
  return linkHeader(site, [
    ['/.well-known/api-catalog', 'api-catalog'],
    ['/payments/openapi.json', 'service-desc', 'application/vnd.oai.openapi+json'],
    ['/docs', 'service-doc', 'text/html'],
    ['/api/health', 'status'],
    ['/llms.txt', 'describedby', 'text/markdown'],
    ['/index.md', 'alternate', 'text/markdown'],
    ['/sitemap.xml', 'sitemap'],
    ['/.well-known/ai-catalog.json', 'ai-catalog'],
    ['/ask', 'nlweb'],
  ])
}

/** The Link header of every other document: a program that was led to it finds the rest by the catalog. */
export function documentLinks(site: Site): string {
  return linkHeader(site, [
    ['/.well-known/api-catalog', 'api-catalog'],
    ['/llms.txt', 'describedby', 'text/markdown'],
  ])
}

/** The Link header of the API reference, which is served as a page and as markdown. */
export function docsLinks(site: Site): string {
  return [documentLinks(site), linkHeader(site, [['/docs.md', 'alternate', 'text/markdown']])].join(', ')
}

function linkHeader({ find }: Site, links: readonly Link[]): string {
  return links
    .flatMap(([path, rel, type]) => {
      const url = find(path)
      return url === undefined
        ? []
        : [`<${url}>; rel="${rel}"${type === undefined ? '' : `; type="${type}"`}`]
    })
    .join(', ')
}
