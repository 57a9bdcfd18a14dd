import type { Block } from '../../findings/results.ts'
import type { Pasted } from './pasted-site.ts'

/** A block for the site's owner to paste, and what the site is once that is done. */
export interface Draft {
  readonly block: Block
  /** What to do with it, as a request. */
  readonly title: string
  /** What is lost without it. Among the findings it stands without the title, so nothing in it points back to that. */
  readonly why: string
  readonly pasted: Pasted
  /** The checks that the block can make pass, as `agent/check`. Whether it does is tried on the capture. */
  readonly aims: readonly string[]
}
