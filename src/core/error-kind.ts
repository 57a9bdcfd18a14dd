/** What a caller is told of a refusal: HTTP status, the specification's `error` word, and what to do about it. */
export interface ErrorKind {
  readonly status: number
  readonly error: string
  readonly message: string
}
