import type { Capture } from '../scan/site/capture.ts'
import type { SiteFacts } from '../text/site.ts'
import { readFacts } from './read-facts.ts'

export interface FactsTask {
  readonly capture: Capture
  /** Unix milliseconds. */
  readonly now: number
}

/** What the thread of `site-reader` runs to read the facts of a capture. */
export default function factsTask({ capture, now }: FactsTask): SiteFacts | undefined {
  return readFacts(capture, now)
}

/** What the thread runs to find the links of the home page. */
export { reading } from '../scan/crawl/readings.ts'
