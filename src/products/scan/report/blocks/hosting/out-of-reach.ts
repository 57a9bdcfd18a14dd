import { hostingOf } from '../../../findings/hosting.ts'
import type { Site } from '../../../site/site.ts'

/**
 * The checks of what the service that serves the site has no setting for. A message about them would send the owner to a
 * person who can do little or nothing.
 */
export function outOfReach(site: Pick<Site, 'capture'>): ReadonlySet<string> {
  return hostingOf(site) === 'github-pages' ? fixedByGithubPages : none
}

const none: ReadonlySet<string> = new Set()

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
