import { BaseError } from 'viem'
import { GatewayError } from '../../../core/errors.ts'

/**
 * Waits for work that asks the chain. A chain that does not answer gets an error of its own, so that the
 * operator checks RPC_URL instead of looking for a bug.
 * @throws GatewayError CHAIN_UNAVAILABLE.
 */
export async function orChainUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    throw cause instanceof BaseError ? new GatewayError('CHAIN_UNAVAILABLE', {}, { cause }) : cause
  }
}
