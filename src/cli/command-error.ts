/**
 * A command could not do what was asked. The message says why and what to do, and holds no secret: it is printed
 * without a stack.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
