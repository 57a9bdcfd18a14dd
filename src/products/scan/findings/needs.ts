import type { Page, Site } from '../site/site.ts'
import { type Outcome, unmeasured } from './check.ts'

/**
 * Makes a check `unmeasured` when the page it reads was not received. Without this, the check would report
 * everything on that page as missing.
 */
export function needsHome(run: (home: Page, site: Site) => Outcome): (site: Site) => Outcome {
  return (site) =>
    site.home === undefined
      ? unmeasured('The page did not answer 200 with HTML, so there was nothing to read.')
      : run(site.home, site)
}

export function needsPages(run: (pages: readonly Page[], site: Site) => Outcome): (site: Site) => Outcome {
  return (site) =>
    site.pages.length === 0
      ? unmeasured('No page answered 200 with HTML, so there was nothing to read.')
      : run(site.pages, site)
}
