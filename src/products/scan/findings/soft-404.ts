import { repliesFor } from '../site/capture.ts'
import type { Site } from '../site/site.ts'
import { type Outcome, unmeasured } from './check.ts'

/**
 * Makes a check of links `unmeasured` where it would pass on a server that answers 200 for pages that do not
 * exist. There a dead link looks like a live one, and the site would gain by hiding its dead links.
 */
export function unlessSoft404(run: (site: Site) => Outcome): (site: Site) => Outcome {
  return (site) => {
    const outcome = run(site)
    return outcome.result === 'pass' && isSoft404(site)
      ? unmeasured('The server answers 200 for pages that do not exist, so dead links cannot be told.')
      : outcome
  }
}

/** The site answers 200 for a page that does not exist. */
export function isSoft404({ capture }: Pick<Site, 'capture'>): boolean {
  return repliesFor(capture, 'missing').some(({ status }) => status === 200)
}
