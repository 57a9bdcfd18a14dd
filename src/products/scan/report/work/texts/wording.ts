import type { Evidence } from '../../../findings/check.ts'
import type { Work } from '../../../findings/work.ts'

/** What the steps of an action are made from. */
export interface Wording {
  /** What the finding asks for, as a sentence. */
  readonly fix: string
  /** The same in values, where the check tells them. */
  readonly work?: Work | undefined
  /** The page that the action names. */
  readonly page: string
  readonly evidence: readonly Evidence[]
  /** Of the site, such as `de`; undefined where it is not known. */
  readonly language: string | undefined
  /** Another step asks for the privacy notice, which the site does not have. */
  readonly isNoticeMissing?: boolean | undefined
  /** Scripts write the texts from lists of words. */
  readonly hasTextLists?: boolean | undefined
}
