import { homeAnswer } from '../../../findings/document.ts'
import { hostingOf, serverOf } from '../../../findings/hosting.ts'
import type { Site } from '../../../site/site.ts'

/**
 * The checks of what the service that serves the site has no setting for. A message about them would send the owner to a
 * person who can do little or nothing.
 */
export function outOfReach(site: Pick<Site, 'capture'>): OutOfReach | undefined {
  switch (hostingOf(site)) {
    case 'github-pages':
      return { host: 'GitHub Pages', checks: fixedByGithubPages }
    case 'vercel':
      return { host: 'Vercel', checks: fixedByStaticHosts }
    case 'static':
      return { host: staticHost(site), checks: fixedByStaticHosts }
    case 'other':
      return undefined
  }
}

export interface OutOfReach {
  /** The name of the service. */
  readonly host: string
  /** By their ids: `freshness-index/conditional`. */
  readonly checks: ReadonlySet<string>
}

function staticHost({ capture }: Pick<Site, 'capture'>): string {
  const home = homeAnswer(capture)
  return home !== undefined && serverOf(home) === 'netlify' ? 'Netlify' : 'Cloudflare Pages'
}

/** Header lines can be set there, and when a page counts as changed cannot. */
const fixedByStaticHosts: ReadonlySet<string> = new Set(['freshness-index/conditional'])

/** GitHub Pages sends the same header lines for everybody. */
const fixedByGithubPages: ReadonlySet<string> = new Set([
  'crawl-access/soft-404',
  'freshness-index/conditional',
  'render-performance/compression',
  'render-performance/static-cache',
  'security-safety/csp',
  'security-safety/headers',
  'security-safety/hsts',
])
