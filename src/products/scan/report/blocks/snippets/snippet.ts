import type { Block } from '../../../findings/results.ts'
import type { Site } from '../../../site/site.ts'
import type { SiteFacts } from '../facts/facts.ts'
import type { Change } from './hand-on-block.ts'

export interface SnippetParts {
  readonly site: Site
  readonly facts: SiteFacts
  readonly change: Change
}

/**
 * What to paste for one finding, filled with what the site says of itself. Other blocks are tried on the capture with the
 * checks. A snippet cannot be: words in capital letters have to be written by the owner first, or the place where it
 * goes is outside what the scan saw. So an action with a snippet promises no more than its finding.
 */
export type Snippet = (parts: SnippetParts) => Block | undefined
