import { BaseError, InsufficientFundsError } from 'viem'

/** Whether a node refuses a transaction or a call because its sender cannot pay for the gas. */
export function lacksGas(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const says = (cause: unknown) =>
    cause instanceof BaseError && InsufficientFundsError.nodeMessage.test((cause.details ?? '').toLowerCase())
  return error.walk(says) !== null
}
