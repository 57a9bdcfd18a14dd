/**
 * Why the local chain cannot run, told to the person at the terminal: the message is one or two
 * sentences and says what to do, so it is printed as it stands.
 */
export class DevChainError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options)
    this.name = 'DevChainError'
  }
}
