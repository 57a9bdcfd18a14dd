import type { Depth } from '../../../src/products/scan/site/capture.ts'
import type { SavedSite } from '../servers/saved-site.ts'
import type { SitePage, SiteRequest } from '../servers/site-server.ts'

/** Changes of a saved site: what its owner or a host might do to it. Each returns the changed site. */
export type Change = (site: SavedSite) => SavedSite

/** A change with the least depth of a scan that must see it. */
export interface Rated {
  readonly name: string
  readonly make: Change
  /** For each site, or for all. `never` where the scores may stay as they are. */
  readonly seen: Seen | Readonly<Record<string, Seen>>
}

export type Seen = Depth | 'never'

/** Rewrites every answer. */
export function answers(rewrite: (answer: SitePage, request: SiteRequest) => SitePage): Change {
  return (site) => ({
    ...site,
    answer(request) {
      const answer = site.answer(request)
      return typeof answer === 'string' ? answer : rewrite(answer, request)
    },
  })
}

/** Rewrites the markup of every page that answers 200, or of the home page alone. */
export function markup(rewrite: (html: string) => string, only?: 'home'): Change {
  return answers((answer, { path }) =>
    isPage(answer) && (only === undefined || path === '/')
      ? { ...answer, body: rewrite(String(answer.body ?? '')) }
      : answer,
  )
}

/** Adds markup to the head or to the end of the main part. */
export function inHead(html: string, only?: 'home'): Change {
  return markup((page) => page.replace('</head>', () => `${html}</head>`), only)
}

export function inMain(html: string, only?: 'home'): Change {
  return markup((page) => page.replace('</main>', () => `${html}</main>`), only)
}

export function jsonLd(value: object, only?: 'home'): Change {
  return inHead(
    `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...value })}</script>`,
    only,
  )
}

/** Adds a header to every page, or to the home page alone. A header of that name is replaced. */
export function header(name: string, value: string | undefined, only?: 'home'): Change {
  return answers((answer, { path }) => {
    if (!isPage(answer) || (only === 'home' && path !== '/')) return answer
    const { [name]: _, ...others } = answer.headers ?? {}
    return { ...answer, headers: value === undefined ? others : { ...others, [name]: value } }
  })
}

/** Puts a document at a path that has none. */
export function publish(path: string, type: string, body: string | ((origin: string) => string)): Change {
  return (site) => ({
    ...site,
    answer(request) {
      const answer = site.answer(request)
      if (request.path !== path || request.scheme === 'http') return answer
      if (typeof answer === 'string' || answer.status !== 404) return answer
      const text = typeof body === 'string' ? body : body(`https://${site.names[0]}`)
      return { headers: { 'content-type': type }, body: text }
    },
  })
}

/** Answers 404 at all paths that match, as if the site had never had them. */
export function remove(paths: RegExp): Change {
  return answers((answer, { path }) =>
    paths.test(path) ? { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' } : answer,
  )
}

/** Rewrites robots.txt; a site without one gets it. */
export function robots(rewrite: (text: string) => string): Change {
  return answers((answer, { path }) =>
    path === '/robots.txt'
      ? {
          headers: { 'content-type': 'text/plain' },
          body: rewrite((answer.status ?? 200) === 200 ? String(answer.body ?? '') : ''),
        }
      : answer,
  )
}

/** What all but browsers get, at every address but robots.txt. */
export function toAgents(wall: SitePage): Change {
  return answers((answer, { path, userAgent }) =>
    path === '/robots.txt' || userAgent.includes('Chrome/') ? answer : wall,
  )
}

export function all(...changes: readonly Change[]): Change {
  return (site) => changes.reduce((changed, change) => change(changed), site)
}

function isPage({ status = 200, headers = {} }: SitePage): boolean {
  return status === 200 && /html/.test(String(headers['content-type'] ?? ''))
}
