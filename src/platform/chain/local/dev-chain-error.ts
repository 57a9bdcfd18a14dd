/**
 * The reason why the local chain cannot run. The message is printed at the terminal without a stack, so it is
 * one or two sentences that say what to do.
 */
export class DevChainError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options)
    this.name = 'DevChainError'
  }
}
