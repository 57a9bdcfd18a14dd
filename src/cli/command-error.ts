/**
 * A command could not do what was asked. The message says why and what to do, and holds no secret: it is printed
 * without a stack.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** The code of the gateway's refusal; undefined for any other failure. */
  readonly code: string | undefined

  constructor(message: string, options: { readonly cause?: unknown; readonly code?: string } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = options.code
  }
}
