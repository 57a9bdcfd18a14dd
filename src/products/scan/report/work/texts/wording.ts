import type { Evidence } from '../../../findings/check.ts'

/** What the steps of an action are made from. */
export interface Wording {
  /** What the finding asks for. One check may ask for a title, for a description, or for both. */
  readonly fix: string
  /** What was found. */
  readonly reason?: string
  /** The page that the action names. */
  readonly page: string
  readonly evidence: readonly Evidence[]
  /** Of the site, such as `de`; undefined where it is not known. */
  readonly language: string | undefined
  /** Scripts write the texts from lists of words. */
  readonly hasTextLists?: boolean | undefined
}
