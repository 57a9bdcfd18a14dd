/** A part of our documentation that may answer a question: an operation, or a section of a text. */
export interface Passage {
  /** Of schema.org. */
  readonly type: 'WebAPI' | 'TechArticle'
  readonly name: string
  /** Plain text, in whole sentences. */
  readonly text: string
  /** Where it is read; each passage has its own. */
  readonly url: string
  /** Of an operation: how it is called. */
  readonly call?: { readonly method: string; readonly url: string }
}
