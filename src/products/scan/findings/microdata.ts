import { nodesOf } from '../site/html/json-ld.ts'
import { hasMicrodata } from '../site/html/microdata.ts'
import type { Page, Site } from '../site/site.ts'
import { type Outcome, unmeasured } from './check.ts'

/**
 * Makes a check of JSON-LD `unmeasured` unless it passes, where no JSON-LD and some microdata has a node of these types:
 * what a site describes there is described, and was not read.
 */
export function unlessMicrodata(
  types: readonly string[],
  judge: (pages: readonly Page[], site: Site) => Outcome,
): (pages: readonly Page[], site: Site) => Outcome {
  return (pages, site) => {
    const outcome = judge(pages, site)
    if (outcome.result !== 'fail' && outcome.result !== 'warn') return outcome
    if (pages.some((page) => nodesOf(page, ...types).length > 0)) return outcome
    if (!pages.some((page) => hasMicrodata(page, ...types))) return outcome
    return unmeasured(
      'The pages describe this in microdata, in attributes of their elements. This check reads JSON-LD only.',
    )
  }
}
