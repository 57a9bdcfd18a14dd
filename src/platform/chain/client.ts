import {
  type Chain,
  type CustomTransport,
  createPublicClient,
  custom,
  HttpRequestError,
  type PublicClient,
} from 'viem'
import type { Dependency, Outages } from '../../core/outages.ts'
import type { Network } from './networks.ts'
import { type RpcCall, RpcEndpoint } from './rpc-endpoint.ts'

/**
 * Creates the client for all calls to a chain. Its replies decide whether money has moved, so each call has
 * one deadline and one attempt, and goes to the RPC endpoint only.
 * @param timeoutMs limits a whole call, from sending it to the last byte of its reply.
 * @param outages where it is reported that the endpoint does not answer.
 */
export function createChainClient({
  network,
  rpcUrl,
  timeoutMs,
  outages,
}: {
  readonly network: Network
  readonly rpcUrl: string
  readonly timeoutMs: number
  readonly outages?: Outages
}): PublicClient<CustomTransport, Chain> {
  const { request } = new RpcEndpoint(rpcUrl, timeoutMs)
  return createPublicClient({
    chain: network.chain,
    // viem would try three more times: a call could take four times `timeoutMs`, and a transaction whose reply was
    // lost would be sent again and be reported as refused ("already known") although it is on its way.
    transport: custom({ request: outages ? reporting(request, outages) : request }, { retryCount: 0 }),
    // A payer's wallet contract answers signature checks. With ERC-3668 lookups it could make us fetch any
    // URL that it names.
    ccipRead: false,
    // With a cached block number, a deadline or a finality check would look at the past.
    cacheTime: 0,
    pollingInterval: isLoopback(rpcUrl) ? 20 : 500,
  })
}

/** The chain, as one RPC endpoint shows it. */
const chain: Dependency = {
  name: 'the chain at RPC_URL',
  means: 'paid calls are refused with 503; payments under way are finished when it is back',
  code: 'CHAIN_UNAVAILABLE',
}

function reporting(request: RpcEndpoint['request'], outages: Outages): RpcEndpoint['request'] {
  return async (call: RpcCall) => {
    try {
      const result = await request(call)
      outages.works(chain)
      return result
    } catch (error) {
      if (isUnanswered(error)) outages.failed(chain, error)
      else outages.works(chain)
      throw error
    }
  }
}

/** Whether there was no reply, or one that is not about the request: a limit, a refused access key, a fault. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof HttpRequestError)) return false
  return error.status !== 400 && error.status !== 413
}

/** Whether the endpoint is on this machine, so that frequent polling is free. */
function isLoopback(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}
