import { BaseError } from 'viem'

/**
 * What may be logged of a failed RPC call. viem's errors carry the whole request: the address with its
 * access key, and the payer's signature, with which whoever reads the log could spend a payment that
 * has not been used yet.
 */
export function rpcFailure(error: unknown): unknown {
  return error instanceof BaseError
    ? new Error([error.name, error.shortMessage, error.details].filter(Boolean).join(': '))
    : error
}
