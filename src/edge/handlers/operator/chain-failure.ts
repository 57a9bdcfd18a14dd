import { BaseError } from 'viem'
import { GatewayError } from '../../../core/errors.ts'

/**
 * Waits for work that asks the chain. That the chain does not answer is nothing of ours that failed: it is
 * said as it is, so that the operator looks at RPC_URL and not for a bug.
 */
export async function ofTheChain<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    throw cause instanceof BaseError ? new GatewayError('CHAIN_UNAVAILABLE', {}, { cause }) : cause
  }
}
