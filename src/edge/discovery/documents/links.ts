import type { Site } from '../site.ts'

/**
 * The Link header of the home page and of all documents (RFC 8288): a program that knows one address of ours finds the
 * others by it.
 */
export function linkHeader({ find }: Site): string {
  const links: readonly (readonly [path: string, rel: string, type?: string])[] = [
    ['/.well-known/api-catalog', 'api-catalog'],
    ['/payments/openapi.json', 'service-desc', 'application/vnd.oai.openapi+json'],
    ['/docs', 'service-doc', 'text/html'],
    ['/api/health', 'status'],
    ['/llms.txt', 'describedby', 'text/markdown'],
    ['/index.md', 'alternate', 'text/markdown'],
    ['/sitemap.xml', 'sitemap'],
    ['/.well-known/ai-catalog.json', 'ai-catalog'],
    ['/ask', 'nlweb'],
  ]
  return links
    .flatMap(([path, rel, type]) => {
      const url = find(path)
      return url === undefined
        ? []
        : [`<${url}>; rel="${rel}"${type === undefined ? '' : `; type="${type}"`}`]
    })
    .join(', ')
}
